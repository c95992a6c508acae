"""The rule that scores guesses at a turn, and upper bounds on the scores of partitions."""

from functools import lru_cache

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Game
from codebreaker.policies.criterion import EXACT_BELOW, LARGEST_MEASURED, Criterion, scored_set
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import exact_weights
from codebreaker.sets.primitives import ScoringRule
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.kernels.table import ScoreBounds, best_by_pairs
from codebreaker.types import Indices, Offsets, Scores

LARGEST_BOUNDED = 64
"""Largest candidate set whose scores are bounded by the pairs in one cell."""


def scoring_rule(
    game: Game,
    policy: Strategy,
    frontier: Frontier,
    previous: int = 0,
    criterion: Criterion | None = None,
) -> ScoringRule:
    """Return a policy's or criterion's rule for a turn's nodes, all after one feedback id."""
    criterion, weights = criterion or policy.criterion_at(frontier.turn), policy.weights
    sizes, total = _sizes(game, criterion, frontier)
    scales = criterion.scales(total, game.n_feedback, weights is not None)
    distinct, which = np.unique(sizes, return_inverse=True)
    # Terms by weight are too long to be cached.
    score = scored_set if total == game.n_secrets else scored_set.__wrapped__
    scored = [score(criterion, int(size), game.n_feedback, scales.weight) for size in distinct]
    starts = np.cumsum([0, *(len(terms) for terms, _ in scored)])[:-1]
    log_parts = np.log2(np.maximum(np.arange(game.n_feedback + 1), 2))  # one part has no score
    row = np.ones(game.n_feedback) if weights is None else weights.at(frontier.turn, previous)
    return ScoringRule(
        terms=np.concatenate([terms for terms, _ in scored]),
        terms_at=starts[which],
        tolerances=np.array([tolerance for _, tolerance in scored])[which],
        tolerance_part=criterion.tolerance_part,
        weights=exact_weights(row, scales.weight),
        log_parts=log_parts if criterion.per_log_parts else np.empty(0),
        takes_min=criterion.fold == "min",
        consistent_only=policy.guess_pool == "consistent",
        prefers_consistent=policy.prefers_consistent,
        reverses=policy.reverses,
    )


def _sizes(game: Game, criterion: Criterion, frontier: Frontier) -> tuple[Indices | Offsets, int]:
    """Return the sizes of the nodes' sets as a criterion measures them, and that of all secrets."""
    weights = game.prior
    if weights is None or criterion.measure == "number":
        return frontier.sizes, game.n_secrets
    total, by_weight = int(weights.sum()), criterion.measure == "weight"
    most = LARGEST_MEASURED if by_weight else int(EXACT_BELOW) // game.n_secrets
    if total > most:
        raise CodebreakerError(
            f"the weights of {game.name} add up to {total:,}: {criterion.name} takes at most "
            f"{most:,}: round them, or choose worst-case"
        )
    if not by_weight:
        return frontier.sizes, game.n_secrets
    members, offsets = frontier.sets
    return np.add.reduceat(weights[members], offsets[:-1]), total


def score_bounds(rule: ScoringRule, sizes: Offsets, n_feedback: int) -> ScoreBounds:
    """Return upper bounds on the scores at the nodes of a turn, by the sizes of their sets."""
    low, high = float(rule.weights.min()), float(rule.weights.max())
    limits = ScoreBounds(
        highest=np.full(len(sizes), np.inf),
        bounds=np.empty(0),
        at=np.full(len(sizes), -1, np.int64),
        decides=np.zeros(len(sizes), np.bool_),
    )
    flat, filled = [limits.bounds], 0
    for size in np.unique(sizes[sizes > 1]).tolist():
        nodes = np.flatnonzero(sizes == size)
        start = rule.terms_at[nodes[0]]
        terms = rule.terms[start : start + size + 1]
        if not terms[:size].any():
            limits.highest[nodes] = 0.0
        if size > LARGEST_BOUNDED or len(rule.log_parts):
            continue
        bounds = _best_by_pairs(terms.tobytes(), rule.takes_min)
        bounds = np.where(bounds > 0, high, low) * bounds
        best, rest = bounds.max(), bounds[1:].max()
        tolerance = rule.tolerances[nodes[0]] + rule.tolerance_part * abs(best)
        limits.highest[nodes], limits.at[nodes] = best, filled
        limits.decides[nodes] = low == high and size <= n_feedback and rest < best - tolerance
        flat.append(bounds)
        filled += len(bounds)
    return limits._replace(bounds=np.concatenate(flat))


@lru_cache(maxsize=4096)
def _best_by_pairs(terms: bytes, takes_min: bool) -> Scores:
    bounds: Scores = best_by_pairs(np.frombuffer(terms), takes_min)
    return bounds
