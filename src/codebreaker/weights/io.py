"""The results of runs: weights with provenance, histories and populations."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from codebreaker.constants import VERSION
from codebreaker.files import checked_read, read_arrays, write_arrays, write_frame
from codebreaker.policies.strategy import Strategy, found_strategy
from codebreaker.policies.weights import Weights, write_weights
from codebreaker.weights.run import HISTORY, Run, Task

COUNTS = ("generation", "best", "start_best", "restarts")


def best_weights(task: Task, run: Run, model: str, backend: str) -> Weights:
    """Return the best weights of a run; the provenance is a function of task and backend."""
    state, problem = run.state, task.problem
    weights, orders = task.decode(state.best_genes[None])
    names = [one.name for one in problem.criteria]
    return Weights(
        name=f"{model}, seed {task.seed}",
        source="found by the genetic algorithm",
        feedback_labels=problem.game.feedback_labels,
        values=weights[0],
        criteria=criteria_by_turn(names, orders[0].tolist()),
        provenance={
            "game": problem.game.name,
            "genes": problem.n_genes,
            "opening": problem.opening,
            **({"endgames": problem.endgames} if problem.endgames else {}),
            "total_guesses": state.best_total,
            "secrets": problem.game.n_secrets,
            "seed": task.seed,
            "generations": state.generation,
            "restarts": state.restarts,
            "params": asdict(task.params),
            "backend": backend,
            "codebreaker": VERSION,
        },
    )


def write_population(task: Task, run: Run, path: str | Path) -> None:
    """Write the distinct individuals of a run's snapshots and last population."""
    genes = np.unique(np.concatenate([*run.snapshots, run.state.genes]), axis=0).astype(np.int64)
    weights, orders = task.decode(genes)
    write_arrays(
        path,
        weights=weights.astype(np.float32),  # exact: genes have 20 bits
        orders=orders,
        criteria=[one.name for one in task.problem.criteria],
        feedback_labels=task.problem.game.feedback_labels,
        opening=task.problem.opening or "",
    )


def read_population(name: str, path: str | Path) -> list[Strategy]:
    """Read a population as policies of one name; raise `DamagedFileError` if it is unreadable."""
    parts: dict[str, Any] = read_arrays(path)
    with checked_read(path):
        names, labels = parts["criteria"].tolist(), tuple(parts["feedback_labels"].tolist())
        opening = str(parts["opening"]) or None
        rows = zip(parts["weights"].astype(np.float64), parts["orders"].tolist(), strict=True)
        return [
            found_strategy(
                name,
                Weights(name, name, labels, values, criteria=criteria_by_turn(names, orders)),
                opening,
            )
            for values, orders in rows
        ]


def criteria_by_turn(names: list[str], orders: list[int]) -> tuple[str, ...]:
    """Return the criterion of each turn, or nothing if all are entropy."""
    criteria = tuple(names[order] for order in orders)
    return criteria if set(criteria) != {"entropy"} else ()


def history_frame(run: Run) -> pl.DataFrame:
    """Return a run's history, one row per generation."""
    frame = pl.DataFrame(run.history, schema=dict.fromkeys(HISTORY, pl.Float64), orient="row")
    return frame.with_columns(pl.col(COUNTS).cast(pl.Int64))


def speed_frame(task: Task, run: Run) -> pl.DataFrame:
    """Return a run's measured individuals per second, one row per generation."""
    speeds = task.params.population / pl.Series(run.seconds, dtype=pl.Float64)
    generations = pl.int_range(1, len(speeds) + 1, eager=True)
    return pl.DataFrame({"generation": generations, "individuals_per_second": speeds})


def write_run(task: Task, run: Run, model: str, backend: str, folder: Path) -> None:
    """Write a run's files, `seed-N.*`: weights, history, speed and population."""
    stem = f"seed-{task.seed}"
    write_frame(history_frame(run), folder / f"{stem}.history.parquet")
    write_frame(speed_frame(task, run), folder / f"{stem}.speed.parquet")
    write_population(task, run, folder / f"{stem}.population.npz")
    write_weights(best_weights(task, run, model, backend), folder / f"{stem}.json")


def select_best(results: list[Weights]) -> Weights:
    """Return the first weights of the least total, with all seeds' totals in the provenance."""
    totals = {str(one.provenance["seed"]): one.provenance["total_guesses"] for one in results}
    best = min(results, key=lambda one: int(one.provenance["total_guesses"]))
    return replace(best, provenance=best.provenance | {"total_guesses_by_seed": totals})
