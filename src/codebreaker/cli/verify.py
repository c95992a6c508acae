"""`codebreaker verify`: what a tree from a file does to every secret."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli.completion import complete_game, complete_tree_format
from codebreaker.cli.options import AssistantOptions, Format, OutputFormat
from codebreaker.cli.output import Output

if TYPE_CHECKING:
    from codebreaker.analysis.verdicts import Verdict

UNSOLVED = 1
"""The exit code for a tree that doesn't solve every secret."""


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A game tree in one of the formats of --from.")
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            help="The game. Default: the one that the file names, if it does.",
            autocompletion=complete_game,
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="parquet, json, koyama-lai, yaml or contest. Default: recognised.",
            autocompletion=complete_tree_format,
        ),
    ] = None,
    words: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The secrets of a `matches` or `marks` game."),
    ] = None,
    more_words: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Words that may be guessed in addition to --words."),
    ] = None,
    output: OutputFormat = Format.auto,
) -> None:
    """Play every secret against a tree from a file, and compare its total with the best known.

    Only the file's guesses are used; feedback comes from the rules: 1 black peg for each peg right
    in colour and place, 1 white peg for each right in colour only. Exit code 0 means that the tree
    solves every secret, 1 that it doesn't, and 2 that the file can't be read.
    """
    from codebreaker.analysis.verdicts import verify as verdict_on
    from codebreaker.errors import CodebreakerError
    from codebreaker.trees.formats.registry import open_tree

    tree_file = open_tree(file, form)
    named = game or tree_file.game()
    if named is None:
        raise CodebreakerError(f"{file} doesn't name its game: use --game, as in --game mm-4-6")
    notation = AssistantOptions(game=named, words=words, more_words=more_words).notation()
    verdict = verdict_on(tree_file, notation)
    out = Output(output, notation)
    if out.json:
        out.object({"file": file, "format": tree_file.format} | _data(verdict))
    else:
        _print(out, tree_file.format, verdict)
    if not verdict.valid:
        raise typer.Exit(UNSOLVED)


def _data(verdict: "Verdict") -> dict[str, Any]:
    replay, notation = verdict.replay, verdict.notation
    game, fault = notation.game, replay.fault
    shown = None
    if fault is not None:
        shown = {
            "secret": game.secrets[fault.secret],
            "moves": notation.objects(fault.moves),
            "n_candidates": fault.candidates,
        }
    return {
        "game": game.name,
        "valid": verdict.valid,
        "n_secrets": game.n_secrets,
        "n_solved": replay.solved,
        "total_guesses": replay.total_guesses,
        "mean_guesses": replay.total_guesses / replay.solved if replay.solved else None,
        "max_guesses": len(replay.profile),
        "profile": list(replay.profile),
        "fault": shown,
        "known": [
            {
                "total_guesses": known.total,
                "max_guesses": known.max_guesses,
                "kind": known.kind,
                "source": known.source,
                "difference": replay.total_guesses - known.total if verdict.valid else None,
            }
            for known in verdict.known
        ],
        "notes": list(verdict.notes()),
    }


def _print(out: Output, form: str, verdict: "Verdict") -> None:
    replay, game = verdict.replay, verdict.notation.game
    solved = f"{replay.solved:,} of {game.n_secrets:,}"
    if verdict.valid:
        solved = f"all {game.n_secrets:,}"
    out.line(f"{game.name}, {form}: solves {solved} secrets", style="bold")
    if fault := verdict.fault():
        out.line(f"fault: {fault}", style="bold red")
    if replay.solved:
        mean = replay.total_guesses / replay.solved
        out.line(
            f"{replay.total_guesses:,} guesses for {replay.solved:,} secrets, "
            f"{mean:.4f} on average, at most {len(replay.profile)}; "
            f"solved at guess 1, 2, ...: {' '.join(map(str, replay.profile))}"
        )
    for line in verdict.comparisons():
        out.line(f"known: {line}")
    for line in verdict.notes():
        out.line(f"note: {line}")
