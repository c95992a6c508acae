"""`codebreaker solve`: the minimum total of a game by exact search, and what of it is proven."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli import options
from codebreaker.cli.options import (
    Alphabet,
    Format,
    MoreWordsFile,
    OutputFormat,
    TableLimit,
    WordsFile,
    option,
)
from codebreaker.cli.output import Output

if TYPE_CHECKING:
    from codebreaker.advice.solving import Best, Limits
    from codebreaker.games.notation import Notation

UNPROVEN = 1
"""Exit code for a tree that is not proven to be optimal."""

DEFAULT_TIME_S = 60.0

EVERY_S = 5.0
"""Minimum seconds between two lines of progress."""

WrittenFormat = StrEnum("WrittenFormat", "parquet json dot contest")


class _Progress(logging.Handler):
    """Writes what a search logs to stderr: others than warnings at most once in EVERY_S seconds.

    A record with the attribute `at_once` is written like a warning.
    """

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._began = time.monotonic()
        self._next = self._began + EVERY_S

    def emit(self, record: logging.LogRecord) -> None:
        """Write a warning, or another record if a line is due."""
        if record.levelno >= logging.WARNING or getattr(record, "at_once", False):
            typer.echo(record.getMessage(), err=True)
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY_S
            typer.echo(f"{now - self._began:.0f} s: {record.getMessage()}", err=True)


@contextmanager
def _shown_progress() -> Iterator[None]:
    """Write what is logged meanwhile to stderr."""
    log = logging.getLogger("codebreaker")
    level = log.level
    handler = _Progress()
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def solve(
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="The game; `codebreaker games` lists them.",
            autocompletion=options.complete_game,
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        str | None, options.game_option("The same as GAME.", show_default=False)
    ] = None,
    opening: Annotated[str | None, option("CODE", "Force the first guess.")] = None,
    max_guesses: Annotated[
        int | None, option("NUMBER", "Allow at most so many guesses for any secret.", min=1)
    ] = None,
    guess_pool: Annotated[str, options.GUESS_POOL] = "all",
    time_limit: Annotated[
        float | None,
        option(
            "SECONDS",
            "Stop after this time with the best tree so far; inf for never. Default: 60, and "
            "never in hard mode.",
            show_default=False,
        ),
    ] = None,
    table: TableLimit = None,
    memory: Annotated[
        float, option("MIB", "Remember sets in this much memory; more repeats less.")
    ] = 256.0,
    checkpoints: Annotated[
        Path | None,
        option("FOLDER", "Save the search here every half minute; the same call resumes it."),
    ] = None,
    out: Annotated[
        Path | None,
        option("FILE", "Write the tree; its ending names the format, unless --as does.", "--out"),
    ] = None,
    form: Annotated[
        WrittenFormat | None, typer.Option("--as", help="The format of the tree's file.")
    ] = None,
    certificate: Annotated[
        Path | None, option("FILE", "Write tree and bounds as JSON for an independent check.")
    ] = None,
    words: WordsFile = None,
    more_words: MoreWordsFile = None,
    alphabet: Alphabet = None,
    prior: Annotated[
        str | None,
        option("FILE", "The secrets' prior: in each line a secret and its integer weight."),
    ] = None,
    output: OutputFormat = Format.auto,
) -> None:
    """Search for the tree with the fewest guesses on average, and say what is proven.

    \b
    codebreaker solve mm-3-4                          the minimum, proven
    codebreaker solve mm-2-5 --max-guesses 5 --out tree.contest
    codebreaker solve bc-3-5 --opening 012 -f json

    Every tree of the game, within the limits, needs at least the guesses that are printed as
    proven. If the time ends before the best tree is proven to be optimal, it is still no worse than
    the recorded one, if that keeps to the limits. With --checkpoints the same call resumes a search
    that was killed, or that a --time-limit stopped.

    The exit code is 0 if the tree is proven to be optimal, 1 if not, and 2 for wrong input, or if
    there is no such tree.
    """  # noqa: D301 (\b keeps the lines below it apart)
    from codebreaker.advice.pools import check_pool, pool_called
    from codebreaker.advice.resolve import read_one_guess
    from codebreaker.advice.solving import Limits, solve_game, writable
    from codebreaker.errors import CodebreakerError
    from codebreaker.games.codes import CodeRules
    from codebreaker.games.registry import check_table

    if form is not None and out is None:
        raise CodebreakerError("--as is the format of the file --out: name it")
    name = _one_game(" ".join(named) if named else None, game)
    notation = options.notation_with_files(name, words, more_words, alphabet, prior, table)
    pool = pool_called(options.usual_word(guess_pool) or "")
    check_pool(notation.game, pool)
    if certificate is not None and (pool == "hard" or notation.game.prior is not None):
        raise CodebreakerError("games with a prior, or in hard mode, have no --certificate")
    if not notation.game.has_table:
        assert isinstance(notation.rules, CodeRules)  # games of words have a table
        check_table(notation.rules, options.table_limit(words, table))  # says which limit is needed
    forced = None if opening is None else read_one_guess(notation, opening, "a search")
    usual = inf if pool == "hard" else DEFAULT_TIME_S
    seconds = usual if time_limit is None else time_limit
    limits = Limits(max_guesses, pool, forced, seconds, memory)
    for path, what in ((out, "trees"), (certificate, "certificates")):
        if path is not None:
            if path.is_dir():
                raise CodebreakerError(f"{path} is a folder, for {what}: name a file in it")
            writable(path.parent, what)  # before a search that may take hours
    written = _format_of(out, form)

    with _shown_progress():
        try:
            best = solve_game(notation.game.with_table(), limits, checkpoints)
        except KeyboardInterrupt:
            raise typer.Abort(_interrupted(checkpoints)) from None

    if out is not None:
        _write_tree(notation, best, out, written)
    if certificate is not None:
        from codebreaker.search.certificate import write_certificate

        assert best.optimum is not None  # which only priors and hard mode lack
        write_certificate(notation.game, best.optimum, certificate)
    writer = Output(output, notation)
    if writer.json:
        writer.object(_data(notation, best, limits))
    else:
        _print(writer, notation, best, limits)
    if not best.is_proven:
        raise typer.Exit(UNPROVEN)


def _one_game(argument: str | None, option_value: str | None) -> str:
    """Return the game's name, from the argument or from --game; raise for none, or for two."""
    from codebreaker.errors import CodebreakerError
    from codebreaker.games.registry import usual_name

    names = {usual_name(name): name for name in (argument, option_value) if name is not None}
    if not names:
        raise CodebreakerError("name the game to solve, as in codebreaker solve mm-3-4")
    if len(names) > 1:
        raise CodebreakerError(
            f"the game is {argument} as an argument, and {option_value} by --game: leave one out"
        )
    return next(iter(names))


