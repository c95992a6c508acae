"""Game trees as readable text, and as nested objects for JSON."""

from collections.abc import Iterator
from typing import Any

from codebreaker.games.model import Game
from codebreaker.trees.tree import GameTree, children_of
from codebreaker.types import Move


def tree_lines(game: Game, tree: GameTree, turns: int | None = None) -> Iterator[str]:
    """Yield one line per node: the feedback, the next guess and the number of candidates left.

    `turns` limits the depth.
    """
    children = children_of(tree)
    first = int(tree.turn[0])
    pending = [0]
    while pending:
        node = pending.pop()
        feedback, depth = int(tree.feedback[node]), int(tree.turn[node]) - first
        label = f"{game.feedback_labels[feedback]} " if feedback >= 0 else ""
        yield f"{'    ' * depth}{label}{game.guesses[tree.guess[node]]} ({tree.n_candidates[node]})"
        if turns is None or depth + 1 < turns:
            pending.extend(reversed(children[node].values()))


def move_text(game: Game, move: Move) -> str:
    """Return a move as the guess and the label of its feedback."""
    guess, feedback = move
    return f"{game.guesses[guess]} {game.feedback_labels[feedback]}"


def nested(game: Game, tree: GameTree, turns: int | None = None) -> dict[str, Any]:
    """Return a tree as {"guess": ..., "after": {feedback: tree}}; the solving feedback has none.

    `turns` limits the depth.
    """
    children = children_of(tree)

    def below(node: int, turns_left: int | None) -> dict[str, Any]:
        shown: dict[str, Any] = {"guess": game.guesses[tree.guess[node]]}
        turns_left = None if turns_left is None else turns_left - 1
        if children[node] and turns_left != 0:
            shown["after"] = {
                game.feedback_labels[feedback]: below(child, turns_left)
                for feedback, child in children[node].items()
            }
        return shown

    return below(0, turns)
