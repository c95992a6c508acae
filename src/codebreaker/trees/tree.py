"""Game trees as tables: their figures, the moves that they lead to, and their texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel
from codebreaker.types import Indices, Move

MOST_NESTED = 100
"""Maximum turns of trees in texts whose levels nest: writers refuse more, as readers do."""


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game tree: one entry per node, level by level from the root; columns (n_nodes,) int32."""

    parent: Indices  # the node above, -1 at the root
    turn: Indices  # counted from 1
    feedback: Indices  # the last feedback id, -1 at turn 1
    guess: Indices
    n_candidates: Indices

    @property
    def total_guesses(self) -> int:
        """Return the total guesses over all secrets: a node costs one per candidate."""
        return int(self.n_candidates.sum(dtype=np.int64))

    @property
    def max_guesses(self) -> int:
        """Return the maximum number of guesses, including those before the root."""
        return int(self.turn.max())

    def check(self) -> None:
        """Raise ValueError unless this tree solves all secrets, with nodes in order."""
        parent = self.parent
        turn = self.turn
        size = self.n_candidates.astype(np.int64)
        columns = (parent, turn, self.feedback, self.guess, self.n_candidates)
        if not len(parent) or any(column.shape != parent.shape for column in columns):
            raise ValueError("its columns are empty or differ in length")
        above = parent[1:]
        nodes = np.arange(1, len(parent))
        if parent[0] != -1 or (above < 0).any() or (above >= nodes).any():
            raise ValueError("a node does not come after its parent")
        order = np.lexsort((self.feedback[1:], above, turn[1:]))
        if (turn[1:] != turn[above] + 1).any() or (order != np.arange(len(order))).any():
            raise ValueError("its nodes are not level by level")
        siblings = (above[1:] == above[:-1]) & (self.feedback[2:] <= self.feedback[1:-1])
        below = np.bincount(above, weights=size[1:], minlength=len(parent)).astype(np.int64)
        solved = size - below
        if siblings.any() or (self.guess < 0).any() or (self.feedback[1:] < 0).any():
            raise ValueError("a feedback or a guess is out of range")
        if (size < 1).any() or (solved < 0).any() or (solved > 1).any() or turn[0] < 1:
            raise ValueError("a node's candidates don't match its children's")

    @property
    def profile(self) -> Indices:
        """Return the number of secrets solved at each turn, from the root's on."""
        reached = np.bincount(self.turn, weights=self.n_candidates)[self.turn[0] :].astype(np.int32)
        return reached - np.append(reached[1:], 0).astype(np.int32)


def follow(
    game: GameModel, tree: GameTree, secret: int, children: list[dict[int, int]] | None = None
) -> list[Move]:
    """Return a secret's moves; pass `children_of` for many secrets."""
    children = children or children_of(tree)
    node = 0
    moves = []
    while True:
        guess = int(tree.guess[node])
        feedback = int(game.feedback(guess, np.array([secret]))[0])
        moves.append((guess, feedback))
        if feedback == game.solved:
            return moves
        node = children[node][feedback]


def is_tree_of(game: GameModel, tree: GameTree, members: Indices) -> bool:
    """Return whether a tree is of a candidate set: whether play divides it as each node says."""
    if tree.guess.min() < 0 or tree.guess.max() >= game.n_guesses:
        return False
    if tree.n_candidates[0] != len(members):
        return False
    nodes = np.zeros(1, dtype=np.int64)
    sizes = np.array([len(members)])
    for turn in range(int(tree.turn[0]), int(tree.turn[-1]) + 1):
        # 1. The sets after the level's guesses, without the solved candidates.
        ids = game.feedback(np.repeat(tree.guess[nodes], sizes), members)
        places = np.repeat(np.arange(len(nodes)), sizes) * game.n_feedback + ids
        goes_on = np.flatnonzero(ids != game.solved)
        ordered = goes_on[np.argsort(places[goes_on], kind="stable")]
        parts, sizes = np.unique(places[ordered], return_counts=True)
        members = members[ordered]
        # 2. The next level's nodes must be these sets, in the same order.
        below = np.flatnonzero(tree.turn == turn + 1)
        in_tree = np.searchsorted(nodes, tree.parent[below]) * game.n_feedback
        in_tree += tree.feedback[below]
        if not np.array_equal(parts, in_tree):
            return False
        if not np.array_equal(sizes, tree.n_candidates[below]):
            return False
        nodes = below
    return not len(members)


