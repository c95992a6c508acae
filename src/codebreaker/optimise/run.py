"""Running an optimiser to its end: history, checkpoints, and going on after a kill."""

import json
import logging
import sys
import time
import zipfile
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from codebreaker.files import whole
from codebreaker.kernels.variation_cpu import Genes
from codebreaker.optimise import genetic
from codebreaker.optimise.genetic import Params, State
from codebreaker.optimise.problem import Problem
from codebreaker.types import Offsets, Scores

log = logging.getLogger("codebreaker")

HISTORY = ("generation", "best", "start_best", "mean", "diversity", "restarts")
CHECKPOINT_EVERY_S = 10.0
REPORT_EVERY_S = 5.0
REPORT_OVER = 500
BAR = 20
REFER_EARLY, REFER_LATE, EARLY = 10, 50, 100


class Evaluator(Protocol):
    """What a backend offers: totals of weights, and a hint where most of these will be."""

    backend: str

    def __call__(self, weights: Scores) -> Offsets:
        """Return the totals of (n_individuals, n_turns, n_feedback) weights."""

    def refer_to(self, weights: Scores) -> None:
        """Take note of a good individual's weights; results stay as they are."""


@dataclass(frozen=True)
class Task:
    """One run: what is optimised, how, from which seed, and for how long."""

    problem: Problem
    params: Params
    seed: int
    generations: int

    @property
    def identity(self) -> str:
        """Return what a checkpoint must agree on to be continued."""
        told = {
            "game": self.problem.game.name,
            "criterion": self.problem.criterion.name,
            "n_turns": self.problem.n_turns,
            "opening": self.problem.opening,
            "params": asdict(self.params),
            "seed": self.seed,
        }
        return json.dumps(told, sort_keys=True)

    def weights(self, genes: Genes) -> Scores:
        """Return individuals' weights, (n_individuals, n_turns, n_feedback)."""
        return genetic.weights_of(genes, self.problem.n_turns, self.problem.first_turn)


@dataclass
class Progress:
    """A run's state, its history (a row of HISTORY a generation), and each generation's seconds.

    All but the seconds are a function of the task.
    """

    state: State
    history: list[tuple[float, ...]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def run(task: Task, evaluator: Evaluator, checkpoint: Path) -> Progress:
    """Run a task to its end, from its checkpoint if there is one; the checkpoint stays."""
    fresh = Progress(genetic.init(task.seed, task.problem.n_weights, task.params))
    progress = load_checkpoint(task, checkpoint) or fresh
    saved = reported = time.monotonic()
    referred = -1
    while progress.state.generation < task.generations:
        began = time.monotonic()
        state = progress.state
        if _is_time_to_refer(state, referred):
            evaluator.refer_to(task.weights(state.genes[:1])[0])
            referred = state.generation
        genes = genetic.ask(state, task.params)
        totals = evaluator(task.weights(genes))
        progress.state = genetic.tell(state, task.params, genes, totals)
        progress.history.append(_row(progress.state))
        now = time.monotonic()
        progress.seconds.append(now - began)
        if now - reported >= REPORT_EVERY_S:
            report(task, progress)
            reported = now
        if now - saved >= CHECKPOINT_EVERY_S:
            save_checkpoint(task, progress, checkpoint)
            saved = now
    save_checkpoint(task, progress, checkpoint)
    report(task, progress)
    return progress


def report(task: Task, progress: Progress) -> None:
    """Tell how far a run is: a bar on a terminal, a line in the log."""
    state, recent = progress.state, progress.seconds[-REPORT_OVER:]
    speed = len(recent) * task.params.population / max(sum(recent), 1e-9)
    line = (
        f"seed {task.seed}: generation {state.generation}/{task.generations}, "
        f"best {state.best_total}, restarts {state.restarts}, {speed:,.0f} individuals/s"
    )
    if sys.stderr.isatty():
        bar = "█" * round(BAR * state.generation / task.generations)
        sys.stderr.write(f"\r{bar:░<{BAR}} {line} ")
    log.info(line, extra={"progress": True})


def _is_time_to_refer(state: State, referred: int) -> bool:
    """Return whether the reference should follow the best; it changes speed, never results."""
    if state.generation == 0:
        return False
    every = REFER_EARLY if state.stagnant < EARLY else REFER_LATE
    return referred < 0 or state.generation - referred >= every


def _row(state: State) -> tuple[float, ...]:
    mean = float(state.totals.mean())
    spread = genetic.diversity(state.genes)
    return state.generation, state.best_total, state.start_best, mean, spread, state.restarts


def save_checkpoint(task: Task, progress: Progress, path: Path) -> None:
    """Write a checkpoint, whole or not at all."""
    with whole(path) as draft:
        parts: dict[str, Any] = {
            "identity": np.array(task.identity),
            "history": np.array(progress.history, dtype=np.float64).reshape(-1, len(HISTORY)),
            "seconds": np.array(progress.seconds),
        }
        parts |= {f"state_{name}": np.array(value) for name, value in vars(progress.state).items()}
        np.savez(draft, **parts)


def load_checkpoint(task: Task, path: Path) -> Progress | None:
    """Read a checkpoint; one that is damaged or another task's is named and set aside."""
    if not path.exists():
        return None
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as parts:
            if str(parts["identity"]) != task.identity:
                _set_aside(path, "it belongs to other settings")
                return None
            names = State.__dataclass_fields__
            state = State(**{name: _value(parts[f"state_{name}"]) for name in names})
            history = [tuple(row) for row in parts["history"].tolist()]
            progress = Progress(state, history, parts["seconds"].tolist())
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, OSError) as why:
        _set_aside(path, f"it is damaged: {why}")
        return None
    if state.generation > task.generations:
        _set_aside(path, f"it has gone on to generation {state.generation}")
        return None
    log.info("going on from generation %d of %s", state.generation, path)
    return progress


def _value(array: Any) -> Any:  # noqa: ANN401 (an array or a number)
    return array if array.ndim else int(array)


def _set_aside(path: Path, why: str) -> None:
    aside = path.with_name(path.name + ".set-aside")
    path.replace(aside)
    log.warning("checkpoint %s is not used, %s; it is set aside as %s", path, why, aside.name)
