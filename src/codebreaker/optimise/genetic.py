"""The genetic algorithm of Gür 2025, section 5, as pure functions of parameters and seed."""

from dataclasses import dataclass, fields, replace
from functools import lru_cache

import numpy as np

from codebreaker.compiling.cpu import compiled, njit
from codebreaker.optimise.kernels import variation
from codebreaker.optimise.kernels.variation import CROSSOVERS, SELECTIONS, UNIT, Genes, Operators
from codebreaker.optimise.settings import Params
from codebreaker.types import Totals

kernel = compiled(variation, njit(nogil=True))
UNEVALUATED = 2**62
"""The total of an individual that has not been evaluated."""


@lru_cache(maxsize=64)
def operators_of(params: Params, n_genes: int = 1, genes_of_row: int = 1) -> Operators:
    """Return the parameters as the kernels need them: real numbers in units of 2^-20.

    Choices by name become positions in SELECTIONS and CROSSOVERS.
    """
    floats = [setting.name for setting in fields(Params) if setting.type is float]
    values = vars(params) | {name: round(UNIT * getattr(params, name)) for name in floats}
    del values["population"]
    values["selection"] = SELECTIONS.index(params.selection)
    values["crossover"] = CROSSOVERS.index(params.crossover)
    values["draw_high"] = min(values["draw_high"], values["high"])
    return Operators(**values, n_rows=n_genes // genes_of_row, genes_of_row=genes_of_row)


@dataclass(frozen=True, eq=False)
class Population:
    """A run's population: `genes` (population, n_genes) int64 with `totals` (population,), ranked.

    `best_genes` (n_genes,) and `best_total` are the best ever, `start_best` is the best total since
    the last restart, and `stagnant` counts the generations that did not improve it. `restarts`
    begin at −1.
    """

    seed: int
    generation: int
    genes: Genes
    totals: Totals
    best_genes: Genes
    best_total: int
    start_best: int
    stagnant: int
    restarts: int


def init(seed: int, n_genes: int, params: Params) -> Population:
    """Return the state before the first generation, which is a restart (`restarts_now`).

    Its individuals have genes midway between the bounds: equal weights.
    """
    middle = round(UNIT * (params.low + params.high) / 2)
    return Population(
        seed=seed,
        generation=0,
        genes=np.full((params.population, n_genes), middle, dtype=np.int64),
        totals=np.full(params.population, UNEVALUATED, dtype=np.int64),
        best_genes=np.full(n_genes, middle, dtype=np.int64),
        best_total=UNEVALUATED,
        start_best=UNEVALUATED,
        stagnant=0,
        restarts=-1,
    )


def ask(state: Population, params: Params, genes_of_row: int) -> tuple[Genes, Totals]:
    """Return the next generation, (population, n_genes) int64, and its elite's known totals."""
    genes = np.empty_like(state.genes)
    operators = operators_of(params, genes.shape[1], genes_of_row)
    if variation.restarts_now(state.generation, state.stagnant, operators):
        redraw = variation.redraw_probability(state.restarts, operators)
        near_best = variation.is_near_best(state.start_best, state.best_total, operators)
        base = state.genes[0] if near_best else state.best_genes
        kernel.restart_population(state.seed, state.generation, redraw, operators, base, genes)
        return genes, state.totals[:0]
    kernel.breed(state.seed, state.generation, state.stagnant, operators, state.genes, genes)
    return genes, state.totals[: params.elite]


def tell(state: Population, params: Params, genes: Genes, totals: Totals) -> Population:
    """Return the next state from a generation, (population, n_genes), and its totals.

    Of equal totals children come first, so the population drifts across a plateau.
    """
    restart = variation.restarts_now(state.generation, state.stagnant, operators_of(params))
    # By total; of equal ones the last, a child, is first.
    order = np.lexsort((-np.arange(len(totals)), totals))
    genes = genes[order]
    totals = totals[order]
    best = int(totals[0])
    better = best < state.best_total
    improved = restart or best < state.start_best
    return replace(
        state,
        generation=state.generation + 1,
        genes=genes,
        totals=totals,
        best_genes=genes[0].copy() if better else state.best_genes,
        best_total=min(best, state.best_total),
        start_best=best if improved else state.start_best,
        stagnant=0 if improved else state.stagnant + 1,
        restarts=state.restarts + int(restart),
    )
