"""The dialogue of an interactive game: typed input, and output as text or JSON events."""

import sys
from typing import Any

import typer

from codebreaker.advice.suggest import Assistant
from codebreaker.cli.group import error_line, shortened
from codebreaker.cli.output import MAX_LISTED, Output
from codebreaker.types import Move

HINT, UNDO, QUIT = "?", "/undo", "/quit"


class Dialogue:
    """Reads a game's input from stdin and reports its events, in JSON one per line."""

    def __init__(self, output: Output, assistant: Assistant) -> None:
        self.output, self.assistant = output, assistant
        self.notation, self.game = assistant.notation, assistant.game

    def ask(self, prompt: str) -> str:
        """Return the next input: a command or other text; QUIT at the end of input.

        Commands need their slash only in games with a word of the same name.
        """
        while True:
            if sys.stdin.isatty() and not self.output.json:
                typer.echo(f"{prompt}> ", nl=False)
            line = sys.stdin.readline()
            typed = line.strip().lower()
            if not line:
                return QUIT
            if f"/{typed}" in (UNDO, QUIT) and typed not in self.game.guesses:
                return f"/{typed}"
            if typed:
                return typed

    def start(self, task: str) -> None:
        """Introduce the game, what to do, and what feedback means."""
        if self._event("start", game=self.game.name, feedback=self.notation.legend):
            return
        self.output.line(
            f"{self.game.name}, {self.game.n_secrets:,} secrets. {task}; "
            "? for a hint, undo, or quit.",
            style="bold",
        )
        self.output.line(f"feedback: {self.notation.legend}", style="dim")

    def move(self, number: int, move: Move) -> None:
        """Report a move."""
        if not self._event("move", turn=number, **self.notation.objects([move])[0]):
            self.output.move(number, move)

    def guess(self, turn: int, guess: int, n_candidates: int) -> None:
        """Report the program's guess."""
        label = self.game.guesses[guess]
        left = "the only candidate" if n_candidates == 1 else f"{n_candidates:,} candidates"
        if not self._event("guess", turn=turn, guess=label, n_candidates=n_candidates):
            self.output.line(f"guess {turn}: ", self.output.code(label), f" ({left})", style="bold")

    def hint(self, moves: list[Move]) -> None:
        """Show the policy's next guess and some candidates."""
        suggestion = self.assistant.suggest(moves)
        guess, candidates = self.game.guesses[suggestion.guess], suggestion.candidates
        listed = [self.game.secrets[secret] for secret in candidates[:MAX_LISTED]]
        if self._event("hint", guess=guess, n_candidates=len(candidates), candidates=listed):
            return
        self.output.line("hint: ", self.output.code(guess))
        self.output.candidates(candidates, MAX_LISTED, "...")

    def undo(self, moves: list[Move]) -> None:
        """Take back the last move."""
        if not moves:
            self.error("there is no move to undo")
            return
        text = self.notation.text(moves.pop())
        if not self._event("undo", turn=len(moves) + 1, move=text):
            self.output.line(f"took back move {len(moves) + 1}, {text}")

    def error(self, message: str) -> None:
        """Report invalid input."""
        if not self._event("error", message=shortened(message)):
            typer.echo(error_line(message), err=True)

    def end(self, solved: bool, guesses: int, secret: str | None) -> None:
        """Report how the game ended."""
        if self._event("end", solved=solved, guesses=guesses, secret=secret):
            return
        count = f"{guesses} guess" if guesses == 1 else f"{guesses} guesses"
        if solved and secret is not None:
            self.output.line("solved in ", count, ": ", self.output.code(secret), style="bold")
        elif secret is not None:
            self.output.line(f"ended after {count}; the secret was ", self.output.code(secret))
        else:
            self.output.line(f"ended after {count}")

    def _event(self, event: str, **data: Any) -> bool:  # noqa: ANN401
        """Write an event if the output is JSON; return whether it is."""
        if self.output.json:
            self.output.object({"event": event, **data}, one_line=True)
        return self.output.json
