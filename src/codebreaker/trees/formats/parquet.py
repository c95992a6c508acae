"""Trees as the study stores them: a table with a row for each node, the strategy as metadata.

A damaged table can make the library that reads it abort the whole process, so that tables from
elsewhere are read in a process of their own.
"""

import json
import subprocess
import sys
from functools import lru_cache
from typing import NamedTuple

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.trees.replay import Outline, check_depth
from codebreaker.trees.tree import GameTree

TIME_LIMIT_S = 60


class _Table(NamedTuple):
    """The game's name, and the columns that a tree is made of."""

    game: str
    parent: list[int]
    feedback: list[int]
    guess: list[int]
    n_candidates: list[int]


@lru_cache(maxsize=1)
def _read(content: bytes) -> _Table:
    try:
        process = subprocess.run(
            [sys.executable, "-P", "-m", f"{__package__}.parquet_process"],
            input=content,
            capture_output=True,
            check=True,
            timeout=TIME_LIMIT_S,
        )
    except (OSError, subprocess.SubprocessError):
        raise CodebreakerError(
            "not a tree's table, or a damaged one: make the file again"
        ) from None
    table = _Table(*json.loads(process.stdout))
    if not isinstance(table.game, str):
        raise CodebreakerError("the strategy in the table's metadata names no game: add it")
    return table


def game(content: bytes) -> str | None:
    """Return the name of the game."""
    return _read(content).game


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` that names the first bad row, counted from 1."""
    _, *columns = _read(content)
    outline, turns = Outline(), list[int]()
    for row, (parent, feedback, guess, count) in enumerate(zip(*columns, strict=True)):
        try:
            _check(notation, row, parent, feedback, guess)
            outline.add(None if row == 0 else parent, feedback, guess, count)
            turns.append(1 if row == 0 else turns[parent] + 1)
            check_depth(turns[-1])
        except CodebreakerError as error:
            raise CodebreakerError(f"row {row + 1}: {error}") from None
    if not outline.guess:
        raise CodebreakerError("the table has no rows: use a complete file")
    return outline


def _check(notation: Notation, row: int, parent: int, feedback: int, guess: int) -> None:
    played = notation.game
    if not 0 <= guess < played.n_guesses:
        raise CodebreakerError(f"{played.name} has no guess {guess}")
    if row == 0 and parent >= 0:
        raise CodebreakerError("the first row is the root, which has no parent")
    if row and not 0 <= parent < row:
        raise CodebreakerError(f"the parent {parent} is not an earlier row")
    if row and not 0 <= feedback < played.n_feedback:
        raise CodebreakerError(f"{played.name} has no feedback {feedback}")


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree of unknown origin."""
    from codebreaker.trees.io import StrategyKey, tree_to_bytes  # slow to import

    key = StrategyKey(
        game=notation.game.name,
        policy="unknown",
        opening=notation.game.guesses[tree.guess[0]],
        forced=False,
        guess_pool="all",
        tie_break="none",
        endgames=0,
        exact_from=None,
        guess_limit=None,
        tree="unknown",
    )
    return tree_to_bytes(tree, key)
