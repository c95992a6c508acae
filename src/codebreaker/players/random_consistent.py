"""Random consistent: each guess is drawn uniformly from the candidates.

The expected profile is computed and not sampled. Source: "Mastermind: no strategy is best", 2026.
"""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.players.kernels import random_consistent as kernel
from codebreaker.players.kernels.random_consistent import Walk
from codebreaker.trees.partition import all_secrets, split
from codebreaker.types import Indices, Scores

DEEPEST = 64
"""The deepest that games may go."""


def expected_profile(game: TableGame, memo_mib: float = 64.0) -> Scores:
    """Return how many secrets are solved at each turn, in expectation, (n_turns,) float64.

    First and second guesses that are alike by symmetry are followed once. Raises
    `CodebreakerError` where a game may take over 64 turns.
    """
    walk = allocate(game, memo_mib)
    secrets = all_secrets(game)
    profile = np.zeros(walk.profiles.shape[1] + 1)
    for guess, times in _alike(game, [], secrets):
        share = times / game.n_secrets
        cells = split(game, guess, secrets)
        if cells.pop(game.solved, None) is not None:
            profile[0] += share
        for cell in cells.values():
            walk.profiles[0] = 0.0
            for second, repeats in _alike(game, [guess], cell):
                turns = kernel.follow(walk, 0, cell, second, repeats / len(cell))
                if turns not in range(DEEPEST):
                    raise CodebreakerError(
                        f"{game.name} takes over {DEEPEST} turns: random play is not computed"
                    )
            profile[1:] += share * walk.profiles[0]
    return np.trim_zeros(profile, "b")


def _alike(game: TableGame, history: list[int], cell: Indices) -> list[tuple[int, int]]:
    """Return the candidates of a cell that are not alike, with how many are like each."""
    classes = orbits(game, history)[game.guess_of_secret[cell]]
    found, times = np.unique(classes, return_counts=True)
    return list(zip(found.tolist(), times.tolist(), strict=True))


def allocate(game: TableGame, memo_mib: float) -> Walk:
    """Allocate a walk; the system commits the memo's pages as they are used."""
    depths, secrets = min(game.n_secrets, DEEPEST) + 1, game.n_secrets
    slots = 1 << max(int(memo_mib * 2**20 / 80).bit_length() - 1, 4)
    return Walk(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        zobrist=np.random.default_rng(0).integers(2**64, size=(secrets, 2), dtype=np.uint64),
        first=np.zeros(slots, np.uint64),
        second=np.zeros(slots, np.uint64),
        start=np.zeros(slots, np.int64),
        length=np.zeros(slots, np.int32),
        values=np.zeros(6 * slots),
        used=np.zeros(2, np.int64),
        members=np.zeros((depths, secrets), np.int32),
        at=np.zeros((depths, game.n_feedback + 1), np.int64),
        profiles=np.zeros((depths + 1, depths + 1)),
    )
