"""The minimum total guesses of any candidate set, and the allocation of searches."""

from functools import lru_cache
from itertools import combinations

import numpy as np

from codebreaker.constants import LARGEST_GUESS_LIMIT, MAX_DEPTH, NO_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Symmetry, TableGame, refuse_prior
from codebreaker.search.kernels import search as kernel
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.kernels.frames import Exchanges, Frame
from codebreaker.search.kernels.options import STOPPED, TOO_DEEP, WORK_LEFT, Search
from codebreaker.search.settings import GUESSES, Charges
from codebreaker.search.size_bounds import charges_by_row, size_bounds
from codebreaker.sets.numbering import Numbers, SymmetricCodes
from codebreaker.sets.primitives import Sets
from codebreaker.sets.transposition import TranspositionTable
from codebreaker.trees.frontier import Frontier
from codebreaker.types import FeedbackIds, GuessPool, Hashes, Indices, Offsets, SymbolMatrix

LABELS = 256
"""Minimum length of arrays by label: the range of a byte, which most games' feedback ids have."""

FIRST_SLOTS = 1 << 12
"""Initial slots of a memo, which fit the processor's cache."""

MOST_PEGS = 12
"""Maximum length of codes with symmetries."""

MOST_EXCHANGES = 1024
"""Maximum number of symmetries of a set."""


def is_countable(cost: int) -> bool:
    """Return whether a cost is below what marks a set that no tree solves."""
    return cost < INFEASIBLE


def allocate(
    game: TableGame, pool: GuessPool, memo_mib: float, charges: Charges = GUESSES, after: int = 0
) -> Search:
    """Allocate a search; `after` counts the guesses from the rounds to the guess limit, or is 0."""
    refuse_prior(game, "this search")
    bounds = size_bounds(game.n_answers, game.n_secrets, LARGEST_GUESS_LIMIT, charges, after)
    # A tree of MAX_DEPTH turns or fewer must cost less than what marks a set without a tree.
    if not is_countable(max(game.n_secrets * MAX_DEPTH, int(bounds[-1, -1]))):
        raise CodebreakerError(
            f"{game.name} has {game.n_secrets:,} secrets, whose total this search can't count: "
            "choose a smaller game"
        )
    return make_search(
        labels=game.table,
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        n_feedback=game.n_feedback,
        consistent_only=pool == "consistent",
        bounds=bounds,
        charges=charges_by_row(LARGEST_GUESS_LIMIT, charges, after),
        memo=empty_memo(game.n_secrets, slots_in(memo_mib)),
        symmetry=game.symmetry,
    )


def make_search(
    labels: FeedbackIds,
    by_secret: FeedbackIds,
    guess_of_secret: Indices,
    n_feedback: int,
    consistent_only: bool,
    bounds: Indices,
    charges: Offsets,
    memo: TranspositionTable,
    symmetry: Symmetry | None,
    weights: Offsets | None = None,
) -> Search:
    """Return a search; `labels` is (n_guesses, n_secrets), `by_secret` its transpose or empty."""
    n_guesses, n_secrets = labels.shape
    codes = symmetric_codes(symmetry)
    guesses = np.arange(n_guesses, dtype=np.int32)
    depths = min(n_secrets, MAX_DEPTH)
    n_labels = max(LABELS, n_feedback)
    option_bounds = np.empty((depths, n_guesses), np.int32 if weights is None else np.int64)
    return Search(
        frame=Frame(
            guesses=guesses,
            column_of=guesses,
            row_of=np.arange(n_secrets, dtype=np.int32),
            labels=labels,
            parts=np.full(n_guesses, n_feedback, dtype=np.uint16),
            planes=np.empty(0, dtype=np.uint16),
            starts=np.empty(0, dtype=np.int64),
            widths=np.empty(0, dtype=np.int64),
        ),
        by_secret=by_secret,
        guess_of_secret=guess_of_secret,
        n_feedback=n_feedback,
        codes=codes,
        exchanges=exchanges_of(symmetry),
        consistent_only=consistent_only,
        bounds=bounds,
        charges=charges,
        weights=np.empty(0, dtype=np.int64) if weights is None else weights,
        beam=np.array([n_secrets, 0]),
        estimates=estimates(n_secrets),
        memo=memo,
        tally=np.zeros(4, dtype=np.int64),
        marks=np.zeros(n_guesses, dtype=np.int64),
        options=np.empty((depths, n_guesses), dtype=np.int32),
        option_bounds=option_bounds,
        order=np.empty((depths, n_guesses), dtype=np.int32),
        signatures=np.empty((depths, 1 << (2 * n_guesses + 2).bit_length()), dtype=np.uint64),
        members=np.empty((depths, n_secrets), dtype=np.int32),
        cell_starts=np.empty((depths, n_labels + 1), dtype=np.int64),
        open_cells=np.empty((depths, n_labels), dtype=np.int32),
        open_values=np.empty((depths, n_labels), dtype=np.int64),
        open_exact=np.empty((depths, n_labels), dtype=np.uint8),
        cell_bounds=np.empty((depths, n_secrets + 1), dtype=np.int64),
        allowed=np.zeros(n_guesses, dtype=np.uint8),
        plane_words=np.empty(n_guesses, dtype=np.uint16),
        parts=np.empty(n_guesses, dtype=np.uint16),
        by_parts=np.empty(n_labels + 2, dtype=np.int64),
        labels=np.empty(n_secrets, dtype=labels.dtype),
        counts=np.zeros(n_labels, dtype=np.int32),
        set_exchanges=np.empty((MOST_EXCHANGES, 2), dtype=np.int32),
        numbers=empty_numbers(symmetry),
    )


