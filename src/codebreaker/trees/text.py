"""Game trees as text for people, and as nested objects for JSON."""

from collections.abc import Iterator
from typing import Any

from codebreaker.games.model import Game
from codebreaker.trees.tree import GameTree, children_of
from codebreaker.types import Move


def tree_lines(game: Game, tree: GameTree, turns: int | None = None) -> Iterator[str]:
    """Yield a line a node: the feedback, then the next guess, then how many candidates are left.

    Of so many turns where that is told, else of all.
    """
    children = children_of(tree)
    first = int(tree.turn[0])
    pending = [0]
    while pending:
        node = pending.pop()
        feedback, depth = int(tree.feedback[node]), int(tree.turn[node]) - first
        led = f"{game.feedback_labels[feedback]} " if feedback >= 0 else ""
        yield f"{'    ' * depth}{led}{game.guesses[tree.guess[node]]} ({tree.n_candidates[node]})"
        if turns is None or depth + 1 < turns:
            pending.extend(reversed(children[node].values()))


def move_text(game: Game, move: Move) -> str:
    """Return a move as the guess and the label of its feedback."""
    guess, feedback = move
    return f"{game.guesses[guess]} {game.feedback_labels[feedback]}"


def nested(game: Game, tree: GameTree, turns: int | None = None) -> dict[str, Any]:
    """Return a tree as {"guess": ..., "after": {feedback: tree}}, without what solves.

    Of so many turns where that is told, else of all.
    """
    return _nested(game, tree, children_of(tree), 0, turns)


def _nested(
    game: Game,
    tree: GameTree,
    children: list[dict[int, int]],
    node: int,
    turns: int | None,
) -> dict[str, Any]:
    found: dict[str, Any] = {"guess": game.guesses[tree.guess[node]]}
    left = None if turns is None else turns - 1
    if children[node] and left != 0:
        found["after"] = {
            game.feedback_labels[feedback]: _nested(game, tree, children, child, left)
            for feedback, child in children[node].items()
        }
    return found
