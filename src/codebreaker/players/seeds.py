"""How many seeds of evolutionary players stay feasible (Cotta et al. 2010, section 3)."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.players.contest import Series, play_game
from codebreaker.players.kernels.board import Board, Choice, feedback_between
from codebreaker.players.kernels.evolving import count_consistent

ALL_TURNS = 0
"""The turn of a row over all turns."""


def count_seeds(series: Series, secrets: NDArray[np.int32]) -> NDArray[np.int64]:
    """Play games, and count seeds before each guess from the third on, (n_choices, 5).

    The columns are the turn; the seeds, which are the feasible codes that the player knew before
    the last feedback; how many codes were feasible then; how many of the seeds stay feasible; and
    how many codes are feasible now. At the second guess of a game there are no seeds.
    """
    all_codes = np.arange(len(series.board.codes), dtype=np.int32)
    choose, work = series.player.make_player_with_memory(series.board, series.options)
    counts = list[tuple[int, ...]]()

    def count_and_choose(board: Board, n_known: int) -> Choice:
        """Count, then choose as the player does."""
        if len(board.guesses) > 1:
            before = board._replace(guesses=board.guesses[:-1], feedback=board.feedback[:-1])
            counts.append(
                (
                    len(board.guesses) + 1,
                    n_known,
                    count_consistent(before, all_codes),
                    count_consistent(board, work.candidates[:n_known]),
                    count_consistent(board, all_codes),
                )
            )
        return choose(board, n_known)

    for number, secret in enumerate(secrets.tolist()):

        def answer(guess: int, secret: int = secret) -> int | None:
            return None if guess == secret else feedback_between(series.board, guess, secret)

        for _ in play_game(series, count_and_choose, number, answer):
            pass
    return np.array(counts, np.int64).reshape(-1, 5)


def seeds_table(counts: NDArray[np.int64]) -> pl.DataFrame:
    """Return a row over all turns (0), and one for each turn, of the counts of `count_seeds`.

    `choices` is the number of guesses that were chosen with seeds, and `seeds` their mean number.
    `exhaustive` is the share of choices in which the seeds were all codes that were feasible before
    the last feedback. `stay_feasible` is the mean share of the seeds that stay feasible,
    `overlap` the share of choices in which some seed does, and `contain_all` the share in which
    the seeds have all codes that are feasible now.
    """
    turns, seeds, feasible_before, stay_feasible, feasible_now = counts.T
    choices = pl.DataFrame(
        {
            "turn": turns,
            "seeds": seeds,
            "exhaustive": (seeds == feasible_before).astype(np.float64),
            "stay_feasible": stay_feasible / seeds,
            "overlap": (stay_feasible > 0).astype(np.float64),
            "contain_all": (stay_feasible == feasible_now).astype(np.float64),
        }
    )
    means = (pl.len().alias("choices"), pl.col(choices.columns[1:]).mean())
    over_all = choices.with_columns(pl.lit(ALL_TURNS, pl.Int64).alias("turn"))
    return pl.concat([over_all, choices]).group_by("turn").agg(*means).sort("turn")
