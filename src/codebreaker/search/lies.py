"""Mastermind with one lie (Ulam's game): the fewest guesses; the winning answer is never a lie."""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_leaders
from codebreaker.search.kernels import lies as kernel
from codebreaker.search.kernels.lies import LieSearch
from codebreaker.types import Indices, Offsets

DEEPEST = 40  # number of guesses from which a search gives up
SLOTS = 1 << 20


def fewest_with_lies(game: TableGame, lies: bool = True) -> tuple[int, int]:
    """Return the fewest guesses that always suffice, and a first guess with which they do.

    Without `lies` all answers are right. Raises `CodebreakerError` from DEEPEST guesses on.
    """
    search = _allocate(game, lies)
    first = class_leaders(game)
    for guesses in range(1, DEEPEST):
        for guess in first.tolist():
            second = class_leaders(game, [guess])
            if _suffices_after(search, guess, guesses - 1, second):
                return guesses, guess
    raise CodebreakerError(f"{game.name} needs {DEEPEST} guesses or more: the search has ended")


def _suffices_after(search: LieSearch, guess: int, left: int, second: Indices) -> bool:
    every = np.bitwise_or.reduce(search.cells[guess], axis=0)
    for cell in search.cells[guess]:
        search.states[0, 0], search.states[0, 1] = cell, every & ~cell if search.lies else 0
        if not search.states[0].any():
            continue
        if left == 0 or not kernel.suffices(search, 0, left, second):
            return False
    return True


def _allocate(game: TableGame, lies: bool) -> LieSearch:
    n_words = -(-game.n_secrets // 64)
    answers = [answer for answer in range(game.n_feedback) if answer != game.solved]
    cells = np.zeros((game.n_guesses, len(answers), n_words), dtype=np.uint64)
    own = np.zeros((game.n_guesses, n_words), dtype=np.uint64)
    for secret, right in enumerate(game.guess_of_secret.tolist()):
        bit = np.uint64(1 << secret % 64)
        own[right, secret // 64] |= bit
        for place, answer in enumerate(answers):
            cells[game.table[:, secret] == answer, place, secret // 64] |= bit
    capacity = [0]  # nodes of a tree, by turns
    for _ in range(DEEPEST):
        capacity.append(min(1 + len(answers) * capacity[-1], 1 << 40))
    return LieSearch(
        cells=cells,
        own=own,
        capacity=np.array(capacity),
        needed=_needed(game.n_secrets, len(answers), lies),
        lies=lies,
        keys=np.zeros((SLOTS, 2, n_words), dtype=np.uint64),
        bounds=np.zeros((SLOTS, 2), dtype=np.int8),
        used=np.zeros(1, dtype=np.int64),
        states=np.zeros((DEEPEST + 1, 2, n_words), dtype=np.uint64),
        guesses=np.tile(np.arange(game.n_guesses, dtype=np.int32), (DEEPEST + 1, 1)),
    )


def _needed(secrets: int, answers: int, lies: bool) -> Offsets:
    """Return the minimum number of nodes for n secrets that fit all answers.

    A secret needs the node at which it is found, and one for each possible earlier lie: at turn k
    one of k − 1 answers, replaced by one of `answers` − 1 others.
    """
    needed, turn, room = np.zeros(secrets + 1, dtype=np.int64), 1, 1
    for number in range(1, secrets + 1):
        if room == 0:
            turn += 1
            room = answers ** (turn - 1)
        room -= 1
        nodes = 1 + (turn - 1) * (answers - 1) if lies else 1
        needed[number] = needed[number - 1] + nodes
    return needed
