"""Gür 2025, 'The quality of information': Tables 1 to 4 and section 6.2, recomputed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from codebreaker.constants import OPTIMAL
from codebreaker.optimise.deviations import deviations
from codebreaker.policies.weights import Weights, published, read_weights
from codebreaker.report.chapters import Files
from codebreaker.report.needs import GUR_STRATEGIES
from codebreaker.report.numbers import exact, rounded
from codebreaker.report.tables import (
    Cells,
    ComparedTable,
    compare_with_published,
    notes_of,
    write_page,
    write_tables,
)
from codebreaker.trees.metrics import row_of_strategy, strategies_of_files

NOTES = notes_of(__file__)

FEWEST_GUESSES = 5

TABLE_2 = "Table 2"
BOUNDS = "section 5.1"
OURS = "ours"
SETTINGS = {
    "population": ("Population Size", TABLE_2),
    "generations": ("Generations", TABLE_2),
    "elite": ("Elite Preservation", TABLE_2),
    "selection": ("Selection", TABLE_2),
    "crossover": ("Crossover", TABLE_2),
    "restart_after": ("Stagnation Restart", TABLE_2),
    "low": ("Lowest weight", BOUNDS),
    "high": ("Highest weight", BOUNDS),
    "tournament_size": ("Individuals in a tournament", OURS),
    "mutation_rate": ("Probability that a weight mutates", OURS),
    "mutation_step": ("Standard deviation of a mutation", OURS),
    "mutation_scales": ("Scales of a mutation, each half the one before", OURS),
    "reset_rate": ("Share of mutations that draw the weight again", OURS),
    "row_share": ("Share of children that mutate in a single turn", OURS),
    "draw_high": ("Highest weight that is drawn", OURS),
    "first_redraw": ("Share of weights that are random at the start", OURS),
    "restart_redraw": ("Share of weights that a restart draws again", OURS),
    "restart_slack": ("Lead above which a restart copies the best ever, in guesses", OURS),
    "scratch_every": ("Restarts per restart from scratch (0: never)", OURS),
    "stagnant_after": ("Stagnant generations before weights mutate more often (0: never)", OURS),
    "stagnant_rate": ("Probability that a weight then mutates", OURS),
    "renew_every": ("Stagnant generations before children are random (0: never)", OURS),
    "renew_share": ("Share of children that are then random", OURS),
}
"""All settings of a search, with their rows in Table 2 and who chose them."""

FORMS = {"elite": "Top {} individuals", "selection": "{} selection", "crossover": "{} crossover"}
"""How Table 2 writes a setting."""


def gur_tables(strategies: pl.DataFrame) -> list[ComparedTable]:
    """Return Tables 1, 3 and 4."""
    return [_table_1(strategies), _table_3(), _table_4(strategies)]


def signed(percent: float) -> str:
    """Return a deviation as printed: no decimals, halves away from zero, a sign unless zero."""
    whole = int(rounded(exact(percent), 0))
    return f"{whole:+d}%" if whole else "0%"


def _table(
    number: int, title: str, cells: Cells, facts: Mapping[str, Any], inputs: Cells | None = None
) -> ComparedTable:
    """Compare computed cells, and show those that are inputs, with the table's note."""
    name = f"gur-2025-table-{number}"
    notes = NOTES[name].format_map(facts)
    given = inputs or {}
    return compare_with_published(
        name, f"Gür 2025, Table {number}: {title}", {**given, **cells}, notes, given
    )


def _table_1(strategies: pl.DataFrame) -> ComparedTable:
    """Return the fixed weights, with their deviations, mean and maximum."""
    weights = published("gur-2025-fixed")
    computed = row_of_strategy(strategies, "fixed-weighted")
    cells = {
        ("mean guesses", "weight"): f"{computed['mean_guesses']:.4f}",
        ("maximum", "weight"): str(computed["max_guesses"]),
    }
    inputs = {}
    rows = zip(weights.feedback_labels, weights.at(1), deviations(weights)[0], strict=True)
    for label, weight, deviation in rows:
        inputs[label, "weight"] = f"{weight:.3f}"
        cells[label, "deviation"] = signed(deviation)
    title = "one vector of weights for all turns, with its mean and maximum"
    return _table(1, title, cells, computed, inputs)


