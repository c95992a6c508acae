"""Claims of the sources, each checked against what this project computes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from codebreaker.analysis.metrics import OPTIMAL, strategy
from codebreaker.analysis.weights import deviations
from codebreaker.constants import PAPERS_GAME
from codebreaker.games.model import TableGame
from codebreaker.policies.weights import published
from codebreaker.report.tables import kooi
from codebreaker.report.tables.comparison import FOLDER, same
from codebreaker.report.tables.gur import FEWEST_GUESSES, signed
from codebreaker.trees.partition import all_secrets, counts
from codebreaker.types import Counts

EvidenceKind = Literal["strategies", "optima", "kooi", "gur", "random play", "checks"]
"""What a claim's number is computed with: the strategies, the optima, Kooi's or Gür's tables,
random consistent play, or only the checks themselves."""


@dataclass(frozen=True)
class Evidence:
    """The inputs of the checks: a game, the table of strategies, and cells of the sources' tables.

    `cells` are rows as `comparison.to_frame` makes them, of all tables that the checks name;
    `random` holds the expected results of random consistent play.
    """

    game: TableGame
    strategies: pl.DataFrame
    cells: pl.DataFrame
    random: Mapping[str, Any]

    def value(self, column: str, policy: str, opening: str | None = None, **options: Any) -> Any:  # noqa: ANN401
        """Return a column of a strategy's row, looked up as by `metrics.strategy`."""
        return strategy(self.strategies, policy, opening, **options)[column]

    def mean(self, policy: str) -> float:
        """Return the mean guesses of a policy that chooses its own opening."""
        return float(self.value("mean_guesses", policy))


Compute = Callable[[Evidence], str]


@dataclass(frozen=True)
class Check:
    """How to compute a claim's number, and from what kind of evidence.

    `file` is the result file that holds the number, or from which it is computed.
    """

    compute: Compute
    kind: EvidenceKind = "strategies"
    file: str = "metrics/strategies.csv"


def _mean(policy: str, decimals: int = 4, **options: Any) -> Compute:  # noqa: ANN401
    return lambda evidence: f"{evidence.value('mean_guesses', policy, **options):.{decimals}f}"


def _show(column: str, policy: str, opening: str | None = None, **options: Any) -> Compute:  # noqa: ANN401
    return lambda evidence: str(evidence.value(column, policy, opening, **options))


def _reversed_profile(row: str) -> Compute:
    """Compute a profile of Kooi's Table 10, with the opening kept and then ties reversed."""
    return _show("profile", kooi.STRATEGIES[row], kooi.KEPT_OPENINGS[row], tie_break=kooi.REVERSED)


def _cell(table: str, row: str, column: str) -> Compute:
    return lambda evidence: str(
        evidence.cells.row(
            by_predicate=(pl.col("table") == table)
            & (pl.col("row") == row)
            & (pl.col("column") == column),
            named=True,
        )["computed"]
    )


def _source_cell(kind: EvidenceKind, table: str, row: str, column: str) -> Check:
    return Check(_cell(table, row, column), kind, f"tables/{table}.csv")


def _stage_deviations() -> pl.DataFrame:
    weights = published("gur-2025-stage")
    return pl.DataFrame(deviations(weights), schema=list(weights.feedback_labels), orient="row")


def _deviations_off(evidence: Evidence) -> str:
    rows = evidence.cells.filter(
        pl.col("table") == "gur-2025-table-3", pl.col("column").str.ends_with("deviation")
    )
    gaps = [
        abs(float(row["published"].rstrip("%")) - float(row["computed"].rstrip("%")))
        for row in rows.iter_rows(named=True)
    ]
    return str(sum(gap > 1 for gap in gaps))


def _turn_1_range(evidence: Evidence) -> str:
    turn = _stage_deviations().row(0)
    return f"{signed(min(turn))} to {signed(max(turn))}"


def _turn_of_largest_deviation(evidence: Evidence) -> str:
    return str(int(np.abs(_stage_deviations().to_numpy()).max(axis=1).argmax()) + 1)


def _mean_deviation(label: str) -> Compute:
    return lambda evidence: signed(float(_stage_deviations()[label].to_numpy().mean()))


def _improvement(evidence: Evidence) -> str:
    before, after = evidence.mean("most-parts"), evidence.mean("stage-weighted")
    return f"{100 * (before - after) / before:.2f}%"


def _base_parts_helps(evidence: Evidence) -> str:
    return "yes" if evidence.mean("entropy-base-parts") < evidence.mean("entropy") else "no"


def _is_dominating(evidence: Evidence) -> str:
    best = strategy(evidence.strategies, OPTIMAL, guess_limit=FEWEST_GUESSES)
    others = ("worst-case", "entropy", "most-parts")
    dominates = all(
        best[column] <= evidence.value(column, policy)
        for policy in others
        for column in ("mean_guesses", "max_guesses")
    )
    return "yes" if dominates else "no"


def _opening_sizes(evidence: Evidence, label: str) -> Counts:
    game = evidence.game
    return counts(game, game.guesses.index(label), all_secrets(game))


