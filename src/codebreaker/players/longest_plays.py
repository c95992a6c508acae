"""The longest plays of trees and players, which a devious codemaker brings about."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from codebreaker.games.model import GameModel
from codebreaker.policies.strategy import Strategy
from codebreaker.statistics import standard_error
from codebreaker.trees.tree import GameTree
from codebreaker.types import Move


def longest_play(game: GameModel, tree: GameTree) -> list[Move]:
    """Return the first of a tree's longest plays, the answers to a deterministic strategy."""
    node = int(np.flatnonzero(tree.turn == tree.turn.max())[0])
    moves = [(int(tree.guess[node]), game.solved)]
    while tree.parent[node] >= 0:
        feedback = int(tree.feedback[node])
        node = int(tree.parent[node])
        moves.insert(0, (int(tree.guess[node]), feedback))
    return moves


def _write_play(game: GameModel, moves: Sequence[Move]) -> str:
    return " ".join(
        f"{game.guesses[guess]}:{game.feedback_labels[answer]}" for guess, answer in moves
    )


def strategies_row(game: GameModel, tree: GameTree, strategy: Strategy) -> dict[str, Any]:
    """Return a strategy's columns with its mean, maximum and longest play."""
    profile = tree.profile
    return strategy.row | {
        "mean": round(tree.total_guesses / int(tree.n_candidates[0]), 4),
        "devious": len(profile),
        "secrets": int(profile[-1]),
        "play": _write_play(game, longest_play(game, tree)),
    }


def players_frame(
    games: Iterable[tuple[str, float | None, GameModel, list[list[Move]]]],
) -> pl.DataFrame:
    """Return a row per player."""
    rows = []
    for player, exact, game, played in games:
        guesses = np.array([len(moves) for moves in played])
        mean = float(guesses.mean())
        error = standard_error(guesses)
        most = int(guesses.max())
        longest = _write_play(game, played[int(guesses.argmax())])
        rows.append((player, len(guesses), mean, error, exact, most, longest))
    columns = ["player", "games", "devious", "error", "exact", "max", "play"]
    types = {"exact": pl.Float64}
    return pl.DataFrame(rows, columns, schema_overrides=types, orient="row")
