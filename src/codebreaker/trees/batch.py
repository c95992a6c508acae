"""Trees of many policies, grown turn by turn as one frontier of all their candidate sets."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.policies.criteria import Criterion, criterion, scored_set
from codebreaker.policies.policy import Policy
from codebreaker.policies.weights import exact_weights
from codebreaker.trees import frontier
from codebreaker.trees.kernels import batch as kernel
from codebreaker.trees.kernels.memo import FULL, SETS, Memo, ScoredGame, find_set
from codebreaker.trees.memo import allocate_memo, allocate_scratch, make_scored_game
from codebreaker.trees.partition import all_secrets, split
from codebreaker.types import Counts, Indices, Offsets, Scores

BYTES_OF_SET, BYTES_OF_MEMBER = 512, 16
"""Shares of the memory: one set in so many bytes, one member in so many."""


@dataclass(frozen=True)
class BatchResult:
    """What the trees of policies come to.

    `profile` is (n_policies, n_turns) int64, the secrets solved at each turn; policies with the
    same `key`, (n_policies,) uint64, have the same tree.
    """

    profile: Counts
    key: NDArray[np.uint64]

    @property
    def totals(self) -> Counts:
        """Return the total guesses of each policy."""
        totals: Counts = self.profile @ np.arange(1, self.profile.shape[1] + 1)
        return totals

    @property
    def maxima(self) -> Counts:
        """Return the most guesses that a secret takes of each policy."""
        n_turns = self.profile.shape[1]
        last: Counts = n_turns - (self.profile[:, ::-1] > 0).argmax(axis=1)
        return last


def grow_all(
    game: TableGame, policies: Sequence[Policy], threads: int = 1, memo_mib: float = 512.0
) -> BatchResult:
    """Grow the trees of policies that break ties in the usual order.

    Raises `CodebreakerError` for other policies, and where the memory is too small.
    """
    for policy in policies:
        _check(policy)
    openings = _openings(game, policies)
    hands = np.array_split(np.argsort(openings, kind="stable"), max(min(threads, len(policies)), 1))

    def play(hand: Offsets) -> BatchResult:
        some = [policies[i] for i in hand]
        return _Batch(game, some, memo_mib / len(hands)).play([openings[i] for i in hand])

    with ThreadPoolExecutor(len(hands)) as pool:
        parts = list(pool.map(play, hands))
    n_turns = max(part.profile.shape[1] for part in parts)
    profile = np.zeros((len(policies), n_turns), dtype=np.int64)
    key = np.zeros(len(policies), dtype=np.uint64)
    for hand, part in zip(hands, parts, strict=True):
        profile[hand, : part.profile.shape[1]], key[hand] = part.profile, part.key
    return BatchResult(profile, key)


def _check(policy: Policy) -> None:
    by_context = policy.weights is not None and policy.weights.by_context
    if policy.tie_break != "consistent then lexicographic" or by_context:
        raise CodebreakerError(f"policy {policy.slug} can't be grown in a batch: grow it alone")
    if policy.criterion.per_log_parts:
        raise CodebreakerError(
            f"policy {policy.slug} can't be grown in a batch: its score is no sum"
        )


def _openings(game: TableGame, policies: Sequence[Policy]) -> list[int]:
    """Return each policy's first guess."""
    known: dict[tuple[str | None, ChoiceRule], int] = {}
    found = []
    for policy in policies:
        key = (policy.opening, _chooser(policy, 1))
        if key not in known:
            known[key] = int(frontier.choose(game, policy, frontier.root(game))[0])
        found.append(known[key])
    return found


class ChoiceRule(NamedTuple):
    """What a policy's choices at a turn depend on; `row` is empty without weights."""

    criterion: str
    row: bytes
    consistent_only: bool


def _chooser(policy: Policy, turn: int) -> ChoiceRule:
    weights = policy.weights
    row = b"" if weights is None else weights.at(turn).tobytes()
    return ChoiceRule(policy.criterion_at(turn).name, row, policy.guess_pool == "consistent")