def children_of(tree: GameTree) -> list[dict[int, int]]:
    """Return each node's children by feedback id, ascending."""
    children: list[dict[int, int]] = [{} for _ in tree.parent]
    pairs = zip(tree.parent.tolist(), tree.feedback.tolist(), strict=True)
    for node, (parent, feedback) in enumerate(pairs):
        if parent >= 0:
            children[parent][feedback] = node
    return children


def subtree(tree: GameTree, node: int) -> GameTree:
    """Return the tree below a node, which becomes its root at its turn."""
    inside = np.zeros(len(tree.parent), dtype=np.bool_)
    inside[node] = True
    for turn in range(int(tree.turn[node]) + 1, int(tree.turn[-1]) + 1):
        level = np.flatnonzero(tree.turn == turn)
        inside[level] = inside[tree.parent[level]]
    nodes = np.flatnonzero(inside)
    parent = np.searchsorted(nodes, tree.parent[nodes]).astype(np.int32)
    parent[0] = -1
    return GameTree(
        parent, tree.turn[nodes], tree.feedback[nodes], tree.guess[nodes], tree.n_candidates[nodes]
    )


def node_after(tree: GameTree, moves: Sequence[Move]) -> int | None:
    """Return the node that moves lead to, or None if they leave the tree."""
    node = 0
    for guess, feedback in moves:
        children = np.flatnonzero((tree.parent == node) & (tree.feedback == feedback))
        if tree.guess[node] != guess or not len(children):
            return None
        node = int(children[0])
    return node


def tree_lines(
    game: GameModel, tree: GameTree, labels: Sequence[str], turns: int | None = None
) -> Iterator[str]:
    """Yield a line for each node of the first turns: feedback, guess, and number of candidates.

    `labels` are those of feedback, by id.
    """
    children = children_of(tree)
    first = int(tree.turn[0])
    pending = [0]
    while pending:
        node = pending.pop()
        feedback = int(tree.feedback[node])
        depth = int(tree.turn[node]) - first
        label = f"{labels[feedback]} " if feedback >= 0 else ""
        yield f"{'    ' * depth}{label}{game.guesses[tree.guess[node]]} ({tree.n_candidates[node]})"
        if turns is None or depth + 1 < turns:
            pending.extend(reversed(children[node].values()))


def check_nesting(turns: int) -> None:
    """Raise `CodebreakerError` for a tree of too many turns to be nested in a text."""
    if turns > MOST_NESTED:
        raise CodebreakerError(
            f"the tree has {turns:,} turns, and nested text holds trees of at most {MOST_NESTED}: "
            "write it as parquet"
        )


def nested(game: GameModel, tree: GameTree, turns: int | None = None) -> dict[str, Any]:
    """Return a tree's first turns as {"guess": ..., "after": {feedback: tree unless solved}}.

    Raises `CodebreakerError` for more turns than readers of nested text accept.
    """
    every = len(tree.profile)
    shown = every if turns is None else min(turns, every)
    check_nesting(shown)
    nodes: list[dict[str, Any]] = [{"guess": game.guesses[guess]} for guess in tree.guess.tolist()]
    in_turns = tree.turn - tree.turn[0] < shown
    # Parents come before their children, and these in the order of their feedback.
    for node in np.flatnonzero(in_turns)[1:].tolist():
        after = nodes[tree.parent[node]].setdefault("after", {})
        after[game.feedback_labels[tree.feedback[node]]] = nodes[node]
    return nodes[0]
