"""Trees as the study stores them: a table with a row for each node, the strategy as metadata."""

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.trees.io import StrategyKey, tree_of_bytes, tree_to_bytes
from codebreaker.trees.outline import Outline, check_depth
from codebreaker.trees.tree import GameTree


def game(content: bytes) -> str | None:
    """Return the name of the game."""
    return tree_of_bytes(content)[1].game


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` that names the first bad row, counted from 1."""
    tree, _ = tree_of_bytes(content)
    columns = (tree.parent, tree.feedback, tree.guess, tree.n_candidates)
    outline, turns = Outline(), list[int]()
    for row, (parent, feedback, guess, count) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True)
    ):
        try:
            _check(notation, row, parent, feedback, guess)
            outline.add(None if row == 0 else parent, feedback, guess, count)
            turns.append(1 if row == 0 else turns[parent] + 1)
            check_depth(turns[-1])
        except CodebreakerError as error:
            raise CodebreakerError(f"row {row + 1}: {error}") from None
    if not outline.guess:
        raise CodebreakerError("the table has no rows: use a complete file")
    return outline


def _check(notation: Notation, row: int, parent: int, feedback: int, guess: int) -> None:
    game = notation.game
    if not 0 <= guess < game.n_guesses:
        raise CodebreakerError(f"{game.name} has no guess {guess}")
    if row == 0 and parent >= 0:
        raise CodebreakerError("the first row is the root, which has no parent")
    if row and not 0 <= parent < row:
        raise CodebreakerError(f"the parent {parent} is not an earlier row")
    if row and not 0 <= feedback < game.n_feedback:
        raise CodebreakerError(f"{game.name} has no feedback {feedback}")


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree of unknown origin."""
    key = StrategyKey(
        game=notation.game.name,
        policy="unknown",
        opening=notation.game.guesses[tree.guess[0]],
        forced=False,
        guess_pool="all",
        tie_break="none",
        endgames=0,
        exact_from=None,
        guess_limit=None,
        tree="unknown",
    )
    return tree_to_bytes(tree, key)
