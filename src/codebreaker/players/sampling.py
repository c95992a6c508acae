"""Players that choose among all candidates, a random sample of them, or all codes.

Sources: "Mastermind: no strategy is best", 2026; the AM207 project of 2016, sections 2.1 to 2.3;
for a sample of one sixth of the candidates, Cotta et al. 2010, section 2.3; and for combinations of
entropy and the number of parts, Merelo's library Algorithm::MasterMind.
"""

from functools import partial

from codebreaker.players.board import make_workspace
from codebreaker.players.kernels import sampling as kernel
from codebreaker.players.kernels.board import CERTAIN, Board, draw
from codebreaker.players.kernels.sampling import (
    ENTROPY,
    PARTS,
    PLUS,
    PLUS2,
    RANDOM,
    SIZE,
    WORST,
    SamplingSettings,
)
from codebreaker.players.player import Player, PlayerSpec

SHARES = {"": 1.0, "-half": 1 / 2, "-third": 1 / 3, "-sixth": 1 / 6, "-twelfth": 1 / 12}
"""The sample's share of the candidates, by the suffix of the player's name."""

COMBINED = "Partition_Plus and Partition_Plus2 of Merelo's Algorithm::MasterMind"


def make_player(
    rule: int,
    board: Board,
    share: float = 1.0,
    least: float = 1,
    all_codes: int = 0,
    prefers: int = 0,
    first: int = 0,
) -> Player:
    """Return a player that chooses by a rule among a share of the candidates, or all codes.

    The share is no smaller than the least number; where there are no more candidates than that, it
    chooses among all of them.
    """
    amount = round(CERTAIN * share), max(int(least), 1)
    settings = SamplingSettings(rule, *amount, all_codes, prefers, first)
    return partial(kernel.guess, settings, make_workspace(board, all_codes=all_codes))


PLAYERS = [
    PlayerSpec(
        "random-consistent",
        "No strategy is best 2026; AM207 project 2016, section 2.2",
        partial(make_player, RANDOM),
        opening=lambda board, opening: draw(board.state, len(board.codes)),
    ),
    *(
        PlayerSpec(
            f"{name}-consistent{suffix}",
            "Cotta et al. 2010, section 2.3; Runarsson and Merelo 2010",
            partial(make_player, rule, share=share),
            ("least",),
        )
        for name, rule in (("entropy", ENTROPY), ("most-parts", PARTS))
        for suffix, share in SHARES.items()
    ),
    PlayerSpec(
        "expected-size-consistent",
        "Irving 1979; Berghman et al. 2009",
        partial(make_player, SIZE),
    ),
    PlayerSpec("plus-consistent", COMBINED, partial(make_player, PLUS)),
    PlayerSpec("plus2-consistent", COMBINED, partial(make_player, PLUS2)),
    *(
        PlayerSpec(
            f"entropy-all{suffix}",
            "AM207 project 2016, section 2.3",
            partial(make_player, ENTROPY, all_codes=1, prefers=prefers),
            consistent=False,
        )
        for prefers, suffix in enumerate(("", "-consistent-first"))
    ),
    PlayerSpec(
        "knuth",
        "Knuth 1977; AM207 project 2016, section 2.1",
        partial(make_player, WORST, all_codes=1, prefers=1, first=1),
        consistent=False,
    ),
]
