"""Backend selection: explicit, logged, and without silent fallbacks."""

import logging
from typing import Literal

from codebreaker.errors import CodebreakerError
from codebreaker.extras import has_extra, remedy
from codebreaker.games.model import CodeGame
from codebreaker.weights.fitness import Fitness
from codebreaker.weights.fitness_on_demand import FitnessOnDemand
from codebreaker.weights.genetic_host import HostEngine
from codebreaker.weights.problem import Problem
from codebreaker.weights.run import Engine

log = logging.getLogger("codebreaker")

Backend = Literal["auto", "cpu", "cuda"]


def missing_for_cuda() -> str | None:
    """Return what the backend cuda lacks on this machine, or None."""
    if not has_extra("cuda"):
        return f"the extra cuda ({remedy('cuda')})"
    from numba import cuda

    return None if cuda.is_available() else "a CUDA device with its driver"


def choose_engine(
    backend: Backend, problem: Problem, memo_mib: float, threads: int, gpus: int
) -> Engine:
    """Return an engine for a problem on the requested backend, and log which one it is.

    `gpus` is the number of GPUs granted to this job; without any, `auto` means the CPU. Raises
    `CodebreakerError` if `cuda` is requested and something is missing.
    """
    missing = "a GPU for this job" if gpus < 1 else missing_for_cuda()
    if backend == "cuda" and missing:
        raise CodebreakerError(
            f"the backend cuda needs {missing}: provide it, or use the backend cpu",
            setting="gpus" if gpus < 1 else "backend",
        )
    if not missing and backend != "cpu":
        from codebreaker.weights.fitness_cuda import (
            CudaFitness,
            device_name,
            use_free_device,
        )
        from codebreaker.weights.genetic_cuda import CudaEngine

        use_free_device()
        log.info("backend cuda on %s; memo of %g MiB", device_name(), memo_mib)
        if isinstance(problem.game, CodeGame):
            return HostEngine(FitnessOnDemand(problem, memo_mib, threads, "cuda"))
        return CudaEngine(CudaFitness(problem, memo_mib))
    why = f"without {missing}" if backend == "auto" and missing else "as requested"
    log.info("backend cpu, %s; %d threads, memo of %g MiB", why, threads, memo_mib)
    if isinstance(problem.game, CodeGame):
        return HostEngine(FitnessOnDemand(problem, memo_mib, threads))
    return HostEngine(Fitness(problem, memo_mib, threads))
