"""How people write moves, such as `1123:1,1`."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.codes import COLOURS, CodeRules
from codebreaker.games.feedback import FeedbackKind
from codebreaker.games.model import GameModel
from codebreaker.games.registry import Rules
from codebreaker.games.tables import TableRules
from codebreaker.types import Move


@dataclass(frozen=True, eq=False)
class Notation:
    """Reads and writes the moves of a game."""

    rules: Rules | TableRules
    game: GameModel

    @cached_property
    def _guesses(self) -> dict[str, int]:
        return {label: index for index, label in enumerate(self.game.guesses)}

    @cached_property
    def _secrets(self) -> dict[str, int]:
        return {label: index for index, label in enumerate(self.game.secrets)}

    @property
    def kind(self) -> FeedbackKind:
        """The kind of feedback."""
        return self.rules.feedback_kind

    @property
    def code_form(self) -> str:
        """Return the pegs and colours of a code, or a word's length."""
        if not isinstance(rules := self.rules, CodeRules):
            return rules.guess_form
        symbols = rules.symbols()
        pegs = counted(rules.pegs, "peg")
        repeats = ", none twice" * rules.unique + ", none twice in the secret" * rules.distinct
        if not rules.letters:
            return f"{pegs} from {symbols[0]} to {symbols[-1]}{repeats}"
        named = [
            f"{symbol} {colour.name}" for symbol, colour in zip(symbols, COLOURS, strict=False)
        ]
        colours = f"{counted(len(named), 'colour')}{repeats}: {', '.join(named)}"
        return f"{pegs} in {colours}, or {rules.letters} for short"

    @property
    def legend(self) -> str:
        """Return how feedback is written, and what it means."""
        return f"{self.kind.form}, as in {self.kind.example}: {self.kind.meaning}"

    def moves(self, texts: list[str]) -> list[Move]:
        """Read moves; raise `CodebreakerError` that names the first bad one."""
        moves = []
        for number, text in enumerate(texts, start=1):
            try:
                moves.append(self.move(text))
            except CodebreakerError as error:
                raise CodebreakerError(f"move {number}, {text}: {error}") from None
        return moves

    def move(self, text: str) -> Move:
        """Read a move, such as `1123:1,1`."""
        guess, colon, feedback = text.partition(":")
        if not colon:
            raise CodebreakerError(
                f"a move is GUESS:{self.kind.form}, "
                f"as in {self.game.guesses[0]}:{self.kind.example}"
            )
        return self.guess(guess), self.feedback(feedback)

    def guess(self, text: str) -> int:
        """Return a guess's index, or raise `CodebreakerError`."""
        label = _typed(text)
        if isinstance(self.rules, CodeRules):
            label = self.rules.of_letters(label)
        if label not in self._guesses:
            self.rules.check_guess(label)
            raise CodebreakerError(f"{label!r} is not a guess of {self.game.name}")
        return self._guesses[label]

    def secret(self, text: str) -> int:
        """Return a secret's index, or raise `CodebreakerError`."""
        label = self.game.guesses[self.guess(text)]
        if label not in self._secrets:
            raise CodebreakerError(f"{label!r} is a guess of {self.game.name}, but not a secret")
        return self._secrets[label]

    def feedback(self, text: str) -> int:
        """Return a feedback's id, or raise `CodebreakerError`."""
        label = self.kind.label(_typed(text))
        if label is None:
            raise CodebreakerError(
                f"feedback {text.strip()!r} can't be read: "
                f"write {self.kind.form}, as in {self.kind.example}"
            )
        if label not in self.game.feedback_labels:
            answer = self.kind.in_prose(label)
            why = f"feedback of {answer} can't be given to {self.rules.guess_form}"
            raise CodebreakerError(why)
        return self.game.feedback_labels.index(label)

    def short(self, feedback: int) -> str:
        """Return a feedback as people type it."""
        return self.kind.short(self.game.feedback_labels[feedback])

    def said(self, feedback: int) -> str:
        """Return a feedback in words."""
        return self.kind.in_prose(self.game.feedback_labels[feedback])

    def objects(self, moves: Iterable[Move]) -> list[dict[str, str]]:
        """Return moves as objects for JSON, with the feedback as people type it."""
        return [
            {"guess": self.game.guesses[guess], "feedback": self.short(feedback)}
            for guess, feedback in moves
        ]

    def text(self, move: Move) -> str:
        """Return a move as people type it."""
        return f"{self.game.guesses[move[0]]}:{self.short(move[1])}"


def _typed(text: object) -> str:
    """Return text as it is compared; codes as numbers would lose their first 0."""
    if not isinstance(text, str):
        why = f"{text!r} is not text: write codes and feedback as '1122' and '1,0'"
        raise CodebreakerError(why)
    return text.strip().lower()
