"""Rollout: at each set, compare the best guesses of a policy by what follows them.

The guesses of a turn are compared by the totals of their subtrees, in which the same policy plays,
or the best of a few of its guesses does (`ahead`). One pass over the turns is a policy improvement.
"""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.exact.endgames import endgames_of
from codebreaker.games.model import Game, TableGame
from codebreaker.games.symmetry import representatives, symmetry_of
from codebreaker.policies.policy import check_fits
from codebreaker.progress import report_progress
from codebreaker.rollout.decided import Decided
from codebreaker.rollout.kernels import values as kernel
from codebreaker.rollout.kernels.rules import rank
from codebreaker.rollout.kernels.values import TOO_DEEP, UNBOUNDED, Plan, Workshop
from codebreaker.rollout.settings import Rollout
from codebreaker.rollout.workshop import make_workshop, plan_of, rules_of
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import chooser, levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices

log = logging.getLogger("codebreaker")

Result = TypeVar("Result")

SYMMETRIC_TURNS = 3
"""The last turn at which guesses count as one if they are images of each other under a symmetry
that keeps the earlier guesses."""

IMAGES = 10
"""How many times as many guesses are ranked where some of them are images of others."""


class _Task(NamedTuple):
    """A node whose guess is to be found: its set, the previous feedback and earlier guesses."""

    node: int
    members: Indices
    feedback: int
    history: tuple[int, ...]


