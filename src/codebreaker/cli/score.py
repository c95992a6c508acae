"""`codebreaker score`: finished games, judged move by move."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from codebreaker.cli.completion import complete_game, complete_policy
from codebreaker.cli.options import Format, OutputFormat
from codebreaker.cli.output import Output

if TYPE_CHECKING:
    from codebreaker.advice.verdict import Verdict

SOME_SKIPPED = 1
"""The exit code if lines were skipped."""

MOST_FAULTS = 20
"""The most skipped lines that are listed on stderr; the files list all of them."""


def score(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Games, a JSON object a line; - for stdin.")
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            help="The game, if the lines don't say it.",
            show_default=False,
            autocompletion=complete_game,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The player of lines that name none."),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            "-p",
            metavar="POLICY",
            help="Judge by this policy's play.",
            autocompletion=complete_policy,
        ),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Judge by optimal play, however long it takes.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write tables, and a page, into this folder."),
    ] = None,
    output: OutputFormat = Format.auto,
) -> None:
    """Judge finished games: what each guess cost, and how lucky its feedback was.

    \b
    codebreaker score games.jsonl                  totals by player
    codebreaker score games.jsonl --out judged     tables of all moves, and a page
    codebreaker score results.jsonl -g bc-4-10     lines that don't say their game

    A line is {"game": "mm-4-6", "player": "me", "moves": [["1122", "1,1"], ...]}, where 1,1 means
    1 black peg, right in colour and place, and 1 white peg, right in colour only; or a game in the
    forms of MastermindEval, TextArena or a Bulls-and-Cows benchmark: see docs/transcripts.md.

    The exit code is 0 if every line was read, 1 if some were skipped, and 2 for wrong input.
    """  # noqa: D301 (\b keeps the lines below it apart)
    from codebreaker.advice.output import as_json, write_verdict
    from codebreaker.advice.transcripts import Reader
    from codebreaker.advice.verdict import judge
    from codebreaker.errors import CodebreakerError

    if exact and policy is not None:
        raise CodebreakerError("--exact and --policy exclude each other: games have one judge")
    reader = Reader(game, player)
    try:
        with _opened(file) as lines:
            verdict = judge(lines, reader, policy, exact or None)
    except OSError as error:
        raise CodebreakerError(f"{file} can't be read: {error.strerror or error}") from None
    title = "stdin" if file == "-" else Path(file).name
    if out is not None:
        write_verdict(verdict, title, out)
    writer = Output(output)
    if writer.json:
        writer.object(as_json(verdict, title))
    else:
        _print(writer, verdict)
        _print_faults(verdict, file)
    if verdict.skipped:
        raise typer.Exit(SOME_SKIPPED)


def _opened(file: str) -> "IO[bytes] | nullcontext[IO[bytes]]":
    return nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb")


def _print(out: Output, verdict: "Verdict") -> None:
    """Print the players of each kind of game as a table."""
    from codebreaker.advice.output import PLAYERS, headline, shown

    for _, players in verdict.players.group_by("game", maintain_order=True):
        out.line(headline(players), style="bold")
        rows = shown(players, PLAYERS)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for player, *cells in rows:
            padded = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
            out.line("  ".join([player.ljust(widths[0]), *padded]))
    for remark in verdict.remarks:
        out.line(remark)
    if not len(verdict.games):
        out.line("no games")


def _print_faults(verdict: "Verdict", file: str) -> None:
    """Print the skipped lines on stderr."""
    for fault in verdict.skipped[:MOST_FAULTS]:
        typer.echo(f"{file}:{fault.line}: {fault.reason}", err=True)
    more = len(verdict.skipped) - MOST_FAULTS
    if more > 0:
        typer.echo(f"... and {more:,} more lines were skipped", err=True)
