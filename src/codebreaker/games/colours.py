"""The colours of pegs, on the page and at a terminal, and the letters that stand for them."""

from typing import NamedTuple


class Colour(NamedTuple):
    """A colour: the letter that people may type for it, its name and its value.

    `dark` says that text on it is white; `basic` is its name on a terminal of 16 colours.
    """

    letter: str
    name: str
    value: str
    dark: bool
    basic: str


COLOURS = (
    Colour("b", "blue", "#0072b2", True, "blue"),
    Colour("o", "orange", "#e69f00", False, "bright_red"),
    Colour("g", "green", "#009e73", True, "green"),
    Colour("r", "red", "#d55e00", True, "red"),
    Colour("p", "pink", "#cc79a7", False, "magenta"),
    Colour("y", "yellow", "#f0e442", False, "bright_yellow"),
    Colour("s", "sky blue", "#56b4e9", False, "cyan"),
    Colour("n", "brown", "#7a5230", True, "yellow"),
    Colour("", "grey", "#8a8f98", False, "white"),
    Colour("", "indigo", "#332288", True, "bright_blue"),
)
"""The colours in the order of the symbols; more symbols take them again from the first."""

LETTERS = "".join(colour.letter for colour in COLOURS)
"""The letters, in the order of the symbols: games of more colours than these have digits alone."""

SAID = ", ".join(f"{colour.letter} {colour.name}" for colour in COLOURS if colour.letter)
"""The letters and what they stand for, for people."""
