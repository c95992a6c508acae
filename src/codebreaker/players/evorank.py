"""EvoRank, with an opening of its own like ABCA.

Source: Runarsson and Merelo 2010, as Cotta et al. 2010 compare it.
"""

from functools import partial

import numpy as np

from codebreaker.players.kernels import evorank as kernel
from codebreaker.players.kernels.board import CERTAIN, Board
from codebreaker.players.kernels.evorank import EvoRankSettings, EvoRankWorkspace
from codebreaker.players.player import Play, Player

POPULATION, MUTATION, PATIENCE, RESET = 400, 1 / 3, 3, 50


def target_of(n_colours: int) -> int:
    """Return how many consistent codes are gathered: 20 at 6 colours, 10 more for each further."""
    return max(20 + 10 * (n_colours - 6), 10)


def opening_of(board: Board) -> int:
    """Return the code like ABCA: the first colours in turn, and the first one again at the end."""
    pegs, n_colours = board.codes.shape[1], board.counts.shape[1]
    colours = [min(peg, n_colours - 1) for peg in range(pegs)]
    colours[-1] = 0
    return int(np.array(colours) @ board.place)


def sit_down(
    board: Board,
    population: float = POPULATION,
    target: float | None = None,
    mutation: float = MUTATION,
    patience: float = PATIENCE,
    reset: float = RESET,
) -> Play:
    """Return what plays EvoRank on a board."""
    some, n_codes = int(population), len(board.codes)
    gathered = target_of(board.counts.shape[1]) if target is None else int(target)
    rank = EvoRankSettings(some, gathered, round(CERTAIN * mutation), int(patience), int(reset))
    flock = EvoRankWorkspace(
        codes=np.zeros(some, np.int32),
        children=np.zeros(some, np.int32),
        distances=np.zeros(some, np.int32),
        wheel=np.zeros(some),
        found=np.zeros(n_codes, np.int32),
        met=np.zeros(n_codes, np.int32),
        cells=np.zeros(len(board.blacks), np.int32),
    )
    return partial(kernel.guess, board, rank, flock)


PLAYERS = [
    Player(
        "EvoRank",
        "Runarsson and Merelo 2010; Cotta et al. 2010",
        sit_down,
        ("population", "target", "mutation", "patience", "reset"),
        lambda board, state, opening: opening_of(board),
    )
]
