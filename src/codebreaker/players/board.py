"""Boards: games of Mastermind as players see them, without a feedback table."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import Mastermind
from codebreaker.games.registry import rules_of
from codebreaker.players.kernels.board import Bits, Board, Workspace
from codebreaker.types import Offsets

MOST_LOGS = 4096
"""Logarithms of greater numbers are computed where they are needed."""


def mastermind_rules(game: str) -> Mastermind:
    """Return the rules of a game of Mastermind.

    Raises `CodebreakerError` if it is another game, or too large.
    """
    rules = rules_of(game)
    if not isinstance(rules, Mastermind):
        raise CodebreakerError(f"these players play only Mastermind, not {game!r}")
    rules.check_on_demand()
    return rules


def make_board(game: str) -> Board:
    """Return the board of a game such as `mm-4-6`."""
    rules = mastermind_rules(game)
    on_demand, pairs = rules.on_demand(), np.array(rules.feedback_pairs(), dtype=np.int64)
    colours, levels = range(rules.colours), range(rules.pegs)
    return Board(
        n_colours=rules.colours,
        codes=on_demand.codes,
        places=_bits(peg == colour for peg in on_demand.codes.T for colour in colours),
        amounts=_bits(count > level for count in on_demand.counts.T for level in levels),
        place_values=_place_values(rules),
        ids=on_demand.ids,
        blacks=np.ascontiguousarray(pairs[:, 0]),
        whites=np.ascontiguousarray(pairs[:, 1]),
        guesses=np.empty(0, np.int32),
        feedback=np.empty(0, np.int32),
        state=np.zeros(1, np.uint64),
    )


def _bits(flags: Iterable[NDArray[np.bool_]]) -> Bits:
    """Pack flags, (n_codes,) each, into the words of each code."""
    words: list[Bits] = []
    for i, flag in enumerate(flags):
        if i % 64 == 0:
            words.append(np.zeros(len(flag), np.uint64))
        words[-1] |= flag.astype(np.uint64) << np.uint64(i % 64)
    return np.stack(words, axis=1)


def make_workspace(board: Board, population: int = 0, all_codes: int = 0) -> Workspace:
    """Allocate a player's working memory; with `all_codes`, for scores of any code as a guess."""
    n_codes, n_feedback = len(board.codes), len(board.blacks)
    sizes = np.arange(min(n_codes, MOST_LOGS) + 1, dtype=np.float64)
    return Workspace(
        codes=np.zeros(population, np.int32),
        children=np.zeros(population, np.int32),
        distances=np.zeros(population, np.int32),
        fitness=np.zeros(population),
        marks=np.zeros(population, np.int32),
        candidates=np.zeros(n_codes, np.int32),
        seen_at=np.zeros(n_codes, np.int32),
        counts=np.zeros(n_feedback, np.int32),
        scores=np.zeros((n_feedback if all_codes else 1, n_codes)),
        opening=np.full(1, -1, np.int32),
        tracked=np.zeros(n_codes, np.int32),
        n_tracked=np.zeros(1, np.int32),
        logs=sizes * np.log2(np.maximum(sizes, 1)),
    )


def _place_values(rules: Mastermind) -> Offsets:
    values: Offsets = rules.colours ** np.arange(rules.pegs - 1, -1, -1, dtype=np.int64)
    return values


def code_index(game: str, label: str) -> int:
    """Return the index of a code; raise `CodebreakerError` if the game has no such code."""
    rules = mastermind_rules(game)
    rules.check_guess(label)
    symbols, pegs = rules.symbols(), rules.symbols_of(label)
    return int(np.array([symbols.index(peg) for peg in pegs]) @ _place_values(rules))
