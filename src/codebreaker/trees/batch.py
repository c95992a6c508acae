"""Trees of many strategies, grown together with shared partitions (docs/decisions/0010)."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.policies.criterion import Criterion, term_tables
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import exact_weights
from codebreaker.sets import option_memo as memo
from codebreaker.sets.partition import all_secrets, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import choose
from codebreaker.trees.kernels import batch as kernel
from codebreaker.types import Counts, Hashes, Indices, Positions

BYTES_PER_SET = 512
"""Estimated memory of the memo for each candidate set, in bytes."""

BYTES_PER_MEMBER = 16
"""Estimated memory of the memo for each member of a candidate set, in bytes."""


@dataclass(frozen=True)
class BatchResult:
    """The profiles of trees, (n_strategies, n_turns); equal keys mean equal trees."""

    profile: Counts
    key: Hashes

    @property
    def totals(self) -> Counts:
        """Return the total guesses of each strategy, (n_strategies,)."""
        totals: Counts = self.profile @ np.arange(1, self.profile.shape[1] + 1)
        return totals

    @property
    def maxima(self) -> Counts:
        """Return each strategy's maximum number of guesses, (n_strategies,)."""
        n_turns = self.profile.shape[1]
        last: Counts = n_turns - (self.profile[:, ::-1] > 0).argmax(axis=1)
        return last


def grow_all(
    game: TableGame, strategies: Sequence[Strategy], threads: int = 1, memo_mib: float = 512.0
) -> BatchResult:
    """Grow the strategies' trees; raise `CodebreakerError` for unsuitable ones or little memory."""
    for strategy in strategies:
        by_context = strategy.weights is not None and strategy.weights.by_context
        if strategy.tie_break != "consistent then lexicographic" or by_context:
            why = f"policy {strategy.slug} can't be grown in a batch: grow it alone"
            raise CodebreakerError(why)
        if strategy.criterion.per_log_parts or not strategy.is_single_score:
            raise CodebreakerError(
                f"policy {strategy.slug} can't be grown in a batch: "
                "its score is not a sum over cells"
            )
    first_rules = [(strategy.opening, _choice_rule(game, strategy, 1)) for strategy in strategies]
    first_guesses = {
        rule: int(choose(game, strategy, Frontier.initial(game))[0])
        for rule, strategy in dict(zip(first_rules, strategies, strict=True)).items()
    }
    openings = [first_guesses[rule] for rule in first_rules]
    by_opening = np.argsort(openings, kind="stable")
    shards = np.array_split(by_opening, max(min(threads, len(strategies)), 1))

    def run(shard: Positions) -> BatchResult:
        """Grow the trees of some strategies, by their positions, in one thread."""
        batch = _Batch(game, [strategies[i] for i in shard], memo_mib / len(shards))
        return batch.run([openings[i] for i in shard])

    with ThreadPoolExecutor(len(shards)) as pool:
        parts = list(pool.map(run, shards))
    n_turns = max(part.profile.shape[1] for part in parts)
    profile = np.zeros((len(strategies), n_turns), dtype=np.int64)
    key = np.zeros(len(strategies), dtype=np.uint64)
    for shard, part in zip(shards, parts, strict=True):
        profile[shard, : part.profile.shape[1]] = part.profile
        key[shard] = part.key
    return BatchResult(profile, key)


class ChoiceRule(NamedTuple):
    """The settings that determine a strategy's choices at a turn."""

    criterion: str
    weighted: bool
    row: bytes
    consistent_only: bool


def _choice_rule(game: TableGame, strategy: Strategy, turn: int) -> ChoiceRule:
    """Return what determines the choices at a turn; strategies with equal rules share them."""
    weights = strategy.weights
    name = strategy.criterion_at(turn).name
    row = np.ones(game.n_feedback) if weights is None else weights.at(turn)
    consistent_only = strategy.guess_pool == "consistent"
    return ChoiceRule(name, weights is not None, row.tobytes(), consistent_only)


