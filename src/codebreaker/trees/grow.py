"""Growing game trees: a policy compiled over all secrets, or over a set of them."""

from collections.abc import Callable, Iterator
from typing import Literal, Protocol

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.policies.policy import Policy, check_fits
from codebreaker.trees import frontier as frontiers
from codebreaker.trees import on_demand
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.tree import GameTree
from codebreaker.types import FeedbackIds, Indices, Move


class PlaysEndgames(Protocol):
    """Plays small candidate sets exactly; `exact.endgames` has the implementation."""

    def play(self, frontier: Frontier, guesses: Indices) -> None:
        """Replace the guesses at the nodes whose candidate sets are solved exactly."""


def grow(
    game: Game,
    policy: Policy,
    threads: int = 1,
    backend: Literal["cpu", "cuda"] = "cpu",
    start: Frontier | None = None,
    endgames: PlaysEndgames | None = None,
) -> GameTree:
    """Grow a policy's tree from the first turn, or from a start.

    Games without a table use the threads, or a CUDA device; the tree does not depend on them. A
    policy with endgames needs what plays them. Raises `CodebreakerError` where the policy does not
    fit the game or can't solve it.
    """
    check_fits(policy, game.name, game.feedback_labels)
    if policy.endgames and endgames is None:
        raise CodebreakerError(f"policy {policy.slug} needs the exact search for its endgames")

    def choose(frontier: Frontier) -> Indices:
        if isinstance(game, TableGame):
            return frontiers.choose(game, policy, frontier)
        assert isinstance(game, CodeGame)
        if backend == "cuda":
            from codebreaker.trees import on_demand_cuda

            guesses = on_demand_cuda.choose(game, policy, frontier)
        else:
            guesses = on_demand.choose(game, policy, frontier, threads)
        if endgames is not None and frontier.turn > 1:
            endgames.play(frontier, guesses)
        return guesses

    return plant(game, choose, start)


def plant(
    game: Game,
    choose: Callable[[Frontier], Indices],
    start: Frontier | None = None,
) -> GameTree:
    """Grow the tree of a choice of guesses for all nodes of a turn, (n_nodes,) int32.

    It grows from a start of one node, or from the first turn.
    """
    frontier = frontiers.root(game) if start is None else start
    levels = []
    while len(frontier.parents):
        guesses = choose(frontier)
        levels.append((frontier, guesses))
        frontier = frontiers.split(game, frontier, _answers(game, frontier, guesses))
    return _stack(levels)


def _answers(game: Game, frontier: Frontier, guesses: Indices) -> FeedbackIds:
    if isinstance(game, CodeGame):
        return on_demand.feedback_of_sets(game, frontier, guesses)
    assert isinstance(game, TableGame)
    return frontiers.feedback_of_sets(game, frontier, guesses)


def _stack(levels: list[tuple[Frontier, Indices]]) -> GameTree:
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


def walk(game: Game, tree: GameTree) -> Iterator[tuple[Frontier, Indices, FeedbackIds]]:
    """Yield each turn's frontier of a tree, its guesses, and the answers of all its members.

    They are (n_nodes,) int32 and (n_members,) uint8; the nodes come in the order of the tree's.
    """
    frontier = frontiers.root(game)
    for turn in range(1, tree.turn.max() + 1):
        guesses = tree.guess[tree.turn == turn]
        told = _answers(game, frontier, guesses)
        yield frontier, guesses, told
        frontier = frontiers.split(game, frontier, told)


def transcripts(game: Game, tree: GameTree) -> list[list[Move]]:
    """Return every secret's moves, in the order of the secrets."""
    found: list[list[Move]] = [[] for _ in range(game.n_secrets)]
    for frontier, guesses, told in walk(game, tree):
        played = np.repeat(guesses, frontier.sizes)
        for secret, guess, feedback in zip(
            frontier.sets.members.tolist(), played.tolist(), told.tolist(), strict=True
        ):
            found[secret].append((guess, feedback))
    return found
