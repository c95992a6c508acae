"""What is typed in a game, and what is told: lines, or events as JSON, one a line."""

import sys
from typing import Any

import typer

from codebreaker.assistant.suggest import Assistant
from codebreaker.cli.screen import Screen
from codebreaker.types import Move

HINT, UNDO, QUIT = "?", "/undo", "/quit"

SHOWN = 10
"""So many candidates are listed."""


class Dialogue:
    """A game's lines from stdin, and what is told about them."""

    def __init__(self, screen: Screen, asked: Assistant) -> None:
        self.screen, self.asked = screen, asked
        self.notation, self.game = asked.notation, asked.game

    def ask(self, what: str) -> str:
        """Return what is typed: a command, or text that is none; QUIT at the end of input.

        Commands need their slash only where the game has a word like them.
        """
        while True:
            if sys.stdin.isatty() and not self.screen.json:
                typer.echo(f"{what}> ", nl=False)
            line = sys.stdin.readline()
            typed = line.strip().lower()
            if not line:
                return QUIT
            if f"/{typed}" in (UNDO, QUIT) and typed not in self.game.guesses:
                return f"/{typed}"
            if typed:
                return typed

    def start(self, task: str) -> None:
        """Tell what is played, and what feedback means."""
        if self.screen.json:
            self._event("start", game=self.game.name, feedback=self.notation.legend)
            return
        self.screen.line(
            f"{self.game.name}, {self.game.n_secrets:,} secrets. {task}; "
            "? for a hint, undo, or quit.",
            style="bold",
        )
        self.screen.line(f"feedback: {self.notation.legend}", style="dim")

    def move(self, number: int, move: Move) -> None:
        """Tell a move."""
        guess, feedback = move
        if self.screen.json:
            short = self.notation.short(feedback)
            self._event("move", turn=number, guess=self.game.guesses[guess], feedback=short)
        else:
            self.screen.move(number, move)

    def guess(self, turn: int, guess: int, n_candidates: int) -> None:
        """Tell what the program guesses."""
        label = self.game.guesses[guess]
        if self.screen.json:
            self._event("guess", turn=turn, guess=label, n_candidates=n_candidates)
        else:
            left = "the only candidate" if n_candidates == 1 else f"{n_candidates:,} candidates"
            self.screen.line(f"guess {turn}: ", self.screen.code(label), f" ({left})", style="bold")

    def hint(self, moves: list[Move]) -> None:
        """Tell the policy's next guess and some candidates."""
        found = self.asked.suggest(moves)
        guess, secrets = self.game.guesses[found.guess], self.game.secrets
        listed = [secrets[secret] for secret in found.candidates[:SHOWN]]
        n = len(found.candidates)
        if self.screen.json:
            self._event("hint", guess=guess, n_candidates=n, candidates=listed)
            return
        more = " ..." if n > SHOWN else ""
        self.screen.line("hint: ", self.screen.code(guess))
        self.screen.line(f"candidates: {n:,}: {' '.join(listed)}{more}")

    def undo(self, moves: list[Move]) -> None:
        """Take the last move back, and tell it."""
        if not moves:
            self.error("there is no move to undo")
            return
        text = self.notation.text(moves[-1])
        moves.pop()
        if self.screen.json:
            self._event("undo", turn=len(moves) + 1, move=text)
        else:
            self.screen.line(f"move {len(moves) + 1}, {text}, is taken back")

    def error(self, message: str) -> None:
        """Tell what is wrong with what was typed."""
        if self.screen.json:
            self._event("error", message=message)
        else:
            typer.echo(f"error: {message}", err=True)

    def end(self, solved: bool, guesses: int, secret: str | None) -> None:
        """Tell how the game ended."""
        if self.screen.json:
            self._event("end", solved=solved, guesses=guesses, secret=secret)
            return
        count = f"{guesses} guess" if guesses == 1 else f"{guesses} guesses"
        if solved and secret is not None:
            self.screen.line("solved in ", count, ": ", self.screen.code(secret), style="bold")
        elif secret is not None:
            self.screen.line(f"ended after {count}; the secret was ", self.screen.code(secret))
        else:
            self.screen.line(f"ended after {count}")

    def _event(self, event: str, **told: Any) -> None:  # noqa: ANN401
        self.screen.object({"event": event, **told}, one_line=True)
