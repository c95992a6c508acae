"""Comparison of optimiser runs after equally many evaluations."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from codebreaker.policies.weights import Weights, first_turn


@dataclass(frozen=True)
class Run:
    """The run of one seed: its model, what its genes encode, its history and its best weights."""

    model: str
    genes: str
    population: int
    history: pl.DataFrame
    weights: Weights


def evaluation_budget(runs: Sequence[Run]) -> int:
    """Return the number of individuals that the shortest run evaluated."""
    return min(run.history.height * run.population for run in runs)


def compare_runs(runs: Sequence[Run]) -> pl.DataFrame:
    """Return the seeds' totals after equally many evaluations, one row per model."""
    budget = evaluation_budget(runs)
    rows = []
    for model in dict.fromkeys(run.model for run in runs):
        seeds = [run for run in runs if run.model == model]
        totals = [int(run.history["best"][budget // run.population - 1]) for run in seeds]
        best = min(seeds, key=lambda run: int(run.history["best"][-1]))
        first = first_turn(len(best.weights.values), best.weights.provenance["opening"])
        criteria = best.weights.criteria[first - 1 :] or ("entropy",)
        rows.append(
            {
                "model": model,
                "genes": seeds[0].genes,
                "number of genes": best.weights.provenance["genes"],
                "evaluations": budget,
                "seeds": len(seeds),
                "least total": min(totals),
                "median total": float(pl.Series(totals).median()),  # type: ignore[arg-type]
                "largest total": max(totals),
                "criteria of the best from its first turn on": " ".join(criteria),
            }
        )
    return pl.DataFrame(rows).sort("median total", "least total")
