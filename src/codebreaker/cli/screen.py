"""Rich text on a terminal, plain text or JSON in a pipe."""

import json
import sys
from typing import TYPE_CHECKING, Any

from codebreaker.cli.options import Format

if TYPE_CHECKING:
    from rich.text import Text

    from codebreaker.games.notation import Notation
    from codebreaker.types import Move

COLOURS = (
    "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright_red", "bright_green",
    "bright_yellow", "bright_blue", "bright_magenta", "bright_cyan", "bright_white",
)  # fmt: skip
"""The terminal's colours of pegs, in the order of the symbols; then they begin anew."""

MARKS = {"g": "black on green", "y": "black on yellow", "b": "white on bright_black"}


class Screen:
    """Where a command writes: lines of cells, or an object."""

    def __init__(self, wanted: Format, notation: "Notation | None" = None) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, soft_wrap=True, force_terminal=_forced(wanted))
        self._notation = notation
        self.json = wanted is Format.json
        self.rich = wanted is Format.rich or (wanted is Format.auto and sys.stdout.isatty())

    def object(self, data: dict[str, Any], one_line: bool = False) -> None:
        """Write an object as JSON."""
        sys.stdout.write(json.dumps(data, indent=None if one_line else 2, ensure_ascii=False))
        sys.stdout.write("\n")
        sys.stdout.flush()

    def line(self, *parts: "str | Text", style: str = "") -> None:
        """Write a line; its style shows on a terminal alone."""
        if not self.rich:
            print("".join(map(str, parts)), flush=True)
            return
        from rich.text import Text

        self._console.print(Text("", style=style).append_text(Text.assemble(*parts)))

    def code(self, label: str) -> "str | Text":
        """Return a code, with a coloured peg for each symbol where that can be shown."""
        if not self.rich or self._notation is None:
            return label
        symbols = getattr(self._notation.rules, "symbols", None)
        if symbols is None:
            return self._styled(label, "bold")
        from rich.text import Text

        known = symbols()
        pegs = label.split(".") if "." in label else list(label)
        style = {symbol: COLOURS[i % len(COLOURS)] for i, symbol in enumerate(known)}
        return Text(" ").join(Text(f" {peg} ", f"bold black on {style[peg]}") for peg in pegs)

    def feedback(self, feedback: int) -> "str | Text":
        """Return a feedback as it is typed, beside its pegs or marks where these can be shown."""
        notation = self._notation
        assert notation is not None
        short = notation.short(feedback)
        if not self.rich:
            return short
        from rich.text import Text

        label = notation.game.feedback_labels[feedback]
        if label.strip("byg") == "":
            return Text.assemble(*((f" {mark} ", MARKS[mark]) for mark in label))
        counts = [int(count) for count in short.split(",")]
        pegs = Text("●" * counts[0], "bold").append("○" * sum(counts[1:]), "bold")
        return Text.assemble(pegs, " " if sum(counts) else "", (short, "dim"))

    def move(self, number: int, move: "Move") -> None:
        """Write a move as a line."""
        assert self._notation is not None
        guess, feedback = move
        label = self._notation.game.guesses[guess]
        self.line(f"{number:>2}  ", self.code(label), "  ", self.feedback(feedback))

    @staticmethod
    def _styled(text: str, style: str) -> "Text":
        from rich.text import Text

        return Text(text, style)


def _forced(wanted: Format) -> bool | None:
    """Return whether rich takes its output for a terminal, or None where it looks itself."""
    return True if wanted is Format.rich else None
