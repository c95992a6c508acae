"""Advice by samples, in the terms of a game's moves and labels, and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from codebreaker.advice.assistant import MOST_SLIPS, changes_in_words
from codebreaker.constants import SAMPLED
from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.codes import BlackPegs, CodeRules
from codebreaker.games.model import refuse_prior
from codebreaker.games.notation import Notation
from codebreaker.sampling.candidates import (
    Candidates,
    How,
    Interval,
    NoCandidateError,
    PlayedCode,
    find_candidates,
    history_of,
    list_candidates,
    number_of_secrets,
)
from codebreaker.sampling.choice import SampledGuess
from codebreaker.sampling.kernels.scoring import feedback_of
from codebreaker.sampling.player import Sampled
from codebreaker.sampling.settings import SAMPLES
from codebreaker.types import AnyPool, Move

MOST_SHOWN = 10
"""Maximum number of candidates that advice gives as examples."""


@dataclass(frozen=True, eq=False)
class SampledAdvice:
    """The guess after some moves, an index as in `Advice`, and what it was chosen by.

    `some_candidates` are labels of at most `MOST_SHOWN` candidates. Methods and properties that
    `Advice` has, too, mean the same.
    """

    moves: tuple[Move, ...]
    guess: int
    chosen: SampledGuess
    some_candidates: tuple[str, ...]

    def examples(self, limit: int) -> list[str]:
        """Return the labels of some candidates, at most `limit`."""
        return list(self.some_candidates[:limit])

    @property
    def is_candidate(self) -> bool:
        """Whether the guess may be the secret."""
        return self.chosen.is_candidate

    @property
    def how(self) -> How:
        """How the candidates were found."""
        return self.chosen.candidates.how

    @property
    def number(self) -> Interval:
        """The number of candidates."""
        return self.chosen.candidates.number

    @property
    def n_candidates(self) -> int:
        """The number of candidates, rounded if it is estimated."""
        return round(self.number.value)

    @property
    def number_in_words(self) -> str:
        """The number of candidates as text, with its interval if it is estimated."""
        if self.number.is_exact:
            return f"{self.n_candidates:,}"
        return f"about {in_words(self.number)}"

    @property
    def candidates_in_words(self) -> str:
        """How many candidates there are, as text."""
        if self.number.is_exact and self.n_candidates == 1:
            return "the only candidate"
        if self.number.is_exact:
            return f"{self.number_in_words} candidates"
        return f"about {_rounded(self.number.value)} candidates"

    @property
    def basis_in_words(self) -> str:
        """What the guess was chosen by."""
        guesses = counted(self.chosen.n_compared, "guess", "es")
        if self.how is How.COUNTED:
            return f"{guesses} of different kinds compared, exactly"
        if self.chosen.is_exact:
            return f"{guesses} compared over all candidates"
        members = counted(self.chosen.n_members, "candidate")
        return f"sampled: {guesses} compared over {members} {WAYS[self.how]}"


WAYS = {
    How.LISTED: "drawn from a list of all",
    How.DRAWN: "drawn at random",
    How.WALKED: "found by random walks",
}
"""How the candidates that were compared were taken, in words. Those listed are then a part."""


def in_words(interval: Interval) -> str:
    """Return a number with its 95% interval, in three digits if it is estimated."""
    if interval.is_exact:
        return f"{interval.value:,.4g}"
    return f"{_rounded(interval.value)} ({_rounded(interval.low)} to {_rounded(interval.high)})"


def _rounded(value: float) -> str:
    """Return a number in three digits: with commas below a billion, otherwise as a power of ten."""
    if value >= 1e9:
        return f"{value:.2e}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


class _Slip(NamedTuple):
    """A move whose feedback may be wrong, other feedback, and how many secrets that would leave."""

    number: int
    feedback: int
    secrets: float
    is_exact: bool

    @property
    def in_words(self) -> str:
        """The number of secrets as text."""
        if self.is_exact:
            return counted(round(self.secrets), "secret")
        return f"about {_rounded(self.secrets)} secrets"


class SampledAssistant:
    """Suggests guesses of the strategy `sampled`.

    What it has is as in `Assistant`, which also has what needs a list of all candidates.
    """

    name = SAMPLED
    guess_pool: AnyPool = "all"

    def __init__(self, notation: Notation, samples: int = SAMPLES, seed: int = 1) -> None:
        """Prepare to play a game of codes; raise `CodebreakerError` for any other."""
        rules = notation.rules
        game = notation.game
        if not isinstance(rules, CodeRules):
            raise CodebreakerError(f"{game.name} has no codes: {SAMPLED} plays only games of codes")
        refuse_prior(game, f"policy {SAMPLED!r}")
        if game.n_secrets != number_of_secrets(rules):
            raise CodebreakerError(
                f"{game.name} has only some of its secrets here: {SAMPLED} plays with all of them"
            )
        self.notation = notation
        self.game = game
        self._rules = rules
        self._strategy = Sampled(rules, samples, seed)
        # The last advice: who checks moves asks for advice on them next.
        self._last: SampledAdvice | None = None

    def check_moves(self, moves: Sequence[Move]) -> None:
        """Raise `CodebreakerError` if no secret agrees with the moves, or none was found."""
        self._check_order(moves)
        if not moves or moves[-1][1] != self.game.solved:
            self.suggest(moves)
            return
        # The last guess is the only candidate: it must agree with all moves before it.
        # It always can be listed, as each peg has one colour that is possible.
        try:
            list_candidates(self._rules, history_of(self._rules, self._played_codes(moves)))
        except NoCandidateError:
            raise CodebreakerError(self._contradiction(moves)) from None

    def check_guess(self, moves: Sequence[Move], guess: int) -> None:
        """Accept every guess, as all may be guessed."""

    def suggest(self, moves: Sequence[Move]) -> SampledAdvice:
        """Return the guess after moves that have not solved the game.

        Errors are those of `check_moves`.
        """
        if self._last is None or self._last.moves != tuple(moves):
            self._check_order(moves)
            try:
                self._last = self._suggest(moves)
            except NoCandidateError:
                raise CodebreakerError(self._contradiction(moves)) from None
        return self._last

    def _suggest(self, moves: Sequence[Move]) -> SampledAdvice:
        """Return the guess after moves, as `suggest` does."""
        chosen = self._strategy.guess(self._played_codes(moves))
        codes = chosen.candidates.codes[:MOST_SHOWN]
        return SampledAdvice(
            moves=tuple(moves),
            guess=self.notation.guess(self._rules.label_of(chosen.guess.tolist())),
            chosen=chosen,
            some_candidates=tuple(self._rules.label_of(code) for code in codes.tolist()),
        )

    def _candidates(self, moves: Sequence[Move]) -> Candidates:
        """Return the candidates after moves; errors are those of `find_candidates`."""
        history = history_of(self._rules, self._played_codes(moves))
        return find_candidates(self._rules, history, samples=1, state=np.zeros(1, np.uint64))

    def _contradiction(self, moves: Sequence[Move]) -> str:
        """Return which move no secret fits, and which single answers may be wrong, as a message."""
        # 1. The first move after which there are no candidates. An earlier one that is undecided
        #    is passed over.
        number = len(moves)
        for n_moves in range(1, len(moves)):
            try:
                self._candidates(moves[:n_moves])
            except NoCandidateError:
                number = n_moves
                break
            except CodebreakerError:
                continue
        text = f"move {number}, {self.notation.text(moves[number - 1])}: no secret fits this"
        if number == 1:
            return text
        # 2. Single answers that leave candidates.
        slips = self._slips(moves[:number])
        if not slips:
            return f"{text} and the moves before it: no single answer was found that resolves this"
        changes = [(slip.number, slip.feedback, slip.in_words) for slip in slips[:MOST_SLIPS]]
        return f"{text} and the moves before it: {changes_in_words(self.notation, moves, changes)}"

    def _slips(self, moves: Sequence[Move]) -> list[_Slip]:
        """Return single answers that would resolve a contradiction: most secrets, then later moves.

        Of a sample, rare answers may be missing.
        """
        slips = list[_Slip]()
        for number, (guess, feedback) in enumerate(moves, start=1):
            others = [*moves[: number - 1], *moves[number:]]
            try:
                candidates = self._candidates(others)
            except CodebreakerError:
                continue
            colours = self._rules.colours_of(self.game.guesses[guess])
            ids = feedback_of(
                np.array(colours, np.uint8),
                candidates.codes,
                self._rules.colours,
                self._rules.ids_by_pegs(),
            )
            counts = np.bincount(ids, minlength=len(self.game.feedback_labels))
            each = candidates.number.value / len(ids)
            is_exact = candidates.are_all
            slips += [
                _Slip(number, answer, each * int(counts[answer]), is_exact)
                for answer in np.flatnonzero(counts).tolist()
                if answer != feedback
            ]
        return sorted(slips, key=lambda slip: (-slip.secrets, -slip.number, slip.feedback))

    def _check_order(self, moves: Sequence[Move]) -> None:
        """Raise `CodebreakerError` for a move after the winning one."""
        for number, move in enumerate(moves[:-1], start=1):
            if move[1] == self.game.solved:
                after = self.notation.text(moves[number])
                raise CodebreakerError(
                    f"move {number + 1}, {after}: move {number} already found the secret"
                )

    def _played_codes(self, moves: Sequence[Move]) -> list[PlayedCode]:
        """Return moves by the colours of each guess, and its black and white pegs."""
        is_black_only = isinstance(self._rules, BlackPegs)
        pairs = [] if is_black_only else self._rules.feedback_pairs()
        played = list[PlayedCode]()
        for guess, feedback in moves:
            colours = self._rules.colours_of(self.game.guesses[guess])
            # In the black-peg game the feedback id is the number of black pegs.
            played.append((colours, (feedback, 0) if is_black_only else pairs[feedback]))
        return played
