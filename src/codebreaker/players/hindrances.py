"""What hinders players: codemakers who answer so as to delay, and wrong answers."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from codebreaker.games.model import Game, TableGame
from codebreaker.players.doubtful import Doubt, DoubtfulPlayer, guesses_of
from codebreaker.policies.strategy import Strategy
from codebreaker.search.lies import fewest_with_lies
from codebreaker.statistics import standard_error
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


def strategies_row(game: Game, tree: GameTree, key: Strategy) -> dict[str, Any]:
    """Return a strategy's key, mean and maximum, how many secrets need it, and its longest play."""
    profile = tree.profile
    return key.row | {
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
                "error": standard_error(guesses),
                "exact": exact,
                "max": int(guesses.max()),
                "play": write_play(game, played[int(guesses.argmax())]),
            }
        )
    return pl.DataFrame(rows, schema_overrides={"exact": pl.Float64})


NONE, ONCE, ANY = "never", "at most once", "any"
"""Which answers of a game may be wrong."""


def cost_of_a_lie(games: Iterable[TableGame]) -> pl.DataFrame:
    """Return the fewest guesses of each game, with right answers and with at most one wrong one."""
    rows = []
    for game in games:
        (right, _), (wrong, first) = (fewest_with_lies(game, lies) for lies in (False, True))
        rows.append((game.name, game.n_secrets, right, wrong, wrong - right, game.guesses[first]))
    columns = ["game", "secrets", "guesses", "with a lie", "cost", "first guess"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def with_recorded(found: pl.DataFrame, recorded: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of both tables, by family and secrets; a game's first row counts."""
    joined = pl.concat([found, recorded]).unique("game", keep="first", maintain_order=True)
    return joined.sort(pl.col("game").str.extract("^([a-z]+)"), "secrets", "game")


def entropy_with_errors(
    game: TableGame, opening: str, errors: Sequence[float], rounds: int, seed: int
) -> pl.DataFrame:
    """Return the means of games in which answers are wrong with some chances, never as well.

    Each secret is played in each round, and meets the same draws in all rows.
    """
    kinds = [
        (NONE, 0.0),
        *((kind, error) for error in errors for kind in (ONCE, ANY)),
    ]
    rows = []
    for kind, error in kinds:
        doubt = Doubt(error, once=kind == ONCE)
        guesses = guesses_of(DoubtfulPlayer(game, doubt, game.guesses.index(opening)), rounds, seed)
        spread = standard_error(guesses)
        mean = round(float(guesses.mean()), 4)
        rows.append((game.name, kind, error, len(guesses), mean, round(spread, 4), guesses.max()))
    columns = ["game", "wrong", "chance", "games", "mean", "error", "max"]
    return pl.DataFrame(rows, schema=columns, orient="row")
