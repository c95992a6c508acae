"""The fitness of weights, in batches: how many guesses the trees take that they grow."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codebreaker.criteria import Criterion
from codebreaker.errors import CodebreakerError
from codebreaker.game import Game
from codebreaker.kernels import fitness as kernel
from codebreaker.kernels.memo import LEADERS, Memo, Rules, Scratch, find_set
from codebreaker.partition import all_secrets, split
from codebreaker.types import Codes, Offsets, Scores

WORD = 64


@dataclass(frozen=True)
class Problem:
    """What is optimised: a game, a criterion with weights, and how long these are told apart.

    `n_turns` rows of weights are used, the last one for all later turns; with an `opening` the
    first guess is forced and row 1 is not used.
    """

    game: Game
    criterion: Criterion
    n_turns: int
    opening: str | None = None


class Fitness:
    """Total guesses by weights on the CPU, shared among individuals and remembered.

    Not for use by several threads at once; it has threads of its own, each with its own memo.
    """

    backend = "cpu"

    def __init__(self, problem: Problem, memo_mib: float = 512.0, threads: int = 1) -> None:
        self.problem = problem
        self.memo_mib = memo_mib
        self._scales = problem.criterion.scales(
            problem.game.n_secrets, problem.game.n_feedback, weighted=True
        )
        self._rules = _rules(problem)
        self._workers = [_Worker(self._rules, problem, memo_mib / threads) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._reference: Scores | None = None
        self._version = 0

    def refer_to(self, weights: Scores) -> None:
        """Take an individual's weights, (n_turns, n_feedback), as the reference; results stay."""
        self._reference = self._integers(weights[None])
        self._version += 1

    def __call__(self, weights: Scores) -> Offsets:
        """Return the totals of (n_individuals, n_turns, n_feedback) weights in (0, 1], int64."""
        integers = self._integers(weights)
        if self._reference is None:
            self._reference, self._version = integers[:1], self._version + 1
        reference, version = self._reference, self._version
        if self._pool is None:
            return self._workers[0].totals(integers, reference, version)
        parts = np.array_split(integers, len(self._workers))
        jobs = [
            self._pool.submit(worker.totals, part, reference, version)
            for worker, part in zip(self._workers, parts, strict=True)
        ]
        return np.concatenate([job.result() for job in jobs])

    def _integers(self, weights: Scores) -> Scores:
        n, n_turns, n_feedback = weights.shape
        scaled = np.zeros((n, n_turns, padded(n_feedback)))
        scaled[:, :, :n_feedback] = np.round(self._scales.weight * weights)
        return scaled


def padded(n_feedback: int) -> int:
    """Return the width of a row of weights in the kernel, a whole number of vector registers."""
    return -(-n_feedback // 8) * 8


class _Worker:
    """One thread's memo."""

    def __init__(self, rules: Rules, problem: Problem, memo_mib: float) -> None:
        self._rules, self._problem, self._memo_mib = rules, problem, memo_mib
        self._start_sets = _start_sets(problem)
        self._memo, self._scratch = _allocate(problem, memo_mib)
        self._clear()

    def _clear(self) -> None:
        self._memo.used[:] = 0
        self._memo.slots[:] = -1
        self._scratch.heads[:] = -1
        turn = 1 if self._problem.opening is None else 2
        self._start = np.array(
            [find_set(self._rules, self._memo, one, turn) for one in self._start_sets[1]],
            dtype=np.int32,
        )

    def totals(self, weights: Scores, reference: Scores, version: int) -> Offsets:
        """Return the totals of some individuals; halve the work where the memo is too small."""
        found = np.full(len(weights), self._start_sets[0], dtype=np.int64)
        if len(weights) == 0 or self._try(weights, reference, version, found):
            return found
        self._clear()
        found[:] = self._start_sets[0]
        if self._try(weights, reference, version, found):
            return found
        if len(weights) == 1:
            raise CodebreakerError(
                f"a memo of {self._memo_mib:g} MiB can't hold one tree of "
                f"{self._problem.game.name}: raise the config key limits.memo_mib"
            )
        half = len(weights) // 2
        return np.concatenate(
            [
                self.totals(weights[:half], reference, version),
                self.totals(weights[half:], reference, version),
            ]
        )

    def _try(self, weights: Scores, reference: Scores, version: int, found: Offsets) -> bool:
        memo, scratch = self._memo, self._scratch
        if (self._start < 0).any():
            return False
        done: bool = kernel.totals(
            self._rules, memo, scratch, self._start, weights, reference, version, found
        )
        return done


def _start_sets(problem: Problem) -> tuple[int, list[Codes]]:
    """Return the guesses that are spent before weights matter, and the sets left then."""
    game = problem.game
    if problem.opening is None:
        return 0, [all_secrets(game)]
    cells = split(game, game.guesses.index(problem.opening), all_secrets(game))
    cells.pop(game.solved, None)
    singles = sum(len(cell) == 1 for cell in cells.values())
    return game.n_secrets + singles, [cell for cell in cells.values() if len(cell) > 1]


def _rules(problem: Problem) -> Rules:
    game, criterion = problem.game, problem.criterion
    gains = criterion.cell(np.arange(1.0, game.n_secrets + 1), float(game.n_secrets))
    if criterion.fold != "sum" or criterion.per_log_parts or (gains < 0).any():
        raise CodebreakerError(
            f"weights of {criterion.name} can't be optimised: its score is no sum of gains"
        )
    if (np.diff(game.guess_of_secret) <= 0).any():
        raise CodebreakerError(f"the secrets of {game.name} are not in the order of its guesses")
    scales = criterion.scales(game.n_secrets, game.n_feedback, weighted=True)
    sizes = range(1, game.n_secrets + 1)
    rows = [np.zeros(1), *(criterion.terms(n, scales.term) for n in sizes)]
    low, high = _fingerprints(game)
    draw = np.random.default_rng(0)
    return Rules(
        by_secret=game.by_secret,
        guess_of_secret=game.guess_of_secret,
        solved=game.solved,
        last_turn=problem.n_turns,
        terms=np.concatenate(rows),
        terms_at=np.cumsum([0, *(len(row) for row in rows)])[:-1],
        tolerances=np.array([0.0, *(criterion.tolerance(n, scales) for n in sizes)]),
        zobrist=draw.integers(2**63, size=game.n_secrets, dtype=np.uint64),
        low=low,
        high=high,
    )


def _fingerprints(game: Game) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return words whose sums over a set tell the counts of guesses apart, by bits of the size.

    Where two words hold all counts side by side, a field each, the sums are the counts; for larger
    games they are sums of random words, and differ where counts do but for a chance of 2⁻¹²⁸.
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


def _allocate(problem: Problem, memo_mib: float) -> tuple[Memo, Scratch]:
    """Allocate a memo of about the given size; the system commits what is used."""
    game = problem.game
    f = game.n_feedback
    options = int(memo_mib * 2**20 / (2 * f + 4 + 8 + (64 + 20 * LEADERS + 8 * f) / 50 + 4))
    sets = max(options // 50, 16)
    slots = 1 << (2 * sets - 1).bit_length()
    individuals = 1 << 10
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
        counts=np.empty((options, f), np.uint16),
        guess=np.empty(options, np.int32),
        link_at=np.empty(options, np.int64),
        links=np.empty(options // 2, np.int32),
    )
    guesses = 1 << (2 * game.n_guesses - 1).bit_length()
    entries = individuals * game.n_secrets
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
