"""eGA, eGACo and eGACm, with random and with seeded initialisation.

Source: Cotta, Merelo, Mora and Runarsson 2010, section 3; parameters from its section 4.
"""

from functools import partial

import numpy as np

from codebreaker.players.kernels import entropic as kernel
from codebreaker.players.kernels.board import CERTAIN, Board
from codebreaker.players.kernels.entropic import EvolutionSettings, EvolutionWorkspace
from codebreaker.players.player import Play, Player

POPULATION, EVALUATIONS, CROSSOVER = 50, 500, 0.9
VARIANTS = {"eGA": (1, 0), "eGACo": (2, 0), "eGACm": (2, 1)}
"""The tiers of each variant, and whether they compete."""


def sit_down(
    tiers: int,
    competing: int,
    seeded: int,
    board: Board,
    population: float = POPULATION,
    evaluations: float = EVALUATIONS,
    crossover: float = CROSSOVER,
    keeps: float = 0,
) -> Play:
    """Return what plays a variant on a board."""
    n_codes, pegs = board.codes.shape
    n = int(population)
    settings = EvolutionSettings(
        population=n,
        tiers=tiers,
        competing=competing,
        seeded=seeded,
        keeps=int(keeps),
        crossover=round(CERTAIN * crossover),
        mutation=round(CERTAIN / pegs),
        evaluations=int(evaluations),
    )
    herd = EvolutionWorkspace(
        codes=np.zeros(n, np.int32),
        children=np.zeros(n, np.int32),
        distances=np.zeros(n, np.int32),
        fitness=np.zeros(n),
        found=np.zeros(n_codes, np.int32),
        met=np.zeros(n_codes, np.int32),
        cells=np.zeros(len(board.blacks), np.int32),
    )
    return partial(kernel.guess, board, settings, herd)


PLAYERS = [
    Player(
        f"{variant}-{initialisation}",
        "Cotta, Merelo, Mora and Runarsson 2010",
        partial(sit_down, tiers, competing, seeded),
        ("population", "evaluations", "crossover", "keeps"),
    )
    for variant, (tiers, competing) in VARIANTS.items()
    for seeded, initialisation in enumerate(("random", "seeded"))
]
