"""Simulated annealing and the genetic algorithm of Bernier et al. 1996.

The source's cost is the distance from consistency; the first consistent code is played.
Temperatures, rates and sizes that it leaves open are ours.
"""

from functools import partial

import numpy as np

from codebreaker.players.kernels import first_found as kernel
from codebreaker.players.kernels.board import CERTAIN, Board
from codebreaker.players.kernels.first_found import (
    ANNEALING,
    GENETIC,
    ConsistencySearch,
    SearchWorkspace,
)
from codebreaker.players.player import Play, Player

POPULATION = 50


def sit_down(kind: int, board: Board) -> Play:
    """Return what plays by one of the two searches on a board."""
    search = ConsistencySearch(
        kind=kind,
        warm=4.0,
        cooling=0.95,
        cold=0.25,
        steps=20,
        population=POPULATION,
        crossover=round(CERTAIN * 0.8),
        mutation=round(CERTAIN * 0.5),
        swap=round(CERTAIN * 0.1),
    )
    crowd = SearchWorkspace(
        np.zeros(POPULATION, np.int32), np.zeros(POPULATION, np.int32), np.zeros(POPULATION)
    )
    return partial(kernel.guess, board, search, crowd)


PLAYERS = [
    Player(name, "Bernier et al. 1996; AM207 project 2016", partial(sit_down, kind))
    for name, kind in (("annealing", ANNEALING), ("genetic", GENETIC))
]