class _Batch:
    """Policies whose sets are told apart and chosen for together."""

    def __init__(self, game: TableGame, policies: Sequence[Policy], memo_mib: float) -> None:
        self.game, self.policies, self.memo_mib = game, policies, memo_mib
        n, self._sets = len(policies), int(memo_mib * 2**20 / BYTES_OF_SET) + game.n_secrets
        self._scratch = allocate_scratch(game, 1, 1)
        self._rules = make_scored_game(
            game, 1, np.zeros(1), np.zeros((1, 1), np.int64), np.zeros((1, 1))
        )
        room = n * (game.n_secrets // 2 + 1)
        self._child, self._policy = np.empty(room, np.int32), np.empty(room, np.int32)
        self._key = np.zeros(n, np.uint64)

    def _memo(self) -> Memo:
        game = self.game
        members = int(self.memo_mib * 2**20 / BYTES_OF_MEMBER) + game.n_secrets
        links = game.n_guesses * (game.n_feedback + 2)
        return allocate_memo(game, self._sets, game.n_guesses, members, links)

    def play(self, openings: list[int]) -> BatchResult:
        """Play the openings, then turn after turn."""
        game, n = self.game, len(self.policies)
        now, used = self._memo(), 0
        reached = [np.full(n, game.n_secrets, dtype=np.int64)]
        singles = np.zeros(n, dtype=np.int64)
        for opening in sorted(set(openings)):
            who = np.flatnonzero(np.array(openings) == opening)
            cells = split(game, opening, all_secrets(game))
            cells.pop(game.solved, None)
            singles[who] = sum(len(cell) == 1 for cell in cells.values())
            self._key[who] ^= np.uint64(opening)
            for cell in cells.values():
                if len(cell) > 1:
                    child = find_set(self._rules, now, cell, 1)
                    if child == FULL:
                        raise self._too_small()
                    self._child[used : used + len(who)] = child
                    self._policy[used : used + len(who)] = who
                    used += len(who)
        turn = 2
        while used or singles.any():
            sizes = now.size[self._child[:used]]
            in_sets = np.bincount(self._policy[:used], weights=sizes, minlength=n)
            reached.append(in_sets.astype(np.int64) + singles)
            now, used, singles = self._turn(now, used, turn)
            turn += 1
        table = np.stack([*reached, np.zeros(n, dtype=np.int64)], axis=1)
        return BatchResult(table[:, :-1] - table[:, 1:], self._key)

    def _turn(self, now: Memo, used: int, turn: int) -> tuple[Memo, int, Counts]:
        """Play a turn; return the next one's sets, how many are at them, and the single ones."""
        game, n = self.game, len(self.policies)
        choosers, chooser, criteria = self._choosers(turn)
        child, policy = self._child[:used], self._policy[:used]
        order = np.lexsort((chooser[policy], child))
        n_sets = int(now.used[SETS])
        entries = kernel.Entries(
            np.searchsorted(child[order], np.arange(n_sets + 1)), policy[order], chooser
        )
        kinds = choosers.kind[chooser[policy]]
        pairs = np.unique(kinds.astype(np.int64) * (game.n_secrets + 1) + now.size[child])
        rules, coming = self._with_terms(criteria, pairs), self._memo()
        told = kernel.TurnResult(
            np.zeros(n, np.int64), self._key, self._child, self._policy, np.zeros(1, np.int64)
        )
        if not kernel.play_turn(rules, now, coming, self._scratch, choosers, entries, told):
            raise self._too_small()
        return coming, int(told.used[0]), told.reached

    def _too_small(self) -> CodebreakerError:
        return CodebreakerError(
            f"a batch of {len(self.policies)} policies needs more memory than "
            f"{self.memo_mib:g} MiB: raise the config key limits.memo_mib"
        )

    def _choosers(
        self, turn: int
    ) -> tuple[kernel.Choosers, Indices, list[tuple[Criterion, float]]]:
        """Return the different ways to choose at a turn, each policy's, and their criteria."""
        game = self.game
        asked = [_chooser(policy, turn) for policy in self.policies]
        different = sorted(set(asked))
        kinds = sorted({(one.criterion, one.row != b"") for one in different})
        rules = [criterion(name) for name, _ in kinds]
        weights = [
            rule.scales(game.n_secrets, game.n_feedback, weighted).weight
            for rule, (_, weighted) in zip(rules, kinds, strict=True)
        ]
        number = {told: k for k, told in enumerate(kinds)}
        kind = [number[one.criterion, one.row != b""] for one in different]
        rows: list[Scores] = [
            exact_weights(np.frombuffer(one.row), weights[k])
            if one.row
            else np.ones(game.n_feedback)
            for k, one in zip(kind, different, strict=True)
        ]
        choosers = kernel.Choosers(
            np.array(kind, dtype=np.int32),
            np.stack(rows),
            np.array([rules[k].fold == "min" for k in kind], dtype=np.int32),
            np.array([one.consistent_only for one in different], dtype=np.int32),
            np.array([rules[k].tolerance_part for k in kind]),
        )
        place = {one: i for i, one in enumerate(different)}
        chooser = np.array([place[one] for one in asked], dtype=np.int32)
        return choosers, chooser, list(zip(rules, weights, strict=True))

    def _with_terms(self, criteria: list[tuple[Criterion, float]], pairs: Counts) -> ScoredGame:
        """Return the rules with the terms of pairs of a criterion and a size."""
        width = self.game.n_secrets + 1
        terms_at = np.zeros((len(criteria), width), dtype=np.int64)
        tolerances = np.zeros((len(criteria), width))
        rows, filled = [np.zeros(1)], 1
        for pair in pairs.tolist():
            kind, size = divmod(pair, width)
            rule, weight = criteria[kind]
            row, tolerances[kind, size] = scored_set(rule, size, self.game.n_feedback, weight)
            terms_at[kind, size] = filled
            rows.append(row)
            filled += len(row)
        return self._rules._replace(
            terms=np.concatenate(rows), terms_at=terms_at, tolerances=tolerances
        )
