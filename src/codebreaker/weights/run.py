"""Running tasks to completion, with progress reports and checkpoints."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from codebreaker.progress import report_progress
from codebreaker.weights import genetic
from codebreaker.weights.checkpoint import load_checkpoint, save_checkpoint
from codebreaker.weights.task import Run, Task, is_complete

CHECKPOINT_EVERY_S = 10.0
REPORT_EVERY_S = 5.0

SPEED_WINDOW = 500
"""How many recent generations a reported speed is averaged over."""


class Engine(Protocol):
    """A backend that advances runs."""

    backend: str

    def advance(self, tasks: Sequence[Task], runs: Sequence[Run]) -> None:
        """Advance incomplete runs by some generations; the tasks differ in seed and length only."""


def run_tasks(tasks: Sequence[Task], engine: Engine, checkpoints: Sequence[Path]) -> list[Run]:
    """Run tasks to completion, resuming from checkpoints where they exist; checkpoints are kept."""
    runs = [
        load_checkpoint(task, path)
        or Run(genetic.init(task.seed, task.problem.n_genes, task.params))
        for task, path in zip(tasks, checkpoints, strict=True)
    ]
    saved = reported = time.monotonic()
    running = True
    while running:
        running = not all(map(is_complete, tasks, runs))
        if running:
            engine.advance(tasks, runs)
        now = time.monotonic()
        if not running or now - reported >= REPORT_EVERY_S:
            report(tasks, runs)
            reported = now
        if not running or now - saved >= CHECKPOINT_EVERY_S:
            for task, run, path in zip(tasks, runs, checkpoints, strict=True):
                save_checkpoint(task, run, path)
            saved = now
    return runs


def report(tasks: Sequence[Task], runs: Sequence[Run]) -> None:
    """Report the progress of all runs that have begun."""
    for task, run in zip(tasks, runs, strict=True):
        state, recent = run.state, run.seconds[-SPEED_WINDOW:]
        if not recent:
            continue
        speed = len(recent) * task.params.population / max(sum(recent), 1e-9)
        line = (
            f"seed {task.seed}: generation {state.generation}/{task.generations}, "
            f"best {state.best_total}, restarts {state.restarts}, {speed:,.0f} individuals/s"
        )
        report_progress(line, state.generation, task.generations)
