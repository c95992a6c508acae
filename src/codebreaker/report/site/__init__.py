"""The site: one page of findings, charts, an explorer of trees and an assistant."""

CHARTS = (
    "above-the-optimum",
    "pareto-mm-4-6",
    "move-costs",
    "weight-transfer",
    "records",
    "ga-convergence",
    "players-guesses",
    "terminals",
)
"""The charts of the page, in order; all of a study are in its report."""

CELLS = {
    "kooi-2005-table-07": "cells of the profiles of five strategies (Kooi 2005, Table 7)",
    "kooi-2005-table-02": "sizes of the parts after each first guess (Kooi 2005, Table 2)",
    "kooi-2005-table-01": "sizes of the parts in the example with two pegs (Kooi 2005, Table 1)",
}
"""The published tables whose cells the page counts, and what they are cells of."""
