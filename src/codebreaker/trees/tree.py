"""A game tree as a table: what it tells, and walks along it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codebreaker.games.model import Game
from codebreaker.types import Indices


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game tree, one entry a node, level by level from the root; all columns (n_nodes,) int32.

    `parent` is the parent's index and `feedback` the id that led from it (both -1 at the root;
    a tree that is planted later in a game has the feedback before it there).
    `guess` is played at the node, on turn `turn` (from 1), with `n_candidates` secrets possible.
    """

    parent: Indices
    turn: Indices
    feedback: Indices
    guess: Indices
    n_candidates: Indices

    @property
    def total_guesses(self) -> int:
        """Return the guesses of all secrets together: a node costs one for each candidate."""
        return int(self.n_candidates.sum(dtype=np.int64))

    @property
    def max_guesses(self) -> int:
        """Return the most guesses that any secret takes, those before the root's turn included."""
        return int(self.turn.max())

    @property
    def profile(self) -> Indices:
        """Return how many secrets are solved at each turn, from the root's on.

        A secret is solved at a turn where its node has no child that holds it.
        """
        reached = np.bincount(self.turn, weights=self.n_candidates)[self.turn[0] :].astype(np.int32)
        return reached - np.append(reached[1:], 0).astype(np.int32)


Move = tuple[int, int]
"""A guess's index and the feedback id that it got."""


def follow(game: Game, tree: GameTree, secret: int) -> list[Move]:
    """Return the moves that a secret meets, down to the guess that solves it."""
    children = children_of(tree)
    node, moves = 0, []
    while True:
        guess = int(tree.guess[node])
        feedback = int(game.feedback(guess, np.array([secret]))[0])
        moves.append((guess, feedback))
        if feedback == game.solved:
            return moves
        node = children[node][feedback]


def children_of(tree: GameTree) -> list[dict[int, int]]:
    """Return each node's children by feedback id, in ascending order."""
    children: list[dict[int, int]] = [{} for _ in tree.parent]
    for node, (parent, feedback) in enumerate(
        zip(tree.parent.tolist(), tree.feedback.tolist(), strict=True)
    ):
        if parent >= 0:
            children[parent][feedback] = node
    return children


def below(tree: GameTree, node: int) -> GameTree:
    """Return the tree of a node and all that follows it, with the turns that they have."""
    inside = np.zeros(len(tree.parent), dtype=np.bool_)
    inside[node] = True
    for turn in range(int(tree.turn[node]) + 1, int(tree.turn[-1]) + 1):
        level = np.flatnonzero(tree.turn == turn)
        inside[level] = inside[tree.parent[level]]
    kept = np.flatnonzero(inside)
    parent = np.searchsorted(kept, tree.parent[kept]).astype(np.int32)
    parent[0] = -1
    return GameTree(
        parent, tree.turn[kept], tree.feedback[kept], tree.guess[kept], tree.n_candidates[kept]
    )


def after(tree: GameTree, moves: Sequence[Move]) -> int | None:
    """Return the node that moves lead to from the root, or None where they leave the tree."""
    node = 0
    for guess, feedback in moves:
        there = np.flatnonzero((tree.parent == node) & (tree.feedback == feedback))
        if tree.guess[node] != guess or not len(there):
            return None
        node = int(there[0])
    return node
