"""The guesses that a player may choose: all, candidates only, or those of Wordle's hard mode."""

from collections.abc import Sequence

import numpy as np

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.games.model import GameModel, TableGame, check_marks
from codebreaker.sets.hard import narrow
from codebreaker.types import AnyPool, Move

POOLS: tuple[AnyPool, ...] = ("all", "consistent", "hard")


def pool_called(name: str) -> AnyPool:
    """Return the guess pool of that name, or raise `CodebreakerError`."""
    for pool in POOLS:
        if pool == name:
            return pool
    raise unknown("guess pool", name, POOLS)


def check_pool(game: GameModel, pool: AnyPool) -> None:
    """Raise `CodebreakerError` for an unknown pool, and for hard mode in a game without marks."""
    if pool_called(pool) == "hard":
        check_marks(game.name, game.feedback_labels)
        check_marks(game.name, game.feedback_labels, game.guesses)  # those of large games are slow


def check_allowed(game: GameModel, pool: AnyPool, moves: Sequence[Move], guess: int) -> None:
    """Raise `CodebreakerError` for a guess that a pool doesn't have after some moves."""
    label = game.guesses[guess]
    if pool == "hard" and not _obeys_hard_mode(game, moves, guess):
        raise CodebreakerError(
            f"hard mode forbids {label}: keep green letters where they are, and use yellow ones "
            "again"
        )
    if pool == "consistent" and not _is_candidate(game, moves, guess):
        raise CodebreakerError(
            f"{label} can't be the secret, and the guess pool is consistent: choose a candidate"
        )


def check_moves(game: GameModel, pool: AnyPool, moves: Sequence[Move]) -> None:
    """Raise `CodebreakerError` for moves after which hard mode can't be played."""
    if pool == "hard":  # which depends on all moves, and not only the last set
        for number, (guess, _) in enumerate(moves):
            check_allowed(game, pool, moves[:number], guess)


def breach_of(game: GameModel, pool: AnyPool, moves: Sequence[Move]) -> str | None:
    """Return why a game breaks a pool, with its first such move, or None."""
    for number, (guess, _) in enumerate(moves):
        try:
            check_allowed(game, pool, moves[:number], guess)
        except CodebreakerError as error:
            return f"move {number + 1}: {error}"
    return None


def _obeys_hard_mode(game: GameModel, moves: Sequence[Move], guess: int) -> bool:
    """Return whether hard mode allows a guess after moves: each must leave it in the pool."""
    pool = np.array([guess], dtype=np.int32)
    return all(len(narrow(game, pool, before, feedback)) for before, feedback in moves)


def _is_candidate(game: GameModel, moves: Sequence[Move], guess: int) -> bool:
    """Return whether a guess is a secret that fits the moves."""
    # The secrets, none or one, that the guess would win against.
    secrets = np.array([guess], dtype=np.int32)
    if isinstance(game, TableGame):
        secrets = np.flatnonzero(game.guess_of_secret == guess).astype(np.int32)
    fits = (game.feedback(before, secrets) == feedback for before, feedback in moves)
    return len(secrets) > 0 and all(fits_move.all() for fits_move in fits)
