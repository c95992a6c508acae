"""EvoRank, which always opens with a code of the pattern ABCA, and variants with other scores.

Source: Runarsson and Merelo 2010, as Cotta et al. 2010 compare it.
"""

from functools import partial

import numpy as np

from codebreaker.players.board import make_workspace
from codebreaker.players.kernels import evorank as kernel
from codebreaker.players.kernels.board import CERTAIN, Board
from codebreaker.players.kernels.evorank import EvoRankSettings
from codebreaker.players.kernels.sampling import PARTS, SIZE
from codebreaker.players.player import Player, PlayerSpec

POPULATION, MUTATION, PATIENCE, RESET = 400, 1 / 3, 3, 50


def default_target(n_colours: int) -> int:
    """Return how many consistent codes to collect: 20 for 6 colours, 10 more per extra colour."""
    return max(20 + 10 * (n_colours - 6), 10)


def own_opening(board: Board) -> int:
    """Return the code of the pattern ABCA: the first colours in order, then the first one again."""
    pegs, n_colours = board.codes.shape[1], board.n_colours
    colours = [min(peg, n_colours - 1) for peg in range(pegs)]
    colours[-1] = 0
    return int(np.array(colours) @ board.place_values)


def make_player(
    rule: int,
    board: Board,
    population: float = POPULATION,
    target: float | None = None,
    mutation: float = MUTATION,
    patience: float = PATIENCE,
    reset: float = RESET,
    endgames: float = 0,
) -> Player:
    """Return a player that plays EvoRank with a rule."""
    n = int(population)
    settings = EvoRankSettings(
        population=n,
        target=default_target(board.n_colours) if target is None else int(target),
        mutation=round(CERTAIN * mutation),
        patience=int(patience),
        reset=int(reset),
        rule=rule,
        endgames=int(endgames),
    )
    return partial(kernel.guess, settings, make_workspace(board, n))


PLAYERS = [
    PlayerSpec(
        f"EvoRank{suffix}",
        citation,
        partial(make_player, rule),
        ("population", "target", "mutation", "patience", "reset", "endgames"),
        lambda board, opening: own_opening(board),
    )
    for suffix, rule, citation in (
        ("", PARTS, "Runarsson and Merelo 2010; Cotta et al. 2010"),
        ("-expected-size", SIZE, "EvoRank with the score of Berghman et al. 2009"),
    )
]
