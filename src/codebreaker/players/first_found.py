"""Simulated annealing and the genetic algorithm of Bernier et al. 1996.

The source's cost is the distance from consistency; the first consistent code is played.
The source leaves temperatures, rates and sizes open; these are our choices.
"""

from functools import partial

from codebreaker.players.board import make_workspace
from codebreaker.players.kernels import first_found as kernel
from codebreaker.players.kernels.board import CERTAIN, Board
from codebreaker.players.kernels.first_found import ANNEALING, GENETIC, SearchSettings
from codebreaker.players.player import Player, PlayerSpec

POPULATION = 50


def make_player(kind: int, board: Board) -> Player:
    """Return a player that searches by annealing or by the genetic algorithm."""
    settings = SearchSettings(
        kind=kind,
        hottest=4.0,
        cooling=0.95,
        coldest=0.25,
        steps=20,
        population=POPULATION,
        crossover=round(CERTAIN * 0.8),
        mutation=round(CERTAIN * 0.5),
        swap=round(CERTAIN * 0.1),
    )
    return partial(kernel.guess, settings, make_workspace(board, POPULATION))


PLAYERS = [
    PlayerSpec(name, "Bernier et al. 1996; AM207 project 2016", partial(make_player, kind))
    for name, kind in (("annealing", ANNEALING), ("genetic", GENETIC))
]
