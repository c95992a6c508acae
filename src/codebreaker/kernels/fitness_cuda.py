"""The fitness of weight vectors on CUDA; the one module that imports numba.cuda.

A block evaluates an individual: its threads share the candidate sets of a turn, each choosing for
a set by its leaders, and send the individual on to the sets of the next turn. What the memo does
not hold yet is noted, and the host finds it before the individual is evaluated again.
"""

from typing import Any

from numba import cuda, int32

from codebreaker.kernels import choice
from codebreaker.kernels.wrap import compiled

THREADS = 64
"""Threads of a block; a turn of MM(4,6) has about a hundred sets."""

_device = compiled(choice, lambda function: cuda.jit(device=True)(function))
rank_options, slack_of = _device.rank_options, _device.slack_of
winner_of_leaders, winner_of_all = _device.winner_of_leaders, _device.winner_of_all


def rank_sets(
    n_sets: int,
    version: int,
    rules: Any,  # noqa: ANN401 (device arrays)
    sets: Any,  # noqa: ANN401
    options: Any,  # noqa: ANN401
    reference: Any,  # noqa: ANN401
) -> None:
    """Rank the options of all sets that have some, a thread a set."""
    terms, terms_at, _ = rules
    turn, size, option_at, option_count, leaders, leader_scores, rest, versions, _ = sets
    found = cuda.grid(1)
    if found < n_sets and option_at[found] >= 0:
        at, row = terms_at[size[found]], turn[found] - 1
        rank_options(
            options[0], option_at[found], option_count[found], terms, at, reference, row, found,
            leaders, leader_scores, rest,
        )  # fmt: skip
        versions[found] = version


def evaluate(
    version: int,
    rules: Any,  # noqa: ANN401
    sets: Any,  # noqa: ANN401
    options: Any,  # noqa: ANN401
    weights: Any,  # noqa: ANN401
    reference: Any,  # noqa: ANN401
    start: Any,  # noqa: ANN401
    frontier: Any,  # noqa: ANN401
    totals: Any,  # noqa: ANN401
    misses: Any,  # noqa: ANN401
    n_misses: Any,  # noqa: ANN401
) -> None:
    """Add each individual's guesses to totals, or note what is missing in misses.

    `frontier` is (n_individuals, 2, n_secrets) int32 working memory; `misses` is (n, 2) int32: a
    set without options and −1, or a set and its option without links.
    """
    terms, terms_at, tolerances = rules
    turn, size, option_at, option_count, leaders, leader_scores, rest, versions, largest = sets
    counts, link_at, links = options
    filled = cuda.shared.array(2, int32)
    i, thread = cuda.blockIdx.x, cuda.threadIdx.x
    for j in range(thread, len(start), THREADS):
        frontier[i, 0, j] = start[j]
    if thread == 0:
        filled[0] = len(start)
    cuda.syncthreads()
    side = 0
    while filled[side] > 0:
        n_sets = filled[side]
        cuda.syncthreads()
        if thread == 0:
            filled[1 - side] = 0
        cuda.syncthreads()
        for j in range(thread, n_sets, THREADS):
            found = frontier[i, side, j]
            first = option_at[found]
            option, link = -1, -1
            if first >= 0:
                count, row = option_count[found], turn[found] - 1
                at, tolerance = terms_at[size[found]], tolerances[size[found]]
                if versions[found] == version:
                    slack = slack_of(weights, i, row, reference, largest, found)
                    option = winner_of_leaders(
                        counts, first, count, terms, at, tolerance, weights, i, row, slack, found,
                        leaders, leader_scores, rest,
                    )  # fmt: skip
                if option < 0:
                    option = winner_of_all(
                        counts, first, count, terms, at, tolerance, weights, i, row
                    )
                link = link_at[option]
            if link < 0:
                place = cuda.atomic.add(n_misses, 0, 1)
                if place < len(misses):
                    misses[place, 0] = found
                    misses[place, 1] = option
                continue
            cuda.atomic.add(totals, i, size[found] + links[link])
            for c in range(links[link + 1]):
                place = cuda.atomic.add(filled, 1 - side, 1)
                frontier[i, 1 - side, place] = links[link + 2 + c]
        cuda.syncthreads()
        side = 1 - side


rank_kernel = cuda.jit(rank_sets)
evaluate_kernel = cuda.jit(evaluate)