@lru_cache(maxsize=64)
def estimates(n_secrets: int) -> Offsets:
    """Return estimated minimum totals by set size, in thousandths, (n_secrets + 1,) int64."""
    # Fitted to optimal play in MM(4,6) by examples/value_criterion.py.
    sizes = np.arange(2, n_secrets + 1)
    totals = sizes * (1.085 + 0.299 * np.log2(sizes)) + 0.803
    return np.append([0, 1000], np.rint(1000 * totals)).astype(np.int64)


def symmetric_codes(symmetry: Symmetry | None) -> SymmetricCodes:
    """Return the codes of a game with symmetries, and none for another game."""
    if symmetry is None:
        nothing: SymbolMatrix = np.zeros((0, 0), dtype=np.uint8)
        none = np.zeros(0, dtype=np.int64)
        return SymmetricCodes(nothing, np.zeros(0, dtype=np.int32), none, none)
    pegs = symmetry.codes.shape[1]
    colours = symmetry.n_colours
    places = colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    index_of = np.full(colours**pegs, -1, dtype=np.int32)
    index_of[symmetry.codes @ places] = np.arange(len(symmetry.codes))
    return SymmetricCodes(
        codes=symmetry.codes.astype(np.min_scalar_type(colours)),
        index_of=index_of,
        places=places,
        alphabets=symmetry.alphabets.astype(np.int64),
    )


def empty_numbers(symmetry: Symmetry | None) -> Numbers:
    """Allocate the numbers of a set's pegs and colours."""
    if symmetry is None:
        pegs = colours = alphabets = 0
    else:
        pegs = symmetry.codes.shape[1]
        colours = symmetry.n_colours
        alphabets = int(symmetry.alphabets.max()) + 1
    return Numbers(
        of_peg=np.zeros(pegs, dtype=np.int64),
        of_colour=np.zeros((alphabets, colours), dtype=np.int64),
        values=np.zeros((pegs, colours), dtype=np.int64),
        counts=np.zeros((pegs, colours), dtype=np.uint64),
        words=np.zeros((pegs, colours), dtype=np.uint64),
        sums=np.zeros((pegs, colours), dtype=np.uint64),
        peg_hashes=np.zeros(pegs, dtype=np.uint64),
        colour_hashes=np.zeros((alphabets, colours), dtype=np.uint64),
    )


def exchanges_of(symmetry: Symmetry | None) -> Exchanges:
    """Return the exchanges of pegs and colours that may map a candidate set onto itself."""
    if symmetry is None or symmetry.codes.shape[1] > MOST_PEGS:
        nothing: SymbolMatrix = np.zeros((0, 0), dtype=np.uint8)
        return Exchanges(nothing, nothing[:, :, None])
    exchanged = _transpositions(symmetry.n_colours, 1)
    names = [np.tile(exchanged[:1], (len(symmetry.alphabets), 1))]
    # The names of one alphabet are exchanged, at all pegs that share it.
    for alphabet in np.unique(symmetry.alphabets).tolist():
        for renaming in exchanged[1:]:
            names.append(np.where(symmetry.alphabets[:, None] == alphabet, renaming, names[0]))
    return Exchanges(orders=_transpositions(symmetry.codes.shape[1], 2), names=np.array(names))


