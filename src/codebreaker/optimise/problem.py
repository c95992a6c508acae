"""What is optimised, in the form that the kernels take."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codebreaker.criteria import Criterion
from codebreaker.errors import CodebreakerError
from codebreaker.game import Game
from codebreaker.kernels.memo import Rules
from codebreaker.partition import all_secrets, split
from codebreaker.types import Codes, Scores
from codebreaker.weights import first_turn

WORD = 64


@dataclass(frozen=True)
class Problem:
    """What is optimised: a game, a criterion with weights, and how long these are told apart.

    `n_turns` rows of weights are used, the last one for all later turns; with an `opening` the
    first guess is forced and row 1 is not used.
    """

    game: Game
    criterion: Criterion
    n_turns: int
    opening: str | None = None

    @property
    def first_turn(self) -> int:
        """Return the first turn whose weights matter, from 1."""
        return first_turn(self.n_turns, self.opening)

    @property
    def n_weights(self) -> int:
        """Return how many weights matter."""
        return (self.n_turns - self.first_turn + 1) * self.game.n_feedback


def integer_weights(problem: Problem, weights: Scores) -> Scores:
    """Return (n, n_turns, n_feedback) weights as exact integers, padded for the kernels."""
    n, n_turns, n_feedback = weights.shape
    scale = problem.criterion.scales(problem.game.n_secrets, n_feedback, weighted=True).weight
    scaled = np.zeros((n, n_turns, padded(n_feedback)))
    scaled[:, :, :n_feedback] = np.round(scale * weights)
    return scaled


def padded(n_feedback: int) -> int:
    """Return the width of a row of weights in the kernel, a whole number of vector registers."""
    return -(-n_feedback // 8) * 8


def start_sets(problem: Problem) -> tuple[int, list[Codes]]:
    """Return the guesses that are spent before weights matter, and the sets left then."""
    game = problem.game
    if problem.opening is None:
        return 0, [all_secrets(game)]
    cells = split(game, game.guesses.index(problem.opening), all_secrets(game))
    cells.pop(game.solved, None)
    singles = sum(len(cell) == 1 for cell in cells.values())
    return game.n_secrets + singles, [cell for cell in cells.values() if len(cell) > 1]


def rules_of(problem: Problem) -> Rules:
    """Return the kernels' rules; raise `CodebreakerError` where the criterion doesn't fit."""
    game, criterion = problem.game, problem.criterion
    gains = criterion.cell(np.arange(1.0, game.n_secrets + 1), float(game.n_secrets))
    if criterion.fold != "sum" or criterion.per_log_parts or (gains < 0).any():
        raise CodebreakerError(
            f"weights of {criterion.name} can't be optimised: its score is no sum of gains"
        )
    if (np.diff(game.guess_of_secret) <= 0).any():
        raise CodebreakerError(f"the secrets of {game.name} are not in the order of its guesses")
    scales = criterion.scales(game.n_secrets, game.n_feedback, weighted=True)
    sizes = range(1, game.n_secrets + 1)
    rows = [np.zeros(1), *(criterion.terms(n, scales.term) for n in sizes)]
    low, high = _fingerprints(game)
    draw = np.random.default_rng(0)
    return Rules(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        last_turn=problem.n_turns,
        terms=np.concatenate(rows),
        terms_at=np.cumsum([0, *(len(row) for row in rows)])[:-1],
        tolerances=np.array([0.0, *(criterion.tolerance(n, scales) for n in sizes)]),
        zobrist=draw.integers(2**63, size=game.n_secrets, dtype=np.uint64),
        low=low,
        high=high,
    )


def _fingerprints(game: Game) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return words whose sums over a set tell the counts of guesses apart, by bits of the size.

    Where two words hold all counts side by side, a field each, the sums are the counts; for larger
    games they are sums of random words, and differ where counts do but for a chance of 2⁻¹²⁸.
    """
    bits = game.n_secrets.bit_length()
    words = np.random.default_rng(1).integers(
        2**64, size=(2, bits + 1, game.n_feedback), dtype=np.uint64
    )
    for width in range(1, bits + 1):
        fields = WORD // width
        if game.n_feedback > 2 * fields:
            break
        words[:, width] = 0
        for f in range(game.n_feedback):
            words[f // fields, width, f] = np.uint64(1) << np.uint64(width * (f % fields))
    return words[0], words[1]
