"""How games, positions and trees look in a notebook."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codebreaker.api.games import Game
    from codebreaker.api.states import State
    from codebreaker.api.trees import Tree

COLOURS = ("#0077bb", "#ee7733", "#009988", "#cc3311", "#ee3377", "#ddaa33", "#555555", "#88ccee")
"""Peg colours, told apart by readers with colour-vision deficiencies; labels stand on the pegs."""

MOST_SHOWN = 12
"""The most candidates that a position shows."""

TURNS_SHOWN = 3
"""The depth of a drawn tree."""

PEG = (
    "display:inline-block;min-width:1.35em;height:1.35em;line-height:1.35em;margin:1px;"
    "border-radius:50%;text-align:center;color:#fff;font:600 .85em sans-serif;background:{colour}"
)

LIST = '<ul style="list-style:none">'
"""A list without bullets, as its entries have triangles."""


def pegs_html(label: str, symbols: str) -> str:
    """Return a code as pegs in the colours of its symbols."""
    pegs = []
    for symbol in label.split("."):
        for peg in symbol if len(label.split(".")) == 1 else [symbol]:
            colour = COLOURS[symbols.find(peg) % len(COLOURS)] if peg in symbols else "#555555"
            pegs.append(f'<span style="{PEG.format(colour=colour)}">{escape(peg)}</span>')
    return "".join(pegs)


def symbols_of(game: "Game") -> str:
    """Return the symbols of a game's codes, in order."""
    return "".join(sorted({symbol for guess in game.guesses[:4096] for symbol in guess}))


def game_html(game: "Game") -> str:
    """Return a game's figures and a code of it."""
    example = pegs_html(game.guesses[len(game.guesses) // 2], symbols_of(game))
    return (
        f"<p><b>{escape(game.name)}</b> {example}: {len(game.guesses):,} guesses, "
        f"{len(game.secrets):,} secrets, {len(game.feedback_labels)} kinds of feedback</p>"
    )


def state_html(state: "State") -> str:
    """Return the moves so far as rows of pegs, and the candidates left."""
    symbols, left = symbols_of(state.game), state.candidates
    rows = "".join(
        f"<tr><td>{turn}</td><td>{pegs_html(guess, symbols)}</td><td>{escape(feedback)}</td></tr>"
        for turn, (guess, feedback) in enumerate(state.moves, start=1)
    )
    shown = " ".join(escape(label) for label in left[:MOST_SHOWN])
    more = "" if len(left) <= MOST_SHOWN else f" and {len(left) - MOST_SHOWN:,} more"
    return (
        f"<table><tr><th>turn</th><th>guess</th><th>feedback</th></tr>{rows}</table>"
        f"<p>{len(left):,} candidates: {shown}{more}</p>"
    )


def tree_html(tree: "Tree") -> str:
    """Return a tree's figures, and its first turns as nested lists that open and close."""
    symbols, game = symbols_of(tree.game), tree.game
    model, children = tree.model, tree._children

    def node_html(node: int, depth: int) -> str:
        feedback, guess = int(model.feedback[node]), game.guesses[model.guess[node]]
        label = f"{escape(game.feedback_labels[feedback])} → " if feedback >= 0 else ""
        line = f"{label}{pegs_html(guess, symbols)} <small>{model.n_candidates[node]:,}</small>"
        below = children[node].values()
        if not below or depth == TURNS_SHOWN:
            return f"<li>{line}</li>"
        inner = "".join(node_html(child, depth + 1) for child in below)
        opened = " open" if depth == 1 else ""
        return f"<li><details{opened}><summary>{line}</summary>{LIST}{inner}</ul></details></li>"

    profile = " ".join(str(solved) for solved in tree.profile)
    return (
        f"<p><b>{escape(tree.name)}</b> on {escape(game.name)}: {tree.figures}; "
        f"solved at guess 1, 2, ...: {profile}</p>{LIST}{node_html(0, 1)}</ul>"
    )