def _higher_entropy(evidence: Evidence) -> str:
    return max(("1123", "1234"), key=lambda label: kooi.entropy(_opening_sizes(evidence, label)))


def _example_letters(evidence: Evidence) -> str:
    return str(len(evidence.value("opening", "worst-case", game="matches-example")))


def _average_part(evidence: Evidence) -> str:
    sizes = _opening_sizes(evidence, "1122")
    return f"{sizes.sum() / np.count_nonzero(sizes):.1f}"


def _certainty_is_largest(evidence: Evidence) -> str:
    certain, even = np.array([2]), np.array([1, 1])
    return "yes" if kooi.entropy(certain) >= kooi.entropy(even) else "no"


DEVIATIONS, GAME = "tables/gur-2025-table-3.csv", f"games/{PAPERS_GAME}/game.npz"
EXPECTED = f"players/{PAPERS_GAME}/random-consistent.json"

CHECKS: dict[str, Check] = {
    "gur-fixed": Check(_mean("fixed-weighted")),
    "gur-stage": Check(_mean("stage-weighted")),
    "gur-optimal": Check(
        _mean(OPTIMAL, guess_limit=FEWEST_GUESSES), "optima", file="tables/exact-optima.csv"
    ),
    "gur-opening": Check(_show("opening", "stage-weighted")),
    "gur-repository-opening": Check(_show("opening", "stage-weighted-repository")),
    "gur-repository-mean": Check(_mean("stage-weighted-repository")),
    "gur-deviation-turn-2": _source_cell("gur", "gur-2025-table-3", "0B-0C", "turn 2 deviation"),
    "gur-deviation-turn-3": _source_cell("gur", "gur-2025-table-3", "0B-0C", "turn 3 deviation"),
    "gur-deviations-off": Check(_deviations_off, "gur", file=DEVIATIONS),
    "gur-turn-1-range": Check(_turn_1_range, "checks", file=DEVIATIONS),
    "gur-highest-turn": Check(_turn_of_largest_deviation, "checks", file=DEVIATIONS),
    "gur-mean-1b-1c": Check(_mean_deviation("1B-1C"), "checks", file=DEVIATIONS),
    "gur-mean-0b-1c": Check(_mean_deviation("0B-1C"), "checks", file=DEVIATIONS),
    "gur-mean-0b-2c": Check(_mean_deviation("0B-2C"), "checks", file=DEVIATIONS),
    "gur-price": Check(_show("max_guesses", "stage-weighted-turns-4-6-uniform")),
    "gur-next-best": Check(_improvement, "checks"),
    "gur-baseline": Check(_mean("entropy")),
    "kooi-table-4": _source_cell("kooi", "kooi-2005-table-04", "AAAA", "expected size"),
    "kooi-table-10-full": Check(_show("profile", "entropy", tie_break=kooi.REVERSED)),
    "kooi-table-10-kept": Check(_reversed_profile("Entropy")),
    "kooi-table-10-expected-size": Check(_reversed_profile("Expected size")),
    "kooi-table-10-most-parts": Check(_reversed_profile("Most parts")),
    "kooi-table-11": _source_cell("kooi", "kooi-2005-table-11", "AABB", "counted by feedback"),
    "kooi-irving": Check(_show("total_guesses", "worst-case")),
    "kooi-base": Check(_base_parts_helps),
    "frontier-minimax": Check(_mean("worst-case", 3, tie_break="lexicographic")),
    "frontier-entropy": Check(_mean("entropy", 3, tie_break="lexicographic")),
    "frontier-none-best": Check(_is_dominating, "checks"),
    "frontier-opening": Check(_higher_entropy, "checks", file=GAME),
    "frontier-average-part": Check(_average_part, "checks", file=GAME),
    "frontier-random": Check(
        lambda evidence: f"{evidence.random['mean_guesses']:.2f}", "random play", file=EXPECTED
    ),
    "frontier-random-worst": Check(
        lambda evidence: str(evidence.random["max_guesses"]), "random play", file=EXPECTED
    ),
    "frontier-example": Check(_example_letters),
    "eas-knuth": Check(_mean("worst-case", 3)),
    "am207-certain": Check(_certainty_is_largest, "checks", file="discrepancies.csv"),
}
"""The check of every claim, by the claim's id in claims.csv."""


def discrepancies(evidence: Evidence, rules: Mapping[EvidenceKind, str]) -> pl.DataFrame:
    """Return the claimed and computed value and the verdict of each claim, one row per claim.

    `rules` names the rule that computes each kind of evidence, for the column `rule`.
    """
    claims = pl.read_csv(FOLDER / "claims.csv", infer_schema=False).fill_null("")
    rows = []
    for claim in claims.iter_rows(named=True):
        check = CHECKS[claim["id"]]
        computed = check.compute(evidence)
        rows.append(
            {name: claim[name] for name in ("source", "claim", "claimed")}
            | {
                "computed": computed,
                "verdict": "holds" if same(claim["claimed"], computed) else "wrong",
                "rule": rules[check.kind],
                "file": check.file,
                "remark": claim["remark"],
            }
        )
    return pl.DataFrame(rows)
