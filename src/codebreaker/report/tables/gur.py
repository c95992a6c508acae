"""Gür 2025, 'The quality of information': Tables 1, 3 and 4, computed again."""

import polars as pl

from codebreaker.analysis.metrics import strategy
from codebreaker.analysis.weights import deviations
from codebreaker.policies.weights import published
from codebreaker.report.tables.comparison import Comparison, compare

STRATEGIES = {
    "Optimal": "optimal",
    "Stage-Weighted": "stage-weighted",
    "Fixed-Weight": "fixed-weighted",
    "Most Parts": "most-parts",
    "Shannon Entropy": "entropy",
    "Knuth Minimax": "worst-case",
}


def tables(strategies: pl.DataFrame) -> list[Comparison]:
    """Return Tables 1, 3 and 4 from the table of strategies and the published weights."""
    return [table_1(strategies), table_3(), table_4(strategies)]


def signed(percent: float) -> str:
    """Return a deviation as the source prints it: a sign but for zero, no decimals."""
    return f"{round(percent):+d}%" if round(percent) else "0%"


def table_1(strategies: pl.DataFrame) -> Comparison:
    """Return the fixed weights, their deviations, and what they reach."""
    weights = published("gur-2025-fixed")
    found = strategy(strategies, "fixed-weighted")
    cells: dict[tuple[str, str], str] = {}
    for label, weight, deviation in zip(
        weights.feedback_labels, weights.at(1), deviations(weights)[0], strict=True
    ):
        cells[label, "weight"] = f"{weight:.3f}"
        cells[label, "deviation"] = signed(deviation)
    cells["mean guesses", "weight"] = f"{found['mean_guesses']:.4f}"
    cells["maximum", "weight"] = str(found["max_guesses"])
    note = (
        f"The weights are the input of the policy fixed-weighted, which takes "
        f"{found['total_guesses']} guesses for {found['secrets']} secrets."
    )
    title = "Gür 2025, Table 1: one vector of weights for all turns, and what it reaches"
    return compare("gur-2025-table-1", title, cells, (note,))


def table_3() -> Comparison:
    """Return the stage weights with their deviations from uniform, recomputed."""
    weights = published("gur-2025-stage")
    percent = deviations(weights)
    cells: dict[tuple[str, str], str] = {}
    for column, label in enumerate(weights.feedback_labels):
        for row in range(len(weights.values)):
            cells[label, f"turn {row + 1}"] = f"{weights.values[row, column]:.2f}"
            cells[label, f"turn {row + 1} deviation"] = signed(percent[row, column])
    notes = (
        "A deviation is that of a weight from the mean of its turn.",
        "A difference of 1 comes from rounding; where the sign differs, the source's is wrong.",
    )
    title = "Gür 2025, Table 3: weights by turn, with deviations from uniform"
    return compare("gur-2025-table-3", title, cells, notes)


def table_4(strategies: pl.DataFrame) -> Comparison:
    """Return the comparison of strategies: maximum, mean, and the gap from the optimal mean."""
    optimum = float(strategy(strategies, "optimal")["mean_guesses"])
    safest = strategy(strategies, "optimal-least-maximum")
    cells: dict[tuple[str, str], str] = {}
    for row, policy in STRATEGIES.items():
        found = strategy(strategies, policy)
        mean = float(found["mean_guesses"])
        cells[row, "maximum"] = str(found["max_guesses"])
        cells[row, "mean"] = f"{mean:.4f}"
        if mean > optimum:
            cells[row, "gap from optimal"] = f"{mean - optimum:.4f}"
    notes = (
        f"The optimal mean takes six guesses for some secret: with at most {safest['max_guesses']} "
        f"the least total is {safest['total_guesses']}, a mean of {safest['mean_guesses']:.4f}; "
        "both are proven (exact-optima.md).",
        "The weights were tuned on the same secrets that they are measured on: a mean is a "
        "property of the game's whole tree and no estimate for other games.",
    )
    title = "Gür 2025, Table 4: performance on all secrets of MM(4,6)"
    return compare("gur-2025-table-4", title, cells, notes)