def _transpositions(n: int, most: int) -> SymbolMatrix:
    """Return the identity and products of up to `most` disjoint exchanges of two."""
    identity = tuple(range(n))
    rows = [identity]
    # Rows with one exchange more than before, and the first position of the next exchange.
    last = [(identity, 0)]
    for _ in range(most):
        following = []
        for row, start in last:
            for i, j in combinations(range(n), 2):
                if i >= start and row[i] == i and row[j] == j:
                    swapped = list(row)
                    swapped[i] = j
                    swapped[j] = i
                    following.append((tuple(swapped), i + 1))
        rows += [row for row, _ in following]
        last = following
    return np.array(rows, dtype=np.min_scalar_type(n))


def random_words(n_secrets: int) -> Hashes:
    """Return two words per secret for the keys of sets, (n_secrets, 2) uint64."""
    return np.random.default_rng(0).integers(2**64, size=(n_secrets, 2), dtype=np.uint64)


def slots_in(memo_mib: float, words: int = 3) -> int:
    """Return how many slots of `words` words, a power of two, fit in a memo."""
    return 1 << max(int(memo_mib * 2**20 / (8 * words)).bit_length() - 1, 4)


def empty_memo(n_secrets: int, slots: int, words: int = 3) -> TranspositionTable:
    """Return a memo without entries; the system commits pages as they are used."""
    used = np.array([0, min(slots, FIRST_SLOTS)])
    return TranspositionTable(random_words(n_secrets), np.zeros((slots, words), np.uint64), used)


def forget(memo: TranspositionTable) -> None:
    """Empty a memo."""
    if memo.used[0]:
        memo.slots[: memo.used[1]] = 0
        memo.used[:] = 0, min(len(memo.slots), FIRST_SLOTS)


def compile_search(search: Search) -> None:
    """Compile the search, or load its machine code: one candidate needs no search.

    Clocks start after this, as it may take a minute on a busy machine.
    """
    alone = np.zeros(1, dtype=np.int32)
    no_limit = guesses_left_at(1, None)
    kernel.minimum_total(search, search.frame, 0, alone, no_limit, INFEASIBLE, alone)
    kernel.guesses_for(search, alone, np.array([0, 1]), no_limit)


def optimal_guesses(search: Search, sets: Sets, guesses_left: int) -> Indices:
    """Return an optimal guess for each solved set, (n_sets,) int32; search again if forgotten."""
    members, offsets = sets
    guesses: Indices = kernel.guesses_for(search, members, offsets, guesses_left)
    for node in np.flatnonzero(guesses < 0):
        cell = members[offsets[node] : offsets[node + 1]]
        search.tally[WORK_LEFT] = NO_LIMIT
        pool = search.guess_of_secret[cell] if search.consistent_only else search.frame.guesses
        alone = np.array([0, len(cell)], dtype=offsets.dtype)
        for forgets in (False, True):
            if guesses[node] >= 0:
                break
            if forgets:
                forget(search.memo)
            kernel.minimum_total(search, search.frame, 0, cell, guesses_left, INFEASIBLE, pool)
            guesses[node] = kernel.guesses_for(search, cell, alone, guesses_left)[0]
    return guesses


def as_indices(members: Indices) -> Indices:
    """Return candidates as the kernels need them: a recursion compiled for others would crash."""
    return np.ascontiguousarray(members, dtype=np.int32)


def guesses_left_at(turn: int, guess_limit: int | None) -> int:
    """Return the guesses left at a turn; above the largest limit, the kernel has no limit."""
    no_limit = LARGEST_GUESS_LIMIT + 1
    return no_limit if guess_limit is None else min(max(guess_limit - turn + 1, 0), no_limit)


def check_search_depth(game: TableGame, status: int) -> None:
    """Raise `CodebreakerError` if the kernel's status is that it ran out of depth."""
    if status == TOO_DEEP:
        raise CodebreakerError(
            f"{game.name} needs trees of more than {MAX_DEPTH} turns: choose a smaller game"
        )


