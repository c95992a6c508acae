"""What a rollout keeps: the policy's terms, each thread's working memory, and decided guesses."""

import hashlib
import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import NamedTuple, TypeVar

import numpy as np

from codebreaker.constants import LARGEST_GUESS_LIMIT, NO_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.files import read_resumed, write_arrays
from codebreaker.games.model import GameModel
from codebreaker.policies.criterion import scored_set
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import exact_weights
from codebreaker.search import cost_to_go
from codebreaker.search.kernels.options import WORK_LEFT, Search
from codebreaker.search.size_bounds import size_bounds
from codebreaker.sets.codes import TILE, CodeGrid, grid_of, make_tile
from codebreaker.sets.partition import all_secrets
from codebreaker.sets.primitives import ScoringRule
from codebreaker.trees.kernels import table as table_kernel
from codebreaker.types import Indices, Offsets
from codebreaker_records.kernels.rollout import RolloutFrame
from codebreaker_records.kernels.rollout_game import (
    ABSENT,
    MOST_FEEDBACK,
    WORD,
    RolloutGame,
    RolloutPolicy,
    RolloutWorkspace,
)
from codebreaker_records.settings import Rollout

log = logging.getLogger("codebreaker")

ALWAYS = 4096
"""Set size up to which terms are computed at the start, 64 MiB; up to 10^5 is 40 GB."""

ENTRIES_PER_CANDIDATE = 2048
"""TranspositionTable entries per candidate up to which a memo is kept; few are faster."""

EVERY_S = 20.0
"""Seconds between two checkpoints."""


class PolicyTerms:
    """The scores' terms of a base policy by set size, computed as larger sets appear.

    Safe for threads: each gets a `RolloutPolicy`, which never changes.
    """

    def __init__(self, game: GameModel, base: Strategy, widths: Offsets, exact: int) -> None:
        self._criterion = base.criterion
        self._n_feedback = game.n_feedback
        self._lock = Lock()
        scales = base.criterion.scales(game.n_secrets, game.n_feedback, base.weights is not None)
        self._scale = scales.weight
        log_parts = np.ones(game.n_feedback + 1)
        log_parts[2:] = np.log2(np.arange(2, game.n_feedback + 1))
        values = np.ones((1, 1, game.n_feedback)) if base.weights is None else base.weights.values
        self._policy = RolloutPolicy(
            rule=ScoringRule(
                terms=np.empty(0),
                terms_at=np.full(game.n_secrets + 1, -1, np.int64),
                tolerances=np.zeros(game.n_secrets + 1),
                tolerance_part=base.criterion.tolerance_part,
                weights=np.ones(game.n_feedback),
                log_parts=log_parts if base.criterion.per_log_parts else np.empty(0),
                takes_min=base.criterion.fold == "min",
                consistent_only=base.guess_pool == "consistent",
                prefers_consistent=base.prefers_consistent,
                reverses=base.reverses,
            ),
            weights=exact_weights(
                np.ascontiguousarray(values.reshape(len(values), -1, game.n_feedback)), self._scale
            ),
            widths=widths,
            bounds=size_bounds(game.n_feedback, game.n_secrets, LARGEST_GUESS_LIMIT)[-1:],
            exact=exact,
        )
        self.covering(range(1, min(ALWAYS, game.n_secrets) + 1))

    def covering(self, sizes: Iterable[int] = ()) -> RolloutPolicy:
        """Return the policy with the terms of these and all earlier sizes."""
        with self._lock:
            rule = self._policy.rule
            new = [size for size in sorted(set(sizes)) if rule.terms_at[size] < 0]
            if new:
                terms = [rule.terms]
                terms_at = rule.terms_at.copy()
                tolerances = rule.tolerances.copy()
                end = len(rule.terms)
                for size in new:
                    # Not the cached function: its cache would hold the terms of large sets twice.
                    terms_of_size, tolerances[size] = scored_set.__wrapped__(
                        self._criterion, size, self._n_feedback, self._scale
                    )
                    terms_at[size] = end
                    end += len(terms_of_size)
                    terms.append(terms_of_size)
                rule = rule._replace(
                    terms=np.concatenate(terms), terms_at=terms_at, tolerances=tolerances
                )
                self._policy = self._policy._replace(rule=rule)
            return self._policy


@lru_cache(maxsize=2)
def rollout_game_of(game: GameModel) -> RolloutGame:
    """Return a game for the kernels; raise `CodebreakerError` for too many kinds of feedback."""
    if game.n_feedback > MOST_FEEDBACK:
        raise CodebreakerError(
            f"{game.name} has {game.n_feedback} kinds of feedback: rollout is for games of at most "
            f"{MOST_FEEDBACK}: choose another game"
        )
    if game.has_table:
        no_codes = np.empty((0, 1), np.uint8)
        grid = CodeGrid(
            codes=no_codes, counts=no_codes, place_values=np.ones(1, np.int64),
            index_of=np.empty(0, np.int32), raws=np.arange(game.n_feedback, dtype=np.uint8),
            id_of_raw=np.arange(game.n_feedback), ids=np.zeros((2, 2), np.uint8), n_colours=1,
            n_feedback=game.n_feedback, repeats=True,
        )  # fmt: skip
        by_secret = game.with_table().by_secret
    else:
        grid = grid_of(game.on_demand())
        by_secret = np.empty((0, 0), np.uint8)
    every = np.arange(game.n_guesses, dtype=np.int32)
    guess_of_secret = game.guesses_of(all_secrets(game))
    return RolloutGame(by_secret, grid, every, guess_of_secret, game.n_feedback, game.solved)


