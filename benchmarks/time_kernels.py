"""Time each kernel of a generation of the search for weights on a CUDA device.

Run it where `make device-check` runs, with `PYTHONPATH=src`. It prints, after some generations, the
device's microseconds by kernel, and how many sets leading options left open at each level.
"""

import argparse
from collections.abc import Callable
from itertools import pairwise

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # noqa: NPY201 (NumPy 2.5 lacks what numba-cuda 0.30 needs)

from numba import cuda

from codebreaker.compiling.cuda_graphs import record
from codebreaker.games.registry import make_game
from codebreaker.optimise import cuda as engine
from codebreaker.optimise import genetic
from codebreaker.optimise.cuda import CudaEngine, CudaFitness
from codebreaker.optimise.kernels import fitness_cuda as kernels
from codebreaker.optimise.kernels import genetic_cuda as breeding
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import Run, Task
from codebreaker.optimise.settings import Params
from codebreaker.policies.families import criterion

SPINS = 3_000_000
"""Steps of the kernel that keeps the device busy, some milliseconds, until all others wait."""

REPEATS = 3

Step = tuple[str, Callable[[], None]]


@cuda.jit
def spin(steps, result):
    """Compute something that the compiler can't shorten."""
    value = 0
    for _ in range(steps):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF
    result[0] = value


def timeline(steps: list[Step]) -> list[tuple[str, float]]:
    """Return each step's microseconds on the device.

    All steps are started while the device is busy, so that it never waits for Python.
    """
    result = cuda.device_array(1, np.int64)
    spin[1, 1](SPINS, result)
    events = [cuda.event()]
    events[0].record()
    for _, start in steps:
        start()
        events.append(cuda.event())
        events[-1].record()
    events[-1].synchronize()
    names = [name for name, _ in steps]
    pairs = pairwise(events)
    times = [1e3 * cuda.event_elapsed_time(before, after) for before, after in pairs]
    return list(zip(names, times, strict=True))


def steps_of(task: Task, on_device: CudaEngine, fitness: CudaFitness) -> list[Step]:
    """Return the kernels of a generation, each as a graph; `learn` twice, then with a renewal."""
    problem = task.problem
    islands = on_device._islands
    launch_arguments = fitness.arguments(on_device._population)
    operators = genetic.operators_of(task.params, problem.n_genes, problem.genes_of_row)
    first_row = problem.first_turn - 1
    scale = int(problem.weight_scale)
    n = len(islands.active)
    n_islands = len(islands.ranked)
    threads = kernels.THREADS
    slots = engine.SLOTS // kernels.SLOTS_OF_BLOCK, n_islands

    def breed(stream):
        arguments = operators, islands, first_row, scale, fitness.spent
        breeding.breed[n, breeding.THREADS, stream](*arguments)

    def tell(stream):
        breeding.tell[n_islands, breeding.THREADS, stream](operators, islands)

    def advance(level):
        return lambda stream: kernels.advance[n, threads, stream](launch_arguments, level)

    def choose(level):
        return lambda stream: kernels.choose[kernels.CHOOSERS, threads, stream](
            launch_arguments, level
        )

    def learn(renews):
        return lambda stream: kernels.learn[slots, threads, stream](launch_arguments, renews)

    steps = [
        ("breed", breed),
        ("begin", lambda stream: kernels.begin[n, threads, stream](launch_arguments)),
    ]
    for level in range(kernels.LEVELS):
        steps.append((f"advance {level}", advance(level)))
        steps.append((f"choose {level}", choose(level)))
    steps.append(("finish", lambda stream: kernels.finish[n, threads, stream](launch_arguments)))
    steps += [("learn", learn(False)), ("learn again", learn(False)), ("renew", learn(True))]
    steps.append(("tell", tell))
    return [(name, record(launch)) for name, launch in steps]


def main() -> None:
    """Run some generations, and time the next one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--generations", type=int, default=1024)
    options = parser.parse_args()
    problem = Problem(make_game("mm-4-6"), (criterion("entropy"),), 6, "1123")
    # The last generation is further away, so that the timed ones are not idle.
    far = 100 * options.generations
    tasks = [Task(problem, Params(), seed, far) for seed in range(options.seeds)]
    runs = [Run(genetic.init(task.seed, problem.n_genes, task.params)) for task in tasks]
    fitness = CudaFitness(problem, 512)
    on_device = CudaEngine(fitness)
    while runs[0].state.generation < options.generations:
        on_device.advance(tasks, runs)
    islands = on_device._islands
    state = islands.state.copy_to_host()
    state[:, breeding.BEGAN] = state[:, breeding.GENERATION]
    steps = steps_of(tasks[0], on_device, fitness)
    for _ in range(REPEATS):
        islands.state.copy_to_device(state)
        times = timeline(steps)
    print(f"{options.seeds} seeds, after generation {options.generations:,}: µs by kernel")
    for name, microseconds in times:
        print(f"{name:12} {microseconds:8.0f}")
    queued = fitness._work.n_queued.copy_to_host()[: kernels.LEVELS]
    print("sets left open by level:", queued.tolist())


if __name__ == "__main__":
    main()
