"""Timed comparisons of players over the same games."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, play_batch
from codebreaker.players.logs import GameLog
from codebreaker.players.registry import player_spec
from codebreaker.statistics import mean_over_secrets


def compare_methods(
    game: str,
    opening: str,
    repetitions: int,
    within: int,
    players: Sequence[Mapping[str, Any]],
    seed: int,
    secrets: int | None = None,
) -> pl.DataFrame:
    """Return a row per player, with results and CPU time; an exact figure has the error 0.

    All players play the same games: `repetitions` of each secret, or of a sample of `secrets`. A
    player has the key `player`, its name, and may have another `opening` and `options`.
    `won_within_W` is the share of games with at most W = `within` guesses. `difference` is that of
    mean guesses to the first player.

    `ms_per_game` is CPU time of this process while it plays all games on one thread: allocating the
    player's memory, its guesses, and the feedback to them. Compilation is not part of it, because
    two games are played before.
    """
    board = make_board(game)
    games = draw_secrets(len(board.codes), repetitions, seed, secrets)
    labels = mastermind_rules(game).labels()
    rows = list[dict[str, Any]]()
    baseline: tuple[bool, NDArray[Any]] | None = None
    for player in players:
        spec = player_spec(player["player"])
        options = player.get("options", {})
        first_guess = code_index(game, player.get("opening") or opening)
        series = Series(spec, board, first_guess, seed, options)
        log, seconds = _play_timed(series, games)
        if baseline is None:
            baseline = (spec.draws, log.guesses)
        row: dict[str, Any] = {
            "player": spec.name,
            "options": ", ".join(f"{name} {value:g}" for name, value in options.items()),
            "opening": _common_opening(log, labels),
        }
        row |= _results(log, spec.draws, baseline, within, repetitions, len(board.codes))
        row["ms_per_game"] = round(1000 * seconds / len(games), 3)
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def _play_timed(series: Series, games: NDArray[np.int32]) -> tuple[GameLog, float]:
    """Play games; return them and the CPU seconds they took, compilation excluded."""
    play_batch(series, games[:2], 0)  # compiles what the player calls
    started = time.process_time()
    log = play_batch(series, games, 0)
    return log, time.process_time() - started


def _common_opening(log: GameLog, labels: Sequence[str]) -> str:
    """Return the label of the opening of all games, or 'random' if they differ."""
    openings = {*log.moves[:, 0].tolist()}
    return labels[openings.pop()] if len(openings) == 1 else "random"


def _results(
    log: GameLog,
    draws: bool,
    baseline: tuple[bool, NDArray[Any]],
    within: int,
    repetitions: int,
    n_secrets: int,
) -> dict[str, float | None]:
    """Return the columns of `compare_methods` that follow from a player's games.

    `draws` is whether the player uses random numbers. `baseline` is that of the first player, and
    its guesses in each game. `n_secrets` is the number of secrets of the game, played or not.
    """
    by_code = np.argsort(log.secrets, kind="stable").reshape(-1, repetitions)

    def error_of(values: NDArray[Any], draws: bool) -> float | None:
        """Return the standard error of the mean over secrets of the games' values, (n_games,)."""
        return mean_over_secrets(values[by_code].astype(np.float64), n_secrets, draws).error

    guesses = log.guesses
    evaluations = log.evaluations.sum(axis=1)
    evaluations_of_last = log.evaluations[np.arange(len(guesses)), guesses - 1]
    first_draws, guesses_of_first = baseline
    gaps = guesses - guesses_of_first
    is_first = guesses is guesses_of_first  # its difference to itself is exactly 0
    return {
        "games": len(guesses),
        f"won_within_{within}": float(np.mean(guesses <= within)),
        "mean_guesses": float(guesses.mean()),
        "guesses_error": error_of(guesses, draws),
        "max_guesses": int(guesses.max()),
        "difference": float(gaps.mean()),
        "difference_error": 0.0 if is_first else error_of(gaps, draws or first_draws),
        "mean_evaluations": float(evaluations.mean()),
        "evaluations_error": error_of(evaluations, draws),
        "last_guess_share": float(evaluations_of_last.sum() / evaluations.sum()),
    }
