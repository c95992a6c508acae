"""Trees as the study stores them: a table with a row for each node, the strategy as metadata."""

import json
from functools import lru_cache
from io import BytesIO

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.policies.strategy import Strategy
from codebreaker.runtime.seals import check_seal
from codebreaker.trees.formats.reading import Node, Outline, check_depth
from codebreaker.trees.tree import MOST_NESTED, GameTree

COLUMNS = ("parent", "feedback", "guess", "n_candidates")


@lru_cache(maxsize=1)
def _read(content: bytes) -> tuple[str, list[tuple[int, ...]]]:
    """Return the game's name and the rows of a sealed file (Polars may abort on damaged ones)."""
    import polars as pl  # slow to import

    try:
        check_seal(content)
        key = json.loads(pl.read_parquet_metadata(BytesIO(content))["strategy"])
        frame = pl.read_parquet(BytesIO(content), columns=list(COLUMNS))
        frame = frame.select(COLUMNS).cast(pl.Int64, strict=True)
    except (ValueError, KeyError, pl.exceptions.PolarsError):
        why = "not a tree's table, or a damaged one: make the file again"
        raise CodebreakerError(why) from None
    if not isinstance(key, dict) or not isinstance(key.get("game"), str):
        raise CodebreakerError("the strategy in the table's metadata names no game: add it")
    if sum(frame.null_count().row(0)):
        raise CodebreakerError("a tree's table has no empty fields: make the file again")
    return key["game"], frame.rows()


def game(content: bytes) -> str | None:
    """Return the game's name."""
    return _read(content)[0]


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; `CodebreakerError` names the first bad row, counted from 1."""
    played = notation.game
    outline = Outline()
    turns = list[int]()
    # Guesses that separate candidates, or win, need at most a turn for each secret.
    most_turns = max(played.n_secrets, MOST_NESTED)
    for row, (parent, feedback, guess, count) in enumerate(_read(content)[1]):
        try:
            if not 0 <= guess < played.n_guesses:
                raise CodebreakerError(f"{played.name} has no guess {guess}")
            if row == 0 and parent >= 0:
                raise CodebreakerError("the first row is the root, which has no parent")
            if row and not 0 <= parent < row:
                raise CodebreakerError(f"the parent {parent} is not an earlier row")
            if row and not 0 <= feedback < played.n_feedback:
                raise CodebreakerError(f"{played.name} has no feedback {feedback}")
            outline.add(outline.nodes[parent] if row else None, feedback, Node(guess, count))
            turns.append(turns[parent] + 1 if row else 1)
            check_depth(turns[-1], most_turns)
        except CodebreakerError as error:
            raise CodebreakerError(f"row {row + 1}: {error}") from None
    if not outline.nodes:
        raise CodebreakerError("the table has no rows: use a complete file")
    return outline


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree of unknown origin."""
    from codebreaker.trees.io import tree_to_bytes  # slow to import

    unknown = Strategy("unknown", guess_pool="all", tree="unknown")
    first = notation.game.guesses[tree.guess[0]]
    return tree_to_bytes(tree, unknown.grown(notation.game.name, first, "unknown"))
