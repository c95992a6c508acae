"""Statistics of contests between players, and timed comparisons of players."""

import time
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker import statistics
from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, play_batch
from codebreaker.players.registry import PLAYERS, player_spec
from codebreaker.statistics import (
    SIGNIFICANCE_LEVEL,
    Estimate,
    mean_over_secrets,
    signed_rank_test,
    verdict,
)
from codebreaker.types import Scores

RELATIVE = {"guesses": False, "evaluations": True}
"""The measures of a game, and whether margins are relative to the mean of the two players."""

PUBLISHED = DATA / "published" / "cotta-2010-players.csv"

COLUMNS: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("measure", "player", "other"), pl.String),
    **dict.fromkeys(("difference", "low", "high", "p", "p_holm", "signed_rank_p"), pl.Float64),
    "verdict": pl.String,
}


@dataclass(frozen=True)
class Setting:
    """A game's number of secrets, and the players that use no random numbers."""

    secrets: int
    deterministic: Set[str]


def setting_of(game: str, players: Iterable[str]) -> Setting:
    """Return the setting of a contest of registered players."""
    rules = mastermind_rules(game)
    deterministic = {name for name in players if name in PLAYERS and not PLAYERS[name].draws}
    return Setting(rules.colours**rules.pegs, deterministic)


def by_secret(log: pl.DataFrame, measure: str) -> Scores:
    """Return a player's games by secret, (n_secrets, n_repetitions) float64, in order of labels.

    Only NumPy computes here: Polars' threads are missing in a forked process. Raises
    `CodebreakerError` if some secrets were played more often than others.
    """
    secrets = log["secret"].to_list()
    index = {secret: place for place, secret in enumerate(sorted({*secrets}))}
    places = np.array([index[secret] for secret in secrets])
    if len({*np.bincount(places).tolist()}) > 1:
        raise CodebreakerError(
            f"{log['player'][0]} played some secrets more often than others: play all equally"
        )
    games = log[measure].to_numpy().astype(np.float64)
    return games[np.lexsort((log["number"].to_numpy(), places))].reshape(len(index), -1)


def contest_summary(logs: pl.DataFrame, settings: Mapping[str, Setting]) -> pl.DataFrame:
    """Return means with errors by contest and player, and gaps to published means in errors.

    `settings` are those of the games. An exact mean has the error 0; without an error it is null.
    """
    rows = []
    for (contest, game, player), log in logs.group_by(
        "contest", "game", "player", maintain_order=True
    ):
        setting = settings[str(game)]
        row = {"contest": contest, "game": game, "player": player}
        row["games"] = len(log)
        for measure in RELATIVE:
            found = mean_over_secrets(
                by_secret(log, measure), setting.secrets, player not in setting.deterministic
            )
            row |= {f"mean_{measure}": found.mean, f"{measure}_error": found.error}
            if measure == "guesses":
                row["max_guesses"] = log[measure].max()
        rows.append(row)
    floats = {f"{measure}_error": pl.Float64 for measure in RELATIVE}
    means = pl.DataFrame(rows, schema_overrides=floats, infer_schema_length=None)
    published = pl.read_csv(PUBLISHED).rename(
        lambda name: name if name in ("game", "player") else f"published_{name}"
    )
    joined = means.join(published, on=["game", "player"], how="left", maintain_order="left")
    return joined.with_columns(
        _gap("guesses").alias("guesses_gap"), _gap("evaluations").alias("evaluations_gap")
    )


def _gap(measure: str) -> pl.Expr:
    error = (pl.col(f"{measure}_error") ** 2 + pl.col(f"published_{measure}_error") ** 2).sqrt()
    return (pl.col(f"mean_{measure}") - pl.col(f"published_{measure}")) / error


@dataclass(frozen=True)
class Comparison:
    """The difference of two players in a measure over the same secrets.

    `relative` is the difference in the units of the `margin`. Exact differences have no p-values.
    `games_rank_p` is that of a signed-rank test which takes all games as independent.
    """

    measure: str
    player: str
    other: str
    estimate: Estimate
    relative: Estimate
    margin: float
    p_holm: float | None
    signed_rank_p: float | None
    games_rank_p: float | None
    games: int

    @property
    def difference(self) -> float:
        """The difference of the means."""
        return self.estimate.mean

    @property
    def low(self) -> float | None:
        """The lower end of the 95% interval of the difference."""
        return self.estimate.interval(1 - SIGNIFICANCE_LEVEL)[0]

    @property
    def high(self) -> float | None:
        """The upper end of the 95% interval of the difference."""
        return self.estimate.interval(1 - SIGNIFICANCE_LEVEL)[1]

    @property
    def p(self) -> float | None:
        """The p-value of the difference."""
        return self.estimate.p

    @property
    def verdict(self) -> str:
        """Whether the players differ, and by more than the margin."""
        return verdict(self.estimate, self.p_holm, self.relative, self.margin)