class ThreadMemory(NamedTuple):
    """The working memory of a thread: its search, and the frame of its game and policy."""

    search: Search
    frame: RolloutFrame


def allocate_thread(game: GameModel, policy: RolloutPolicy, memo_mib: float) -> ThreadMemory:
    """Allocate a thread's working memory."""
    compiled = rollout_game_of(game)
    work = RolloutWorkspace(
        tile=make_tile(compiled.grid),
        counts=np.empty((game.n_feedback, table_kernel.TILE), np.uint16),
        scores=np.empty(game.n_guesses),
        parts=np.empty(game.n_guesses, np.uint8),
        node_of=np.full(game.n_guesses, -1, np.int32),
        leaders=np.empty((1, compiled.grid.n_colours), compiled.grid.codes.dtype),
        labels=np.empty(game.n_secrets, np.uint8),
        numbers=np.full(256, ABSENT, np.uint8),
        bits=np.empty((game.n_feedback // WORD + 1, TILE), np.uint64),
        stamps=np.empty(game.n_feedback, np.int32),
        missing=np.empty(1, np.int32),
    )
    search = cost_to_go.make_search(
        labels=np.broadcast_to(np.uint8(0), (game.n_guesses, game.n_secrets)),
        by_secret=compiled.by_secret,
        guess_of_secret=compiled.guess_of_secret,
        n_feedback=game.n_feedback,
        consistent_only=policy.rule.consistent_only,
        bounds=policy.bounds,
        charges=np.empty(1, dtype=np.int64),
        memo=cost_to_go.empty_memo(game.n_secrets, cost_to_go.slots_in(memo_mib)),
        symmetry=None,
    )
    search.tally[WORK_LEFT] = NO_LIMIT
    frame = RolloutFrame(compiled.every, compiled.every, compiled, policy, work)
    return ThreadMemory(search, frame)


def make_room(memory: ThreadMemory, n: int) -> None:
    """Empty a well-filled memo before a set of n candidates; this changes no total."""
    memo = memory.search.memo
    if memo.used[0] > min(n * ENTRIES_PER_CANDIDATE, len(memo.slots) // 2):
        cost_to_go.forget(memo)


@dataclass
class DecidedGuesses:
    """Guesses by turn and set; with a path, kept in a file of the same `identity`."""

    path: Path | None
    identity: str
    guesses: dict[bytes, int] = field(default_factory=dict)
    saved: float = field(default_factory=time.monotonic)

    @classmethod
    def read(
        cls, path: Path | None, game: GameModel, rollout: Rollout, code: str
    ) -> "DecidedGuesses":
        """Return a file's guesses; none if it is missing, damaged or of another rollout."""
        decided = cls(path, identity_of(game, rollout, code))
        parts = path and read_resumed(path, decided.identity)
        if parts:
            keys = [key.tobytes() for key in parts["keys"]]
            decided.guesses = dict(zip(keys, parts["guesses"].tolist(), strict=True))
            log.info("%d sets were decided earlier", len(keys))
        return decided

    def find(self, turn: int, members: Indices) -> int | None:
        """Return the guess at a set, or None."""
        return self.guesses.get(_key(turn, members))

    def add(self, turn: int, members: Indices, guess: int) -> None:
        """Add a guess; write the file if it is time."""
        self.guesses[_key(turn, members)] = guess
        if time.monotonic() - self.saved > EVERY_S:
            self.save()

    def save(self) -> None:
        """Write the file, if any."""
        if self.path is None or not self.guesses:
            return
        keys = np.frombuffer(b"".join(self.guesses), np.uint8).reshape(len(self.guesses), -1)
        guesses = np.array(list(self.guesses.values()), np.int32)
        write_arrays(self.path, False, identity=self.identity, keys=keys, guesses=guesses)
        self.saved = time.monotonic()


def identity_of(game: GameModel, rollout: Rollout, code: str) -> str:
    """Return what determines a rollout's guesses, as JSON."""
    weights = rollout.base.weights
    return json.dumps(
        {
            "code": code,
            "game": game.digest,
            "base": rollout.base.slug,
            "weights": weights and hashlib.sha256(weights.values.tobytes()).hexdigest(),
            "widths": rollout.widths,
            "ahead": rollout.ahead,
            "exact": rollout.exact,
            "beam": rollout.beam and asdict(rollout.beam),
            "like_smaller": rollout.like_smaller,
        }
    )


def _key(turn: int, members: Indices) -> bytes:
    """Return a key of a turn's set, 16 bytes."""
    return hashlib.sha256(bytes([turn]) + members.tobytes()).digest()[:16]


Tools = TypeVar("Tools")
Result = TypeVar("Result")


def in_threads(
    tools: Sequence[Tools], work: Callable[[Tools, int], Result], count: int
) -> Iterator[tuple[int, Result]]:
    """Do pieces of work in as many threads as there are tools; yield them as they are done."""
    free: SimpleQueue[Tools] = SimpleQueue()
    for tool in tools:
        free.put(tool)

    def do(index: int) -> tuple[int, Result]:
        """Do a piece of work with a tool that is free."""
        tool = free.get()
        try:
            return index, work(tool, index)
        finally:
            free.put(tool)

    with ThreadPoolExecutor(len(tools)) as workers:
        futures = [workers.submit(do, index) for index in range(count)]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            workers.shutdown(cancel_futures=True)
