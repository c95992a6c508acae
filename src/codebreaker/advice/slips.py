"""Which single answer may be wrong where the moves of a game contradict each other."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from codebreaker.errors import counted
from codebreaker.games.feedback import MARKS
from codebreaker.games.model import GameModel
from codebreaker.games.notation import Notation
from codebreaker.sampling.interval import rounded
from codebreaker.types import Move

MOST_SLIPS = 3
"""Maximum number of possible slips in a message."""


class Slip(NamedTuple):
    """Another answer to move `number`, and how many secrets fit it and all other moves.

    `misread` is how many pegs or marks differ from the answer that was given.
    """

    number: int
    feedback: int
    misread: int
    secrets: float
    is_exact: bool = True

    @property
    def in_words(self) -> str:
        """The number of secrets as text."""
        if self.is_exact:
            return counted(round(self.secrets), "secret")
        return f"about {rounded(self.secrets)} secrets"


def likeliest(slips: Iterable[Slip]) -> list[Slip]:
    """Return slips in order: the fewest pegs or marks misread, then the most secrets, then later.

    One peg is misread more often than two, however many secrets fit.
    """
    return sorted(
        slips, key=lambda slip: (slip.misread, -slip.secrets, -slip.number, slip.feedback)
    )


def may_slip(game: GameModel, moves: Sequence[Move], number: int, other: int) -> bool:
    """Return whether a move's answer may have been another one.

    Nobody misreads that they have won, nor goes on after it. But the last guess may have won, with
    another answer noted by mistake.
    """
    given = moves[number - 1][1]
    if given in (other, game.solved):
        return False
    is_last = number == len(moves)
    return is_last or other != game.solved


def slips(notation: Notation, moves: Sequence[Move]) -> list[Slip]:
    """Return the single answers that would resolve a contradiction, the likeliest first."""
    game = notation.game
    every = np.arange(game.n_secrets, dtype=np.int32)
    fits = np.array([game.feedback(guess, every) == feedback for guess, feedback in moves])
    possible = list[Slip]()
    for number, (guess, feedback) in enumerate(moves, start=1):
        left = every[np.delete(fits, number - 1, axis=0).all(axis=0)]
        counts = np.bincount(game.feedback(guess, left), minlength=len(game.feedback_labels))
        possible += [
            Slip(number, other, notation.misread(feedback, other), int(counts[other]))
            for other in np.flatnonzero(counts).tolist()
            if may_slip(game, moves, number, other)
        ]
    return likeliest(possible)


def tell_slips(notation: Notation, moves: Sequence[Move]) -> str:
    """Return which single answer may be wrong, in words that end a message."""
    possible = slips(notation, moves)
    return changes_in_words(notation, moves, possible) or "more than one of them is wrong"


def changes_in_words(notation: Notation, moves: Sequence[Move], possible: Sequence[Slip]) -> str:
    """Return which answers to change, in words that end a message; empty without a slip."""
    texts = list[str]()
    for slip in possible[:MOST_SLIPS]:
        guess, _ = moves[slip.number - 1]
        text = notation.text((guess, slip.feedback))
        texts.append(f"move {slip.number} to {text} ({slip.in_words} left)")
    return f"change {', or '.join(texts)}" if texts else ""


def impossible_marks(notation: Notation, move: Move) -> str:
    """Return why no word whatever gives a guess these marks, or an empty text.

    Letters that occur twice are marked from left to right: one that the secret has is marked before
    one that it lacks, except that those in place come first.
    """
    if notation.kind is not MARKS:
        return ""
    guess, feedback = move
    marks = notation.game.feedback_labels[feedback]
    absent: dict[str, int] = {}
    for position, (letter, mark) in enumerate(
        zip(notation.game.guesses[guess], marks, strict=True), 1
    ):
        if mark == "y" and letter in absent:
            return (
                f"no word has these marks: {letter} can't be absent at letter {absent[letter]} and "
                f"elsewhere in the word at letter {position}"
            )
        if mark == "b":
            absent.setdefault(letter, position)
    return ""
