"""Exact searches: lower bounds by size, allocation, and guesses from the memo."""

from typing import Any

import numpy as np

from codebreaker.constants import LARGEST_GUESS_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.exact.kernels import search as kernel
from codebreaker.exact.kernels.search import EXACT, INFEASIBLE, LOOKUPS_LEFT, TOO_DEEP, Search
from codebreaker.exact.target import GUESSES, Charges
from codebreaker.games.model import TableGame
from codebreaker.types import GuessPool, Hashes, Indices, Offsets

MAX_DEPTH = 64
"""The largest depth of a search."""

BYTES_PER_ENTRY = 25  # of the memo


def size_bounds(
    n_feedback: int, n_secrets: int, guess_limit: int, charges: Charges = GUESSES
) -> Indices:
    """Return lower bounds for n secrets in k guesses, (guess_limit + 2, n_secrets + 1) int32.

    A guess solves at most one secret and leads to at most n_feedback − 1 other sets, so at most
    (n_feedback − 1)^(t−1) secrets are solved at turn t; filling the turns in order gives the least
    cost. If k turns are too few, each secret left over is charged as late, or the bound is
    INFEASIBLE if there is no such charge; the last row allows any number of turns.
    """
    bounds = np.full((guess_limit + 2, n_secrets + 1), INFEASIBLE, dtype=np.int32)
    for guesses in range(guess_limit + 2):
        unlimited = guesses == guess_limit + 1
        bounds[guesses, 0] = cost = filled = 0
        turn, room = 1, 1
        while filled < n_secrets and room > 0:
            late = not unlimited and turn > guesses
            if late and not charges.late:
                break
            for _ in range(min(room, n_secrets - filled)):
                filled, cost = filled + 1, cost + turn * charges.guess + late * charges.late
                bounds[guesses, filled] = cost
            turn, room = turn + 1, room * (n_feedback - 1)
    return bounds


def charges_by_row(guess_limit: int, charges: Charges = GUESSES) -> Offsets:
    """Return what a guess costs each candidate, (guess_limit + 2,), by row of `size_bounds`."""
    by_row = np.full(guess_limit + 2, charges.guess, dtype=np.int64)
    by_row[0] = charges.guess + charges.late if charges.late else INFEASIBLE
    return by_row


def allocate(
    game: TableGame, guess_pool: GuessPool, memo_mib: float, charges: Charges = GUESSES
) -> Search:
    """Allocate a search in a game; the system commits the memo's pages as they are used."""
    slots = 1 << max(int(memo_mib * 2**20 / BYTES_PER_ENTRY).bit_length() - 1, 4)
    return Search(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        consistent_only=guess_pool == "consistent",
        bounds=size_bounds(game.n_feedback, game.n_secrets, LARGEST_GUESS_LIMIT, charges),
        charges=charges_by_row(LARGEST_GUESS_LIMIT, charges),
        zobrist=random_words(game.n_secrets),
        **empty_memo(slots),
        **working_memory(game.n_secrets, game.n_guesses, game.n_feedback),
    )


def random_words(n_secrets: int) -> Hashes:
    """Return the two words of each secret for the keys of sets, (n_secrets, 2) uint64."""
    return np.random.default_rng(0).integers(2**64, size=(n_secrets, 2), dtype=np.uint64)


def empty_memo(slots: int) -> dict[str, Any]:
    """Return the arrays of a memo, by their names in `Search`."""
    words = {name: np.zeros(slots, np.uint64) for name in ("first", "second")}
    results = {name: np.zeros(slots, np.int32) for name in ("total", "guess")}
    return words | results | {"state": np.zeros(slots, np.uint8)}


def working_memory(n_secrets: int, n_guesses: int, n_feedback: int) -> dict[str, Any]:
    """Return the arrays of a search besides its game and memo, by their names in `Search`."""
    depths = min(n_secrets, MAX_DEPTH)
    ints = {
        name: np.empty((depths, n_guesses), np.int32)
        for name in ("options", "option_bounds", "order")
    }
    return ints | {
        "tally": np.zeros(4, np.int64),
        "all_guesses": np.arange(n_guesses, dtype=np.int32),
        "signatures": np.empty((depths, n_guesses), np.uint64),
        "members": np.empty((depths, n_secrets), np.int32),
        "at": np.empty((depths, n_feedback + 1), np.int64),
    }


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
