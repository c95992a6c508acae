"""Output of a command: rich text on a terminal, plain text or JSON in a pipe."""

import json
import sys
from typing import TYPE_CHECKING, Any

from codebreaker.cli.options import Format

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.text import Text

    from codebreaker.advice.suggest import Assistant
    from codebreaker.games.notation import Notation
    from codebreaker.types import Indices, Move

PEGS = ("bold white on grey30", "bold black on white")
"""Styles of black and white pegs; their letters say which is which without colours too."""

MARKS = {"g": "black on green", "y": "black on yellow", "b": "white on bright_black"}

MAX_LISTED = 10
"""The number of candidates that are listed by default."""


class Output:
    """Writes a command's output to stdout in one format."""

    def __init__(self, output: Format, notation: "Notation | None" = None) -> None:
        from rich.console import Console

        # None lets rich decide whether stdout is a terminal. Lines are wrapped at words there, and
        # nowhere else.
        forced = True if output is Format.rich else None
        self._console = Console(
            highlight=False, soft_wrap=not sys.stdout.isatty(), force_terminal=forced
        )
        self._notation = notation
        self.json = output is Format.json
        self.rich = output is Format.rich or (output is Format.auto and sys.stdout.isatty())

    def object(self, data: dict[str, Any], one_line: bool = False) -> None:
        """Write an object as JSON."""
        sys.stdout.write(json.dumps(data, indent=None if one_line else 2, ensure_ascii=False))
        sys.stdout.write("\n")
        sys.stdout.flush()

    def line(self, *parts: "str | Text", style: str = "") -> None:
        """Write a line, with its style if the output is rich."""
        if not self.rich:
            print("".join(map(str, parts)), flush=True)
            return
        from rich.text import Text

        self._console.print(Text("", style=style).append_text(Text.assemble(*parts)))

    def code(self, label: str) -> "str | Text":
        """Return a code, as coloured pegs if the output is rich."""
        if not self.rich or self._notation is None:
            return label
        from rich.text import Text

        from codebreaker.games.codes import COLOURS, CodeRules

        rules = self._notation.rules
        if not isinstance(rules, CodeRules):
            return Text(label, "bold")
        few = self._console.color_system == "standard"
        styles = [
            f"bold {'white' if colour.dark else 'black'} on {colour.basic if few else colour.value}"
            for colour in COLOURS
        ]
        of = {symbol: styles[i % len(styles)] for i, symbol in enumerate(rules.symbols())}
        pegs = rules.symbols_of(label)
        return Text(" ").join(Text(f" {peg} ", of[peg]) for peg in pegs)

    def feedback(self, feedback: int) -> "str | Text":
        """Return feedback as it is typed, with pegs or marks if the output is rich."""
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
        letters = notation.kind.letters[: len(counts)]
        pegs = [
            (f" {letter} ", style)
            for letter, style, count in zip(letters, PEGS, counts, strict=False)
            for _ in range(count)
        ]
        return Text.assemble(*pegs, " " if pegs else "", (short, "dim"))

    def move(self, number: int, move: "Move") -> None:
        """Write a move as a line."""
        assert self._notation is not None
        guess, feedback = move
        label = self._notation.game.guesses[guess]
        self.line(f"{number:>2}  ", self.code(label), "  ", self.feedback(feedback))

    def candidates(
        self, candidates: "Indices", limit: int, more: str, chances: "list[Fraction] | None" = None
    ) -> None:
        """Write the number of candidates and the first ones; `more` ends a list cut short.

        If they have chances, these are written too.
        """
        assert self._notation is not None
        secrets = self._notation.game.secrets
        if chances is None:
            listed = " ".join(secrets[secret] for secret in candidates[:limit])
        else:
            listed = ", ".join(
                f"{secrets[secret]} {100 * float(chance):.1f}%"
                for secret, chance in zip(candidates[:limit], chances, strict=False)
            )
        n = len(candidates)
        self.line(f"candidates: {n:,}: {listed}", f" {more}" if limit < n else "")

    def policy(self, assistant: "Assistant", feedback: str) -> None:
        """Write the policy and the game, and what feedback means."""
        self.line(f"policy: {assistant.policy.slug} in {assistant.game.name}", style="dim")
        self.line(f"feedback: {feedback}", style="dim")


def about(assistant: "Assistant") -> dict[str, Any]:
    """Return the game, the policy and the notation of feedback, for JSON."""
    return {
        "game": assistant.game.name,
        "policy": assistant.policy.slug,
        "feedback": assistant.notation.legend,
    }
