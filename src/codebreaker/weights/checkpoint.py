"""Checkpoints of runs, written atomically; unusable ones are set aside."""

import logging
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.errors import DamagedFileError
from codebreaker.files import checked_read, read_arrays, write_arrays
from codebreaker.weights.genetic import State
from codebreaker.weights.task import HISTORY, Run, Task

log = logging.getLogger("codebreaker")


def save_checkpoint(task: Task, run: Run, path: Path) -> None:
    """Write a checkpoint."""
    write_arrays(
        path,
        compressed=False,
        identity=task.identity,
        history=np.array(run.history, dtype=np.float64).reshape(-1, len(HISTORY)),
        seconds=run.seconds,
        met=np.array(run.snapshots, dtype=np.int32),
        **{f"state_{name}": value for name, value in vars(run.state).items()},
    )


def load_checkpoint(task: Task, path: Path) -> Run | None:
    """Read a checkpoint; log and set aside one that is damaged or belongs to another task."""
    if not path.exists():
        return None
    try:
        identity, run = _read(path)
    except DamagedFileError as error:
        why = f"it is damaged: {error.__cause__}"
    else:
        if identity != task.identity:
            why = "it belongs to other settings"
        elif run.state.generation > task.generations:
            why = f"it has already reached generation {run.state.generation}"
        else:
            log.info("resuming at generation %d of %s", run.state.generation, path)
            return run
    aside = path.with_name(path.name + ".set-aside")
    path.replace(aside)
    log.warning("checkpoint %s is set aside as %s: %s", path, aside.name, why)
    return None


def _read(path: Path) -> tuple[str, Run]:
    """Return a checkpoint's task identity and its run."""
    parts: dict[str, Any] = read_arrays(path)
    with checked_read(path):
        names = State.__dataclass_fields__
        state = State(**{name: _value(parts[f"state_{name}"]) for name in names})
        history = [tuple(row) for row in parts["history"].tolist()]
        run = Run(state, history, parts["seconds"].tolist(), list(parts["met"]))
        return str(parts["identity"]), run


def _value(array: Any) -> Any:  # noqa: ANN401 (an array or a number)
    return array if array.ndim else int(array)
