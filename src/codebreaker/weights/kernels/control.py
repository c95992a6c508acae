"""When a population restarts, and from what: plain functions, which CUDA compiles for itself.

Probabilities are integers in units of 1 / UNIT (`variation`); the settings are those of
`optimise.genetic.Params`.
"""

from codebreaker.weights.kernels.variation import UNIT


def restarts_now(generation: int, stagnant: int, restart_after: int) -> bool:
    """Return whether the next generation restarts the population, as the initial one does."""
    return generation == 0 or stagnant >= restart_after


def redraw_probability(restarts: int, first: int, later: int, scratch_every: int) -> int:
    """Return the probability that the restart after `restarts` others redraws a gene.

    `restarts` is −1 before the initial population, which redraws with the probability `first`.
    """
    start = restarts + 1
    if start == 0:
        return first
    if scratch_every > 0 and start % scratch_every == 0:
        return UNIT
    return later


def is_near_best(start_best: int, best: int, slack: int) -> bool:
    """Return whether a restart copies the best since the last one, and not the best ever."""
    return start_best <= best + slack


def improves(restart: bool, best: int, start_best: int) -> bool:
    """Return whether a generation's best total is the best since the last restart."""
    return restart or best < start_best
