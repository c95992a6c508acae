"""Statistics of contests between players."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import polars as pl

from codebreaker import statistics
from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.players.board import mastermind_rules
from codebreaker.players.registry import PLAYERS
from codebreaker.statistics import (
    SIGNIFICANCE_LEVEL,
    Estimate,
    mean_over_secrets,
    signed_rank_score,
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
    row_of = {secret: row for row, secret in enumerate(sorted({*secrets}))}
    row_of_game = np.array([row_of[secret] for secret in secrets])
    if len({*np.bincount(row_of_game).tolist()}) > 1:
        raise CodebreakerError(
            f"{log['player'][0]} played some secrets more often than others: play all equally"
        )
    games = log[measure].to_numpy().astype(np.float64)
    by_row_and_number = np.lexsort((log["number"].to_numpy(), row_of_game))
    return games[by_row_and_number].reshape(len(row_of), -1)


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
            estimate = mean_over_secrets(
                by_secret(log, measure), setting.secrets, player not in setting.deterministic
            )
            row[f"mean_{measure}"] = estimate.mean
            row[f"{measure}_error"] = estimate.error
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
    """Return our mean minus the published one, in standard errors of this difference."""
    error = (pl.col(f"{measure}_error") ** 2 + pl.col(f"published_{measure}_error") ** 2).sqrt()
    return (pl.col(f"mean_{measure}") - pl.col(f"published_{measure}")) / error


@dataclass(frozen=True)
class PairedDifference:
    """The difference of two players in a measure over the same secrets.

    `relative` is the difference in the units of the `margin`. Exact differences have no p-values.
    `games_rank_score` is that of a signed-rank test which takes all games as independent.
    """

    measure: str
    player: str
    other: str
    estimate: Estimate
    relative: Estimate
    margin: float
    p_holm: float | None
    signed_rank_p: float | None
    games_rank_score: float | None
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
            # The first contest has the players to compare. Others may add players who played
            # against the same secrets.
            of_contest = logs.filter(pl.col("contest") == contest)
            for (player,), played in of_contest.group_by("player", maintain_order=True):
                secrets_of_player = played["secret"].unique().sort()
                if secrets is None:
                    secrets = secrets_of_player
                if secrets_of_player.equals(secrets):
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
        """Return a player's games, (n_secrets, n_repetitions); one for each if deterministic."""
        games = by_secret(log, measure)
        return games[:, :1] if player in self.setting.deterministic else games

    def has(self, *players: str) -> bool:
        """Return whether players can be compared."""
        return {*players} <= {*self._games["guesses"]}

    def compare(self, measure: str, pairs: Sequence[tuple[str, str]]) -> list[PairedDifference]:
        """Compare pairs, with p-values corrected by Holm's method for the number of tests.

        Pairs whose difference is exact are not tested.
        """
        compared = [self._compare(measure, *pair) for pair in pairs]
        tested = [at for at, comparison in enumerate(compared) if comparison.p is not None]
        corrected = statistics.holm([p for c in compared if (p := c.p) is not None])
        for at, p_holm in zip(tested, corrected, strict=True):
            compared[at] = replace(compared[at], p_holm=p_holm)
        return compared

    def _compare(self, measure: str, player: str, other: str) -> PairedDifference:
        """Compare a pair, not yet corrected for the number of tests."""
        games = self._games[measure][player]
        games_of_other = self._games[measure][other]
        draws = not {player, other} <= self.setting.deterministic
        # A deterministic player's one game for each secret is set against all of the other's.
        gaps = games - games_of_other
        difference = mean_over_secrets(gaps, self.setting.secrets, draws)
        relative = difference
        if RELATIVE[measure]:
            relative = _share(gaps, (games + games_of_other) / 2, self.setting.secrets, draws)
        is_exact = difference.is_exact
        return PairedDifference(
            measure,
            player,
            other,
            estimate=difference,
            relative=relative,
            margin=self.margins[measure],
            p_holm=None,
            signed_rank_p=None if is_exact else signed_rank_test(gaps),
            games_rank_score=None if is_exact else signed_rank_score(gaps.reshape(-1, 1)),
            games=gaps.size,
        )


def _share(gaps: Scores, means: Scores, secrets: int, draws: bool) -> Estimate:
    """Return mean gaps as a share of the means of both; the error is that of the linear part."""
    share = float(gaps.mean() / means.mean())
    residuals = (gaps - share * means) / means.mean()
    return replace(mean_over_secrets(residuals, secrets, draws), mean=share)


def as_row(pair: PairedDifference) -> dict[str, str | float | None]:
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
