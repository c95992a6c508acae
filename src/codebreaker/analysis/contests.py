"""Statistics of contests between players: means with standard errors, and pairwise tests."""

from itertools import combinations

import polars as pl
from scipy.stats import wilcoxon

from codebreaker.files import DATA

SIGNIFICANCE_LEVEL = 0.05
"""The level of the tests, as in Cotta et al. 2010."""

PUBLISHED = DATA / "published" / "cotta-2010-players.csv"
"""Means and standard errors from Cotta et al. 2010, Table 1."""


def contest_summary(logs: pl.DataFrame) -> pl.DataFrame:
    """Return means and standard errors, one row per contest and player, with published ones.

    A gap is the difference from the published mean in combined standard errors.
    """
    means = logs.group_by("contest", "game", "player", maintain_order=True).agg(
        pl.len().alias("games"),
        pl.col("guesses").mean().alias("mean_guesses"),
        (pl.col("guesses").std() / pl.len().sqrt()).alias("guesses_error"),
        pl.col("guesses").max().alias("max_guesses"),
        pl.col("evaluations").mean().alias("mean_evaluations"),
        (pl.col("evaluations").std() / pl.len().sqrt()).alias("evaluations_error"),
    )
    published = pl.read_csv(PUBLISHED).rename(
        lambda name: name if name in ("game", "player") else f"published_{name}"
    )
    return means.join(
        published, on=["game", "player"], how="left", maintain_order="left"
    ).with_columns(
        _gap("guesses").alias("guesses_gap"), _gap("evaluations").alias("evaluations_gap")
    )


def _gap(measure: str) -> pl.Expr:
    error = (pl.col(f"{measure}_error") ** 2 + pl.col(f"published_{measure}_error") ** 2).sqrt()
    return (pl.col(f"mean_{measure}") - pl.col(f"published_{measure}")) / error


def pairwise_tests(logs: pl.DataFrame) -> pl.DataFrame:
    """Test the differences of all pairs of players by Wilcoxon's signed-rank test, two-sided.

    Returns one row per contest, measure and pair, with the p-value before and after Holm's
    correction for all pairs of that contest and measure.
    """
    rows = []
    for (contest,), games in logs.group_by("contest", maintain_order=True):
        players = games["player"].unique(maintain_order=True).to_list()
        by_player = {
            name: games.filter(pl.col("player") == name).sort("number") for name in players
        }
        for measure in ("guesses", "evaluations"):
            pairs = []
            for one, other in combinations(players, 2):
                gaps = (by_player[one][measure] - by_player[other][measure]).to_numpy()
                p = float(wilcoxon(gaps).pvalue) if gaps.any() else 1.0
                pairs.append((contest, measure, one, other, float(gaps.mean()), p))
            corrected = holm([pair[-1] for pair in pairs])
            rows += [(*pair, p_holm) for pair, p_holm in zip(pairs, corrected, strict=True)]
    names = ("contest", "measure", "player", "other", "mean_difference", "p", "p_holm")
    significant = pl.col("p") < SIGNIFICANCE_LEVEL
    differs = pl.when(significant).then(pl.lit("yes")).otherwise(pl.lit("no"))
    return pl.DataFrame(rows, schema=names, orient="row").with_columns(differs.alias("differs"))


def holm(p_values: list[float]) -> list[float]:
    """Correct p-values for multiple tests (Holm 1979)."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min((len(p_values) - rank) * p_values[index], 1.0))
        corrected[index] = highest
    return corrected
