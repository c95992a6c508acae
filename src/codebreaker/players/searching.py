"""Simulated annealing and genetic algorithms: for a consistent code, or for high entropy.

Sources: Bernier et al. 1996, whose cost is the distance from consistency and who play the first
consistent code; the AM207 project of 2016, section 2.3, which searches for the guess of highest
entropy; and Cotta et al. 2010, section 2.3, who mention players of each generation's best code,
consistent or not. The sources leave temperatures, rates and sizes open; these are our choices.
"""

from functools import partial

from codebreaker.players.board import make_workspace
from codebreaker.players.kernels import searching as kernel
from codebreaker.players.kernels.board import CERTAIN, Board
from codebreaker.players.kernels.searching import (
    ANNEALING,
    CONSISTENCY,
    ENTROPY,
    GENETIC,
    SearchSettings,
)
from codebreaker.players.player import Player, PlayerSpec

POPULATION = 50

GENERATIONS = 20
"""The genetic algorithm's generations if it seeks the highest entropy."""

TEMPERATURES = {CONSISTENCY: (4.0, 0.95, 0.25), ENTROPY: (0.5, 0.9, 0.005)}
"""By goal: the first temperature, in units of distance or in bits, its factor, and the last."""

KINDS = {"annealing": ANNEALING, "genetic": GENETIC}

AM207 = "AM207 project 2016, section 2.3"


def make_player(
    kind: int,
    goal: int,
    board: Board,
    prefers: int = 0,
    population: float = POPULATION,
    generations: float = 0,
) -> Player:
    """Return a player that searches by annealing or by the genetic algorithm."""
    hottest, cooling, coldest = TEMPERATURES[goal]
    settings = SearchSettings(
        kind=kind,
        goal=goal,
        prefers=prefers,
        hottest=hottest,
        cooling=cooling,
        coldest=coldest,
        steps=20,
        population=int(population),
        generations=int(generations),
        crossover=round(CERTAIN * 0.8),
        mutation=round(CERTAIN * 0.5),
        swap=round(CERTAIN * 0.1),
    )
    return partial(kernel.guess, settings, make_workspace(board, settings.population))


PLAYERS = [
    *(
        PlayerSpec(
            name, "Bernier et al. 1996; AM207 project 2016", partial(make_player, kind, CONSISTENCY)
        )
        for name, kind in KINDS.items()
    ),
    *(
        PlayerSpec(
            f"{name}-entropy{suffix}",
            AM207,
            partial(make_player, kind, ENTROPY, prefers=prefers, generations=GENERATIONS),
            consistent=False,
        )
        for name, kind in KINDS.items()
        for prefers, suffix in enumerate(("", "-consistent-first"))
    ),
    PlayerSpec(
        "best-so-far",
        "Cotta et al. 2010, section 2.3: the best guess of each generation",
        partial(make_player, GENETIC, CONSISTENCY, generations=10),
        ("population", "generations"),
        consistent=False,
    ),
]
