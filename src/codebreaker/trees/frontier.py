"""Frontiers: the candidate sets of one turn; every tree is grown from frontier to frontier."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Game, TableGame, check_equal_chances
from codebreaker.games.symmetry import orbits
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import (
    EXACT_BELOW,
    LARGEST_MEASURED,
    MEASURES,
    Criterion,
    scored_set,
)
from codebreaker.policies.policy import Policy
from codebreaker.policies.weights import exact_weights
from codebreaker.sets.partition import all_secrets
from codebreaker.sets.primitives import ScoringRule, Sets
from codebreaker.trees.bounds import score_bounds
from codebreaker.trees.kernels import prior, two_steps
from codebreaker.trees.kernels import table as kernel
from codebreaker.trees.kernels.table import Table
from codebreaker.types import FeedbackIds, Indices, Offsets, Scores


@dataclass(frozen=True, eq=False)
class Frontier:
    """The nodes of one turn: their candidate sets, and their positions in the tree.

    `parents` (n_nodes,) int32 are positions in the previous turn's frontier, -1 at a root;
    `feedback` (n_nodes,) int32 are the feedback ids that led here, -1 before the first turn.
    """

    turn: int
    sets: Sets
    parents: Indices
    feedback: Indices

    @classmethod
    def initial(cls, game: Game) -> Self:
        """Return the frontier before the first guess: all secrets in one set."""
        return cls.of_set(all_secrets(game), 1, -1)

    @classmethod
    def of_set(cls, members: Indices, turn: int, feedback: int) -> Self:
        """Return a frontier of one set at a turn, after a feedback id; -1 at turn 1."""
        sets = Sets(members, np.array([0, len(members)]))
        no_parent = np.array([-1], dtype=np.int32)
        return cls(turn, sets, no_parent, np.array([feedback], dtype=np.int32))

    @property
    def sizes(self) -> Indices:
        """Return the number of candidates of each node, (n_nodes,) int32."""
        return np.diff(self.sets.offsets).astype(np.int32)

    @property
    def sole_candidates(self) -> Indices:
        """Return the candidate of each node with only one, else −1, (n_nodes,) int32."""
        members, offsets = self.sets
        return np.where(self.sizes == 1, members[offsets[:-1]], np.int32(-1))

    def subset(self, nodes: Offsets) -> "Frontier":
        """Return the frontier of some of the nodes, (n,) indices."""
        (members, offsets), sizes = self.sets, self.sizes[nodes]
        ends = np.append(0, np.cumsum(sizes))
        at = np.repeat(offsets[nodes] - ends[:-1], sizes) + np.arange(ends[-1])
        return Frontier(
            self.turn, Sets(members[at], ends), self.parents[nodes], self.feedback[nodes]
        )


class ForestWeights(NamedTuple):
    """The weights of a forest's trees at a turn, (n_trees, n_feedback), and each node's tree.

    A forest is a frontier with the nodes of many trees; they may share candidates.
    """

    weights: Scores
    tree_of: Offsets

    def subset(self, nodes: Offsets) -> "ForestWeights":
        """Return the same weights for some of the nodes."""
        return ForestWeights(self.weights, self.tree_of[nodes])


Chooser = Callable[[Frontier, ScoringRule, Indices], None]
"""Chooses a guess for each node of a frontier by a rule, into an array, (n_nodes,) int32."""


def choose(game: TableGame, policy: Policy, frontier: Frontier) -> Indices:
    """Return the guess that the policy plays at each node, as `choose_by`."""
    table = Table(game.by_secret, game.guess_of_secret)
    if policy.joined is not None:
        check_equal_chances(game, f"policy {policy.slug}")

    def by_table(nodes: Frontier, rule: ScoringRule, guesses: Indices) -> None:
        if game.prior is not None and policy.is_single_score:
            measure = MEASURES.index(policy.criterion_at(nodes.turn).measure)
            prior.choose(game.table, table, nodes.sets, game.prior, measure, rule, guesses)
        elif policy.is_single_score:
            limits = score_bounds(rule, nodes.sizes.astype(np.int64), game.n_feedback)
            kernel.choose(table, nodes.sets, rule, limits, guesses)
        elif policy.joined is not None:
            parts = scoring_rule(game, replace(policy, criterion=CRITERIA["most-parts"]), nodes)
            kernel.choose_jointly(table, nodes.sets, rule, parts, policy.joined == "then", guesses)
        else:
            two_steps.choose(table, nodes.sets, rule, 1 in policy.steps, orbits(game, []), guesses)

    return choose_by(by_table, game, policy, frontier)


def choose_by(chooser: Chooser, game: Game, policy: Policy, frontier: Frontier) -> Indices:
    """Return the guess that the policy plays at each node, (n_nodes,) int32, using a chooser.

    Raises `CodebreakerError` if no guess of the pool splits a node's set.
    """
    if frontier.turn == 1 and policy.opening is not None:
        return np.array([game.guesses.index(policy.opening)], dtype=np.int32)
    guesses = _choose_in_order(chooser, game, policy, frontier)
    if policy.reverses_others and not policy.reverses:
        others = np.flatnonzero(~is_candidate(game, frontier, guesses))
        if len(others):
            backwards = replace(policy, tie_break="consistent then reversed lexicographic")
            guesses[others] = _choose_in_order(chooser, game, backwards, frontier.subset(others))
    if (guesses < 0).any():
        raise CodebreakerError(
            f"game {game.name} can't be solved by policy {policy.slug}: at turn {frontier.turn} "
            "no allowed guess separates the remaining candidates"
        )
    return guesses


def _choose_in_order(chooser: Chooser, game: Game, policy: Policy, frontier: Frontier) -> Indices:
    """Return the guess at each node, with one order of all tied guesses; −1 if none splits."""
    guesses = np.empty(len(frontier.parents), dtype=np.int32)
    if policy.weights is None or not policy.weights.by_context:
        chooser(frontier, scoring_rule(game, policy, frontier), guesses)
        return guesses
    for feedback in np.unique(frontier.feedback).tolist():
        nodes = np.flatnonzero(frontier.feedback == feedback)
        subset, chosen = frontier.subset(nodes), np.empty(len(nodes), dtype=np.int32)
        chooser(subset, scoring_rule(game, policy, subset, feedback), chosen)
        guesses[nodes] = chosen
    return guesses


def is_candidate(game: Game, frontier: Frontier, guesses: Indices) -> NDArray[np.bool_]:
    """Return whether each node's guess is one of its candidates, (n_nodes,)."""
    (members, offsets), played = frontier.sets, np.repeat(guesses, frontier.sizes)
    own = game.guess_of_secret[members] if isinstance(game, TableGame) else members
    found: NDArray[np.bool_] = np.logical_or.reduceat(own == played, offsets[:-1])
    return found


