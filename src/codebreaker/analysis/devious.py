"""Strategies and players against a devious codemaker, who answers so as to delay them."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from codebreaker.games.model import Game
from codebreaker.trees.io import StrategyKey
from codebreaker.trees.tree import GameTree
from codebreaker.types import Move


def longest_play(game: Game, tree: GameTree) -> list[Move]:
    """Return the first of a tree's longest plays: what he answers to a strategy without draws."""
    node = int(np.flatnonzero(tree.turn == tree.turn.max())[0])
    moves = [(int(tree.guess[node]), game.solved)]
    while tree.parent[node] >= 0:
        feedback, node = int(tree.feedback[node]), int(tree.parent[node])
        moves.insert(0, (int(tree.guess[node]), feedback))
    return moves


def write_play(game: Game, moves: Sequence[Move]) -> str:
    """Return moves as text: each guess with the label of its answer."""
    return " ".join(f"{game.guesses[guess]}:{game.feedback_labels[told]}" for guess, told in moves)


def strategies_row(game: Game, tree: GameTree, key: StrategyKey) -> dict[str, Any]:
    """Return a strategy's key, mean and maximum, how many secrets need it, and its longest play."""
    profile = tree.profile
    return vars(key) | {
        "mean": round(tree.total_guesses / int(tree.n_candidates[0]), 4),
        "devious": len(profile),
        "secrets": int(profile[-1]),
        "play": write_play(game, longest_play(game, tree)),
    }


def players_frame(
    games: Iterable[tuple[str, float | None, Game, list[list[Move]]]],
) -> pl.DataFrame:
    """Return one row per player: mean guesses with their error, the most, and a longest game.

    `games` are its name, the exact expectation if known, the game, and all moves of all games.
    """
    rows = []
    for player, exact, game, played in games:
        guesses = np.array([len(moves) for moves in played])
        rows.append(
            {
                "player": player,
                "games": len(guesses),
                "devious": float(guesses.mean()),
                "error": float(guesses.std(ddof=1) / len(guesses) ** 0.5),
                "exact": exact,
                "max": int(guesses.max()),
                "play": write_play(game, played[int(guesses.argmax())]),
            }
        )
    return pl.DataFrame(rows, schema_overrides={"exact": pl.Float64})
