"""The genetic algorithm on CUDA: an island per seed, with the same results as `genetic`."""

from collections import namedtuple

from numba import cuda, int64

from codebreaker.sets.compile import compiled
from codebreaker.weights.kernels import variation
from codebreaker.weights.kernels.variation import Operators

THREADS = 128
SEED, GENERATION, BEST, START_BEST, STAGNANT, RESTARTS, BEGAN, LIMIT = range(8)
"""Columns of an island's state; BEGAN is the generation before its history, LIMIT the last one."""

_device = compiled(variation, lambda function: cuda.jit(device=True)(function))
stream_of, restart_gene = _device.stream_of, _device.restart_gene
select_parent, child_gene = _device.select_parent, _device.child_gene
exact_weight, is_near_best = _device.exact_weight, _device.is_near_best
restarts_now, redraw_probability = _device.restarts_now, _device.redraw_probability

Islands = namedtuple(
    "Islands", "state ranked ranked_totals best genes totals active weights order history"
)
"""The populations of all islands; int64 where not said otherwise.

`state` (n_islands, 8). Evaluated: `ranked` (n_islands, population, n_genes), best first, with
`ranked_totals` and `best` (n_islands, n_genes). Under evaluation: `genes`, like `ranked`, and
`totals`, `active` (int32) and `weights` (n_islands · population, n_turns, n_feedback) float64.
`history` (n_islands, n_generations, 6) has the columns of `run.HISTORY`, with sums for means.
"""


@cuda.jit
def breed(operators: Operators, islands: Islands, first_row: int, scale: int, spent: int) -> None:
    """Fill the next generation; genes begin at `first_row`, totals at `spent`."""
    b, thread = cuda.blockIdx.x, cuda.threadIdx.x
    state, ranked, weights = islands.state, islands.ranked, islands.weights
    population, n_genes = ranked.shape[1], ranked.shape[2]
    island, individual = b // population, b % population
    generation = state[island, GENERATION]
    if generation >= state[island, LIMIT]:
        if thread == 0:
            islands.active[b] = 0
        return
    restart = restarts_now(generation, state[island, STAGNANT], operators)
    redraw = redraw_probability(state[island, RESTARTS], operators)
    near_best = is_near_best(state[island, START_BEST], state[island, BEST], operators)
    stream = stream_of(state[island, SEED], generation, individual)
    first = select_parent(stream, 0, population, operators)
    second = select_parent(stream, 32, population, operators)
    for gene in range(thread, n_genes, THREADS):
        if restart:
            base = ranked[island, 0, gene] if near_best else islands.best[island, gene]
            value = restart_gene(stream, gene, base, redraw, operators)
        elif individual < operators.elite:
            value = ranked[island, individual, gene]
        else:
            first_gene, second_gene = ranked[island, first, gene], ranked[island, second, gene]
            stagnant = state[island, STAGNANT]
            value = child_gene(stream, gene, first_gene, second_gene, stagnant, operators)
        islands.genes[island, individual, gene] = value
        row, f = first_row + gene // operators.genes_of_row, gene % operators.genes_of_row
        weights[b, row, f] = exact_weight(value, scale)
    if thread == 0:
        carried = not restart and individual < operators.elite
        islands.active[b] = 0 if carried else 1
        islands.totals[b] = islands.ranked_totals[island, individual] if carried else spent


@cuda.jit
def tell(operators: Operators, islands: Islands) -> None:
    """Rank each island's evaluated generation and update its state."""
    island, thread = cuda.blockIdx.x, cuda.threadIdx.x
    state, ranked, order = islands.state, islands.ranked, islands.order
    population, n_genes = ranked.shape[1], ranked.shape[2]
    sums = cuda.shared.array(3, int64)
    if state[island, GENERATION] >= state[island, LIMIT]:
        return
    first = island * population
    if thread == 0:
        sums[0], sums[1] = 0, 0
    cuda.syncthreads()
    for i in range(thread, population, THREADS):
        own, rank = islands.totals[first + i], 0
        for j in range(population):
            total = islands.totals[first + j]
            if total < own or (total == own and j > i):
                rank += 1
        order[island, rank] = i
        islands.ranked_totals[island, rank] = own
        cuda.atomic.add(sums, 0, own)
    cuda.syncthreads()
    spread = 0
    for entry in range(thread, population * n_genes, THREADS):
        rank, gene = entry // n_genes, entry % n_genes
        value = islands.genes[island, order[island, rank], gene]
        ranked[island, rank, gene] = value
        spread += abs(value - islands.genes[island, order[island, 0], gene])
    cuda.atomic.add(sums, 1, spread)
    best = islands.ranked_totals[island, 0]
    if best < state[island, BEST]:
        for gene in range(thread, n_genes, THREADS):
            islands.best[island, gene] = islands.genes[island, order[island, 0], gene]
    cuda.syncthreads()
    if thread == 0:
        generation, stagnant = state[island, GENERATION], state[island, STAGNANT]
        restart = restarts_now(generation, stagnant, operators)
        improved = restart or best < state[island, START_BEST]
        if improved:
            state[island, START_BEST] = best
        state[island, STAGNANT] = 0 if improved else stagnant + 1
        state[island, RESTARTS] += 1 if restart else 0
        state[island, BEST] = min(state[island, BEST], best)
        row = state[island, GENERATION] - state[island, BEGAN]
        state[island, GENERATION] += 1
        islands.history[island, row, 0] = state[island, GENERATION]
        islands.history[island, row, 1] = state[island, BEST]
        islands.history[island, row, 2] = state[island, START_BEST]
        islands.history[island, row, 3] = sums[0]
        islands.history[island, row, 4] = sums[1]
        islands.history[island, row, 5] = state[island, RESTARTS]
