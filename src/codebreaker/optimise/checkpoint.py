"""Checkpoints of runs: whole, checked against the task, and set aside where they don't serve."""

import logging
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.files import atomic_write
from codebreaker.optimise.genetic import State
from codebreaker.optimise.task import HISTORY, Progress, Task

log = logging.getLogger("codebreaker")


def save_checkpoint(task: Task, progress: Progress, path: Path) -> None:
    """Write a checkpoint, whole or not at all."""
    with atomic_write(path) as draft:
        parts: dict[str, Any] = {
            "identity": np.array(task.identity),
            "history": np.array(progress.history, dtype=np.float64).reshape(-1, len(HISTORY)),
            "seconds": np.array(progress.seconds),
            "met": np.array(progress.met, dtype=np.int32),
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
            progress = Progress(state, history, parts["seconds"].tolist(), list(parts["met"]))
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