@dataclass
class _Choices:
    """Chooses the guesses of a rollout turn by turn; `decided` are known from an earlier run."""

    game: Game
    rollout: Rollout
    threads: int
    memo_mib: float
    decided: Decided
    histories: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    orbits: dict[tuple[int, ...], Indices] = field(default_factory=dict)

    def __post_init__(self) -> None:
        base = self.rollout.base
        rules_of(self.game)
        self._endgames = endgames_of(self.game, base)
        self._open = chooser(self.game, base, self.threads, "cpu", self._endgames)
        check_fits(base, self.game.name, self.game.feedback_labels)

    def __call__(self, frontier: Frontier) -> Indices:
        """Return the guess at each node of a turn's frontier."""
        guesses = self._open(frontier) if frontier.turn == 1 else self._choose(frontier)
        self.histories = [
            (*self.histories[parent], int(guess))
            for parent, guess in zip(np.maximum(frontier.parents, 0), guesses, strict=True)
        ]
        return guesses

    def _choose(self, frontier: Frontier) -> Indices:
        (members, offsets), sizes = frontier.sets, frontier.sizes
        guesses = np.where(sizes <= 2, self._first(frontier), np.int32(-1)).astype(np.int32)
        small = np.flatnonzero((sizes > 2) & (sizes <= self.rollout.base.endgames))
        if len(small) and self._endgames is not None:
            played = guesses[small]
            self._endgames.play(frontier.subset(small), played)
            guesses[small] = played
        tasks = [
            _Task(
                int(node),
                members[offsets[node] : offsets[node + 1]],
                int(frontier.feedback[node]),
                self.histories[frontier.parents[node]],
            )
            for node in np.flatnonzero(guesses < 0)
        ]
        for task, guess in self._compare(frontier.turn, tasks):
            guesses[task.node] = guess
        return guesses

    def _first(self, frontier: Frontier) -> Indices:
        """Return the guess of each node's first candidate."""
        first = frontier.sets.members[frontier.sets.offsets[:-1]]
        own: Indices = (
            self.game.guess_of_secret[first] if isinstance(self.game, TableGame) else first
        )
        return own

    def _compare(self, turn: int, tasks: list[_Task]) -> Iterator[tuple[_Task, int]]:
        """Yield each task with its guess, in any order."""
        left = []
        for task in tasks:
            if (guess := self.decided.find(turn, task.members)) is None:
                left.append(task)
            else:
                yield task, guess
        if not left:
            return
        left.sort(key=lambda task: -len(task.members))
        options = self._options(turn, left)
        largest = max(
            int(np.bincount(self.game.feedback(guess, task.members)).max())
            for task, several in zip(left, options, strict=True)
            for guess in several.tolist()
        )
        plan = self._plan(range(1, largest + 1))
        started, done = time.perf_counter(), 0

        def compare(shop: Workshop, index: int) -> tuple[int, int]:
            if shop.memo.filled[0]:
                shop.memo.state[:], shop.memo.filled[0] = 0, 0
            task = left[index]
            total = kernel.value(
                shop, 0, task.members, turn, task.feedback, UNBOUNDED, options[index]
            )
            return int(shop.frames.winner[0]), total

        for index, (guess, total) in self._in_threads(plan, compare, len(left)):
            if total < 0:
                why = "is too deep" if total == TOO_DEEP else "can't solve every secret"
                raise CodebreakerError(
                    f"the tree of policy {self.rollout.base.slug} {why} in {self.game.name}: "
                    "choose another"
                )
            self.decided.add(turn, left[index].members, guess)
            done += 1
            report_progress(f"turn {turn}: {done}/{len(left)} sets", done, len(left))
            yield left[index], guess
        self.decided.save()
        log.info("turn %d: %d sets in %.1f s", turn, done, time.perf_counter() - started)

    def _options(self, turn: int, tasks: list[_Task]) -> list[Indices]:
        """Return the guesses to compare at each node, in the policy's order."""
        width = self.rollout.width(turn)
        symmetric = turn <= SYMMETRIC_TURNS
        plan = self._plan(sorted({len(task.members) for task in tasks}))

        def list_options(shop: Workshop, index: int) -> Indices:
            task, ranked = tasks[index], kernel.new_ranked(width * IMAGES if symmetric else width)
            rule = kernel.rule_at(plan, turn, task.feedback)
            found = rank(shop.rules, rule, task.members, shop.room, ranked)
            listed: Indices = ranked.guesses[:found].copy()
            return listed

        options: list[Indices] = [np.empty(0, np.int32)] * len(tasks)
        for index, listed in self._in_threads(plan, list_options, len(tasks), 1.0):
            if symmetric:
                orbit = self._orbits(tasks[index].history)[listed]
                listed = listed[np.sort(np.unique(orbit, return_index=True)[1])]
            options[index] = listed[:width]
        return options

    def _orbits(self, history: tuple[int, ...]) -> Indices:
        """Return the representative of each guess under the symmetries that keep a history."""
        if history not in self.orbits:
            symmetry = symmetry_of(self.game)
            every = np.arange(self.game.n_guesses, dtype=np.int32)
            self.orbits[history] = every if symmetry is None else representatives(symmetry, history)
        return self.orbits[history]

    def _plan(self, sizes: "range | list[int]") -> Plan:
        rollout = self.rollout
        return plan_of(self.game, rollout.base, rollout.tried, rollout.exact, sizes)

    def _in_threads(
        self, plan: Plan, work: Callable[[Workshop, int], Result], count: int, mib: float = 0.0
    ) -> Iterator[tuple[int, Result]]:
        """Do pieces of work, each in the workshop of a thread; yield them as they are done."""
        shops: SimpleQueue[Workshop] = SimpleQueue()
        for _ in range(self.threads):
            shops.put(make_workshop(self.game, plan, mib or self.memo_mib / self.threads))

        def do(index: int) -> tuple[int, Result]:
            shop = shops.get()
            try:
                return index, work(shop, index)
            finally:
                shops.put(shop)

        with ThreadPoolExecutor(self.threads) as workers:
            futures = [workers.submit(do, index) for index in range(count)]
            try:
                for future in as_completed(futures):
                    yield future.result()
            finally:
                workers.shutdown(cancel_futures=True)


def roll_out(
    game: Game,
    rollout: Rollout,
    threads: int = 1,
    memo_mib: float = 512.0,
    checkpoint: Path | None = None,
    code: str = "",
) -> GameTree:
    """Return the tree of a policy that is improved by rollout.

    It does not depend on the threads. The guesses that are found are kept in a file, if one is
    given, for a run that is stopped; they are of use to the same `code` alone. Raises
    `CodebreakerError` if the policy can't be rolled out in the game.
    """
    decided = Decided.read(checkpoint, game, rollout, code)
    choose = _Choices(game, rollout, threads, memo_mib, decided)
    return make_tree(levels(game, Frontier.initial(game), choose, threads))
