"""Boards: games of Mastermind for players, without a feedback table."""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import MOST_CODES, feedback_in_order, ids_of
from codebreaker.games.mastermind import Mastermind
from codebreaker.games.registry import rules_of
from codebreaker.players.kernels.board import Board


def mastermind(game: str) -> Mastermind:
    """Return the rules of a game of Mastermind; raise `CodebreakerError` for another game."""
    rules = rules_of(game)
    if not isinstance(rules, Mastermind):
        raise CodebreakerError(f"players that search play Mastermind alone, and not {game!r}")
    if rules.table_shape[0] > MOST_CODES:
        raise CodebreakerError(f"{game} has {rules.table_shape[0]:,} codes, more than players take")
    return rules


def make_board(game: str) -> Board:
    """Return the board of a game such as `mm-4-6`."""
    rules = mastermind(game)
    codes = rules.codes().astype(np.uint8)
    counts = np.stack([(codes == colour).sum(axis=1) for colour in range(rules.colours)], axis=1)
    answers = feedback_in_order(rules.pegs)
    return Board(
        codes=codes,
        counts=counts.astype(np.uint8),
        place=rules.colours ** np.arange(rules.pegs - 1, -1, -1, dtype=np.int64),
        ids=ids_of(answers, rules.pegs),
        blacks=np.array([black for black, _ in answers], dtype=np.int64),
        whites=np.array([white for _, white in answers], dtype=np.int64),
    )


def code_of(game: str, label: str) -> int:
    """Return the index of a code; raise `CodebreakerError` where the game has no such code."""
    rules = mastermind(game)
    rules.check_guess(label)
    symbols, pegs = rules.symbols(), rules.symbols_of(label)
    place = rules.colours ** np.arange(rules.pegs - 1, -1, -1, dtype=np.int64)
    return int(np.array([symbols.index(peg) for peg in pegs]) @ place)


def labels_of(game: str, board: Board) -> list[str]:
    """Return the label of every code."""
    rules = mastermind(game)
    symbols = rules.symbols()
    return [rules.separator.join(symbols[colour] for colour in code) for code in board.codes]
