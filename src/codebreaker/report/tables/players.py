"""Tables of contests between players."""

import polars as pl

from codebreaker.analysis.contests import Inference
from codebreaker.players import entropic, evorank
from codebreaker.report.tables import markdown

NOTE = """Means over the same secrets for every player, with the standard error of the mean.
Published figures are from Cotta et al. 2010, Table 1 (5,000 games each); a gap is the difference
from them in combined standard errors. The opening of the evolutionary players is ours, because the
source names none."""

TEST_NOTE = """Mean differences over the same games, with 95 % bootstrap intervals (percentiles
of {resamples:,} resamples of the games). `p` is of the mean difference, `p_holm` corrected for
all pairs of a contest and measure; `signed_rank_p` is of Wilcoxon's test, which the source used,
without games that end equal. A pair is different if `p_holm` is below 0.05, and equivalent if
not, and if two one-sided tests at the same level show that the difference lies within the margin
of {guesses} guesses, or {evaluations:.0%} of the evaluations of both. It is different beyond the
margin if the interval lies there."""

PAIRS_NOTE = """This table has the evolutionary players; all pairs are in
`players-significance.csv`."""

EVOLUTIONARY = [player.name for player in (*entropic.PLAYERS, *evorank.PLAYERS)]


def to_markdown(summary: pl.DataFrame, tests: pl.DataFrame, inference: Inference) -> str:
    """Return the tables of means and of pairs as Markdown."""
    rows = [
        (
            row["contest"],
            row["player"],
            str(row["games"]),
            _with_error(row["mean_guesses"], row["guesses_error"], 3),
            _with_error(row["published_guesses"], row["published_guesses_error"], 3),
            _signed(row["guesses_gap"]),
            str(row["max_guesses"]),
            _with_error(row["mean_evaluations"], row["evaluations_error"], 0),
            _with_error(row["published_evaluations"], row["published_evaluations_error"], 0),
            _signed(row["evaluations_gap"]),
        )
        for row in summary.iter_rows(named=True)
    ]
    header = (
        "contest", "player", "games", "guesses", "published", "gap", "max", "evaluations",
        "published evaluations", "evaluations gap",
    )  # fmt: skip
    pairs = [pl.col(side).is_in(EVOLUTIONARY) for side in ("player", "other")]
    shown, note = rounded(tests.filter(*pairs)), explained(inference)
    means = markdown.table(header, rows, right=header[2:])
    return markdown.page("Players", means, NOTE, "## Differences", shown, note, PAIRS_NOTE)


def explained(inference: Inference) -> str:
    """Return how pairs are compared."""
    return TEST_NOTE.format(resamples=inference.resamples, **inference.margins)


def rounded(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return comparisons with their numbers as text."""
    rows = []
    for row in pairs.iter_rows(named=True):
        digits = 3 if row["measure"] == "guesses" else 0
        row |= {one: f"{row[one]:.{digits}f}" for one in ("difference", "low", "high")}
        row |= {one: f"{row[one]:.2g}" for one in ("p", "p_holm", "signed_rank_p")}
        rows.append(row)
    return pl.DataFrame(rows, schema=pairs.columns)


def _with_error(mean: float | None, error: float | None, digits: int) -> str:
    return "" if mean is None or error is None else f"{mean:.{digits}f} ± {error:.{digits}f}"


def _signed(gap: float | None) -> str:
    return "" if gap is None else f"{gap:+.1f}"
