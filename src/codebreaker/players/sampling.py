"""Players that choose among all candidates, or among a random sample of them.

Sources: "Mastermind: no strategy is best", 2026; the AM207 project of 2016, section 2.2; and, for a
sample of one sixth of the candidates, Cotta et al. 2010, section 2.3.
"""

from functools import partial

from codebreaker.players.board import make_workspace
from codebreaker.players.kernels import sampling as kernel
from codebreaker.players.kernels.board import CERTAIN, Board, draw
from codebreaker.players.kernels.sampling import ENTROPY, PARTS, RANDOM, SamplingSettings
from codebreaker.players.player import Player, PlayerSpec

SHARES = {"": 1.0, "-half": 1 / 2, "-third": 1 / 3, "-sixth": 1 / 6, "-twelfth": 1 / 12}
"""The sample's share of the candidates, by the suffix of the player's name."""


def make_player(rule: int, share: float, board: Board, least: float = 1) -> Player:
    """Return a player that chooses by a rule among a share of the candidates, or the least number.

    Where there are no more candidates than the least number, it chooses among all of them.
    """
    settings = SamplingSettings(rule, round(CERTAIN * share), max(int(least), 1))
    return partial(kernel.guess, settings, make_workspace(board))


PLAYERS = [
    PlayerSpec(
        "random-consistent",
        "No strategy is best 2026; AM207 project 2016, section 2.2",
        partial(make_player, RANDOM, 1.0),
        opening=lambda board, opening: draw(board.state, len(board.codes)),
    ),
    *(
        PlayerSpec(
            f"{name}-consistent{suffix}",
            "Cotta et al. 2010, section 2.3; Runarsson and Merelo 2010",
            partial(make_player, rule, share),
            ("least",),
        )
        for name, rule in (("entropy", ENTROPY), ("most-parts", PARTS))
        for suffix, share in SHARES.items()
    ),
]
