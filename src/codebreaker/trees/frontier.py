"""Frontiers, the candidate sets of one turn, and the rules that score guesses at their nodes."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel
from codebreaker.policies.criterion import EXACT_BELOW, LARGEST_MEASURED, Criterion, scored_set
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import exact_weights
from codebreaker.sets.partition import all_secrets
from codebreaker.sets.primitives import ScoringRule, Sets
from codebreaker.trees.kernels.table import ScoreBounds, best_by_pairs
from codebreaker.types import Counts, FeedbackIds, Indices, Positions, Scores

LARGEST_BOUNDED = 64  # candidates in a set whose scores are bounded by the pairs in one cell


@dataclass(frozen=True, eq=False)
class Frontier:
    """The nodes of one turn, with their candidate sets."""

    turn: int
    sets: Sets
    parents: Indices  # (n_nodes,), positions in the previous turn's frontier; -1 at a root
    feedback: Indices  # (n_nodes,), the last feedback ids; -1 at turn 1
    pools: list[Indices] | None = None  # each node's allowed guesses, ascending, in hard mode

    @classmethod
    def initial(cls, game: GameModel) -> Self:
        """Return the first turn's frontier: all secrets in one set."""
        return cls.of_set(all_secrets(game), 1, -1)

    @classmethod
    def of_set(cls, members: Indices, turn: int, feedback: int) -> Self:
        """Return a frontier of one set at a turn, after a feedback id; -1 at turn 1."""
        sets = Sets(members, np.array([0, len(members)]))
        no_parent = np.array([-1], dtype=np.int32)
        return cls(turn, sets, no_parent, np.array([feedback], dtype=np.int32))

    @cached_property
    def sizes(self) -> Indices:
        """Return the number of candidates of each node, (n_nodes,) int32."""
        return np.diff(self.sets.offsets).astype(np.int32)

    @property
    def cells(self) -> list[Indices]:
        """Return the candidates of each node."""
        members, offsets = self.sets
        return [members[start:end] for start, end in pairwise(offsets)]

    @property
    def sole_candidates(self) -> Indices:
        """Return the candidate of each node with only one, else −1, (n_nodes,) int32."""
        members, offsets = self.sets
        return np.where(self.sizes == 1, members[offsets[:-1]], np.int32(-1))

    def with_pool(self, allowed: Indices | None) -> Self:
        """Return a frontier of one set with its allowed guesses."""
        return replace(self, pools=None if allowed is None else [allowed])

    def subset(self, nodes: Positions) -> "Frontier":
        """Return the frontier of some of the nodes."""
        pools = None if self.pools is None else [self.pools[node] for node in nodes]
        members, offsets = self.sets
        sizes = self.sizes[nodes]
        ends = np.append(0, np.cumsum(sizes))
        at = np.repeat(offsets[nodes] - ends[:-1], sizes) + np.arange(ends[-1])
        return Frontier(
            self.turn, Sets(members[at], ends), self.parents[nodes], self.feedback[nodes], pools
        )


class ForestWeights(NamedTuple):
    """The weights of a forest's trees at a turn, and each node's tree."""

    weights: Scores  # (n_trees, n_feedback)
    tree_of: Positions  # (n_nodes,)

    def subset(self, nodes: Positions) -> "ForestWeights":
        """Return the same weights for some nodes."""
        return ForestWeights(self.weights, self.tree_of[nodes])


def first_candidates(game: GameModel, frontier: Frontier) -> Indices:
    """Return the guess that is each node's first candidate, (n_nodes,) int32."""
    members, offsets = frontier.sets
    return game.guesses_of(members[offsets[:-1]])


def is_candidate(game: GameModel, frontier: Frontier, guesses: Indices) -> NDArray[np.bool_]:
    """Return whether each node's guess is one of its candidates, (n_nodes,)."""
    members, offsets = frontier.sets
    played = np.repeat(guesses, frontier.sizes)
    is_played = game.guesses_of(members) == played
    any_is_played: NDArray[np.bool_] = np.logical_or.reduceat(is_played, offsets[:-1])
    return any_is_played


def split(game: GameModel, frontier: Frontier, feedback_of_sets: FeedbackIds) -> Frontier:
    """Split every node by its candidates' feedback ids; return the next turn's frontier.

    Children are ordered by node, then by feedback id, and their members keep their order. Solved
    candidates have no child.
    """
    members, offsets = frontier.sets
    n_feedback = game.n_feedback
    # 1. A child's key is its node's number times n_feedback, plus its feedback id. In the smallest
    #    type that has room for it, NumPy sorts most keys without comparisons.
    first_keys = np.arange(0, len(offsets) * n_feedback, n_feedback)
    kind = np.min_scalar_type(int(first_keys[-1]))
    keys = np.repeat(first_keys[:-1].astype(kind), np.diff(offsets)) + feedback_of_sets
    # 2. A stable sort by key keeps the order within children.
    is_left = feedback_of_sets != game.solved
    keys = keys[is_left]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    # 3. Each child begins where the key changes.
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] + 1))
    parents, feedback = np.divmod(keys[starts].astype(np.int64), n_feedback)
    sets = Sets(members[is_left][order], np.append(starts, len(keys)))
    return Frontier(frontier.turn + 1, sets, parents.astype(np.int32), feedback.astype(np.int32))


