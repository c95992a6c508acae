"""A memo with its working memory, for one thread or one device."""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.kernels import fitness as kernel
from codebreaker.kernels.fitness import Individuals
from codebreaker.kernels.memo import LEADERS, Memo, Scratch, find_set
from codebreaker.optimise.problem import Problem, padded, rules_of
from codebreaker.types import Codes, Offsets

INDIVIDUALS = 1 << 10
"""How many individuals the working memory is for; more are evaluated in parts."""


class Worker:
    """One thread's memo, the rules, and the sets that it starts from."""

    def __init__(self, problem: Problem, start_sets: list[Codes], memo_mib: float) -> None:
        self._problem, self._memo_mib = problem, memo_mib
        self.rules = rules_of(problem)
        self._start_sets = start_sets
        self.memo, self.scratch = _allocate(problem, memo_mib)
        self.clear()

    def clear(self) -> None:
        """Forget all sets but those that it starts from."""
        self.memo.used[:] = 0
        self.memo.slots[:] = -1
        self.scratch.heads[:] = -1
        turn = 1 if self._problem.opening is None else 2
        self.start = np.array(
            [find_set(self.rules, self.memo, one, turn) for one in self._start_sets],
            dtype=np.int32,
        )

    def totals(self, some: Individuals, reference: Individuals, version: int) -> Offsets:
        """Return what the start sets cost some individuals, in as few parts as the memo allows.

        Where the memo is full, they are tried with an empty one, then in halves; raises
        `CodebreakerError` where one individual is too many.
        """
        n = len(some.weights)
        if n <= INDIVIDUALS:
            for _ in range(2):
                found = self._try(some, reference, version)
                if found is not None:
                    return found
                self.clear()
        if n == 1:
            raise CodebreakerError(
                f"a memo of {self._memo_mib:g} MiB can't hold one tree of "
                f"{self._problem.game.name}: raise the config key limits.memo_mib"
            )
        halves = (
            Individuals(some.weights[at], some.orders[at])
            for at in (slice(n // 2), slice(n // 2, n))
        )
        return np.concatenate([self.totals(half, reference, version) for half in halves])

    def _try(self, some: Individuals, reference: Individuals, version: int) -> Offsets | None:
        found = np.zeros(len(some.weights), dtype=np.int64)
        done = (self.start >= 0).all() and kernel.totals(
            self.rules, self.memo, self.scratch, self.start, some, reference, version, found
        )
        return found if done else None


def _allocate(problem: Problem, memo_mib: float) -> tuple[Memo, Scratch]:
    """Allocate a memo of about the given size; the system commits what is used."""
    game = problem.game
    f = game.n_feedback
    options = int(memo_mib * 2**20 / (2 * f + 4 + 8 + (64 + 20 * LEADERS + 16 * f) / 50 + 4))
    sets = max(options // 50, 16)
    slots = 1 << (2 * sets - 1).bit_length()
    memo = Memo(
        used=np.zeros(4, np.int64),
        slots=np.empty(slots, np.int32),
        key=np.empty(sets, np.uint64),
        turn=np.empty(sets, np.int32),
        size=np.empty(sets, np.int32),
        member_at=np.empty(sets, np.int64),
        members=np.empty(max(options // 2, 2 * game.n_secrets), np.int32),
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
        links=np.empty(options // 2, np.int32),
    )
    guesses = 1 << (2 * game.n_guesses - 1).bit_length()
    entries = INDIVIDUALS * game.n_secrets
    scratch = Scratch(
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
    return memo, scratch
