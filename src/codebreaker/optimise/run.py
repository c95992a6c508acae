"""Runs of the genetic algorithm: tasks, engines, checkpoints and results."""

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from codebreaker import files
from codebreaker.constants import VERSION
from codebreaker.games.model import TableGame
from codebreaker.optimise import genetic
from codebreaker.optimise.fitness import Evaluator, JointFitness
from codebreaker.optimise.genetic import Population
from codebreaker.optimise.kernels.fitness import Phenotypes
from codebreaker.optimise.kernels.variation import UNIT, Genes
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.settings import Params
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy, found_strategy
from codebreaker.policies.weights import Weights, write_weights
from codebreaker.runtime.progress import report_progress

if TYPE_CHECKING:
    import polars as pl

log = logging.getLogger("codebreaker")

HISTORY = ("generation", "best", "start_best", "mean", "diversity", "restarts")
"""The columns of a history; diversity is the mean distance of a gene from the best individual's."""

SNAPSHOT_EVERY = 2048
"""Generations between snapshots, whose individuals the sweep of policies plays."""

SPEED_WINDOW = 500
"""Number of generations that a speed is averaged over."""

CHECKPOINT_EVERY_S = 10.0
REPORT_EVERY_S = 5.0
"""Seconds between checkpoints, and between reports of progress."""

EARLY = 100
RENEW_EARLY = 10
RENEW_LATE = 50
"""The reference is renewed every RENEW_EARLY generations, RENEW_LATE after EARLY stagnant ones."""


@dataclass(frozen=True)
class Task:
    """What to optimise and how; `code` is a digest of the code that performs it."""

    problem: Problem
    params: Params
    seed: int
    generations: int
    code: str = ""

    @property
    def identity(self) -> str:
        """Return a key that a checkpoint must share to be resumed; generations may differ."""
        problem = {name: getattr(self.problem, name) for name in Problem.__dataclass_fields__}
        problem["game"] = self.problem.game.digest
        problem["criteria"] = [criterion.name for criterion in self.problem.criteria]
        return json.dumps([self.code, problem, asdict(self.params), self.seed])

    def decode(self, genes: Genes) -> Phenotypes:
        """Decode (n, n_genes) genes; turns without genes get weights of 1 and order 0."""
        problem = self.problem
        n = len(genes)
        before = problem.first_turn - 1
        rows = genes.reshape(n, problem.n_turns - before, problem.genes_of_row)
        weights = np.ones((n, problem.n_turns, problem.game.n_feedback))
        orders = np.zeros((n, problem.n_turns), dtype=np.int32)
        if problem.ordered:
            low = round(UNIT * self.params.low)
            high = round(UNIT * self.params.high)
            orders[:, before:] = (rows[:, :, 0] - low) * len(problem.criteria) // (high - low + 1)
        if problem.weighted:
            weights[:, before:] = rows[:, :, -problem.game.n_feedback :] / UNIT
        return Phenotypes(weights, orders)


