"""Rollout: compare the best guesses of a policy by the totals of their subtrees.

In subtrees the policy plays, or the best of a few of its guesses (`ahead`). A beam then searches
the tree's sets again. Each set is searched from scratch, so neither the order of sets nor the
threads change the tree.
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.games.model import GameModel
from codebreaker.games.registry import rules_of as game_rules
from codebreaker.games.registry import without_table
from codebreaker.games.symmetry import representatives_of_guesses
from codebreaker.policies.strategy import check_fits
from codebreaker.runtime.progress import report_progress
from codebreaker.search.endgames import endgames_of
from codebreaker.search.kernels.options import DONE, TOO_DEEP
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import choose, levels, make_tree
from codebreaker.trees.io import read_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices
from codebreaker_records import rollout_state
from codebreaker_records.kernels import rollout as kernel
from codebreaker_records.kernels.rollout import NO_TERMS, new_ranked, rank
from codebreaker_records.revise import Step, revise
from codebreaker_records.rollout_state import DecidedGuesses, PolicyTerms, ThreadMemory
from codebreaker_records.settings import Rollout
from codebreaker_records.smaller_games import code_game, plays_like

log = logging.getLogger("codebreaker")

SYMMETRIC_TURNS = 3
"""The last turn at which equivalent guesses are omitted."""

LARGE = 100
"""Minimum size of the sets that are played as in a smaller game."""

IMAGES = 10
"""Factor by which more guesses are ranked if too many are equivalent."""


class _Task(NamedTuple):
    """A node that needs a guess: its set, the previous feedback and earlier guesses."""

    node: int
    members: Indices
    feedback: int
    history: tuple[int, ...]


@dataclass
class _GuessChooser:
    """Chooses a rollout's guesses turn by turn; `decided` are known from an earlier run."""

    game: GameModel
    rollout: Rollout
    threads: int
    memo_mib: float
    decided: DecidedGuesses
    histories: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    """The guesses up to and including each node of the last turn, for its children."""

    def __post_init__(self) -> None:
        rollout = self.rollout
        base = rollout.base
        self._endgames = endgames_of(self.game, base)
        self._open = partial(choose, self.game, base, threads=self.threads, endgames=self._endgames)
        check_fits(base, self.game.name, self.game.feedback_labels)
        self._guess_of_secret = rollout_state.rollout_game_of(self.game).guess_of_secret
        self._leaders = cache(partial(representatives_of_guesses, self.game))
        self._terms = PolicyTerms(self.game, base, rollout.tried, rollout.exact)

    def __call__(self, frontier: Frontier) -> Indices:
        """Return a guess for each node of the next turn's frontier, (n_nodes,) int32."""
        guesses = self._open(frontier) if frontier.turn == 1 else self._choose(frontier)
        self.histories = [
            (*self.histories[parent], int(guess))
            for parent, guess in zip(np.maximum(frontier.parents, 0), guesses, strict=True)
        ]
        return guesses

    def _choose(self, frontier: Frontier) -> Indices:
        """Return the guesses: a candidate at sets of two, endgames where solved, else the best."""
        sizes = frontier.sizes
        cells = frontier.cells
        first = self._guess_of_secret[frontier.sets.members[frontier.sets.offsets[:-1]]]
        guesses = np.where(sizes <= 2, first, np.int32(-1)).astype(np.int32)
        small = np.flatnonzero((sizes > 2) & (sizes <= self.rollout.base.endgames))
        if len(small) and self._endgames is not None:
            played = guesses[small]
            self._endgames.play(frontier.subset(small), played)
            guesses[small] = played
        tasks = [
            _Task(node, cells[node], feedback, self.histories[parent])
            for node, feedback, parent in zip(
                range(len(cells)), frontier.feedback.tolist(), frontier.parents, strict=True
            )
            if guesses[node] < 0
        ]
        for task, guess in self._compare(frontier.turn, tasks):
            guesses[task.node] = guess
        return guesses

    def _compare(self, turn: int, tasks: list[_Task]) -> Iterator[tuple[_Task, int]]:
        """Yield each task with its guess, known ones first; the largest sets are rolled out first.

        Each new guess is added to `decided`.
        """
        left = []
        for task in tasks:
            if (guess := self.decided.find(turn, task.members)) is None:
                left.append(task)
            else:
                yield task, guess
        if not left:
            return
        left.sort(key=lambda task: -len(task.members))
        started = time.perf_counter()
        done = 0
        for index, guess in self._roll_out(turn, left):
            self.decided.add(turn, left[index].members, guess)
            done += 1
            report_progress(f"turn {turn}: {done}/{len(left)} sets", done, len(left))
            yield left[index], guess
        self.decided.save()
        log.info("turn %d: %d sets in %.1f s", turn, done, time.perf_counter() - started)

    def _roll_out(self, turn: int, tasks: list[_Task]) -> Iterator[tuple[int, int]]:
        """Yield the index of each task with its best guess."""
        # 1. The guesses to compare at each task. They need no memo.
        self._terms.covering(len(task.members) for task in tasks)
        listed = rollout_state.in_threads(
            self._memories(1.0),
            lambda memory, index: self._list_options(memory, turn, tasks[index]),
            len(tasks),
        )
        options = dict(listed)

        # 2. Their totals, with most of the memory for the memos.
        def compare(memory: ThreadMemory, index: int) -> int:
            """Return the best of a task's options."""
            if len(options[index]) == 1:
                return int(options[index][0])
            rollout_state.make_room(memory, len(tasks[index].members))
            return self._best(memory, turn, tasks[index].members, options[index])

        memories = self._memories(self.memo_mib / self.threads)
        yield from rollout_state.in_threads(memories, compare, len(tasks))

    def _memories(self, memo_mib: float) -> list[ThreadMemory]:
        """Return working memory for each thread."""
        policy = self._terms.covering()
        return [
            rollout_state.allocate_thread(self.game, policy, memo_mib) for _ in range(self.threads)
        ]

    def _best(self, memory: ThreadMemory, turn: int, members: Indices, guesses: Indices) -> int:
        """Return the guess with the lowest total.

        A kernel that lacks the terms of a set's size stops; it begins again once the policy has
        them.
        Raises `CodebreakerError` if the policy has no tree.
        """
        missing = list[int]()
        status = NO_TERMS
        while status == NO_TERMS:
            frame = memory.frame._replace(policy=self._terms.covering(missing))
            status, _, winner = kernel.best_after(memory.search, frame, members, turn, guesses)
            missing = frame.work.missing.tolist()
        if status != DONE:
            why = "is too deep" if status == TOO_DEEP else "can't solve every secret"
            raise CodebreakerError(
                f"the tree of policy {self.rollout.base.slug} {why} in {self.game.name}: "
                "choose another"
            )
        return int(winner)

    def _list_options(self, memory: ThreadMemory, turn: int, task: _Task) -> Indices:
        """Return the policy's best guesses at a task's set, one of each class at early turns.

        Equivalent guesses have equal totals, so one of each class suffices. If too many are
        equivalent, more are ranked.
        """
        game = memory.frame.game
        work = memory.frame.work
        rule = kernel.rule_at(memory.frame.policy, turn, task.feedback)
        room = width = self.rollout.width(turn)
        while True:
            ranked = new_ranked(room)
            n_ranked = rank(game, rule, task.members, work, ranked)
            listed: Indices = ranked.guesses[:n_ranked].copy()
            if turn <= SYMMETRIC_TURNS:
                leader_of = self._leaders(task.history)[listed]
                listed = listed[np.sort(np.unique(leader_of, return_index=True)[1])]
            if len(listed) >= width or n_ranked < room:
                return listed[:width]
            room *= IMAGES