def _table_3() -> ComparedTable:
    """Return the weights by turn, with their deviations."""
    weights = published("gur-2025-stage")
    rows = enumerate(zip(weights.values, deviations(weights), strict=True), start=1)
    cells = {}
    inputs = {}
    for turn, values in rows:
        for label, weight, deviation in zip(weights.feedback_labels, *values, strict=True):
            inputs[label, f"turn {turn}"] = f"{weight:.2f}"
            cells[label, f"turn {turn} deviation"] = signed(deviation)
    return _table(3, "weights by turn, with deviations from uniform", cells, {}, inputs)


def _table_4(strategies: pl.DataFrame) -> ComparedTable:
    """Return means, maxima and gaps from the optimum of six strategies."""
    optimum = row_of_strategy(strategies, OPTIMAL)["mean_guesses"]
    safest = row_of_strategy(strategies, OPTIMAL, guess_limit=FEWEST_GUESSES)
    cells: dict[tuple[str, str], str] = {}
    for row, policy in GUR_STRATEGIES.items():
        computed = row_of_strategy(strategies, policy)
        cells[row, "maximum"] = str(computed["max_guesses"])
        cells[row, "mean"] = f"{computed['mean_guesses']:.4f}"
        if computed["mean_guesses"] > optimum:
            cells[row, "gap from optimal"] = f"{computed['mean_guesses'] - optimum:.4f}"
    return _table(4, "performance on all secrets of MM(4,6)", cells, safest)


def _table_2(weights: Weights) -> ComparedTable:
    """Return all settings of the search that found these weights, and who chose each."""
    params = weights.provenance["params"] | {"generations": weights.provenance["generations"]}
    settings = {}
    origins = {}
    for setting, (row, origin) in SETTINGS.items():
        value = str(params[setting]).capitalize()
        settings[row, "value"] = FORMS.get(setting, "{}").format(value)
        origins[row, "from"] = origin
    inputs = {cell: text for cell, text in settings.items() if origins[cell[0], "from"] == TABLE_2}
    ours = {cell: text for cell, text in settings.items() if cell not in inputs}
    return _table(2, "the settings of the search, and ours", ours | origins, {}, inputs)


def deviation_measures() -> pl.DataFrame:
    """Return measures of the stage weights' deviations in percent."""
    weights = published("gur-2025-stage")
    percent = deviations(weights)
    turns = [("turn", f"turn {n}", row, None) for n, row in enumerate(percent, start=1)]
    labels = zip(weights.feedback_labels, percent.T, strict=True)
    feedback = [("feedback", label, row, row[1:].mean()) for label, row in labels]
    return pl.DataFrame(
        [
            {
                "kind": kind,
                "of": name,
                "mean": row.mean(),
                "mean_from_turn_2": later,
                "root_mean_square": np.sqrt((row**2).mean()),
                "mean_absolute": np.abs(row).mean(),
                "median_absolute": np.median(np.abs(row)),
                "largest_absolute": np.abs(row).max(),
                "lowest": row.min(),
                "highest": row.max(),
            }
            for kind, name, row, later in turns + feedback
        ]
    ).with_columns(pl.col(pl.Float64).round(4))


def compare_gur(inputs: Files, output: Files, _params: Files) -> str:
    """Compare Gür's tables with computed cells."""
    compared = gur_tables(strategies_of_files(inputs.trees))
    measures = deviation_measures()
    title = "Gür 2025, section 6.2: deviations of the stage weights"
    write_page(measures, output.deviations, title, measures)
    return write_tables(compared, Path(output.tables[0]).parent)


def compare_gur_search(inputs: Files, output: Files, _params: Files) -> str:
    """Compare the settings of Gür's search, Table 2, with those of the study's."""
    return write_tables([_table_2(read_weights(inputs.found))], Path(output.tables[0]).parent)
