"""Boards: games of Mastermind as players see them, without a feedback table."""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.mastermind import Mastermind
from codebreaker.games.registry import rules_of
from codebreaker.players.kernels.board import Board, Workspace
from codebreaker.types import FeedbackIds, Hashes, Offsets

MASK_BITS = 64

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
    return Board(
        codes=on_demand.codes,
        counts=on_demand.counts,
        place_values=_place_values(rules),
        ids=on_demand.ids,
        masks=_masks(on_demand.codes, on_demand.counts),
        blacks=np.ascontiguousarray(pairs[:, 0]),
        whites=np.ascontiguousarray(pairs[:, 1]),
        guesses=np.empty(0, np.int32),
        feedback=np.empty(0, np.int32),
        state=np.zeros(1, np.uint64),
    )


def make_workspace(board: Board, population: int = 0) -> Workspace:
    """Allocate a player's working memory."""
    n_codes, n_feedback = len(board.codes), len(board.blacks)
    sizes = np.arange(min(n_codes, MOST_LOGS) + 1, dtype=np.float64)
    return Workspace(
        codes=np.zeros(population, np.int32),
        children=np.zeros(population, np.int32),
        distances=np.zeros(population, np.int32),
        fitness=np.zeros(population),
        candidates=np.zeros(n_codes, np.int32),
        seen_at=np.zeros(n_codes, np.int32),
        counts=np.zeros(n_feedback, np.int32),
        tracked=np.zeros(n_codes, np.int32),
        n_tracked=np.zeros(1, np.int32),
        logs=sizes * np.log2(np.maximum(sizes, 1)),
    )


def _place_values(rules: Mastermind) -> Offsets:
    values: Offsets = rules.colours ** np.arange(rules.pegs - 1, -1, -1, dtype=np.int64)
    return values


def _masks(codes: FeedbackIds, counts: FeedbackIds) -> Hashes:
    """Return two masks per code, (n_codes, 2) uint64, or none if a code does not fit into 64 bits.

    Codes share as many bits of the first masks as pegs in place, of the second as colours.
    """
    pegs, n_colours = codes.shape[1], counts.shape[1]
    masks = np.zeros((len(codes) if pegs * n_colours <= MASK_BITS else 0, 2), np.uint64)
    if len(masks):
        for peg in range(pegs):
            shifts = np.uint64(peg * n_colours) + codes[:, peg].astype(np.uint64)
            masks[:, 0] |= np.uint64(1) << shifts
        for colour in range(n_colours):
            ones = (np.uint64(1) << counts[:, colour].astype(np.uint64)) - np.uint64(1)
            masks[:, 1] |= ones << np.uint64(colour * pegs)
    return masks


def code_index(game: str, label: str) -> int:
    """Return the index of a code; raise `CodebreakerError` if the game has no such code."""
    rules = mastermind_rules(game)
    rules.check_guess(label)
    symbols, pegs = rules.symbols(), rules.symbols_of(label)
    return int(np.array([symbols.index(peg) for peg in pegs]) @ _place_values(rules))
