"""Exact searches in games with a table: allocation, and guesses from the memo."""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.exact.bounds import size_bounds
from codebreaker.exact.kernels import search as kernel
from codebreaker.exact.kernels.search import EXACT, INFEASIBLE, LOOKUPS_LEFT, TOO_DEEP, Search
from codebreaker.exact.target import LARGEST_GUESS_LIMIT
from codebreaker.games.model import TableGame
from codebreaker.types import GuessPool, Indices

MAX_DEPTH = 64
"""The largest depth of a search."""

BYTES_PER_ENTRY = 25
"""Bytes per entry of the memo."""


def allocate(game: TableGame, guess_pool: GuessPool, memo_mib: float) -> Search:
    """Allocate a search; the system commits the memo's pages as they are used."""
    secrets, guesses = game.n_secrets, game.n_guesses
    slots = 1 << max(int(memo_mib * 2**20 / BYTES_PER_ENTRY).bit_length() - 1, 4)
    depths = min(secrets, MAX_DEPTH)
    draw = np.random.default_rng(0)
    return Search(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        consistent_only=guess_pool == "consistent",
        bounds=size_bounds(game.n_feedback, secrets, LARGEST_GUESS_LIMIT),
        zobrist=draw.integers(2**64, size=(secrets, 2), dtype=np.uint64),
        first=np.zeros(slots, np.uint64),
        second=np.zeros(slots, np.uint64),
        total=np.zeros(slots, np.int32),
        guess=np.zeros(slots, np.int32),
        state=np.zeros(slots, np.uint8),
        tally=np.zeros(4, np.int64),
        all_guesses=np.arange(guesses, dtype=np.int32),
        options=np.zeros((depths, guesses), np.int32),
        option_bounds=np.zeros((depths, guesses), np.int32),
        order=np.zeros((depths, guesses), np.int32),
        signatures=np.zeros((depths, guesses), np.uint64),
        members=np.zeros((depths, secrets), np.int32),
        at=np.zeros((depths, game.n_feedback + 1), np.int64),
    )


def optimal_guess(search: Search, members: Indices, guesses_left: int) -> int:
    """Return an optimal guess for a solved set; it is searched again if the memo was full."""
    if len(members) <= 2:
        return int(search.guess_of_secret[members[0]])
    slot = kernel.slot_of(search, members, guesses_left)
    if search.state[slot] != EXACT:
        search.tally[LOOKUPS_LEFT] = 2**62
        pool = search.guess_of_secret[members] if search.consistent_only else search.all_guesses
        search.state[:], search.tally[kernel.ENTRIES] = kernel.UNSEEN, 0
        kernel.least_total(search, 0, members, guesses_left, INFEASIBLE, pool)
        slot = kernel.slot_of(search, members, guesses_left)
    return int(search.guess[slot])


def guesses_left_at(turn: int, guess_limit: int | None) -> int:
    """Return the number of guesses left at a turn, in the kernel's coding of no limit."""
    return LARGEST_GUESS_LIMIT + 1 if guess_limit is None else max(guess_limit - turn + 1, 0)


def check_depth(game: TableGame, total: int) -> None:
    """Raise `CodebreakerError` if the kernel's result says that the search was too deep."""
    if total == TOO_DEEP:
        raise CodebreakerError(
            f"{game.name} needs trees of more than {MAX_DEPTH} turns: choose a smaller game"
        )