def split(game: Game, frontier: Frontier, feedback_of_sets: FeedbackIds) -> Frontier:
    """Split every node by its candidates' feedback ids; return the next turn's frontier."""
    members, offsets, parents, feedback = kernel.split(
        frontier.sets, feedback_of_sets, game.n_feedback, game.solved
    )
    return Frontier(frontier.turn + 1, Sets(members, offsets), parents, feedback)


def scoring_rule(game: Game, policy: Policy, frontier: Frontier, previous: int = 0) -> ScoringRule:
    """Return the rule for the nodes of a turn; all have the same `previous` feedback id."""
    criterion, weights = policy.criterion_at(frontier.turn), policy.weights
    sizes, total = _sizes(game, criterion, frontier)
    scales = criterion.scales(total, game.n_feedback, weights is not None)
    distinct, which = np.unique(sizes, return_inverse=True)
    # Terms by weight are too long to keep.
    score = scored_set if total == game.n_secrets else scored_set.__wrapped__
    scored = [score(criterion, int(size), game.n_feedback, scales.weight) for size in distinct]
    starts = np.cumsum([0, *(len(terms) for terms, _ in scored)])[:-1]
    row = np.ones(game.n_feedback) if weights is None else weights.at(frontier.turn, previous)
    return ScoringRule(
        terms=np.concatenate([terms for terms, _ in scored]),
        terms_at=starts[which],
        tolerances=np.array([tolerance for _, tolerance in scored])[which],
        tolerance_part=criterion.tolerance_part,
        weights=exact_weights(row, scales.weight),
        log_parts=_log_parts(game) if criterion.per_log_parts else np.empty(0),
        takes_min=criterion.fold == "min",
        consistent_only=policy.guess_pool == "consistent",
        prefers_consistent=policy.prefers_consistent,
        reverses=policy.reverses,
    )


def _sizes(game: Game, criterion: Criterion, frontier: Frontier) -> tuple[Indices | Offsets, int]:
    """Return the sizes of the nodes' sets as a criterion measures them, and that of all secrets."""
    weights = game.prior if isinstance(game, TableGame) else None
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


def _log_parts(game: Game) -> Scores:
    """Return log2 of each number of parts; 1 below two parts, whose score is −inf anyway."""
    divisors = np.ones(game.n_feedback + 1)
    divisors[2:] = np.log2(np.arange(2, game.n_feedback + 1))
    return divisors
