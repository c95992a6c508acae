"""What a run leaves: its weights with their provenance, its history, and the best of several."""

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import polars as pl

from codebreaker import __version__
from codebreaker.files import atomic_write
from codebreaker.optimise.task import HISTORY, Progress, Task
from codebreaker.policies.policy import Policy, found_policy
from codebreaker.policies.weights import Weights

COUNTS = ("generation", "best", "start_best", "restarts")


def weights_found(task: Task, progress: Progress, model: str, backend: str) -> Weights:
    """Return the best weights of a run; all that is told of them is a function of the task."""
    state, problem = progress.state, task.problem
    weights, orders = task.vectors(state.best_genes[None])
    names = [one.name for one in problem.criteria]
    return Weights(
        name=f"{model}, seed {task.seed}",
        source="found by the genetic algorithm",
        feedback_labels=problem.game.feedback_labels,
        values=weights[0],
        criteria=by_order(names, orders[0].tolist()),
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
            "codebreaker": __version__,
        },
    )


def write_population(task: Task, progress: Progress, path: str | Path) -> None:
    """Write the different individuals that a run met and ended with, for `read_population`."""
    met = np.unique(np.concatenate([*progress.met, progress.state.genes]), axis=0).astype(np.int64)
    weights, orders = task.vectors(met)
    with atomic_write(path) as draft:
        np.savez_compressed(
            draft,
            weights=weights.astype(np.float32),  # exact: genes have 20 bits
            orders=orders,
            criteria=np.array([one.name for one in task.problem.criteria]),
            feedback_labels=np.array(task.problem.game.feedback_labels),
            opening=np.array(task.problem.opening or ""),
        )


def read_population(name: str, path: str | Path) -> list[Policy]:
    """Read the individuals of a run as policies of a name."""
    with np.load(path, allow_pickle=False) as parts:
        names, labels = parts["criteria"].tolist(), tuple(parts["feedback_labels"].tolist())
        opening = str(parts["opening"]) or None
        rows = zip(parts["weights"].astype(np.float64), parts["orders"].tolist(), strict=True)
        return [
            found_policy(
                name, Weights(name, name, labels, values, criteria=by_order(names, orders)), opening
            )
            for values, orders in rows
        ]


def by_order(names: list[str], orders: list[int]) -> tuple[str, ...]:
    """Return the criterion of each turn, or none where it is entropy throughout."""
    criteria = tuple(names[order] for order in orders)
    return criteria if set(criteria) != {"entropy"} else ()


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
    with atomic_write(path) as draft:
        frame.write_parquet(draft)


def best_of(found: list[Weights]) -> Weights:
    """Return the weights of the least total, the first of these; the others' totals are noted."""
    totals = {str(one.provenance["seed"]): one.provenance["total_guesses"] for one in found}
    best = min(found, key=lambda one: int(one.provenance["total_guesses"]))
    return replace(best, provenance=best.provenance | {"total_guesses_by_seed": totals})
