"""Selection, crossover, mutation and restarts: plain functions that every backend compiles.

The genetic algorithm is that of Gür 2025, section 5. Random numbers are hashes of seed, generation,
individual and draw, so they don't depend on the order of evaluation or on threads: an individual
has a stream (`stream_of`), and each decision about it a fixed draw of the stream. Genes,
probabilities and weights are integers in units of 2^-20, and no value overflows int64.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Genes = NDArray[np.int64]
MASK = 0xFFFFFFFF
MULTIPLIER = 0x45D9F3B
"""Of the hash: 32 bits; an odd number that mixes them well."""

UNIT = 1 << 20
"""The integer for a weight or a probability of 1."""

FIRST_PARENT = 0
SECOND_PARENT = 32
"""First draws that select a parent, one for each entry of a tournament."""

DRAWS_OF_ROW = 48
"""First of two draws: whether a child mutates in one row only, and in which."""

DRAW_OF_SHARE = 50
DRAW_OF_RENEWAL = 51
"""Draws of a child: the share of its first parent in a `line`; whether it is drawn at random."""

FIRST_DRAW = 64
DRAWS_OF_GENE = 16
"""First draw of gene 0, and draws per gene: crossover, mutation, reset, then its value or step."""

DRAW_OF_SCALE = 15
"""The last of a gene's draws: the scale of its step, behind the twelve of `normal_step`."""

SELECTIONS = ("tournament", "uniform")
UNIFORM_PARENTS = 1
"""Values of `Operators.selection` are positions in SELECTIONS."""

CROSSOVERS = ("uniform", "line")
UNIFORM_CROSSOVER = 0
"""Values of `Operators.crossover` are positions in CROSSOVERS."""


class Operators(NamedTuple):
    """Genetic operators and restarts (`settings.Params`); probabilities and weights are in 2^-20.

    With `row_share` all mutations of a child fall in one of its `n_rows` rows, at a rate that
    preserves their expected number.
    """

    selection: int
    tournament_size: int
    crossover: int
    mutation_rate: int
    mutation_step: int
    mutation_scales: int
    reset_rate: int
    low: int
    high: int
    draw_high: int
    row_share: int
    n_rows: int
    genes_of_row: int
    elite: int
    restart_after: int
    first_redraw: int
    restart_redraw: int
    restart_slack: int
    scratch_every: int
    stagnant_after: int
    stagnant_rate: int
    renew_every: int
    renew_share: int


def mix(value: int) -> int:
    """Hash a 32-bit integer."""
    value &= MASK
    value = ((value >> 16) ^ value) * MULTIPLIER & MASK
    value = ((value >> 15) ^ value) * MULTIPLIER & MASK
    return (value >> 16) ^ value


def stream_of(seed: int, generation: int, individual: int) -> int:
    """Return the hash that all draws of an individual derive from."""
    return mix(mix(mix(seed + 0x51ED27) ^ generation) + 0x9E3779B9 * individual)


def draw(stream: int, index: int, below: int) -> int:
    """Return draw number `index`, uniform on 0 to below − 1; `below` is at most 2^31."""
    return (mix(stream ^ mix(index + 0x2545F491)) * below) >> 32


def random_gene(stream: int, index: int, operators: Operators) -> int:
    """Return a gene drawn uniformly from `low` to `draw_high`."""
    return operators.low + draw(stream, index, operators.draw_high - operators.low + 1)


def restart_gene(stream: int, gene: int, base: int, redraw: int, operators: Operators) -> int:
    """Return a gene after a restart: random with probability `redraw`, else the base's."""
    index = FIRST_DRAW + DRAWS_OF_GENE * gene
    if draw(stream, index + 1, UNIT) < redraw:
        return random_gene(stream, index, operators)
    return base


def select_parent(stream: int, index: int, population: int, operators: Operators) -> int:
    """Return the rank of a selected parent, 0 for the best; its draws begin at `index`."""
    if operators.selection == UNIFORM_PARENTS:
        return draw(stream, index, population)
    best = population
    for entry in range(operators.tournament_size):
        best = min(best, draw(stream, index + entry, population))
    return best


def normal_step(stream: int, index: int, deviation: int) -> int:
    """Return an approximately normal integer: the centred sum of twelve uniform draws.

    The sum of twelve has variance 1 in units of UNIT.
    """
    total = 0
    for term in range(12):
        total += draw(stream, index + term, UNIT)
    return ((total - 6 * UNIT) * deviation) >> 20


