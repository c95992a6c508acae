"""Random consistent play: its expected profile ("Mastermind: no strategy is best", 2026)."""

from collections import Counter

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import representatives_of_guesses
from codebreaker.players.kernels import expectation as kernel
from codebreaker.players.kernels.expectation import ExpectationWorkspace
from codebreaker.search.cost_to_go import random_words, slots_in
from codebreaker.sets.partition import all_secrets, split
from codebreaker.types import Indices, Scores

DEEPEST = 64
"""Maximum number of turns of a game."""


def expected_profile(game: TableGame, memo_mib: float = 64.0) -> Scores:
    """Return expected wins by turn, (n_turns,) float64; raise `CodebreakerError` past DEEPEST."""
    # The first two guesses are made here, one for each class of equivalent ones. Guesses below them
    # are the kernel's.
    work = make_expectation_workspace(game, memo_mib)
    secrets = all_secrets(game)
    profile = np.zeros(work.profiles.shape[1] + 1)
    for guess, times in _representatives(game, [], secrets):
        share = times / game.n_secrets
        cells = split(game, guess, secrets)
        if cells.pop(game.solved, None) is not None:
            profile[0] += share
        for cell in cells.values():
            work.profiles[0] = 0.0
            for second, repeats in _representatives(game, [guess], cell):
                turns = kernel.add_profile(work, 0, cell, second, repeats / len(cell))
                if turns not in range(DEEPEST):
                    why = f"{game.name} takes over {DEEPEST} turns: random play is not computed"
                    raise CodebreakerError(why)
            profile[1:] += share * work.profiles[0]
    return np.trim_zeros(profile, "b")


def _representatives(game: TableGame, history: list[int], cell: Indices) -> list[tuple[int, int]]:
    """Return a guess for each class of a cell's candidates after some guesses, and its size."""
    representative = representatives_of_guesses(game, history)[game.guess_of_secret[cell]]
    return sorted(Counter(representative.tolist()).items())


def make_expectation_workspace(game: TableGame, memo_mib: float) -> ExpectationWorkspace:
    """Allocate the working memory; the system commits the memo's pages as they are used."""
    secrets = game.n_secrets
    slots = slots_in(memo_mib, words=10)
    depths = min(secrets, DEEPEST) + 1
    return ExpectationWorkspace(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        words=random_words(secrets),
        slots=np.zeros((slots, 3), np.uint64),
        values=np.zeros(6 * slots),
        used=np.zeros(2, np.int64),
        members=np.zeros((depths, secrets), np.int32),
        offsets=np.zeros((depths, game.n_feedback + 1), np.int64),
        profiles=np.zeros((depths + 1, depths + 1)),
    )
