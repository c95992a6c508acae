"""The genetic algorithm of Gür 2025, section 5, as ask and tell over frozen states.

Everything is a function of the parameters and the seed: random numbers are hashes of seed,
generation and individual, so a state is small and goes on from a checkpoint as if never stopped.
"""

from dataclasses import dataclass, replace

import numpy as np

from codebreaker.optimise.kernels import genetic as variation_cpu
from codebreaker.optimise.kernels.genetic import Genes
from codebreaker.optimise.kernels.variation import (
    BLEND_CROSSOVER,
    TOURNAMENT,
    UNIFORM_CROSSOVER,
    UNIFORM_PARENTS,
    UNIT,
    Operators,
)
from codebreaker.types import Offsets

SELECTIONS = {"tournament": TOURNAMENT, "uniform": UNIFORM_PARENTS}
CROSSOVERS = {"uniform": UNIFORM_CROSSOVER, "blend": BLEND_CROSSOVER}


@dataclass(frozen=True)
class Params:
    """How the algorithm works; probabilities, steps and bounds are in units of a weight.

    With the probability `row_share` a child's mutations all fall on one row of weights. After
    `restart_after` generations without a better total the population starts afresh: each gene is
    drawn anew with the probability `restart_redraw`, and is else that of the best individual of
    this start, where its total is at most `restart_slack` above the best ever, or that of the best
    ever. Every `scratch_every`-th start draws all genes (0: none). The first start draws a gene
    with the probability `first_redraw`, and else leaves it in the middle of `low` and `high`.
    """

    population: int
    elite: int
    selection: str
    tournament_size: int
    crossover: str
    mutation_rate: float
    mutation_step: float
    reset_rate: float
    row_share: float
    low: float
    high: float
    restart_after: int
    restart_redraw: float
    restart_slack: int
    scratch_every: int
    first_redraw: float = 1.0

    def operators(self, n_genes: int, genes_of_row: int) -> Operators:
        """Return the operators in the kernels' units, for rows of so many genes."""
        return Operators(
            selection=SELECTIONS[self.selection],
            tournament_size=self.tournament_size,
            crossover=CROSSOVERS[self.crossover],
            mutation_rate=round(UNIT * self.mutation_rate),
            mutation_step=round(UNIT * self.mutation_step),
            reset_rate=round(UNIT * self.reset_rate),
            low=round(UNIT * self.low),
            high=round(UNIT * self.high),
            row_share=round(UNIT * self.row_share),
            n_rows=n_genes // genes_of_row,
            genes_of_row=genes_of_row,
        )


@dataclass(frozen=True, eq=False)
class State:
    """Where a run stands, after `generation` generations were told.

    `genes` (population, n_genes) int64 are the last told individuals, best first, and `totals`
    theirs; `best_genes` and `best_total` the best ever; `stagnant` generations have passed since
    the best of this start, `start_best`, improved; `restarts` counts fresh starts after the first.
    """

    seed: int
    generation: int
    genes: Genes
    totals: Offsets
    best_genes: Genes
    best_total: int
    start_best: int
    stagnant: int
    restarts: int


WORST = 2**62


def init(seed: int, n_genes: int, params: Params) -> State:
    """Return the state before the first generation."""
    middle = round(UNIT * (params.low + params.high) / 2)
    return State(
        seed=seed,
        generation=0,
        genes=np.full((params.population, n_genes), middle, dtype=np.int64),
        totals=np.full(params.population, WORST, dtype=np.int64),
        best_genes=np.full(n_genes, middle, dtype=np.int64),
        best_total=WORST,
        start_best=WORST,
        stagnant=0,
        restarts=-1,
    )


def starts_afresh(state: State, params: Params) -> bool:
    """Return whether the next generation is drawn anew."""
    return state.generation == 0 or state.stagnant >= params.restart_after


def redraw_rate(params: Params, restarts: int) -> float:
    """Return the probability that the start after so many restarts draws a gene anew."""
    start = restarts + 1
    if start == 0:
        return params.first_redraw
    wholly = params.scratch_every > 0 and start % params.scratch_every == 0
    return 1.0 if wholly else params.restart_redraw


def ask(state: State, params: Params, genes_of_row: int) -> Genes:
    """Return the individuals of the next generation, (population, n_genes) int64."""
    genes = np.empty_like(state.genes)
    operators = params.operators(genes.shape[1], genes_of_row)
    if starts_afresh(state, params):
        redraw = round(UNIT * redraw_rate(params, state.restarts))
        close = state.start_best <= state.best_total + params.restart_slack
        base = state.genes[0] if close else state.best_genes
        variation_cpu.fresh_population(state.seed, state.generation, redraw, operators, base, genes)
    else:
        variation_cpu.breed(
            state.seed, state.generation, params.elite, operators, state.genes, genes
        )
    return genes


def tell(state: State, params: Params, genes: Genes, totals: Offsets) -> State:
    """Return the state after a generation's totals are known.

    Among equals children rank before their elders, so that the population drifts on a plateau.
    """
    afresh = starts_afresh(state, params)
    order = np.lexsort((-np.arange(len(totals)), totals))
    genes, totals = genes[order], totals[order]
    before = WORST if afresh else state.start_best
    best = int(totals[0])
    better = best < state.best_total
    return replace(
        state,
        generation=state.generation + 1,
        genes=genes,
        totals=totals,
        best_genes=genes[0].copy() if better else state.best_genes,
        best_total=min(best, state.best_total),
        start_best=min(before, best),
        stagnant=0 if best < before else state.stagnant + 1,
        restarts=state.restarts + int(afresh),
    )


def known_totals(state: State, params: Params) -> Offsets:
    """Return the totals of the first individuals of the next generation, those that live on."""
    return state.totals[: 0 if starts_afresh(state, params) else params.elite]


def spread_of(genes: Genes) -> int:
    """Return the sum over individuals and genes of the distance from the first individual's."""
    return int(np.abs(genes - genes[0]).sum())