def _interrupted(checkpoints: Path | None) -> str:
    """Return what an interrupted search has saved."""
    if checkpoints is None:
        return "interrupted: nothing is saved; --checkpoints FOLDER would save a search"
    if not any(checkpoints.glob("*.npz")):
        return f"interrupted before {checkpoints} had a checkpoint: nothing is saved"
    return f"interrupted: the search is saved in {checkpoints}, and the same call resumes it"


def _format_of(out: Path | None, form: WrittenFormat | None) -> str:
    """Return the format of the tree's file; raise `CodebreakerError` before a long search."""
    from codebreaker.errors import CodebreakerError, unknown
    from codebreaker.trees.formats.registry import WRITTEN

    if out is None:
        return ""
    name = out.suffix[1:] if form is None else form.value
    if not name:
        raise CodebreakerError(
            f"--out {out} has no ending that names a format: choose one, as in {out.name}.json, or "
            "add --as"
        )
    if name not in WRITTEN:
        raise unknown("tree format", name, WRITTEN)
    return name


def _write_tree(notation: "Notation", best: "Best", path: Path, form: str) -> None:
    """Write the tree in a format."""
    from codebreaker.files import atomic_write
    from codebreaker.trees.formats.registry import encode

    with atomic_write(path) as temporary:
        temporary.write_bytes(encode(form, notation, best.tree))


def _data(notation: "Notation", best: "Best", limits: "Limits") -> dict[str, Any]:
    """Return the JSON object of a search."""
    from codebreaker.trees.grow import expected_guesses

    game = notation.game
    return {
        "game": game.name,
        "tree": best.name,
        "proven": best.is_proven,
        "bound": best.bound,
        "total": best.total,
        "mean_guesses": float(expected_guesses(game, best.tree)),
        "max_guesses": best.tree.max_guesses,
        "has_lowest_maximum": best.has_lowest_maximum,
        "profile": best.tree.profile.tolist(),
        "n_secrets": game.n_secrets,
        "opening": game.guesses[best.tree.guess[0]],
        "guess_limit": limits.max_guesses,
        "guess_pool": limits.guess_pool,
    }


def _print(out: Output, notation: "Notation", best: "Best", limits: "Limits") -> None:
    """Write the figures of a tree and what is proven, as lines."""
    from codebreaker.trees.grow import expected_guesses

    game = notation.game
    profile = best.tree.profile.tolist()
    mean = float(expected_guesses(game, best.tree))
    out.line(f"{game.name}: {best.name}, from ", out.code(game.guesses[best.tree.guess[0]]))
    out.totals(None if game.prior is not None else best.total, mean, profile, "bold")
    unit = "guesses" if game.prior is None else "guesses, each times its secret's weight"
    within = " within these limits" if limits.restrict else ""
    if best.is_proven:
        out.line(f"proven: no tree{within} has fewer than {best.total:,} {unit}")
        most = best.tree.max_guesses
        if best.has_lowest_maximum:
            out.line("maximum: no tree with this total has a lower one")
        elif limits.max_guesses is None and game.prior is None and most > 1:
            out.line(f"maximum: a lower one was not looked for; --max-guesses {most - 1} does that")
        return
    lost = f"{best.total - best.bound:,} more than this, {100 * (best.total / best.bound - 1):.2f}%"
    out.line(f"proven: every tree{within} has at least {best.bound:,} {unit}; the best has {lost}")
    resumes = "" if limits.guess_pool == "hard" else ", and --checkpoints resumes"
    out.line(f"not proven to be optimal: --time-limit allows more time{resumes}")
