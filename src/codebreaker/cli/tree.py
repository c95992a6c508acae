"""`codebreaker tree`: a policy's game tree, or the moves against one secret."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli.options import AssistantOptions, with_assistant_options
from codebreaker.cli.output import Output, about

if TYPE_CHECKING:
    from codebreaker.assistant.suggest import Assistant
    from codebreaker.trees.tree import GameTree


@with_assistant_options
def tree(
    options: AssistantOptions,
    secret: Annotated[
        str | None, typer.Option(metavar="CODE", help="Print the moves for this secret instead.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="TURNS", help="Stop after this many turns.")
    ] = None,
) -> None:
    """Print a policy's tree: feedback, next guess and the number of candidates.

    \b
    codebreaker tree --depth 2                 the first two guesses
    codebreaker tree --secret 4412             the game against one secret
    codebreaker tree --policy entropy -g bc-3-6

    Feedback 1B-2C means 1 black peg, right in colour and place, and 2 white pegs, right in colour
    only.
    """  # noqa: D301 (\b keeps the lines below it apart)
    from codebreaker.trees.text import nested

    assistant = options.assistant()
    notation = assistant.notation
    index = None if secret is None else notation.secret(secret)
    grown = assistant.suggest([]).tree
    out = Output(options.output, notation)
    if index is not None:
        _print_moves(out, assistant, grown, index)
    elif out.json:
        root = nested(notation.game, grown, depth)
        out.object(about(assistant) | _summary(grown) | {"tree": root})
    else:
        _print_tree(out, assistant, grown, depth)


def _summary(grown: "GameTree") -> dict[str, Any]:
    profile, secrets = grown.profile.tolist(), int(grown.n_candidates[0])
    return {
        "n_secrets": secrets,
        "total_guesses": grown.total_guesses,
        "mean_guesses": grown.total_guesses / secrets,
        "max_guesses": len(profile),
        "profile": profile,
    }


def _print_tree(out: Output, assistant: "Assistant", grown: "GameTree", depth: int | None) -> None:
    from codebreaker.trees.text import tree_lines

    for line in tree_lines(assistant.game, grown, depth):
        out.line(line)
    summary = _summary(grown)
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