def scoring_rule(
    game: GameModel,
    strategy: Strategy,
    frontier: Frontier,
    previous: int = 0,
    criterion: Criterion | None = None,
) -> ScoringRule:
    """Return a policy's or criterion's rule for a turn's nodes, all after one feedback id."""
    criterion = criterion or strategy.criterion_at(frontier.turn)
    weights = strategy.weights
    sizes, total = _sizes(game, criterion, frontier)
    scales = criterion.scales(total, game.n_feedback, weights is not None)
    distinct, which = np.unique(sizes, return_inverse=True)
    # Terms by weight are too long to be cached.
    score = scored_set if total == game.n_secrets else scored_set.__wrapped__
    scored = [score(criterion, int(size), game.n_feedback, scales.weight) for size in distinct]
    starts = np.cumsum([0, *(len(terms) for terms, _ in scored)])[:-1]
    n_parts = np.arange(game.n_feedback + 1 if criterion.per_log_parts else 0)
    row = np.ones(game.n_feedback) if weights is None else weights.at(frontier.turn, previous)
    return ScoringRule(
        terms=np.concatenate([terms for terms, _ in scored]),
        terms_at=starts[which],
        tolerances=np.array([tolerance for _, tolerance in scored])[which],
        tolerance_part=criterion.tolerance_part,
        weights=exact_weights(row, scales.weight),
        log_parts=np.log2(np.maximum(n_parts, 2)),  # one part has no score
        takes_min=criterion.fold == "min",
        consistent_only=strategy.guess_pool == "consistent",
        prefers_consistent=strategy.prefers_consistent,
        reverses=strategy.reverses,
    )


def _sizes(game: GameModel, rule: Criterion, frontier: Frontier) -> tuple[Indices | Counts, int]:
    """Return the nodes' set sizes as a criterion measures them, and the size of all secrets."""
    weights = game.prior
    if weights is None or rule.measure == "number":
        return frontier.sizes, game.n_secrets
    total = int(weights.sum())
    by_weight = rule.measure == "weight"
    most = LARGEST_MEASURED if by_weight else int(EXACT_BELOW) // game.n_secrets
    if total > most:
        raise CodebreakerError(
            f"the weights of {game.name} add up to {total:,}: {rule.name} takes at most "
            f"{most:,}: round them, or choose worst-case"
        )
    if not by_weight:
        return frontier.sizes, game.n_secrets
    members, offsets = frontier.sets
    return np.add.reduceat(weights[members], offsets[:-1]), total


def score_bounds(rule: ScoringRule, sizes: Counts, n_feedback: int) -> ScoreBounds:
    """Return upper bounds on the scores at the nodes, by the sizes of their sets."""
    # Bounds depend on a set's size alone: compute them once for each size.
    low = float(rule.weights.min())
    high = float(rule.weights.max())
    distinct, first, which = np.unique(sizes, return_index=True, return_inverse=True)
    rows = [np.empty(0)]
    highest = np.full(len(distinct), np.inf)
    at = np.full(len(distinct), -1)
    filled = 0
    for k, (size, node) in enumerate(zip(distinct.tolist(), first.tolist(), strict=True)):
        if size < 2:
            continue
        start = rule.terms_at[node]
        terms = rule.terms[start : start + size + 1]
        # 1. Without bounds by pairs. If all terms but the whole set's are 0, so are all scores.
        if size > LARGEST_BOUNDED or len(rule.log_parts):
            if not terms[:size].any():
                highest[k] = 0.0
            continue
        # 2. Bounds by pairs. Weights: the largest raises a score above 0 most, the smallest lowers
        #    one below 0 least.
        bounds = _best_by_pairs(terms.tobytes(), rule.takes_min)
        bounds = np.where(bounds > 0, high, low) * bounds
        highest[k] = bounds.max()
        at[k] = filled
        rows.append(bounds)
        filled += len(bounds)
    decides = separation_decides(rule, sizes, n_feedback)
    return ScoreBounds(highest[which], np.concatenate(rows), at[which], decides)


def separation_decides(
    rule: ScoringRule, sizes: Indices | Counts, n_feedback: int
) -> NDArray[np.bool_]:
    """Return at which nodes separating all candidates beats any other partition, (n_nodes,).

    Its score must be above those of all partitions with pairs by more than the tolerance. This
    needs a feedback id for each candidate, and equal weights.
    """
    decides = np.zeros(len(sizes), dtype=np.bool_)
    weight = float(rule.weights[0])
    if len(rule.log_parts) or (rule.weights != weight).any():
        return decides
    small = np.flatnonzero((sizes > 1) & (sizes <= min(n_feedback, LARGEST_BOUNDED)))
    distinct, first, which = np.unique(sizes[small], return_index=True, return_inverse=True)
    by_size = np.zeros(len(distinct), dtype=np.bool_)
    for k, (size, node) in enumerate(zip(distinct.tolist(), small[first].tolist(), strict=True)):
        start = rule.terms_at[node]
        terms = rule.terms[start : start + size + 1]
        scores = weight * _best_by_pairs(terms.tobytes(), rule.takes_min)
        best = scores.max()
        tolerance = rule.tolerances[node] + rule.tolerance_part * abs(best)
        by_size[k] = scores[1:].max() < best - tolerance
    decides[small] = by_size[which]
    return decides


@lru_cache(maxsize=4096)
def _best_by_pairs(terms: bytes, takes_min: bool) -> Scores:
    """Return the best scores by pairs without weights: strategies share them."""
    best: Scores = best_by_pairs(np.frombuffer(terms), takes_min)
    return best
