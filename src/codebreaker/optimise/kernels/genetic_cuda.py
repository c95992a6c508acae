"""The genetic algorithm on CUDA: an island per seed, with the same results as `genetic`."""

from collections import namedtuple

from numba import cuda, int64

from codebreaker.compiling.cpu import compiled
from codebreaker.optimise.kernels import variation
from codebreaker.optimise.kernels.variation import FIRST_PARENT, SECOND_PARENT, Operators

THREADS = 128
"""Threads of a block."""

SEED, GENERATION, BEST, START_BEST, STAGNANT, RESTARTS, BEGAN, LIMIT = range(8)
"""Columns of an island's state: those of `genetic.Population`, and two of a call of the engine.

BEGAN is the generation before the history of the call, LIMIT the last generation of the run.
"""

_device = compiled(variation, lambda function: cuda.jit(device=True)(function))
stream_of = _device.stream_of
restart_gene = _device.restart_gene
select_parent = _device.select_parent
child_gene = _device.child_gene
exact_weight = _device.exact_weight
is_near_best = _device.is_near_best
restarts_now = _device.restarts_now
redraw_probability = _device.redraw_probability

Islands = namedtuple(
    "Islands", "state ranked ranked_totals best genes totals active weights order history"
)
"""The populations of all islands, one per seed; int64 where not said otherwise.

`state` (n_islands, 8). Evaluated: `ranked` (n_islands, population, n_genes), best first, with
`ranked_totals` (n_islands, population) and the best ever, `best` (n_islands, n_genes). Under
evaluation, by individual of all islands, n of them: `genes`, shaped like `ranked`; `totals` (n,);
`active` (n,) int32, 0 if the total is known; `weights` (n, n_turns, n_feedback) float64, exact
integers. `order` (n_islands, population) int32 has the individual of each rank. `history`
(n_islands, n_generations, 6) has the columns of `run.HISTORY`, with sums for means.
"""


@cuda.jit
def breed(operators: Operators, islands: Islands, first_row: int, scale: int, spent: int) -> None:
    """Breed the next generation (Gür 2025, section 5); a block takes an individual.

    `first_row` is the first row of weights that has genes, `scale` the factor of exact weights and
    `spent` the guesses before the first weighted turn, from which totals are counted.
    """
    b = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    state = islands.state
    ranked = islands.ranked
    weights = islands.weights
    population = ranked.shape[1]
    n_genes = ranked.shape[2]
    island = b // population
    individual = b % population
    generation = state[island, GENERATION]
    # A run that is complete waits for the others of its call.
    if generation >= state[island, LIMIT]:
        if thread == 0:
            islands.active[b] = 0
        return
    restart = restarts_now(generation, state[island, STAGNANT], operators)
    redraw = redraw_probability(state[island, RESTARTS], operators)
    near_best = is_near_best(state[island, START_BEST], state[island, BEST], operators)
    stream = stream_of(state[island, SEED], generation, individual)
    first = select_parent(stream, FIRST_PARENT, population, operators)
    second = select_parent(stream, SECOND_PARENT, population, operators)
    # Each thread breeds its genes. Draws depend on the gene alone, so the order doesn't matter.
    for gene in range(thread, n_genes, THREADS):
        if restart:
            # A restart copies the best individual since the last one, or the best ever.
            base = ranked[island, 0, gene] if near_best else islands.best[island, gene]
            value = restart_gene(stream, gene, base, redraw, operators)
        elif individual < operators.elite:
            value = ranked[island, individual, gene]
        else:
            first_gene = ranked[island, first, gene]
            second_gene = ranked[island, second, gene]
            stagnant = state[island, STAGNANT]
            value = child_gene(stream, gene, first_gene, second_gene, stagnant, operators)
        islands.genes[island, individual, gene] = value
        row = first_row + gene // operators.genes_of_row
        f = gene % operators.genes_of_row
        weights[b, row, f] = exact_weight(value, scale)
    # The elite's totals are known, so only the others are evaluated.
    if thread == 0:
        carried = not restart and individual < operators.elite
        islands.active[b] = 0 if carried else 1
        islands.totals[b] = islands.ranked_totals[island, individual] if carried else spent


@cuda.jit
def tell(operators: Operators, islands: Islands) -> None:
    """Rank each island's evaluated generation and update its state; a block takes an island.

    The same steps as `genetic.tell`, and a row of the history.
    """
    island = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    state = islands.state
    ranked = islands.ranked
    order = islands.order
    population = ranked.shape[1]
    n_genes = ranked.shape[2]
    sums = cuda.shared.array(3, int64)
    if state[island, GENERATION] >= state[island, LIMIT]:
        return
    first = island * population
    if thread == 0:
        sums[0] = 0
        sums[1] = 0
    cuda.syncthreads()
    # 1. Rank individuals by counting those before each; of equal totals the last is first.
    for i in range(thread, population, THREADS):
        own_total = islands.totals[first + i]
        rank = 0
        for j in range(population):
            total = islands.totals[first + j]
            if total < own_total or (total == own_total and j > i):
                rank += 1
        order[island, rank] = i
        islands.ranked_totals[island, rank] = own_total
        cuda.atomic.add(sums, 0, own_total)
    cuda.syncthreads()
    # 2. Copy genes by rank; sum their distances from the best individual's.
    spread = 0
    for entry in range(thread, population * n_genes, THREADS):
        rank = entry // n_genes
        gene = entry % n_genes
        value = islands.genes[island, order[island, rank], gene]
        ranked[island, rank, gene] = value
        spread += abs(value - islands.genes[island, order[island, 0], gene])
    cuda.atomic.add(sums, 1, spread)
    # 3. Update the best ever and the state.
    best = islands.ranked_totals[island, 0]
    if best < state[island, BEST]:
        for gene in range(thread, n_genes, THREADS):
            islands.best[island, gene] = islands.genes[island, order[island, 0], gene]
    cuda.syncthreads()  # the sums are complete, and all threads have read the state
    if thread == 0:
        generation = state[island, GENERATION]
        stagnant = state[island, STAGNANT]
        restart = restarts_now(generation, stagnant, operators)
        improved = restart or best < state[island, START_BEST]
        if improved:
            state[island, START_BEST] = best
        state[island, STAGNANT] = 0 if improved else stagnant + 1
        state[island, RESTARTS] += 1 if restart else 0
        state[island, BEST] = min(state[island, BEST], best)
        # 4. Append a row to the history of the call.
        row = state[island, GENERATION] - state[island, BEGAN]
        state[island, GENERATION] += 1
        islands.history[island, row, 0] = state[island, GENERATION]
        islands.history[island, row, 1] = state[island, BEST]
        islands.history[island, row, 2] = state[island, START_BEST]
        islands.history[island, row, 3] = sums[0]
        islands.history[island, row, 4] = sums[1]
        islands.history[island, row, 5] = state[island, RESTARTS]