class PairedGames:
    """Players' games over the same secrets; raises `CodebreakerError` if secrets differ.

    A deterministic player's repetitions of a secret are one game.
    """

    def __init__(
        self,
        logs: pl.DataFrame,
        contests: Iterable[str],
        setting: Setting,
        margins: Mapping[str, float],
    ) -> None:
        self.setting = setting
        self.margins = margins
        games = dict[str, pl.DataFrame]()
        secrets = None
        for number, contest in enumerate(contests):
            own = logs.filter(pl.col("contest") == contest)
            for (player,), played in own.group_by("player", maintain_order=True):
                met = played["secret"].unique().sort()
                secrets = met if secrets is None else secrets
                if met.equals(secrets):
                    games.setdefault(str(player), played)
                elif number == 0:
                    raise CodebreakerError(f"{player} met other secrets in {contest}")
            if number == 0:
                self.players = list(games)
        self._games = {
            measure: {player: self._played(player, log, measure) for player, log in games.items()}
            for measure in RELATIVE
        }

    def _played(self, player: str, log: pl.DataFrame, measure: str) -> Scores:
        games = by_secret(log, measure)
        return games[:, :1] if player in self.setting.deterministic else games

    def has(self, *players: str) -> bool:
        """Return whether players can be compared."""
        return {*players} <= {*self._games["guesses"]}

    def compare(self, measure: str, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        """Compare pairs, corrected for the number of those that are tested."""
        compared = [self._compare(measure, *pair) for pair in pairs]
        tested = [one.p for one in compared if one.p is not None]
        corrected = iter(statistics.holm(tested))
        return [one if one.p is None else replace(one, p_holm=next(corrected)) for one in compared]

    def _compare(self, measure: str, player: str, other: str) -> Comparison:
        one, two = (self._games[measure][name] for name in (player, other))
        draws = not {player, other} <= self.setting.deterministic
        gaps = one - two
        found = mean_over_secrets(gaps, self.setting.secrets, draws)
        relative = found
        if RELATIVE[measure]:
            relative = _share(gaps, (one + two) / 2, self.setting.secrets, draws)
        rank_p = None if found.is_exact else signed_rank_test(gaps)
        return Comparison(
            measure, player, other, found, relative, self.margins[measure],
            p_holm=None,
            signed_rank_p=rank_p,
            games_rank_p=None if found.is_exact else signed_rank_test(gaps.reshape(-1, 1)),
            games=gaps.size,
        )  # fmt: skip


def _share(gaps: Scores, means: Scores, secrets: int, draws: bool) -> Estimate:
    """Return mean gaps as a share of the means of both; the error is that of the linear part."""
    share = float(gaps.mean() / means.mean())
    residuals = (gaps - share * means) / means.mean()
    return replace(mean_over_secrets(residuals, secrets, draws), mean=share)


def as_row(pair: Comparison) -> dict[str, str | float | None]:
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
    """Return a row per player, timed without compilation; an exact figure has the error 0."""
    board = make_board(game)
    rows = list[dict[str, Any]]()
    games = draw_secrets(len(board.codes), repetitions, seed, secrets)
    by_code = np.argsort(games, kind="stable").reshape(-1, repetitions)
    labels = mastermind_rules(game).labels()
    baseline: tuple[bool, NDArray[Any]] | None = None

    def error_of(values: NDArray[Any], draws: bool) -> float | None:
        played = values[by_code].astype(np.float64)
        return mean_over_secrets(played, len(board.codes), draws).error

    for player in players:
        label = player.get("opening") or opening
        options = player.get("options", {})
        spec = player_spec(player["player"])
        series = Series(spec, board, code_index(game, label), seed, options)
        play_batch(series, games[:2], 0)
        started = time.process_time()
        log = play_batch(series, games, 0)
        seconds = time.process_time() - started
        guesses = log.guesses
        evaluations = log.evaluations.sum(axis=1)
        last = log.evaluations[np.arange(len(games)), guesses - 1]
        first_draws, first = baseline or (spec.draws, guesses)
        gaps = guesses - first
        gaps_error = error_of(gaps, spec.draws or first_draws) if baseline else 0.0
        baseline = first_draws, first
        openings = {*log.moves[:, 0].tolist()}
        rows.append(
            {
                "player": spec.name,
                "options": ", ".join(f"{name} {value:g}" for name, value in options.items()),
                "opening": labels[openings.pop()] if len(openings) == 1 else "random",
                "games": len(games),
                f"won_within_{within}": float(np.mean(guesses <= within)),
                "mean_guesses": float(guesses.mean()),
                "guesses_error": error_of(guesses, spec.draws),
                "max_guesses": int(guesses.max()),
                "difference": float(gaps.mean()),
                "difference_error": gaps_error,
                "mean_evaluations": float(evaluations.mean()),
                "evaluations_error": error_of(evaluations, spec.draws),
                "last_guess_share": float(last.sum() / evaluations.sum()),
                "ms_per_game": round(1000 * seconds / len(games), 3),
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)
