"""The backend of a search: explicit, logged, without silent fallbacks.

A job uses the first CUDA device that it sees. Snakemake's resource `gpu` limits how many such jobs
run at once, and CUDA_VISIBLE_DEVICES, which clusters set, says which device a job sees.
"""

import logging
from typing import Literal

from codebreaker.errors import CodebreakerError, has_driver, has_extra, remedy
from codebreaker.optimise.fitness import Fitness, FitnessOnDemand
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import Engine, HostEngine

log = logging.getLogger("codebreaker")

Backend = Literal["auto", "cpu", "cuda"]

MOST_ON_DEVICE = 256
"""Maximum number of feedback ids of a game for the kernels of CUDA, which hold them in bytes."""


def missing_for_cuda() -> str | None:
    """Return what the backend cuda lacks on this machine, and how to get it."""
    if not has_extra("cuda"):
        driver = "a driver was found" if has_driver() else "a driver is missing, too"
        return f"the extra cuda (make cuda, or {remedy('cuda')}; {driver})"
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
    has_too_many = problem.game.n_feedback > MOST_ON_DEVICE
    if backend == "cuda" and has_too_many:
        raise CodebreakerError(
            f"the backend cuda is for games of at most {MOST_ON_DEVICE} kinds of feedback, and "
            f"{problem.game.name} has {problem.game.n_feedback:,}: use the backend cpu",
            setting="backend",
        )
    if backend == "cuda" and missing:
        raise CodebreakerError(
            f"the backend cuda needs {missing}: provide it, or use the backend cpu",
            setting="backend" if lacks else "gpus",
        )
    on_demand = not problem.game.has_table
    if backend != "cpu" and not missing and not problem.ordered and not has_too_many:
        from codebreaker.optimise.cuda import CudaEngine, CudaFitness, device_name

        log.info("backend cuda on %s; memo of %g MiB", device_name(), memo_mib)
        if on_demand:
            return HostEngine(FitnessOnDemand(problem, memo_mib, threads, "cuda"))
        return CudaEngine(CudaFitness(problem, memo_mib))
    why = "as only it searches for orders of entropies" if problem.ordered else f"without {missing}"
    why = f"as the game has more than {MOST_ON_DEVICE} kinds of feedback" if has_too_many else why
    why = "as requested" if backend == "cpu" else why
    log.info("backend cpu, %s; %d threads, memo of %g MiB", why, threads, memo_mib)
    evaluator = FitnessOnDemand if on_demand else Fitness
    return HostEngine(evaluator(problem, memo_mib, threads))
