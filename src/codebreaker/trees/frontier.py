"""Frontiers: the candidate sets of one turn."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import Game, TableGame
from codebreaker.sets.partition import all_secrets
from codebreaker.sets.primitives import Sets
from codebreaker.trees.kernels import table as kernel
from codebreaker.types import FeedbackIds, Indices, Offsets, Scores


@dataclass(frozen=True, eq=False)
class Frontier:
    """The nodes of one turn, with their candidate sets.

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
        """Return the frontier of some of the nodes."""
        (members, offsets), sizes = self.sets, self.sizes[nodes]
        ends = np.append(0, np.cumsum(sizes))
        at = np.repeat(offsets[nodes] - ends[:-1], sizes) + np.arange(ends[-1])
        return Frontier(
            self.turn, Sets(members[at], ends), self.parents[nodes], self.feedback[nodes]
        )


class ForestWeights(NamedTuple):
    """The weights of a forest's trees at a turn, (n_trees, n_feedback), and each node's tree."""

    weights: Scores
    tree_of: Offsets

    def subset(self, nodes: Offsets) -> "ForestWeights":
        """Return the same weights for some of the nodes."""
        return ForestWeights(self.weights, self.tree_of[nodes])


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
