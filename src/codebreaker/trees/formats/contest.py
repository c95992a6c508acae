"""Trees such as `{AB:{00:CC,10:{AC:{10:AA}}}}` of the MM(5,8) contest (Code Golf 31926, 2014)."""

from string import ascii_uppercase

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import Node, Outline, Spelling, check_depth, pegs, tokens_of
from codebreaker.trees.tree import GameTree, children_of


def _spelling(notation: Notation) -> Spelling:
    title = "the contest's format"
    return pegs(notation, title, ascii_uppercase, lambda black, white: f"{black}{white}")


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; raise `CodebreakerError` with the line and column of the first error."""
    spelling, outline = _spelling(notation), Outline()

    def read_node(parent: Node | None, feedback: int, turn: int) -> None:
        check_depth(turn)
        opens = tokens.next == "{"
        if opens:
            tokens.take()
        node = outline.add(parent, feedback, Node(spelling.guess(tokens.next)))
        tokens.take()
        if not opens:
            return
        tokens.expect(":")
        separator = tokens.expect("{")
        while separator != "}":
            branch = spelling.feedback_id(tokens.next)
            if branch == spelling.game.solved:
                why = "the reply to the right guess is implied: remove this branch"
                raise CodebreakerError(why)
            tokens.take()
            tokens.expect(":")
            read_node(node, branch, turn + 1)
            separator = tokens.expect(",", "}")
        tokens.expect("}")

    with tokens_of(content, r"[A-Za-z]+|[0-9]+") as tokens:
        read_node(None, -1, 1)
        if tokens.next:
            raise CodebreakerError("the tree has ended: remove what follows it")
    return outline


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree on one line."""
    spelling, children = _spelling(notation), children_of(tree)

    def text(node: int) -> str:
        guess = spelling.guesses[tree.guess[node]]
        branches = (f"{spelling.feedback[f]}:{text(child)}" for f, child in children[node].items())
        return f"{{{guess}:{{{','.join(branches)}}}}}" if children[node] else guess

    return (text(0) + "\n").encode()
