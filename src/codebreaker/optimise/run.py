"""Running an optimiser to its end: progress, checkpoints, and going on after a kill."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from codebreaker.optimise import genetic
from codebreaker.optimise.checkpoint import load_checkpoint, save_checkpoint
from codebreaker.optimise.task import Progress, Task, ended
from codebreaker.progress import report_progress

CHECKPOINT_EVERY_S = 10.0
REPORT_EVERY_S = 5.0
REPORT_OVER = 500


class Engine(Protocol):
    """What a backend offers: it goes on with runs that have not ended."""

    backend: str

    def advance(self, tasks: Sequence[Task], runs: Sequence[Progress]) -> None:
        """Go on with some of the runs by some generations; all tasks differ in the seed alone."""


def run(tasks: Sequence[Task], engine: Engine, checkpoints: Sequence[Path]) -> list[Progress]:
    """Run tasks to their ends, from their checkpoints where there are some; these stay."""
    runs = [
        load_checkpoint(task, path)
        or Progress(genetic.init(task.seed, task.problem.n_genes, task.params))
        for task, path in zip(tasks, checkpoints, strict=True)
    ]
    saved = reported = time.monotonic()
    going = True
    while going:
        going = not all(map(ended, tasks, runs))
        if going:
            engine.advance(tasks, runs)
        now = time.monotonic()
        if not going or now - reported >= REPORT_EVERY_S:
            report(tasks, runs)
            reported = now
        if not going or now - saved >= CHECKPOINT_EVERY_S:
            for task, progress, path in zip(tasks, runs, checkpoints, strict=True):
                save_checkpoint(task, progress, path)
            saved = now
    return runs


def report(tasks: Sequence[Task], runs: Sequence[Progress]) -> None:
    """Tell how far the runs are that are under way: a bar on a terminal, a line in the log."""
    for task, progress in zip(tasks, runs, strict=True):
        state, recent = progress.state, progress.seconds[-REPORT_OVER:]
        if not recent:
            continue
        speed = len(recent) * task.params.population / max(sum(recent), 1e-9)
        line = (
            f"seed {task.seed}: generation {state.generation}/{task.generations}, "
            f"best {state.best_total}, restarts {state.restarts}, {speed:,.0f} individuals/s"
        )
        report_progress(line, state.generation, task.generations)
