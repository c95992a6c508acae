"""eGA, eGACo and eGACm, with random and with seeded initialisation.

Source: Cotta, Merelo, Mora and Runarsson 2010, section 3; parameters from its section 4.
"""

from functools import partial

from codebreaker.players.board import make_workspace
from codebreaker.players.kernels import entropic as kernel
from codebreaker.players.kernels.board import CERTAIN, Board
from codebreaker.players.kernels.entropic import EvolutionSettings
from codebreaker.players.player import Player, PlayerSpec

POPULATION, EVALUATIONS, CROSSOVER = 50, 500, 0.9
VARIANTS = {"eGA": (1, 0), "eGACo": (2, 0), "eGACm": (2, 1)}
"""The number of tiers of each variant, and whether they compete."""


def make_player(
    tiers: int,
    competing: int,
    seeded: int,
    board: Board,
    population: float = POPULATION,
    evaluations: float = EVALUATIONS,
    crossover: float = CROSSOVER,
    keeps: float = 0,
    endgames: float = 0,
) -> Player:
    """Return a player that plays a variant."""
    n, pegs = int(population), board.codes.shape[1]
    settings = EvolutionSettings(
        population=n,
        tiers=tiers,
        competing=competing,
        seeded=seeded,
        keeps=int(keeps),
        crossover=round(CERTAIN * crossover),
        mutation=round(CERTAIN / pegs),
        evaluations=int(evaluations),
        endgames=int(endgames),
    )
    return partial(kernel.guess, settings, make_workspace(board, n))


PLAYERS = [
    PlayerSpec(
        f"{variant}-{initialisation}",
        "Cotta et al. 2010",
        partial(make_player, tiers, competing, seeded),
        ("population", "evaluations", "crossover", "keeps", "endgames"),
    )
    for variant, (tiers, competing) in VARIANTS.items()
    for seeded, initialisation in enumerate(("random", "seeded"))
]
