"""Game trees as parquet tables and as text."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError
from pydantic import TypeAdapter

from codebreaker.files import atomic_write, checked_read, write_text
from codebreaker.games.model import Game
from codebreaker.policies.policy import Policy
from codebreaker.trees.grow import transcripts
from codebreaker.trees.text import move_text, tree_lines
from codebreaker.trees.tree import GameTree

COLUMNS = tuple(field.name for field in fields(GameTree))


@dataclass(frozen=True)
class StrategyKey:
    """The columns that identify a strategy, in every table of strategies.

    `opening` is the first guess played; `forced` means that it was not the policy's own choice.
    `endgames` is the largest candidate set played exactly, `guess_limit` the limit on guesses per
    secret given to the exact search. `tree` is the stem of the tree's files.
    """

    game: str
    policy: str
    opening: str
    forced: bool
    guess_pool: str
    tie_break: str
    endgames: int
    guess_limit: int | None
    tree: str


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
        guess_limit=None,
        tree=name,
    )


def write_tree(tree: GameTree, key: StrategyKey, path: str | Path) -> None:
    """Write a tree as parquet: one row per node, int32 columns, the key as the file's metadata."""
    frame = pl.DataFrame({name: getattr(tree, name) for name in COLUMNS})
    with atomic_write(path) as draft:
        frame.write_parquet(draft, metadata={"strategy": json.dumps(asdict(key))})


def read_tree(path: str | Path) -> tuple[GameTree, StrategyKey]:
    """Read a tree and its key; raise `DamagedFileError` if the file is damaged."""
    with checked_read(path, PolarsError):
        metadata, frame = pl.read_parquet_metadata(path), pl.read_parquet(path)
        key = TypeAdapter(StrategyKey).validate_json(metadata["strategy"])
        return GameTree(**{name: frame[name].to_numpy() for name in COLUMNS}), key


def write_tree_text(game: Game, tree: GameTree, key: StrategyKey, path: str | Path) -> None:
    """Write a tree and every secret's transcript as readable text."""
    lines = [
        f"# {key.game}, {key.policy}, opening {key.opening}{' (forced)' if key.forced else ''}",
        f"# guesses from {key.guess_pool} codes; ties: {key.tie_break}",
        f"# {tree.total_guesses} guesses over {game.n_secrets} secrets, at most {tree.max_guesses}",
        "",
        "# The tree: feedback, then the next guess, then the number of candidates",
        *tree_lines(game, tree),
        "",
        "# The transcripts: each secret, then its guesses with their feedback",
        *(
            f"{secret}: " + " ".join(move_text(game, move) for move in moves)
            for secret, moves in zip(game.secrets, transcripts(game, tree), strict=True)
        ),
    ]
    write_text(path, "\n".join(lines))
