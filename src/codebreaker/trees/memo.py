"""Allocation of the memo of candidate sets, and the fingerprints of partitions."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame, check_equal_chances
from codebreaker.policies.criterion import Criterion, scored_set
from codebreaker.trees.kernels.memo import LEADERS, Memo, ScoredGame, Scratch
from codebreaker.types import Offsets, Scores

WORD = 64
"""Bits of a word."""


def make_scored_game(
    game: TableGame, last_turn: int, terms: Scores, terms_at: Offsets, tolerances: Scores
) -> ScoredGame:
    """Return a game with terms; the key of a set includes its turn, up to `last_turn`."""
    check_equal_chances(game, "a batch of trees")
    if (np.diff(game.guess_of_secret) <= 0).any():
        raise CodebreakerError(f"the secrets of {game.name} are not in the order of its guesses")
    low, high = _fingerprints(game)
    draw = np.random.default_rng(0)
    return ScoredGame(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        last_turn=last_turn,
        terms=terms,
        terms_at=terms_at,
        tolerances=tolerances,
        zobrist=draw.integers(2**63, size=game.n_secrets, dtype=np.uint64),
        low=low,
        high=high,
    )


def term_tables(
    game: TableGame, criteria: Sequence[tuple[Criterion, float]], pairs: Iterable[tuple[int, int]]
) -> tuple[Scores, Offsets, Scores]:
    """Return the terms, their starts by criterion and set size, and the tolerances.

    `criteria` have their factors of weights; `pairs` are the criteria, by index, and set sizes that
    get terms.
    """
    shape = (len(criteria), game.n_secrets + 1)
    terms_at, tolerances = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    rows, filled = [np.zeros(1)], 1
    for k, size in pairs:
        rule, weight = criteria[k]
        row, tolerances[k, size] = scored_set(rule, size, game.n_feedback, weight)
        terms_at[k, size] = filled
        rows.append(row)
        filled += len(row)
    return np.concatenate(rows), terms_at, tolerances


def padded(n_feedback: int) -> int:
    """Return the width of a row of weights in the kernels, padded to full vector registers."""
    return -(-n_feedback // 8) * 8


def _fingerprints(game: TableGame) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the two words of each feedback id, by the bit length of the set's size.

    The sum of a guess's words over a set is the fingerprint of its partition. If the counts of all
    cells fit side by side in two words, the words make the sums these counts; otherwise they are
    random, and two different partitions collide with probability 2⁻¹²⁸.
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


def allocate_memo(game: TableGame, sets: int, options: int, members: int, links: int) -> Memo:
    """Allocate an empty memo of the given capacities; the system commits pages as they are used."""
    f = game.n_feedback
    return Memo(
        used=np.zeros(4, np.int64),
        slots=np.full(1 << (2 * sets - 1).bit_length(), -1, np.int32),
        key=np.empty(sets, np.uint64),
        turn=np.empty(sets, np.int32),
        size=np.empty(sets, np.int32),
        member_at=np.empty(sets, np.int64),
        members=np.empty(members, np.int32),
        option_at=np.empty(sets, np.int64),
        option_count=np.empty(sets, np.int32),
        leaders=np.empty((sets, LEADERS), np.int32),
        leader_scores=np.empty((sets, LEADERS), np.float64),
        rest=np.empty(sets, np.float64),
        version=np.empty(sets, np.int32),
        largest=np.zeros((sets, padded(f)), np.float64),
        smallest=np.zeros((sets, padded(f)), np.float64),
        counts=np.empty((options, f), np.uint16),
        guess=np.empty(options, np.int32),
        link_at=np.empty(options, np.int64),
        links=np.empty(links, np.int32),
    )


def allocate_scratch(game: TableGame, sets: int, entries: int) -> Scratch:
    """Allocate working memory for a number of sets, and of entries (individuals at sets) a turn."""
    f = game.n_feedback
    guesses = 1 << (2 * game.n_guesses - 1).bit_length()
    return Scratch(
        low=np.empty(game.n_guesses, np.uint64),
        high=np.empty(game.n_guesses, np.uint64),
        slots=np.empty(guesses, np.int32),
        stamps=np.zeros(guesses, np.int32),
        stamp=np.zeros(1, np.int32),
        fresh=np.empty(game.n_guesses, np.int32),
        cells=np.empty(game.n_secrets, np.int32),
        scores=np.empty(max(game.n_guesses, LEADERS), np.float64),
        front=np.zeros((LEADERS, padded(f)), np.float64),
        spread=np.empty((f, game.n_guesses), np.float64),
        heads=np.empty(sets, np.int32),
        nexts=np.empty(entries, np.int32),
        who=np.empty(entries, np.int32),
        active=np.empty(sets, np.int32),
        coming=np.empty(sets, np.int32),
        first=np.empty(sets + 1, np.int32),
        here=np.empty(entries, np.int32),
        chosen=np.empty(entries, np.int64),
    )
