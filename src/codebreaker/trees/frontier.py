"""Frontiers: the candidate sets of one turn, from which every tree is grown level by level."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Game, TableGame
from codebreaker.policies.criteria import scored_set
from codebreaker.policies.policy import Policy
from codebreaker.policies.weights import exact_weights
from codebreaker.trees.kernels import table as cpu
from codebreaker.trees.kernels.sets import ScoringRule, Sets
from codebreaker.trees.kernels.table import Table
from codebreaker.types import FeedbackIds, Indices, Offsets, Scores


@dataclass(frozen=True, eq=False)
class Frontier:
    """The nodes of one turn: their candidate sets, and where they hang in the tree.

    `parents` are positions in the previous turn's frontier, `feedback` the ids that led here;
    both are (n_nodes,) int32, and -1 at the root; the feedback of a start is that before it.
    """

    turn: int
    sets: Sets
    parents: Indices
    feedback: Indices

    @property
    def sizes(self) -> Indices:
        """Return the number of candidates of each node, (n_nodes,) int32."""
        return np.diff(self.sets.offsets).astype(np.int32)

    @property
    def only_members(self) -> Indices:
        """Return the candidate of each node that has but one, else −1, (n_nodes,) int32."""
        members, offsets = self.sets
        return np.where(self.sizes == 1, members[offsets[:-1]], np.int32(-1))


class ForestWeights(NamedTuple):
    """The weights of a forest's trees at a turn, (n_trees, n_feedback), and each node's tree.

    A forest is a frontier with the nodes of many trees, whose members may repeat from tree to tree.
    """

    weights: Scores
    tree_of: Offsets

    def part(self, nodes: Offsets) -> "ForestWeights":
        """Return the rows of some nodes."""
        return ForestWeights(self.weights, self.tree_of[nodes])


def root(game: Game) -> Frontier:
    """Return the frontier before the first guess: every secret in one set."""
    return start(np.arange(game.n_secrets, dtype=np.int32), 1, -1)


def start(members: Indices, turn: int, feedback: int) -> Frontier:
    """Return the frontier of one set at a turn, after a feedback id; -1 at turn 1."""
    sets = Sets(members, np.array([0, len(members)]))
    nowhere = np.array([-1], dtype=np.int32)
    return Frontier(turn, sets, nowhere, np.array([feedback], dtype=np.int32))


Chooser = Callable[[Frontier, ScoringRule, Indices], None]
"""Chooses a guess for each node of a frontier, by a rule, into an array (n_nodes,) int32."""


def choose(game: TableGame, policy: Policy, frontier: Frontier) -> Indices:
    """Return the guess that the policy plays at each node, (n_nodes,) int32.

    Raises `CodebreakerError` where no guess of the pool tells two candidates apart.
    """
    table = Table(game.by_secret, game.guess_of_secret)

    def by_table(some: Frontier, rule: ScoringRule, guesses: Indices) -> None:
        cpu.choose(table, some.sets, rule, guesses)

    return choose_by(by_table, game, policy, frontier)


def choose_by(chooser: Chooser, game: Game, policy: Policy, frontier: Frontier) -> Indices:
    """Return the guess that the policy plays at each node, (n_nodes,) int32, found by a chooser.

    Raises `CodebreakerError` where no guess of the pool tells two candidates apart.
    """
    if frontier.turn == 1 and policy.opening is not None:
        return np.array([game.guesses.index(policy.opening)], dtype=np.int32)
    guesses = np.empty(len(frontier.parents), dtype=np.int32)
    if policy.weights is None or not policy.weights.by_context:
        chooser(frontier, rule_of(game, policy, frontier), guesses)
    else:
        for feedback in np.unique(frontier.feedback).tolist():
            nodes = np.flatnonzero(frontier.feedback == feedback)
            some = part(frontier, nodes)
            chosen = np.empty(len(nodes), dtype=np.int32)
            chooser(some, rule_of(game, policy, some, feedback), chosen)
            guesses[nodes] = chosen
    if (guesses < 0).any():
        raise CodebreakerError(
            f"game {game.name} can't be solved by policy {policy.slug}: at turn {frontier.turn} "
            "no guess tells the remaining candidates apart"
        )
    return guesses


def feedback_of_sets(game: TableGame, frontier: Frontier, guesses: Indices) -> FeedbackIds:
    """Return the feedback id of each node's guess to each of its members, (n_members,) uint8."""
    table = Table(game.by_secret, game.guess_of_secret)
    found: FeedbackIds = cpu.feedback_of_sets(table, frontier.sets, guesses)
    return found


def split(game: Game, frontier: Frontier, feedback_of_sets: FeedbackIds) -> Frontier:
    """Split every node by its members' feedback ids; the next turn's nodes are those not solved."""
    members, offsets, parents, feedback = cpu.split(
        frontier.sets, feedback_of_sets, game.n_feedback, game.solved
    )
    return Frontier(frontier.turn + 1, Sets(members, offsets), parents, feedback)


def part(frontier: Frontier, nodes: Offsets) -> Frontier:
    """Return some nodes of a frontier."""
    (members, offsets), sizes = frontier.sets, frontier.sizes[nodes]
    ends = np.append(0, np.cumsum(sizes))
    at = np.repeat(offsets[nodes] - ends[:-1], sizes) + np.arange(ends[-1])
    return Frontier(
        frontier.turn, Sets(members[at], ends), frontier.parents[nodes], frontier.feedback[nodes]
    )


def rule_of(game: Game, policy: Policy, frontier: Frontier, previous: int = 0) -> ScoringRule:
    """Return the rule for the nodes of a turn, whose previous guess had a feedback in common."""
    criterion, weights, sizes = policy.criterion_at(frontier.turn), policy.weights, frontier.sizes
    of_game = criterion.scales(game.n_secrets, game.n_feedback, weights is not None)
    distinct, which = np.unique(sizes, return_inverse=True)
    scored = [
        scored_set(criterion, int(size), game.n_feedback, of_game.weight) for size in distinct
    ]
    starts = np.cumsum([0, *(len(terms) for terms, _ in scored)])[:-1]
    row = np.ones(game.n_feedback) if weights is None else weights.at(frontier.turn, previous)
    return ScoringRule(
        terms=np.concatenate([terms for terms, _ in scored]),
        terms_at=starts[which],
        tolerances=np.array([tolerance for _, tolerance in scored])[which],
        tolerance_part=criterion.tolerance_part,
        weights=exact_weights(row, of_game.weight),
        log_parts=_log_parts(game) if criterion.per_log_parts else np.empty(0),
        takes_min=criterion.fold == "min",
        consistent_only=policy.guess_pool == "consistent",
        prefers_consistent=policy.prefers_consistent,
        reverses=policy.reverses,
    )


def _log_parts(game: Game) -> Scores:
    """Return log2 of each number of parts; 1 for fewer than two, which never score."""
    divisors = np.ones(game.n_feedback + 1)
    divisors[2:] = np.log2(np.arange(2, game.n_feedback + 1))
    return divisors
