"""Breeding of populations, compiled for the CPU."""

import numpy as np
from numpy.typing import NDArray

from codebreaker.sets.compile import compiled, njit
from codebreaker.weights.kernels import variation
from codebreaker.weights.kernels.variation import Operators

Genes = NDArray[np.int64]

_functions = compiled(variation, njit(nogil=True))
stream_of, restart_gene = _functions.stream_of, _functions.restart_gene
select_parent, child_gene = _functions.select_parent, _functions.child_gene
draw, normal_step = _functions.draw, _functions.normal_step


@njit(nogil=True)
def restart_population(
    seed: int, generation: int, redraw: int, operators: Operators, base: Genes, genes: Genes
) -> None:
    """Fill `genes`, (n_individuals, n_genes), from one individual; `redraw` is a probability."""
    for individual in range(genes.shape[0]):
        stream = stream_of(seed, generation, individual)
        for gene in range(genes.shape[1]):
            genes[individual, gene] = restart_gene(stream, gene, base[gene], redraw, operators)


@njit(nogil=True)
def breed(
    seed: int, generation: int, elite: int, operators: Operators, ranked: Genes, genes: Genes
) -> None:
    """Fill `genes` with the next generation: the ranked population's elite, then its children."""
    population = ranked.shape[0]
    for individual in range(elite):
        for gene in range(genes.shape[1]):
            genes[individual, gene] = ranked[individual, gene]
    for individual in range(elite, population):
        stream = stream_of(seed, generation, individual)
        first = ranked[select_parent(stream, 0, population, operators)]
        second = ranked[select_parent(stream, 32, population, operators)]
        for gene in range(ranked.shape[1]):
            genes[individual, gene] = child_gene(stream, gene, first[gene], second[gene], operators)
