"""Game trees as parquet tables, and the key of each strategy."""

import json
from dataclasses import asdict, dataclass, fields
from io import BytesIO
from pathlib import Path

from codebreaker.files import atomic_write, checked_read, frame_to_bytes, read_sealed
from codebreaker.games.model import Game
from codebreaker.policies.policy import Policy
from codebreaker.trees.tree import GameTree

COLUMNS = tuple(field.name for field in fields(GameTree))


@dataclass(frozen=True)
class StrategyKey:
    """The columns that identify a strategy, in every table of strategies.

    `opening` is the first guess played; `forced` means that it was not the policy's own choice.
    `endgames` is the largest candidate set played exactly, `exact_from` the turn from which all
    sets are, `guess_limit` the limit on guesses per secret given to the exact search, `rounds` the
    guesses within which it solves the most secrets. `tree` is the stem of the tree's files.
    """

    game: str
    policy: str
    opening: str
    forced: bool
    guess_pool: str
    tie_break: str
    endgames: int
    exact_from: int | None
    guess_limit: int | None
    tree: str
    rounds: int | None = None


def key_of(game: Game, policy: Policy, tree: GameTree, name: str) -> StrategyKey:
    """Return the key of a policy's tree; `name` is the stem of its files."""
    return StrategyKey(
        game=game.name,
        policy=policy.name,
        opening=game.guesses[tree.guess[0]],
        forced=policy.opening is not None,
        guess_pool=policy.guess_pool,
        tie_break=policy.tie_break,
        endgames=policy.endgames,
        exact_from=policy.exact_from,
        guess_limit=None,
        tree=name,
    )


def write_tree(tree: GameTree, key: StrategyKey, path: str | Path) -> None:
    """Write a tree as parquet: one row per node, int32 columns, the key as the file's metadata."""
    with atomic_write(path) as draft:
        draft.write_bytes(tree_to_bytes(tree, key))


def tree_to_bytes(tree: GameTree, key: StrategyKey) -> bytes:
    """Return the content of a tree's parquet file."""
    import polars as pl  # slow to import, and growing a tree needs no table

    frame = pl.DataFrame({name: getattr(tree, name) for name in COLUMNS})
    return frame_to_bytes(frame, strategy=json.dumps(asdict(key)))


def read_tree(path: str | Path) -> tuple[GameTree, StrategyKey]:
    """Read a tree and its key; raise `DamagedFileError` if the file is damaged."""
    import polars as pl
    from pydantic import TypeAdapter

    with checked_read(path):
        content = BytesIO(read_sealed(path))
        metadata = pl.read_parquet_metadata(content)
        key = TypeAdapter(StrategyKey).validate_json(metadata["strategy"])
        frame = pl.read_parquet(content, columns=list(COLUMNS))
        tree = GameTree(**{name: frame[name].to_numpy() for name in COLUMNS})
        tree.check()
    return tree, key
