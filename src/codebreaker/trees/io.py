"""Files of game trees: parquet tables with their strategy, and readable transcripts."""

import json
from dataclasses import fields
from io import BytesIO
from pathlib import Path

import numpy as np

from codebreaker.files import atomic_write, checked_read, frame_to_bytes, read_sealed, write_text
from codebreaker.games.model import GameModel
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.tree import GameTree, tree_lines
from codebreaker.types import Move

COLUMNS = tuple(field.name for field in fields(GameTree))


def strategy_of_tree(game: GameModel, strategy: Strategy, tree: GameTree, name: str) -> Strategy:
    """Return the record of a strategy's tree; `name` is the stem of its files."""
    return strategy.grown(game.name, game.guesses[tree.guess[0]], name)


def write_tree(tree: GameTree, strategy: Strategy, path: str | Path) -> None:
    """Write a tree as parquet: a row per node, int32 columns, the strategy as metadata."""
    with atomic_write(path) as temporary:
        temporary.write_bytes(tree_to_bytes(tree, strategy))


def tree_to_bytes(tree: GameTree, strategy: Strategy) -> bytes:
    """Return a tree's parquet file."""
    import polars as pl  # slow to import

    frame = pl.DataFrame({name: getattr(tree, name) for name in COLUMNS})
    return frame_to_bytes(frame, strategy=json.dumps(strategy.row))


def read_tree(path: str | Path) -> tuple[GameTree, Strategy]:
    """Read a tree and its strategy, or raise `DamagedFileError`."""
    import polars as pl

    with checked_read(path):
        content = BytesIO(read_sealed(path))
        metadata = pl.read_parquet_metadata(content)
        strategy = Strategy.of_row(json.loads(metadata["strategy"]))
        frame = pl.read_parquet(content, columns=list(COLUMNS))
        tree = GameTree(**{name: frame[name].to_numpy() for name in COLUMNS})
        tree.check()
    return tree, strategy


def transcripts(game: GameModel, tree: GameTree) -> list[list[Move]]:
    """Return every secret's moves, in the order of the secrets."""
    from codebreaker.trees.grow import walk  # slow to import

    moves: list[list[Move]] = [[] for _ in range(game.n_secrets)]
    for frontier, guesses, ids in walk(game, tree):
        played = np.repeat(guesses, frontier.sizes)
        for secret, guess, feedback in zip(
            frontier.sets.members.tolist(), played.tolist(), ids.tolist(), strict=True
        ):
            moves[secret].append((guess, feedback))
    return moves


def write_tree_text(game: GameModel, tree: GameTree, strategy: Strategy, path: str | Path) -> None:
    """Write a tree and every secret's transcript as readable text."""
    forced = " (forced)" if strategy.forced else ""
    lines = [
        f"# {strategy.game}, {strategy.policy}, opening {strategy.opening}{forced}",
        f"# guesses from {strategy.guess_pool} codes; ties: {strategy.row['tie_break']}",
        f"# {tree.total_guesses} guesses over {game.n_secrets} secrets, at most {tree.max_guesses}",
        "",
        "# The tree: feedback, then the next guess, then the number of candidates",
        *tree_lines(game, tree, game.feedback_labels),
        "",
        "# The transcripts: each secret, then its guesses with their feedback",
        *(
            f"{secret}: "
            + " ".join(f"{game.guesses[g]} {game.feedback_labels[f]}" for g, f in moves)
            for secret, moves in zip(game.secrets, transcripts(game, tree), strict=True)
        ),
    ]
    write_text(path, "\n".join(lines))