def mutation_rate(stream: int, gene: int, stagnant: int, operators: Operators) -> int:
    """Return the probability that a child's gene mutates, in units of 2^-20."""
    rate = operators.mutation_rate
    # A population that has stagnated mutates at another rate.
    if 0 < operators.stagnant_after <= stagnant:
        rate = operators.stagnant_rate
    if draw(stream, DRAWS_OF_ROW, UNIT) >= operators.row_share:
        return rate
    if draw(stream, DRAWS_OF_ROW + 1, operators.n_rows) == gene // operators.genes_of_row:
        return rate * operators.n_rows
    return 0


def is_renewed(stream: int, stagnant: int, operators: Operators) -> bool:
    """Return whether a child is drawn at random."""
    if operators.renew_every == 0 or stagnant == 0 or stagnant % operators.renew_every > 0:
        return False
    return draw(stream, DRAW_OF_RENEWAL, UNIT) < operators.renew_share


def child_gene(
    stream: int, gene: int, first: int, second: int, stagnant: int, operators: Operators
) -> int:
    """Return a child's gene from those of its parents: crossover, then mutation."""
    index = FIRST_DRAW + DRAWS_OF_GENE * gene
    if is_renewed(stream, stagnant, operators):
        return random_gene(stream, index, operators)
    # 1. Crossover: one parent's gene, or a mixture with the child's share.
    if operators.crossover == UNIFORM_CROSSOVER:
        value = first if draw(stream, index, 2) == 0 else second
    else:
        share = draw(stream, DRAW_OF_SHARE, UNIT)
        value = (first * share + second * (UNIT - share)) >> 20
    # 2. Mutation: a new value, or a normal step of a random scale, both kept within the bounds.
    if draw(stream, index + 1, UNIT) < mutation_rate(stream, gene, stagnant, operators):
        if draw(stream, index + 2, UNIT) < operators.reset_rate:
            value = random_gene(stream, index + 3, operators)
        else:
            scale = draw(stream, index + DRAW_OF_SCALE, operators.mutation_scales)
            value += normal_step(stream, index + 3, operators.mutation_step >> scale)
    return min(max(value, operators.low), operators.high)


def exact_weight(gene: int, scale: int) -> int:
    """Return a gene's weight times `scale`, rounded half to even, at least 1.

    See `policies.weights.exact_weights`.
    """
    quotient = gene * scale // UNIT
    rest = gene * scale % UNIT
    if 2 * rest > UNIT or (2 * rest == UNIT and quotient % 2 == 1):
        quotient += 1
    return max(quotient, 1)


def restarts_now(generation: int, stagnant: int, operators: Operators) -> bool:
    """Return whether the population restarts; the first generation is a restart, too."""
    return generation == 0 or stagnant >= operators.restart_after


def redraw_probability(restarts: int, operators: Operators) -> int:
    """Return the probability that a restart redraws a gene; `restarts` is −1 before the first."""
    start = restarts + 1
    if start == 0:
        return operators.first_redraw
    if operators.scratch_every > 0 and start % operators.scratch_every == 0:
        return UNIT
    return operators.restart_redraw


def is_near_best(start_best: int, best: int, operators: Operators) -> bool:
    """Return whether a restart copies the best since the last one, and not the best ever."""
    return start_best <= best + operators.restart_slack


def restart_population(
    seed: int, generation: int, redraw: int, operators: Operators, base: Genes, genes: Genes
) -> None:
    """Fill `genes`, (n_individuals, n_genes), from the individual `base`; `redraw` is in 2^-20."""
    for individual in range(genes.shape[0]):
        stream = stream_of(seed, generation, individual)
        for gene in range(genes.shape[1]):
            genes[individual, gene] = restart_gene(stream, gene, base[gene], redraw, operators)


def breed(
    seed: int, generation: int, stagnant: int, operators: Operators, ranked: Genes, genes: Genes
) -> None:
    """Fill `genes` (population, n_genes) with the elite of `ranked`, then children.

    `ranked` has the individuals of the last generation, best first.
    """
    population = ranked.shape[0]
    elite = operators.elite
    for individual in range(elite):
        for gene in range(genes.shape[1]):
            genes[individual, gene] = ranked[individual, gene]
    for individual in range(elite, population):
        stream = stream_of(seed, generation, individual)
        first = ranked[select_parent(stream, FIRST_PARENT, population, operators)]
        second = ranked[select_parent(stream, SECOND_PARENT, population, operators)]
        for gene in range(ranked.shape[1]):
            genes[individual, gene] = child_gene(
                stream, gene, first[gene], second[gene], stagnant, operators
            )
