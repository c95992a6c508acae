"""What a run leaves: its weights with their provenance, its history, and the best of several."""

from dataclasses import asdict, replace
from pathlib import Path

import polars as pl

from codebreaker import __version__
from codebreaker.files import whole
from codebreaker.optimise.task import HISTORY, Progress, Task
from codebreaker.weights import Weights

COUNTS = ("generation", "best", "start_best", "restarts")


def weights_found(task: Task, progress: Progress, model: str, backend: str) -> Weights:
    """Return the best weights of a run; all that is told of them is a function of the task."""
    state, problem = progress.state, task.problem
    weights, orders = task.vectors(state.best_genes[None])
    criteria = tuple(problem.criteria[order].name for order in orders[0])
    return Weights(
        name=f"{model}, seed {task.seed}",
        source="found by the genetic algorithm",
        feedback_labels=problem.game.feedback_labels,
        values=weights[0],
        criteria=criteria if set(criteria) != {"entropy"} else (),
        provenance={
            "game": problem.game.name,
            "genes": problem.n_genes,
            "opening": problem.opening,
            "total_guesses": state.best_total,
            "secrets": problem.game.n_secrets,
            "seed": task.seed,
            "generations": state.generation,
            "restarts": state.restarts,
            "params": asdict(task.params),
            "backend": backend,
            "codebreaker": __version__,
        },
    )


def history_frame(progress: Progress) -> pl.DataFrame:
    """Return a run's history, a row a generation."""
    frame = pl.DataFrame(progress.history, schema=dict.fromkeys(HISTORY, pl.Float64), orient="row")
    return frame.with_columns(pl.col(COUNTS).cast(pl.Int64))


def speed_frame(task: Task, progress: Progress) -> pl.DataFrame:
    """Return a run's individuals a second, a row a generation; as measured, so never the same."""
    speeds = task.params.population / pl.Series(progress.seconds, dtype=pl.Float64)
    generations = pl.int_range(1, len(speeds) + 1, eager=True)
    return pl.DataFrame({"generation": generations, "individuals_per_second": speeds})


def write_frame(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a table as parquet."""
    with whole(path) as draft:
        frame.write_parquet(draft)


def best_of(found: list[Weights]) -> Weights:
    """Return the weights of the least total, the first of these; the others' totals are noted."""
    totals = {str(one.provenance["seed"]): one.provenance["total_guesses"] for one in found}
    best = min(found, key=lambda one: int(one.provenance["total_guesses"]))
    return replace(best, provenance=best.provenance | {"total_guesses_by_seed": totals})
