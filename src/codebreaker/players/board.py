"""Boards: games of Mastermind without a feedback table, as players see them."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import Mastermind
from codebreaker.games.registry import rules_of
from codebreaker.players.kernels.board import Bits, Board


def mastermind_rules(game: str) -> Mastermind:
    """Return a game's rules; raise `CodebreakerError` if it isn't Mastermind, or too large."""
    rules = rules_of(game)
    if not isinstance(rules, Mastermind):
        raise CodebreakerError(f"these players play only Mastermind, not {game!r}")
    rules.check_on_demand()
    return rules


def make_board(game: str) -> Board:
    """Return a game's board before the first guess; errors are as for `mastermind_rules`."""
    rules = mastermind_rules(game)
    on_demand = rules.on_demand()
    pairs = np.array(rules.feedback_pairs(), dtype=np.int64)
    colours = range(rules.colours)
    levels = range(rules.pegs)
    return Board(
        n_colours=rules.colours,
        codes=on_demand.codes,
        places=_bits(peg == colour for peg in on_demand.codes.T for colour in colours),
        amounts=_bits(count > level for count in on_demand.counts.T for level in levels),
        place_values=rules.colours ** np.arange(rules.pegs - 1, -1, -1, dtype=np.int64),
        ids=on_demand.ids,
        blacks=np.ascontiguousarray(pairs[:, 0]),
        whites=np.ascontiguousarray(pairs[:, 1]),
        guesses=np.empty(0, np.int32),
        feedback=np.empty(0, np.int32),
        state=np.zeros(1, np.uint64),
    )


def _bits(flags: Iterable[NDArray[np.bool_]]) -> Bits:
    """Return codes as bits, (n_codes, n_words); flag i, (n_codes,), is bit i of each code."""
    words: list[Bits] = []
    for i, flag in enumerate(flags):
        if i % 64 == 0:
            words.append(np.zeros(len(flag), np.uint64))
        words[-1] |= flag.astype(np.uint64) << np.uint64(i % 64)
    return np.stack(words, axis=1)


def code_index(game: str, label: str) -> int:
    """Return a code's index; raise `CodebreakerError` if there is none."""
    rules = mastermind_rules(game)
    rules.check_guess(label)
    colours = map(rules.symbols().index, rules.symbols_of(label))
    return int(np.ravel_multi_index([*colours], (rules.colours,) * rules.pegs))
