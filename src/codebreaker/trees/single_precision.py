"""The expected-size strategy in single precision, where rounding errors break some ties."""

import numpy as np

from codebreaker.games.model import TableGame
from codebreaker.sets.partition import count_table
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.types import Indices


def single_precision_profile(game: TableGame, last: bool) -> str:
    """Return the profile as text; ties go to the first candidate, or to the first or last guess."""

    def choose(frontier: Frontier) -> Indices:
        sets = np.split(frontier.sets.members, frontier.sets.offsets[1:-1])
        return np.array([_guess(game, members, last) for members in sets], dtype=np.int32)

    tree = make_tree(levels(game, Frontier.initial(game), choose))
    return " ".join(map(str, tree.profile))


def _guess(game: TableGame, members: Indices, last: bool) -> int:
    """Return the guess of minimum expected size, Σ P·# in the order of the feedback ids."""
    expected = np.zeros(game.n_guesses, dtype=np.float32)
    for sizes in count_table(game, members).T.astype(np.float32):
        expected += sizes / np.float32(len(members)) * sizes  # Kooi 2005, section 2.4
    tied = np.flatnonzero(expected == expected.min())
    candidates = np.intersect1d(tied, game.guess_of_secret[members])
    return int(candidates[0] if len(candidates) else tied[-1 if last else 0])
