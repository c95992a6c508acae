"""Methods side by side: players that play the same secrets in one job, where they are timed."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, play_batch
from codebreaker.players.registry import player_spec


def compare_methods(
    game: str,
    opening: str,
    rounds: int,
    within: int,
    players: Sequence[Mapping[str, Any]],
    seed: int,
) -> pl.DataFrame:
    """Play all players against every secret `rounds` times, one after the other, and time them.

    A player has a name, and may have an `opening` and `options` of its own. Returns one row per
    player: the share of games won within `within` guesses, mean guesses and evaluations with
    standard errors, milliseconds of processor time per game, and the mean difference in guesses
    from the first player, secret by secret. Compilation is not timed.
    """
    board, rows, first = make_board(game), [], None
    secrets = draw_secrets(len(board.codes), rounds, seed)
    for player in players:
        label, options = player.get("opening") or opening, player.get("options", {})
        spec = player_spec(player["player"])
        series = Series(spec, board, code_index(game, label), seed, options)
        play_batch(series, secrets[:2], 0)
        started = time.process_time()
        log = play_batch(series, secrets, 0)
        seconds = time.process_time() - started
        guesses, evaluations = log.guesses, log.evaluations.sum(axis=1)
        first = guesses if first is None else first
        rows.append(
            {
                "player": spec.name,
                "options": ", ".join(f"{name} {value:g}" for name, value in options.items()),
                "opening": _opening(game, log.moves[:, 0].tolist()),
                "games": len(secrets),
                f"won_within_{within}": float(np.mean(guesses <= within)),
                "mean_guesses": float(guesses.mean()),
                "guesses_error": _error(guesses),
                "max_guesses": int(guesses.max()),
                "difference": float((guesses - first).mean()),
                "difference_error": _error(guesses - first),
                "mean_evaluations": float(evaluations.mean()),
                "evaluations_error": _error(evaluations),
                "ms_per_game": round(1000 * seconds / len(secrets), 3),
            }
        )
    return pl.DataFrame(rows)


def _opening(game: str, codes: list[int]) -> str:
    """Return the opening's label, or `random` if it differs from game to game."""
    return mastermind_rules(game).labels()[codes[0]] if len(set(codes)) == 1 else "random"


def _error(values: NDArray[np.integer]) -> float:
    """Return the standard error of the mean."""
    return float(values.std(ddof=1) / len(values) ** 0.5)
