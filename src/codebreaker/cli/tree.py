"""`codebreaker tree`: a policy's game tree, or the moves against one secret."""

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli.options import AssistantOptions, Format, with_assistant_options
from codebreaker.cli.output import Output, about

if TYPE_CHECKING:
    from codebreaker.advice.suggest import Assistant
    from codebreaker.trees.tree import GameTree


class TreeOutput(StrEnum):
    """How a tree is written: as the other commands write, or in a format of files."""

    auto = "auto"
    rich = "rich"
    plain = "plain"
    json = "json"
    dot = "dot"
    contest = "contest"
    parquet = "parquet"


@with_assistant_options
def tree(
    options: AssistantOptions,
    secret: Annotated[
        str | None, typer.Option(metavar="CODE", help="Print the moves for this secret instead.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="TURNS", help="Stop after this many turns.")
    ] = None,
    output: Annotated[
        TreeOutput,
        typer.Option(
            "--format",
            "-f",
            help="auto means rich on a terminal and plain elsewhere; the last three are formats "
            "of files.",
        ),
    ] = TreeOutput.auto,
) -> None:
    """Print a policy's tree: feedback, next guess and the number of candidates.

    \b
    codebreaker tree --depth 2                 the first two guesses
    codebreaker tree --secret 4412             the game against one secret
    codebreaker tree --policy entropy -g bc-3-6
    codebreaker tree --format dot > tree.dot   a file for Graphviz

    Feedback 1B-2C means 1 black peg, right in colour and place, and 2 white pegs, right in colour
    only.
    """  # noqa: D301 (\b keeps the lines below it apart)
    from codebreaker.trees.tree import nested

    assistant = options.assistant()
    notation = assistant.notation
    index = None if secret is None else notation.secret(secret)
    whole = secret is None and depth is None
    if output.value not in list(Format) and not whole:
        raise typer.BadParameter(
            f"{output} holds whole trees: leave out --secret and --depth", param_hint="--format"
        )
    grown = assistant.suggest([]).tree
    if output.value not in list(Format):
        _write(assistant, grown, output)
        return
    out = Output(Format(output), notation)
    if index is not None:
        _print_moves(out, assistant, grown, index)
    elif out.json:
        root = nested(notation.game, grown, depth)
        out.object(about(assistant) | _summary(assistant, grown) | {"tree": root})
    else:
        _print_tree(out, assistant, grown, depth)


def _write(assistant: "Assistant", grown: "GameTree", form: TreeOutput) -> None:
    """Write a tree to stdout in a format of files."""
    from codebreaker.trees.formats.registry import encode
    from codebreaker.trees.io import key_of, tree_to_bytes

    notation, policy = assistant.notation, assistant.policy
    if form is TreeOutput.parquet:
        if sys.stdout.isatty():
            raise typer.BadParameter(
                "parquet is no text: redirect the output to a file", param_hint="--format"
            )
        key = key_of(notation.game, policy, grown, policy.slug)
        content = tree_to_bytes(grown, key)
    else:
        content = encode(form.value, notation, grown)
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def _summary(assistant: "Assistant", grown: "GameTree") -> dict[str, Any]:
    profile, secrets = grown.profile.tolist(), int(grown.n_candidates[0])
    return {
        "n_secrets": secrets,
        "total_guesses": grown.total_guesses,
        "mean_guesses": float(assistant.suggest([]).expected_guesses),
        "max_guesses": len(profile),
        "profile": profile,
    }


def _print_tree(out: Output, assistant: "Assistant", grown: "GameTree", depth: int | None) -> None:
    from codebreaker.trees.tree import tree_lines

    for line in tree_lines(assistant.game, grown, depth):
        out.line(line)
    summary = _summary(assistant, grown)
    out.line(
        f"{summary['total_guesses']:,} guesses for {summary['n_secrets']:,} secrets, "
        f"{summary['mean_guesses']:.4f} on average, at most {summary['max_guesses']}; "
        f"solved at guess 1, 2, ...: {' '.join(map(str, summary['profile']))}",
        style="bold",
    )
    out.policy(assistant, assistant.notation.kind.meaning)


def _print_moves(out: Output, assistant: "Assistant", grown: "GameTree", secret: int) -> None:
    from codebreaker.trees.tree import follow

    notation, game = assistant.notation, assistant.game
    moves = follow(game, grown, secret)
    if out.json:
        data = {"secret": game.secrets[secret], "moves": notation.objects(moves)}
        out.object(about(assistant) | data)
        return
    for number, move in enumerate(moves, start=1):
        out.move(number, move)
    out.policy(assistant, notation.legend)
