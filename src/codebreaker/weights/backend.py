"""The backend of a search: explicit, logged, without silent fallbacks; one CUDA device per job."""

import logging
import os
from collections.abc import Sequence
from ctypes.util import find_library
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from codebreaker.errors import CodebreakerError, has_extra, remedy
from codebreaker.games.model import CodeGame
from codebreaker.runtime.caches import cache_folder, is_private
from codebreaker.weights.fitness import Fitness, FitnessOnDemand
from codebreaker.weights.problem import Problem
from codebreaker.weights.run import Engine, HostEngine

if TYPE_CHECKING:
    from filelock import FileLock

log = logging.getLogger("codebreaker")

Backend = Literal["auto", "cpu", "cuda"]
_claims: dict[int, "FileLock"] = {}


def claim(uuids: Sequence[str], folder: Path | None = None) -> int:
    """Return the index of a CUDA device, of the visible `uuids`, that no other job uses.

    The first free one is locked by its UUID in `folder`, by default in the user's cache; a single
    one in CUDA_VISIBLE_DEVICES needs no lock. Raises `CodebreakerError` if there is none.
    """
    if _claims:
        return next(iter(_claims))
    if len(uuids) == 1 and os.environ.get("CUDA_VISIBLE_DEVICES"):
        return 0
    from filelock import FileLock, Timeout

    folder = folder or cache_folder() / "devices"
    failure: Exception | None = None
    for device, uuid in enumerate(uuids):
        lock = FileLock(folder / f"{uuid}.lock")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(folder):
                raise PermissionError(f"{folder} or a folder above it belongs to another user")
            lock.acquire(timeout=0)
        except (OSError, NotImplementedError) as why:
            failure = failure if isinstance(why, Timeout) else why
        else:
            _claims[device] = lock
            return device
    if failure:
        raise CodebreakerError(
            f"no CUDA device can be locked ({failure}): name one in CUDA_VISIBLE_DEVICES, or a "
            "folder that you can write to in XDG_CACHE_HOME"
        )
    n = len(uuids)
    raise CodebreakerError(
        f"all {n} CUDA devices are used by other jobs: run at most {n} such jobs at a time",
        setting="gpus",
    )


def has_driver() -> bool:
    """Return whether this machine has NVIDIA's driver."""
    return Path("/proc/driver/nvidia/version").exists() or find_library("cuda") is not None


def missing_for_cuda() -> str | None:
    """Return what the backend cuda lacks on this machine, and how to get it."""
    if not has_extra("cuda"):
        found = "a driver was found" if has_driver() else "a driver is missing, too"
        return f"the extra cuda (make cuda, or {remedy('cuda')}; {found})"
    from numba import cuda

    if cuda.is_available():
        return None
    if has_driver():
        return "a CUDA device (the driver shows none: see nvidia-smi and CUDA_VISIBLE_DEVICES)"
    return "a CUDA device with its driver (no driver was found: install NVIDIA's)"


def choose_engine(
    backend: Backend, problem: Problem, memo_mib: float, threads: int, gpus: int
) -> Engine:
    """Return an engine for a problem, and log which; raise `CodebreakerError` if CUDA can't."""
    lacks = None if backend == "cpu" else missing_for_cuda()
    missing = lacks or ("a GPU for this job (--resources gpu=1)" if gpus < 1 else None)
    if backend == "cuda" and problem.ordered:
        raise CodebreakerError(
            "the backend cuda can't search for orders of entropies: use the backend cpu",
            setting="backend",
        )
    if backend == "cuda" and missing:
        raise CodebreakerError(
            f"the backend cuda needs {missing}: provide it, or use the backend cpu",
            setting="backend" if lacks else "gpus",
        )
    on_demand = isinstance(problem.game, CodeGame)
    if backend != "cpu" and not missing and not problem.ordered:
        from numba import cuda

        from codebreaker.weights.cuda import CudaEngine, CudaFitness, device_name

        cuda.select_device(claim([device.uuid for device in cuda.gpus]))
        log.info("backend cuda on %s; memo of %g MiB", device_name(), memo_mib)
        if on_demand:
            return HostEngine(FitnessOnDemand(problem, memo_mib, threads, "cuda"))
        return CudaEngine(CudaFitness(problem, memo_mib))
    why = "as only it searches for orders of entropies" if problem.ordered else f"without {missing}"
    why = "as requested" if backend == "cpu" else why
    log.info("backend cpu, %s; %d threads, memo of %g MiB", why, threads, memo_mib)
    evaluator = FitnessOnDemand if on_demand else Fitness
    return HostEngine(evaluator(problem, memo_mib, threads))
