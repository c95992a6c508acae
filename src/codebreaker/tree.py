"""Game trees: a policy compiled over all secrets, as a table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from codebreaker import endgames, on_demand
from codebreaker import frontier as frontiers
from codebreaker.errors import CodebreakerError
from codebreaker.frontier import Frontier
from codebreaker.game import AnyGame, CodeGame
from codebreaker.policy import Policy, check_fits
from codebreaker.types import Codes, Ids


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game tree, one entry a node, level by level from the root; all columns (n_nodes,) int32.

    `parent` is the parent's index and `feedback` the id that led from it (both -1 at the root);
    `guess` is played at the node, on turn `turn` (from 1), with `n_candidates` secrets possible.
    """

    parent: Codes
    turn: Codes
    feedback: Codes
    guess: Codes
    n_candidates: Codes

    @property
    def total_guesses(self) -> int:
        """Return the guesses of all secrets together: a node costs one for each candidate."""
        return int(self.n_candidates.sum(dtype=np.int64))

    @property
    def profile(self) -> Codes:
        """Return how many secrets are solved at each turn, from turn 1 on.

        A secret is solved at a turn where its node has no child that holds it.
        """
        reached = np.bincount(self.turn, weights=self.n_candidates)[1:].astype(np.int32)
        return reached - np.append(reached[1:], 0).astype(np.int32)


def grow(
    game: AnyGame, policy: Policy, threads: int = 1, backend: Literal["cpu", "cuda"] = "cpu"
) -> GameTree:
    """Grow the tree of a policy, choosing for all nodes of a turn at once.

    Games without a table use the threads, or a CUDA device; the tree is the same for any of them.
    Raises `CodebreakerError` where the policy does not fit the game or can't solve it.
    """
    check_fits(policy, game.name, game.feedback_labels)
    if isinstance(game, CodeGame):
        return plant(game, endgames.chooser(game, policy, threads, backend=backend))
    if policy.endgames:
        raise CodebreakerError(
            f"policy {policy.slug} plays endgames exactly, which is for games without a table: "
            f"solve {game.name} itself, under the config key exact.games"
        )
    return plant(game, lambda frontier: frontiers.choose(game, policy, frontier))


def plant(game: AnyGame, choose: Callable[[Frontier], Codes]) -> GameTree:
    """Grow the tree of a choice of guesses for all nodes of a turn, (n_nodes,) int32."""
    frontier = frontiers.root(game)
    levels = []
    while len(frontier.parents):
        guesses = choose(frontier)
        levels.append((frontier, guesses))
        frontier = frontiers.split(game, frontier, _answers(game, frontier, guesses))
    return _stack(levels)


def _answers(game: AnyGame, frontier: Frontier, guesses: Codes) -> Ids:
    if isinstance(game, CodeGame):
        return on_demand.answers(game, frontier, guesses)
    return frontiers.answers(game, frontier, guesses)


def _stack(levels: list[tuple[Frontier, Codes]]) -> GameTree:
    above = np.cumsum([0, 0, *(len(guesses) for _, guesses in levels)])
    return GameTree(
        parent=np.concatenate(
            [
                np.where(f.parents < 0, -1, f.parents + at)
                for (f, _), at in zip(levels, above, strict=False)
            ]
        ).astype(np.int32),
        turn=np.concatenate([np.full(len(g), f.turn, dtype=np.int32) for f, g in levels]),
        feedback=np.concatenate([f.feedback for f, _ in levels]),
        guess=np.concatenate([g for _, g in levels]),
        n_candidates=np.concatenate([f.sizes for f, _ in levels]),
    )


Move = tuple[int, int]
"""A guess's index and the feedback id that it got."""


def follow(game: AnyGame, tree: GameTree, secret: int) -> list[Move]:
    """Return the moves that a secret meets, down to the guess that solves it."""
    children = children_of(tree)
    node, moves = 0, []
    while True:
        guess = int(tree.guess[node])
        feedback = int(game.answers(guess, np.array([secret]))[0])
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


def walk(game: AnyGame, tree: GameTree) -> Iterator[tuple[Frontier, Codes, Ids]]:
    """Yield each turn's frontier of a tree, its guesses, and the answers of all its members.

    They are (n_nodes,) int32 and (n_members,) uint8; the nodes come in the order of the tree's.
    """
    frontier = frontiers.root(game)
    for turn in range(1, tree.turn.max() + 1):
        guesses = tree.guess[tree.turn == turn]
        told = _answers(game, frontier, guesses)
        yield frontier, guesses, told
        frontier = frontiers.split(game, frontier, told)


def transcripts(game: AnyGame, tree: GameTree) -> list[list[Move]]:
    """Return every secret's moves, in the order of the secrets."""
    found: list[list[Move]] = [[] for _ in range(game.n_secrets)]
    for frontier, guesses, told in walk(game, tree):
        played = np.repeat(guesses, frontier.sizes)
        for secret, guess, feedback in zip(
            frontier.sets.members.tolist(), played.tolist(), told.tolist(), strict=True
        ):
            found[secret].append((guess, feedback))
    return found