@dataclass
class Run:
    """A run's state, history, seconds by generation, and snapshots (population, n_genes) int32."""

    state: Population
    history: list[tuple[float, ...]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    snapshots: list[NDArray[np.int32]] = field(default_factory=list)

    def take_snapshot(self) -> None:
        """Append the population if a snapshot is due."""
        if self.state.generation % SNAPSHOT_EVERY == 0:
            self.snapshots.append(self.state.genes.astype(np.int32))


def _is_complete(task: Task, run: Run) -> bool:
    """Return whether a run has all generations of its task."""
    return run.state.generation >= task.generations


def history_row(sums: Sequence[int], population: int, n_genes: int) -> tuple[float, ...]:
    """Return a row of the history from sums in place of its two means."""
    *best, sum_of_totals, spread, restarts = sums
    return *best, sum_of_totals / population, spread / (UNIT * population * n_genes), restarts


class Engine(Protocol):
    """A backend that advances runs."""

    backend: str

    def advance(self, tasks: Sequence[Task], runs: Sequence[Run]) -> None:
        """Advance incomplete runs, which differ in seed and length only."""


class HostEngine:
    """Advances runs on the CPU: the first incomplete one, or all if the evaluator batches runs."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Prepare an engine without a reference individual."""
        self.backend = evaluator.backend
        self._evaluate = evaluator
        self._reference_from = (-1, -1)

    def advance(self, tasks: Sequence[Task], runs: Sequence[Run]) -> None:
        """Advance by a generation."""
        began = time.monotonic()
        pairs = [pair for pair in zip(tasks, runs, strict=True) if not _is_complete(*pair)]
        pairs = pairs if self._evaluate.batches_runs else pairs[:1]
        self._update_reference(pairs[0][0], pairs[0][1].state)
        # 1. Breed: the totals of each run's elite are known, its children are not evaluated yet.
        bred = [genetic.ask(run.state, t.params, t.problem.genes_of_row) for t, run in pairs]
        children = [
            task.decode(genes[len(elite_totals) :])
            for (task, _), (genes, elite_totals) in zip(pairs, bred, strict=True)
        ]
        # 2. Evaluate the children of all runs together.
        totals = self._evaluate(Phenotypes(*map(np.concatenate, zip(*children, strict=True))))
        ends = np.cumsum([len(phenotypes.weights) for phenotypes in children])
        totals_of_runs = np.split(totals, ends[:-1])
        # 3. Rank each run's generation and record it.
        for (task, run), (genes, elite_totals), child_totals in zip(
            pairs, bred, totals_of_runs, strict=True
        ):
            run_totals = np.concatenate([elite_totals, child_totals])
            state = genetic.tell(run.state, task.params, genes, run_totals)
            run.state = state
            sum_of_totals = int(state.totals.sum())
            spread = int(np.abs(state.genes - state.genes[0]).sum())
            best = (state.generation, state.best_total, state.start_best)
            row = (*best, sum_of_totals, spread, state.restarts)
            run.history.append(history_row(row, *state.genes.shape))
            run.take_snapshot()
            run.seconds.append(time.monotonic() - began)

    def _update_reference(self, task: Task, state: Population) -> None:
        """Make the best individual the reference if that is due, or if the run is another."""
        seed, generation = self._reference_from
        every = RENEW_EARLY if state.stagnant < EARLY else RENEW_LATE
        due = seed != task.seed or generation < 0 or state.generation - generation >= every
        if state.generation > 0 and due:
            self._evaluate.set_reference(task.decode(state.genes[:1]))
            self._reference_from = (task.seed, state.generation)


def save_checkpoint(task: Task, run: Run, path: Path) -> None:
    """Write a checkpoint."""
    state = {f"state_{name}": value for name, value in vars(run.state).items()}
    history = np.array(run.history, dtype=np.float64).reshape(-1, len(HISTORY))
    snapshots = np.array(run.snapshots, dtype=np.int32)
    files.write_arrays(
        path,
        False,
        identity=task.identity,
        history=history,
        seconds=run.seconds,
        met=snapshots,
        **state,
    )


def load_checkpoint(task: Task, path: Path) -> Run | None:
    """Read a checkpoint; log and set aside one that is damaged or of another task."""
    parts = files.read_resumed(path, task.identity)
    if parts is None:
        return None
    values = {name: parts[f"state_{name}"] for name in Population.__dataclass_fields__}
    state = Population(**values | {n: int(v) for n, v in values.items() if not v.ndim})
    if state.generation > task.generations:
        files.set_aside(path, f"it has already reached generation {state.generation}")
        return None
    log.info("resuming at generation %d of %s", state.generation, path)
    history = [tuple(row) for row in parts["history"].tolist()]
    return Run(state, history, parts["seconds"].tolist(), list(parts["met"]))


def run_tasks(tasks: Sequence[Task], engine: Engine, checkpoints: Sequence[Path]) -> list[Run]:
    """Run tasks to completion from their checkpoints, which remain."""
    runs = [
        load_checkpoint(task, path)
        or Run(genetic.init(task.seed, task.problem.n_genes, task.params))
        for task, path in zip(tasks, checkpoints, strict=True)
    ]
    saved = reported = time.monotonic()
    running = True
    while running:
        running = not all(map(_is_complete, tasks, runs))
        if running:
            engine.advance(tasks, runs)
        now = time.monotonic()
        if not running or now - reported >= REPORT_EVERY_S:
            _report(tasks, runs)
            reported = now
        if not running or now - saved >= CHECKPOINT_EVERY_S:
            for task, run, path in zip(tasks, runs, checkpoints, strict=True):
                save_checkpoint(task, run, path)
            saved = now
    return runs


def evaluated(params: Params) -> int:
    """Return the number of individuals evaluated in a generation: all but the elite."""
    return params.population - params.elite


def _report(tasks: Sequence[Task], runs: Sequence[Run]) -> None:
    """Report the progress and speed of each run that has begun."""
    for task, run in zip(tasks, runs, strict=True):
        state = run.state
        recent = run.seconds[-SPEED_WINDOW:]
        if recent:
            speed = len(recent) * evaluated(task.params) / max(sum(recent), 1e-9)
            line = (
                f"seed {task.seed}: generation {state.generation}/{task.generations}, "
                f"best {state.best_total}, restarts {state.restarts}, {speed:,.0f} individuals/s"
            )
            report_progress(line, state.generation, task.generations)


def find_joint_weights(
    games: Sequence[TableGame],
    n_turns: int,
    opening: str,
    params: Params,
    seed: int,
    generations: int,
    memo_mib: float,
) -> Weights:
    """Return the best weights for several games with the same feedback and opening."""
    problems = [Problem(game, (criterion("entropy"),), n_turns, opening) for game in games]
    task = Task(problems[0], params, seed, generations)
    run = Run(genetic.init(seed, task.problem.n_genes, params))
    engine = HostEngine(JointFitness(problems, memo_mib))
    while not _is_complete(task, run):
        engine.advance([task], [run])
    provenance = {
        "games": [game.name for game in games],
        "opening": opening,
        "fitness": run.state.best_total,
        "seed": seed,
        "generations": generations,
        "codebreaker": VERSION,
    }
    return _best(task, run, f"{n_turns} rows for {len(games)} games, seed {seed}", provenance)


def best_weights(task: Task, run: Run, model: str, backend: str) -> Weights:
    """Return the best weights of a run; task and backend determine the provenance."""
    state = run.state
    problem = task.problem
    provenance = {
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
    }
    return _best(task, run, f"{model}, seed {task.seed}", provenance)


def _best(task: Task, run: Run, name: str, provenance: dict[str, Any]) -> Weights:
    """Return the weights of a run's best individual ever."""
    weights, orders = task.decode(run.state.best_genes[None])
    names = [criterion.name for criterion in task.problem.criteria]
    labels = task.problem.game.feedback_labels
    criteria = _by_turn(names, orders[0].tolist())
    source = "found by the genetic algorithm"
    return Weights(name, source, labels, weights[0], provenance, criteria)


def _by_turn(names: list[str], orders: list[int]) -> tuple[str, ...]:
    """Return the criterion of each turn, or nothing if it is always entropy."""
    criteria = tuple(names[order] for order in orders)
    return criteria if set(criteria) != {"entropy"} else ()


def write_population(task: Task, run: Run, path: str | Path) -> None:
    """Write the distinct individuals of a run's snapshots and last population."""
    genes = np.unique(np.concatenate([*run.snapshots, run.state.genes]), axis=0).astype(np.int64)
    weights, orders = task.decode(genes)
    files.write_arrays(
        path,
        weights=weights.astype(np.float32),  # exact: genes have 20 bits
        orders=orders,
        criteria=[criterion.name for criterion in task.problem.criteria],
        feedback_labels=task.problem.game.feedback_labels,
        opening=task.problem.opening or "",
    )


def read_population(name: str, path: str | Path) -> list[Strategy]:
    """Read a population as policies; raise `DamagedFileError` if unreadable."""
    parts: dict[str, Any] = files.read_arrays(path)
    with files.checked_read(path):
        names = parts["criteria"].tolist()
        labels = tuple(parts["feedback_labels"].tolist())
        opening = str(parts["opening"]) or None
        rows = zip(parts["weights"].astype(np.float64), parts["orders"].tolist(), strict=True)
        return [
            found_strategy(
                name, Weights(name, name, labels, values, {}, _by_turn(names, orders)), opening
            )
            for values, orders in rows
        ]


def history_frame(run: Run) -> "pl.DataFrame":
    """Return one row per generation."""
    import polars as pl  # not on each machine with a GPU (benchmarks/check_device.py)

    frame = pl.DataFrame(run.history, schema=dict.fromkeys(HISTORY, pl.Float64), orient="row")
    return frame.with_columns(pl.exclude("mean", "diversity").cast(pl.Int64))


def write_run(task: Task, run: Run, model: str, backend: str, folder: Path) -> None:
    """Write a run's files, `seed-N.*`: weights, history, individuals per second and population."""
    import polars as pl

    stem = f"seed-{task.seed}"
    files.write_frame(history_frame(run), folder / f"{stem}.history.parquet")
    speeds = evaluated(task.params) / pl.Series(run.seconds[1:], dtype=pl.Float64)
    generations = pl.int_range(2, len(speeds) + 2, eager=True)
    speed = pl.DataFrame({"generation": generations, "individuals_per_second": speeds})
    files.write_frame(speed, folder / f"{stem}.speed.parquet")
    write_population(task, run, folder / f"{stem}.population.npz")
    write_weights(best_weights(task, run, model, backend), folder / f"{stem}.json")
