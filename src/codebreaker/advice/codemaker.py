"""A devious codemaker, who has no secret and gives the answers that prolong a game."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel
from codebreaker.sets.hard import allowed_after
from codebreaker.sets.partition import split
from codebreaker.types import AnyPool, Indices, Move

LARGEST = 12
"""Maximum size of parts that are compared by minimum means, instead of by their sizes."""

LOOKUPS = 1 << 26
MEMO_MIB = 16.0
"""Table look-ups per part, and memory, for one answer of exact search."""

WORK = 1 << 23
"""Pairs of a guess and a candidate that are compared for one answer, about 0.3 s."""


def devious_answer(
    game: GameModel, moves: Sequence[Move], guess: int, guess_pool: AnyPool = "all"
) -> int:
    """Return a devious codemaker's answer, which confirms a guess only if it must.

    Small parts are compared by minimum mean with guesses from the pool, others by size.
    """
    members = np.arange(game.n_secrets, dtype=np.int32)
    for before, feedback in moves:
        members = members[game.feedback(before, members) == feedback]
    parts = split(game, guess, members)
    if len(parts) == 1:
        return next(iter(parts))
    parts.pop(game.solved, None)
    means = dict.fromkeys(parts, 0.0)
    if max(map(len, parts.values())) <= LARGEST:
        # Without a secret, all candidates are equally likely.
        equal = game if game.prior is None else replace(game, prior=None)
        with suppress(CodebreakerError):  # it takes too long
            means = _minimum_means(equal, parts, [*moves], guess, guess_pool)
    return max(parts, key=lambda feedback: (means[feedback], len(parts[feedback]), -feedback))


def _minimum_means(
    game: GameModel,
    parts: dict[int, Indices],
    moves: list[Move],
    guess: int,
    guess_pool: AnyPool,
) -> dict[int, float]:
    """Return the mean guesses of optimal play in small parts after a guess, by feedback id."""
    if game.has_table and guess_pool == "all":
        from codebreaker.search.small import SmallSearch

        search = SmallSearch(game.with_table(), WORK)
        return {feedback: search.best(part).total / len(part) for feedback, part in parts.items()}
    # Importing the kernels takes a second, and large parts don't need them.
    from codebreaker.advice.regret import OptimalValues

    values = OptimalValues(game, LOOKUPS, memo_mib=MEMO_MIB, guess_pool=guess_pool)
    is_hard = guess_pool == "hard"
    means = dict[int, float]()
    for feedback, part in parts.items():
        allowed = allowed_after(game, [*moves, (guess, feedback)]) if is_hard else None
        means[feedback] = values.total(part, None, allowed) / len(part)
    return means