class _Batch:
    """The growth of some strategies' trees, turn by turn, in one thread."""

    def __init__(self, game: TableGame, strategies: Sequence[Strategy], memo_mib: float) -> None:
        self.game = game
        self.strategies = strategies
        self.memo_mib = memo_mib
        n = len(strategies)
        self._sets = int(memo_mib * 2**20 / BYTES_PER_SET) + game.n_secrets
        self._work = memo.allocate_workspace(game, 1, 1)
        self._scored = memo.make_scored_game(
            game, 1, np.zeros(1), np.zeros((1, 1), np.int64), np.zeros((1, 1))
        )
        visits = n * (game.n_secrets // 2 + 1)
        self._child = np.empty(visits, np.int32)
        self._strategy_of_visit = np.empty(visits, np.int32)
        self._key = np.zeros(n, np.uint64)

    def _memo(self) -> memo.OptionMemo:
        """Allocate the memo of one turn; the options in it are those of one set at a time."""
        game = self.game
        members = int(self.memo_mib * 2**20 / BYTES_PER_MEMBER) + game.n_secrets
        cells, links = (game.n_guesses * n for n in (game.n_feedback, game.n_feedback + 2))
        return memo.allocate_memo(game, self._sets, game.n_guesses, cells, members, links)

    def run(self, openings: list[int]) -> BatchResult:
        """Grow the trees of strategies with these first guesses, (n_strategies,)."""
        game = self.game
        n = len(self.strategies)
        now = self._memo()
        used = 0
        # 1. The first turn: strategies with the same opening reach the same sets. Sets of one
        #    candidate are only counted, as `singles`.
        reached = [np.full(n, game.n_secrets, dtype=np.int64)]
        singles = np.zeros(n, dtype=np.int64)
        for opening in sorted(set(openings)):
            who = np.flatnonzero(np.array(openings) == opening)
            cells = unsolved(game, opening, all_secrets(game))
            singles[who] = sum(len(cell) == 1 for cell in cells.values())
            self._key[who] ^= np.uint64(opening)
            for cell in cells.values():
                if len(cell) > 1:
                    child = memo.find_set(self._scored, now, cell, 1)
                    if child == memo.FULL:
                        raise self._too_small()
                    self._child[used : used + len(who)] = child
                    self._strategy_of_visit[used : used + len(who)] = who
                    used += len(who)
        # 2. All others. reached[t] has the candidates left after t guesses, for each strategy.
        turn = 2
        while used or singles.any():
            sizes = now.size[self._child[:used]]
            in_sets = np.bincount(self._strategy_of_visit[:used], weights=sizes, minlength=n)
            reached.append(in_sets.astype(np.int64) + singles)
            now, used, singles = self._play_turn(now, used, turn)
            turn += 1
        # 3. The profile: candidates that are no longer left after a turn were solved at it.
        table = np.stack([*reached, np.zeros(n, dtype=np.int64)], axis=1)
        return BatchResult(table[:, :-1] - table[:, 1:], self._key)

    def _play_turn(
        self, now: memo.OptionMemo, used: int, turn: int
    ) -> tuple[memo.OptionMemo, int, Counts]:
        """Play a turn; return the next one's sets, number of visits, and singles."""
        game = self.game
        n = len(self.strategies)
        rules, rule_of, criteria = self._choice_rules(turn)
        # 1. Visits ordered by set, then by rule, so that each choice is made once.
        child = self._child[:used]
        strategy = self._strategy_of_visit[:used]
        order = np.lexsort((rule_of[strategy], child))
        n_sets = int(now.used[memo.SETS])
        visits = kernel.Visits(
            np.searchsorted(child[order], np.arange(n_sets + 1)), strategy[order], rule_of
        )
        # 2. The terms of the criteria for the sizes of sets that occur.
        rows = rules.terms_row[rule_of[strategy]]
        pairs = np.unique(rows.astype(np.int64) * (game.n_secrets + 1) + now.size[child])
        sizes = (divmod(pair, game.n_secrets + 1) for pair in pairs.tolist())
        terms, terms_at, tolerances = term_tables(game, criteria, sizes)
        scored = self._scored._replace(terms=terms, terms_at=terms_at, tolerances=tolerances)
        # 3. The visits of the next turn replace these, which are copied in `visits`.
        coming = self._memo()
        result = kernel.TurnResult(
            np.zeros(n, np.int64),
            self._key,
            self._child,
            self._strategy_of_visit,
            np.zeros(1, np.int64),
        )
        if not kernel.play_turn(scored, now, coming, self._work, rules, visits, result):
            raise self._too_small()
        return coming, int(result.used[0]), result.singles

    def _too_small(self) -> CodebreakerError:
        """Return the error for a batch that doesn't fit its memory."""
        return CodebreakerError(
            f"a batch of {len(self.strategies)} policies needs more memory than "
            f"{self.memo_mib:g} MiB: allow more",
            "memo_mib",
        )

    def _choice_rules(
        self, turn: int
    ) -> tuple[kernel.ChoiceRules, Indices, list[tuple[Criterion, float]]]:
        """Return the distinct choice rules of a turn, each strategy's, and the scaled criteria."""
        game = self.game
        by_strategy = [_choice_rule(game, strategy, turn) for strategy in self.strategies]
        distinct = sorted({*by_strategy})
        keys = sorted({rule[:2] for rule in by_strategy})
        criteria = [criterion(name) for name, _ in keys]
        scales = [
            rule.scales(game.n_secrets, game.n_feedback, weighted).weight
            for rule, (_, weighted) in zip(criteria, keys, strict=True)
        ]
        rows = [keys.index(rule[:2]) for rule in distinct]
        rules = kernel.ChoiceRules(
            np.array(rows, dtype=np.int32),
            np.stack(
                [
                    exact_weights(np.frombuffer(rule.row), scales[k])
                    for k, rule in zip(rows, distinct, strict=True)
                ]
            ),
            np.array([criteria[k].fold == "min" for k in rows], dtype=np.int32),
            np.array([rule.consistent_only for rule in distinct], dtype=np.int32),
            np.array([criteria[k].tolerance_part for k in rows]),
        )
        index_of = {rule: i for i, rule in enumerate(distinct)}
        rule_of = np.array([index_of[rule] for rule in by_strategy], dtype=np.int32)
        return rules, rule_of, list(zip(criteria, scales, strict=True))
