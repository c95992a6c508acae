"""Statistics of contests between players, and timed comparisons of players."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from codebreaker import statistics
from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, play_batch
from codebreaker.players.registry import player_spec
from codebreaker.types import Scores

SIGNIFICANCE_LEVEL = 0.05
RELATIVE = {"guesses": False, "evaluations": True}
"""The measures of a game, and whether margins are relative to the mean of the two players."""

PUBLISHED = DATA / "published" / "cotta-2010-players.csv"

COLUMNS: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("measure", "player", "other"), pl.String),
    **dict.fromkeys(("difference", "low", "high", "p", "p_holm", "signed_rank_p"), pl.Float64),
    "verdict": pl.String,
}


def contest_summary(logs: pl.DataFrame) -> pl.DataFrame:
    """Return means with errors by contest and player, and gaps to published means in errors."""
    means = logs.group_by("contest", "game", "player", maintain_order=True).agg(
        pl.len().alias("games"),
        *_mean("guesses"),
        pl.col("guesses").max().alias("max_guesses"),
        *_mean("evaluations"),
    )
    published = pl.read_csv(PUBLISHED).rename(
        lambda name: name if name in ("game", "player") else f"published_{name}"
    )
    joined = means.join(published, on=["game", "player"], how="left", maintain_order="left")
    return joined.with_columns(
        _gap("guesses").alias("guesses_gap"), _gap("evaluations").alias("evaluations_gap")
    )


def _mean(measure: str) -> tuple[pl.Expr, pl.Expr]:
    error = pl.col(measure).std() / pl.len().sqrt()
    return pl.col(measure).mean().alias(f"mean_{measure}"), error.alias(f"{measure}_error")


def _gap(measure: str) -> pl.Expr:
    error = (pl.col(f"{measure}_error") ** 2 + pl.col(f"published_{measure}_error") ** 2).sqrt()
    return (pl.col(f"mean_{measure}") - pl.col(f"published_{measure}")) / error


@dataclass(frozen=True)
class Inference:
    """Resamples, their seed, and the margins, in guesses and as a share of the evaluations."""

    resamples: int
    seed: int
    margins: Mapping[str, float]


@dataclass(frozen=True)
class Comparison:
    """The difference of two players in a measure over the same secrets, with its 95% interval."""

    measure: str
    player: str
    other: str
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    signed_rank_p: float
    is_within: bool
    is_beyond: bool
    games: int

    @property
    def differs(self) -> bool:
        """Whether the difference is significant."""
        return self.p_holm < SIGNIFICANCE_LEVEL

    @property
    def verdict(self) -> str:
        """Whether the players differ, and by more than the margin."""
        if not self.differs:
            return "equivalent" if self.is_within else "undecided"
        if self.is_within:
            return "different within the margin"
        return "different beyond the margin" if self.is_beyond else "different"


class PairedGames:
    """Players' games over the same secrets; raises `CodebreakerError` if secrets differ."""

    def __init__(self, logs: pl.DataFrame, contests: Iterable[str], inference: Inference) -> None:
        self.inference, games = inference, dict[str, pl.DataFrame]()
        for number, contest in enumerate(contests):
            own = logs.filter(pl.col("contest") == contest)
            for (player,), played in own.group_by("player", maintain_order=True):
                played = played.sort("number")
                if played["secret"].equals(next(iter(games.values()), played)["secret"]):
                    games.setdefault(str(player), played)
                elif number == 0:
                    raise CodebreakerError(f"{player} met other secrets in {contest}")
            if number == 0:
                self.players = list(games)
        self._columns = {player: column for column, player in enumerate(games)}
        self._values = {
            measure: np.array([one[measure] for one in games.values()], np.float64).T
            for measure in RELATIVE
        }

    def has(self, *players: str) -> bool:
        """Return whether players can be compared."""
        return {*players} <= {*self._columns}

    def compare(self, measure: str, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        """Compare pairs, corrected for their number."""
        if not pairs:
            return []
        values, means = self._values[measure], self._means[measure]
        one, other = (np.array([self._columns[pair[side]] for pair in pairs]) for side in range(2))
        gaps = values[:, one] - values[:, other]
        resampled = means[:, one] - means[:, other]
        lows, highs = statistics.interval(resampled, 1 - SIGNIFICANCE_LEVEL)
        if RELATIVE[measure]:
            resampled /= (means[:, one] + means[:, other]) / 2
        # Two one-sided tests at a level are an interval of 1 - 2 * level.
        within = np.abs(statistics.interval(resampled, 1 - 2 * SIGNIFICANCE_LEVEL)).max(axis=0)
        beyond = statistics.interval(np.abs(resampled), 1 - SIGNIFICANCE_LEVEL)[0]
        margin = self.inference.margins[measure]
        p_values = [statistics.mean_test(gap) for gap in gaps.T]
        columns = (
            gaps.mean(axis=0).tolist(), lows.tolist(), highs.tolist(), p_values,
            statistics.holm(p_values), [statistics.signed_rank_test(gap) for gap in gaps.T],
            (within < margin).tolist(), (beyond > margin).tolist(), [len(gaps)] * len(pairs),
        )  # fmt: skip
        return [
            Comparison(measure, *pair, *row)
            for pair, row in zip(pairs, zip(*columns, strict=True), strict=True)
        ]

    @cached_property
    def _means(self) -> dict[str, Scores]:
        both = np.hstack(list(self._values.values()))
        means = statistics.resampled_means(both, self.inference.resamples, self.inference.seed)
        return dict(zip(self._values, np.split(means, len(self._values), axis=1), strict=True))


def as_row(pair: Comparison) -> dict[str, str | float]:
    """Return a table's row."""
    return {column: getattr(pair, column) for column in COLUMNS}


def pairwise_tests(games: Mapping[str, PairedGames]) -> pl.DataFrame:
    """Compare all pairs, corrected for those of a contest and measure."""
    return pl.DataFrame(
        [
            {"contest": contest, **as_row(pair)}
            for contest, paired in games.items()
            for measure in RELATIVE
            for pair in paired.compare(measure, list(combinations(paired.players, 2)))
        ],
        schema={"contest": pl.String, **COLUMNS},
    )


def compare_methods(
    game: str,
    opening: str,
    repetitions: int,
    within: int,
    players: Sequence[Mapping[str, Any]],
    seed: int,
    secrets: int | None = None,
) -> pl.DataFrame:
    """Return a row per player, timed without compilation."""
    board, rows, first = make_board(game), [], None
    games = draw_secrets(len(board.codes), repetitions, seed, secrets)
    labels = mastermind_rules(game).labels()
    for player in players:
        label, options = player.get("opening") or opening, player.get("options", {})
        spec = player_spec(player["player"])
        series = Series(spec, board, code_index(game, label), seed, options)
        play_batch(series, games[:2], 0)
        started = time.process_time()
        log = play_batch(series, games, 0)
        seconds = time.process_time() - started
        guesses, evaluations = log.guesses, log.evaluations.sum(axis=1)
        last = log.evaluations[np.arange(len(games)), guesses - 1]
        first = guesses if first is None else first
        openings = {*log.moves[:, 0].tolist()}
        rows.append(
            {
                "player": spec.name,
                "options": ", ".join(f"{name} {value:g}" for name, value in options.items()),
                "opening": labels[openings.pop()] if len(openings) == 1 else "random",
                "games": len(games),
                f"won_within_{within}": float(np.mean(guesses <= within)),
                "mean_guesses": float(guesses.mean()),
                "guesses_error": statistics.standard_error(guesses),
                "max_guesses": int(guesses.max()),
                "difference": float((guesses - first).mean()),
                "difference_error": statistics.standard_error(guesses - first),
                "mean_evaluations": float(evaluations.mean()),
                "evaluations_error": statistics.standard_error(evaluations),
                "last_guess_share": float(last.sum() / evaluations.sum()),
                "ms_per_game": round(1000 * seconds / len(games), 3),
            }
        )
    return pl.DataFrame(rows)