class CostToGo:
    """Minimum totals of candidate sets within `guess_limit`, memoised in about `memo_mib` MiB.

    With a `beam`, (size, width), sets of more than `size` candidates try only `width` guesses. A
    pool may omit guesses that are symmetric to others. Methods raise `CodebreakerError` if a set
    needs more than `lookups` table look-ups, or too many turns.
    """

    def __init__(
        self,
        game: TableGame,
        guess_limit: int | None = None,
        memo_mib: float = 256.0,
        lookups: int = NO_LIMIT,
        guess_pool: GuessPool = "all",
        beam: tuple[int, int] | None = None,
    ) -> None:
        self.game = game
        self.guess_limit = guess_limit
        self._lookups = lookups
        search = allocate(game, guess_pool, memo_mib)
        if beam is not None:
            # Equal sets may be played differently, as a guess and its image may be tried or not.
            search.beam[:] = beam
            search = search._replace(codes=symmetric_codes(None), exchanges=exchanges_of(None))
        self._search = search

    @property
    def no_limit(self) -> int:
        """A limit above all totals: what is returned for a set that no tree solves."""
        return self.game.facts.no_limit

    def of(
        self,
        members: Indices,
        turn: int,
        limit: int | None = None,
        pool: Indices | None = None,
    ) -> int:
        """Return a set's minimum total from a turn on if below the limit, else a bound ≥ it."""
        search = self._search
        if limit is None:
            limit = self.no_limit
        left = guesses_left_at(turn, self.guess_limit)
        search.tally[WORK_LEFT] = self._lookups
        members = as_indices(members)
        pool = search.frame.guesses if pool is None else pool
        spare = min(limit, INFEASIBLE)
        status, total = kernel.minimum_total(search, search.frame, 0, members, left, spare, pool)
        return self._checked(status, total, len(members), limit)

    def best(
        self,
        members: Indices,
        pool: Indices | None = None,
        limit: int | None = None,
        turn: int = 1,
    ) -> tuple[int, int]:
        """Return a set's minimum total and an optimal guess, or, as `of`, a bound and −1."""
        if limit is None:
            limit = self.no_limit
        total = self.of(members, turn, limit, pool)
        if total >= limit:
            return total, -1
        return total, int(self.play(Frontier.of_set(members, turn, -1))[0])

    def play(self, frontier: Frontier) -> Indices:
        """Return an optimal guess at each node of a frontier, (n_nodes,) int32."""
        left = guesses_left_at(frontier.turn, self.guess_limit)
        return optimal_guesses(self._search, frontier.sets, left)

    def after(self, guess: int, members: Indices, turn: int, limit: int) -> int:
        """Return a set's minimum total after a guess at a turn, or a bound, as `of`."""
        search = self._search
        left = guesses_left_at(turn + 1, self.guess_limit)
        search.tally[WORK_LEFT] = self._lookups
        members = as_indices(members)
        ids = self.game.feedback(guess, members)
        sizes = np.bincount(ids, minlength=self.game.n_feedback)
        sizes[self.game.solved] = 0
        # The total is a lower bound: of each cell its bound by size, then its minimum, smallest
        # first. Cells of up to two candidates have exact bounds.
        known = search.bounds[left][sizes]
        total = len(members) + int(known.sum())
        for feedback in np.argsort(sizes, kind="stable")[np.count_nonzero(sizes < 3) :].tolist():
            if total >= limit:
                break
            others = total - int(known[feedback])
            pool = search.frame.guesses
            cell = members[ids == feedback]
            spare = min(limit - others, INFEASIBLE)
            status, lowest = kernel.minimum_total(search, search.frame, 0, cell, left, spare, pool)
            total = others + self._checked(status, lowest, len(members), limit)
        return total if is_countable(total) else max(total, limit)

    def bounds_after(self, turn: int) -> Offsets:
        """Return a bound on the total after a turn, by set size."""
        bounds: Offsets = self._search.bounds[guesses_left_at(turn + 1, self.guess_limit)]
        return bounds.astype(np.int64)

    def _checked(self, status: int, total: int, size: int, limit: int) -> int:
        """Return a total of the kernel; raise `CodebreakerError` unless its status is DONE.

        A set without a tree has a total beyond any: `no_limit`, or a limit that is even higher.
        """
        check_search_depth(self.game, status)
        if status == STOPPED:
            raise CodebreakerError(
                f"the minimum total of {size:,} candidates of {self.game.name} takes more than "
                f"{self._lookups:,} look-ups: add moves, or do without exact totals"
            )
        # The kernel's totals are below INFEASIBLE: `allocate`.
        return max(self.no_limit, limit) if total >= INFEASIBLE else int(total)
