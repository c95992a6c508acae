"""Selection and variation of individuals, as plain integer functions for every backend.

Genes are integers, weights times 2^20, and random numbers are hashes of a counter: the seed, the
generation, the individual and the draw. So no state is kept, and every backend breeds the same
individuals. All numbers fit into int64 without overflow.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Integers = TypeVar("Integers", int, NDArray[np.int64])

MASK = 0xFFFFFFFF
MULTIPLIER = 0x45D9F3B
UNIT = 1 << 20
"""A weight of 1, and the probability 1, in integers."""

FIRST_DRAW, DRAWS_OF_GENE, DRAWS_OF_ROW = 64, 16, 48
"""Draws below the first are for parents, the last of these for a row; each gene has its own."""

TOURNAMENT, UNIFORM_PARENTS = 0, 1
UNIFORM_CROSSOVER, BLEND_CROSSOVER = 0, 1


class Operators(NamedTuple):
    """How children are bred; probabilities and weights in units of 2^-20.

    `selection` and `crossover` are the constants above. Each gene of a child mutates with the
    probability `mutation_rate`: to a fresh value with the probability `reset_rate`, else by a
    step that is nearly normal with the standard deviation `mutation_step`. With the probability
    `row_share` a child's mutations all fall on one of its rows, `n_rows` of `n_feedback` genes
    each, and are as many as else on all.
    """

    selection: int
    tournament_size: int
    crossover: int
    mutation_rate: int
    mutation_step: int
    reset_rate: int
    low: int
    high: int
    row_share: int
    n_rows: int
    genes_of_row: int


def mix(value: int) -> int:
    """Hash a 32-bit integer to one that looks random."""
    value &= MASK
    value = ((value >> 16) ^ value) * MULTIPLIER & MASK
    value = ((value >> 15) ^ value) * MULTIPLIER & MASK
    return (value >> 16) ^ value


def stream_of(seed: int, generation: int, individual: int) -> int:
    """Return the number from which all draws of an individual are made."""
    return mix(mix(mix(seed + 0x51ED27) ^ generation) + 0x9E3779B9 * individual)


def draw(stream: int, index: int, below: int) -> int:
    """Return the draw of an index, uniform on 0 to below − 1; below is at most 2^31."""
    return (mix(stream ^ mix(index + 0x2545F491)) * below) >> 32


def random_gene(stream: int, index: int, operators: Operators) -> int:
    """Return a gene that is uniform between the bounds."""
    return operators.low + draw(stream, index, operators.high - operators.low + 1)


def fresh_gene(stream: int, gene: int, best: int, redraw: int, operators: Operators) -> int:
    """Return a gene of a population that starts afresh: the best one's, or a random one."""
    index = FIRST_DRAW + DRAWS_OF_GENE * gene
    if draw(stream, index + 1, UNIT) < redraw:
        return random_gene(stream, index, operators)
    return best


def parent(stream: int, index: int, population: int, operators: Operators) -> int:
    """Return the rank of a parent, 0 for the best."""
    if operators.selection == UNIFORM_PARENTS:
        return draw(stream, index, population)
    best = population
    for entry in range(operators.tournament_size):
        best = min(best, draw(stream, index + entry, population))
    return best


def normal_step(stream: int, index: int, deviation: int) -> int:
    """Return a nearly normal integer: twelve uniform numbers, summed, less their mean."""
    total = 0
    for term in range(12):
        total += draw(stream, index + term, UNIT)
    return ((total - 6 * UNIT) * deviation) >> 20


def rate_of(stream: int, gene: int, operators: Operators) -> int:
    """Return the probability that a child's gene mutates."""
    if draw(stream, DRAWS_OF_ROW, UNIT) >= operators.row_share:
        return operators.mutation_rate
    if draw(stream, DRAWS_OF_ROW + 1, operators.n_rows) == gene // operators.genes_of_row:
        return operators.mutation_rate * operators.n_rows
    return 0


def child_gene(stream: int, gene: int, first: int, second: int, operators: Operators) -> int:
    """Return a child's gene from its parents' genes: crossover, then mutation."""
    index = FIRST_DRAW + DRAWS_OF_GENE * gene
    if operators.crossover == UNIFORM_CROSSOVER:
        value = first if draw(stream, index, 2) == 0 else second
    else:
        share = draw(stream, index, UNIT)
        value = (first * share + second * (UNIT - share)) >> 20
    if draw(stream, index + 1, UNIT) < rate_of(stream, gene, operators):
        if draw(stream, index + 2, UNIT) < operators.reset_rate:
            value = random_gene(stream, index + 3, operators)
        else:
            value += normal_step(stream, index + 3, operators.mutation_step)
    return min(max(value, operators.low), operators.high)


def order_of(gene: Integers, n_orders: int, low: int, high: int) -> Integers:
    """Return the order that a gene between its bounds stands for, 0 to n_orders − 1."""
    return (gene - low) * n_orders // (high - low + 1)


def rounded(gene: int, scale: int) -> int:
    """Return a gene's weight in units of 1/scale, a half going to the even one as in numpy."""
    whole, rest = gene * scale // UNIT, gene * scale % UNIT
    if 2 * rest > UNIT or (2 * rest == UNIT and whole % 2 == 1):
        whole += 1
    return whole
