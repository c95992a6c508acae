"""Allocation of what values sets: a game in compiled form, a memo, and working memory."""

from functools import lru_cache

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.search.cost_to_go import random_words
from codebreaker.search.kernels.rollout_rules import MOST_FEEDBACK, WORD, Room, Rules
from codebreaker.search.kernels.rollout_workspace import Frames, Memo, Plan, Workshop
from codebreaker.sets.codes import TILE, CodeGrid, grid_of, make_tile
from codebreaker.trees.kernels import table as table_kernel

DEPTHS = 24
"""The most turns of a tree below the guesses that are compared."""

SEEN = 1 << 12
"""Slots for the partitions of a set that were tried."""

BYTES_PER_ENTRY = 21
"""Memory of the memo per slot."""

SLOTS_PER_CANDIDATE = 4096
"""The slots that are used for a set, by its candidates."""


@lru_cache(maxsize=2)
def rules_of(game: Game) -> Rules:
    """Return a game in the form that the kernels use.

    Raises `CodebreakerError` if the game has too many kinds of feedback.
    """
    if game.n_feedback > MOST_FEEDBACK:
        raise CodebreakerError(
            f"{game.name} has {game.n_feedback} kinds of feedback: rollout is for games of at most "
            f"{MOST_FEEDBACK}"
        )
    if isinstance(game, TableGame):
        no_codes = np.empty((0, 1), np.uint8)
        grid = CodeGrid(
            codes=no_codes, counts=no_codes, place=np.ones(1, np.int64),
            index_of=np.empty(0, np.int32), raws=np.arange(game.n_feedback, dtype=np.uint8),
            id_of_raw=np.arange(game.n_feedback), ids=np.zeros((2, 2), np.uint8), n_colours=1,
            n_feedback=game.n_feedback, repeats=True,
        )  # fmt: skip
        by_secret, guess_of_secret = game.by_secret, game.guess_of_secret
    else:
        assert isinstance(game, CodeGame)
        grid = grid_of(game)
        guess_of_secret = np.arange(game.n_secrets, dtype=np.int32)
        by_secret = np.empty((0, 0), np.uint8)
    every = np.arange(game.n_guesses, dtype=np.int32)
    return Rules(
        by_secret, grid, every, guess_of_secret, game.n_guesses, game.n_feedback, game.solved
    )


def make_workshop(game: Game, plan: Plan, memo_mib: float) -> Workshop:
    """Allocate what a thread needs to value sets; the system commits memory as it is used."""
    rules, n = rules_of(game), game.n_secrets
    slots = 1 << max(int(memo_mib * 2**20 / BYTES_PER_ENTRY).bit_length() - 1, 10)
    memo = Memo(
        zobrist=random_words(n),
        first=np.empty(slots, np.uint64),
        second=np.empty(slots, np.uint64),
        total=np.empty(slots, np.int32),
        state=np.zeros(slots, np.uint8),
        filled=np.zeros(1, np.int64),
    )
    frames = Frames(
        members=np.empty((DEPTHS, n), np.int32),
        at=np.empty((DEPTHS, game.n_feedback + 1), np.int64),
        values=np.empty((DEPTHS, game.n_feedback), np.int64),
        exact=np.empty((DEPTHS, game.n_feedback), np.uint8),
        options=np.empty((DEPTHS, game.n_guesses), np.int32),
        parts=np.empty((DEPTHS, game.n_guesses), np.uint8),
        seen=np.empty((DEPTHS, SEEN), np.uint64),
        winner=np.empty(1, np.int32),
        missing=np.empty(1, np.int32),
        none=np.empty(0, np.int32),
    )
    room = Room(
        tile=make_tile(rules.grid),
        counts=np.empty((game.n_feedback, table_kernel.TILE), np.uint16),
        scores=np.empty(game.n_guesses),
        node_of=np.full(game.n_guesses, -1, np.int32),
        leaders=np.empty((1, rules.grid.n_colours), rules.grid.codes.dtype),
        labels=np.empty(n, np.uint8),
        numbers=np.full(256, 255, np.uint8),
        bits=np.empty((game.n_feedback // WORD + 1, TILE), np.uint64),
        stamps=np.empty(game.n_feedback, np.int32),
    )
    return Workshop(rules, plan, memo, frames, room)


def cleared(shop: Workshop, n: int) -> Workshop:
    """Return a workshop for a set of n, with a part of the memo, which is empty.

    So what is found doesn't depend on what was valued before. Clearing all of the memo would take
    longer than to value a small set.
    """
    memo = shop.memo
    slots = min(len(memo.state), 1 << (n * SLOTS_PER_CANDIDATE).bit_length())
    memo.state[:slots], memo.filled[0] = 0, 0
    return shop._replace(
        memo=memo._replace(
            first=memo.first[:slots],
            second=memo.second[:slots],
            total=memo.total[:slots],
            state=memo.state[:slots],
        )
    )
