"""Allocation of what values sets: a game, a base policy in compiled form, a memo, frames."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from codebreaker.constants import LARGEST_GUESS_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.exact.search import random_words, size_bounds
from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.policies.criterion import scored_set
from codebreaker.policies.policy import Policy
from codebreaker.policies.weights import exact_weights
from codebreaker.rollout.kernels.rules import MOST_FEEDBACK, Room, Rules
from codebreaker.rollout.kernels.workspace import Frames, Memo, Plan, Workshop
from codebreaker.trees.kernels import rows
from codebreaker.trees.kernels import table as table_kernel
from codebreaker.trees.kernels.colours import CodeGrid
from codebreaker.trees.kernels.sets import ScoringRule
from codebreaker.trees.on_demand import grid_of
from codebreaker.types import Offsets

DEPTHS = 24
"""The most turns of a tree below the guesses that are compared."""

SEEN = 1 << 12
"""Slots for the partitions of a set that were tried."""

BYTES_PER_ENTRY = 21
"""Memory of the memo per slot."""


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
            n_feedback=game.n_feedback, largest_in_bytes=0, repeats=True,
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


def plan_of(game: Game, base: Policy, widths: Offsets, exact: int, sizes: Iterable[int]) -> Plan:
    """Return how sets of some sizes, ascending, are rolled out by a base policy."""
    criterion, weights = base.criterion, base.weights
    scales = criterion.scales(game.n_secrets, game.n_feedback, weights is not None)
    sizes = np.fromiter(sizes, np.int64)
    scored = [
        scored_set.__wrapped__(criterion, size, game.n_feedback, scales.weight)
        for size in sizes.tolist()
    ]
    terms_at = np.full(game.n_secrets + 1, -1, np.int64)
    terms_at[sizes] = np.cumsum([0, *(len(terms) for terms, _ in scored)])[:-1]
    tolerances = np.zeros(game.n_secrets + 1)
    tolerances[sizes] = [tolerance for _, tolerance in scored]
    log_parts = np.ones(game.n_feedback + 1)
    log_parts[2:] = np.log2(np.arange(2, game.n_feedback + 1))
    values = np.ones((1, 1, game.n_feedback)) if weights is None else weights.values
    rule = ScoringRule(
        terms=np.concatenate([np.empty(0), *(terms for terms, _ in scored)]),
        terms_at=terms_at,
        tolerances=tolerances,
        tolerance_part=criterion.tolerance_part,
        weights=np.ones(game.n_feedback),
        log_parts=log_parts if criterion.per_log_parts else np.empty(0),
        takes_min=criterion.fold == "min",
        consistent_only=base.guess_pool == "consistent",
        prefers_consistent=base.prefers_consistent,
        reverses=base.reverses,
    )
    return Plan(
        rule=rule,
        weights=exact_weights(
            np.ascontiguousarray(values.reshape(len(values), -1, game.n_feedback)), scales.weight
        ),
        widths=widths,
        bounds=size_bounds(game.n_feedback, game.n_secrets, LARGEST_GUESS_LIMIT)[-1],
        exact=exact,
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
        none=np.empty(0, np.int32),
    )
    room = Room(
        tile=rows.make_tile(rules.grid),
        counts=np.empty((game.n_feedback, table_kernel.TILE), np.uint16),
        scores=np.empty(game.n_guesses),
        node_of=np.full(game.n_guesses, -1, np.int32),
        leaders=np.empty((1, rules.grid.n_colours), np.uint8),
        labels=np.empty(n, np.uint8),
        numbers=np.full(256, 255, np.uint8),
        bits=np.empty((2, rows.TILE), np.uint64),
    )
    return Workshop(rules, plan, memo, frames, room)


def forget(shop: Workshop) -> None:
    """Forget all totals, so that what is found doesn't depend on what was valued before."""
    if shop.memo.filled[0]:
        shop.memo.state[:], shop.memo.filled[0] = 0, 0
