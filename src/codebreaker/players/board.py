"""Boards: games of Mastermind without a feedback table, as players see them."""

from typing import TYPE_CHECKING

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import Mastermind
from codebreaker.games.registry import rules_of
from codebreaker.policies.strategy import check_one_guess

if TYPE_CHECKING:
    from codebreaker.players.kernels.board import Board


def mastermind_rules(game: str) -> Mastermind:
    """Return a game's rules; raise `CodebreakerError` if it isn't Mastermind, or too large."""
    rules = rules_of(game)
    if type(rules) is not Mastermind:  # a family derived from it may have other codes
        raise CodebreakerError(f"these players play only Mastermind, not {game!r}")
    rules.check_on_demand()
    return rules


def make_board(game: str) -> "Board":
    """Return a game's board before the first guess; errors are as for `mastermind_rules`."""
    from codebreaker.players.kernels.board import Board
    from codebreaker.sets.codes import bits_of

    rules = mastermind_rules(game)
    on_demand = rules.on_demand()
    pairs = np.array(rules.feedback_pairs(), dtype=np.int64)
    bits = bits_of(on_demand.codes, rules.colours)
    return Board(
        n_colours=rules.colours,
        codes=on_demand.codes,
        places=bits.places,
        copies=bits.copies,
        place_values=rules.colours ** np.arange(rules.pegs - 1, -1, -1, dtype=np.int64),
        ids=on_demand.ids,
        blacks=np.ascontiguousarray(pairs[:, 0]),
        whites=np.ascontiguousarray(pairs[:, 1]),
        guesses=np.empty(0, np.int32),
        feedback=np.empty(0, np.int32),
        state=np.zeros(1, np.uint64),
    )


def code_index(game: str, label: str) -> int:
    """Return a code's index; raise `CodebreakerError` if there is none."""
    rules = mastermind_rules(game)
    check_one_guess(label, rules.check_guess, "a contest")
    return int(np.ravel_multi_index(rules.colours_of(label), (rules.colours,) * rules.pegs))
