"""Trees as Graphviz draws them: a node for each guess, an edge for each feedback."""

from codebreaker.games.notation import Notation
from codebreaker.trees.tree import GameTree


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree as a directed graph; the numbers are the candidates left."""
    tree_game = notation.game
    lines = [f"digraph {_quoted(tree_game.name)} {{", "  node [shape=box];"]
    columns = (tree.parent, tree.feedback, tree.guess, tree.n_candidates)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for node, (parent, feedback, guess, count) in enumerate(rows):
        lines.append(f"  {node} [label={_quoted(f'{tree_game.guesses[guess]} ({count})')}];")
        if parent >= 0:
            label = _quoted(tree_game.feedback_labels[feedback])
            lines.append(f"  {parent} -> {node} [label={label}];")
    return ("\n".join([*lines, "}"]) + "\n").encode()
