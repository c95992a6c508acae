"""Files of game trees: parquet tables with the key of the strategy, and readable transcripts."""

import json
from dataclasses import asdict, dataclass, fields
from io import BytesIO
from pathlib import Path

import numpy as np

from codebreaker.files import atomic_write, checked_read, frame_to_bytes, read_sealed, write_text
from codebreaker.games.model import Game
from codebreaker.policies.policy import Policy
from codebreaker.trees.tree import GameTree, move_text, tree_lines
from codebreaker.types import Move

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


def transcripts(game: Game, tree: GameTree) -> list[list[Move]]:
    """Return every secret's moves, in the order of the secrets."""
    from codebreaker.trees.grow import walk  # slow to import, and tables need no compiled loops

    moves: list[list[Move]] = [[] for _ in range(game.n_secrets)]
    for frontier, guesses, ids in walk(game, tree):
        played = np.repeat(guesses, frontier.sizes)
        for secret, guess, feedback in zip(
            frontier.sets.members.tolist(), played.tolist(), ids.tolist(), strict=True
        ):
            moves[secret].append((guess, feedback))
    return moves


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