def roll_out(
    game: GameModel,
    rollout: Rollout,
    threads: int = 1,
    memo_mib: float = 512.0,
    checkpoint: Path | None = None,
    code: str = "",
) -> GameTree:
    """Return a policy's tree, improved by rollout; raise `CodebreakerError` if it has none.

    A checkpoint keeps guesses for later runs of the same `code`. Threads share `memo_mib`.
    """
    if not rollout.table:
        game = code_game(game.name)
    decided = DecidedGuesses.read(checkpoint, game, rollout, code)
    if rollout.like_smaller:
        name = without_table(game_rules(game.name)).one_colour_less
        known, _ = read_tree(DATA / "trees" / f"{name}.parquet")
        plays = [*plays_like(code_game(game.name), name, known, LARGE)]
        if plays and (first := game.guesses[plays[0].guess]) != rollout.base.opening:
            raise CodebreakerError(f"the tree of {name} begins with {first}: give this opening")
        for play in plays:
            decided.add(*play)
    choose = _GuessChooser(game, rollout, threads, memo_mib, decided)
    tree = make_tree(levels(game, Frontier.initial(game), choose, threads))
    beam = rollout.beam
    if beam is not None:
        for turn in range(beam.turn, tree.max_guesses):
            step = Step(turn, beam.exact, beam.width, rollout.exact + 1)
            tree = revise(game, tree, step, None, rollout.base.pool)
    return tree
