"""The next guess of a game of any size, from a sample of its candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codebreaker.constants import SAMPLED
from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.codes import BlackPegs, CodeRules
from codebreaker.games.model import refuse_prior
from codebreaker.games.notation import Notation
from codebreaker.sampling.candidates import (
    How,
    Interval,
    find_candidates,
    history_of,
    number_of_secrets,
)
from codebreaker.sampling.player import Pegs, Sampled
from codebreaker.sampling.settings import SAMPLES
from codebreaker.types import AnyPool, Move

MOST_SHOWN = 10
"""Maximum number of candidates that advice gives as examples."""


@dataclass(frozen=True, eq=False)
class SampledAdvice:
    """A guess after some moves, and the number of candidates.

    `how` is how the candidates were found, and `first` are some of them by label. `left` are those
    expected after the guess, and `members` of them were compared for `compared` guesses.
    """

    moves: tuple[Move, ...]
    guess: int
    is_candidate: bool
    how: How
    number: Interval
    left: Interval
    members: int
    compared: int
    first: tuple[str, ...]

    def examples(self, limit: int) -> list[str]:
        """Return the labels of some candidates, at most `limit`."""
        return list(self.first[:limit])

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
    def is_exact(self) -> bool:
        """Whether all candidates were compared."""
        if self.how is How.COUNTED:
            return True
        return self.how is How.LISTED and self.members == self.n_candidates

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
        guesses = counted(self.compared, "guess", "es")
        if self.how is How.COUNTED:
            return f"{guesses} of different kinds compared, exactly"
        if self.is_exact:
            return f"{guesses} compared over all candidates"
        members = counted(self.members, "candidate")
        return f"sampled: {guesses} compared over {members} {WAYS[self.how]}"


WAYS = {
    How.LISTED: "drawn from a list of all",
    How.DRAWN: "drawn at random",
    How.WALKED: "found by random walks",
}
"""How samples were taken, in words."""


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


class SampledAssistant:
    """Suggests guesses of the strategy `sampled`; its methods are those of `Assistant`."""

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
        self._last: SampledAdvice | None = None

    def check_moves(self, moves: Sequence[Move]) -> None:
        """Raise `CodebreakerError` if no secret agrees with the moves, or none was found."""
        self._check_order(moves)
        if not moves or moves[-1][1] != self.game.solved:
            self.suggest(moves)
            return
        # The last guess is the only candidate: it must agree with all moves before it.
        history = history_of(self._rules, [self._pegs(move) for move in moves])
        find_candidates(self._rules, history, samples=1, state=np.zeros(1, np.uint64))

    def check_guess(self, moves: Sequence[Move], guess: int) -> None:
        """Accept every guess: the pool has all."""

    def suggest(self, moves: Sequence[Move]) -> SampledAdvice:
        """Return the guess after moves that have not solved the game.

        Errors are those of `check_moves`.
        """
        if self._last is None or self._last.moves != tuple(moves):
            self._check_order(moves)
            self._last = self._suggest(moves)
        return self._last

    def _suggest(self, moves: Sequence[Move]) -> SampledAdvice:
        chosen = self._strategy.guess([self._pegs(move) for move in moves])
        codes = chosen.candidates.codes[:MOST_SHOWN]
        return SampledAdvice(
            moves=tuple(moves),
            guess=self.notation.guess(self._rules.label_of(chosen.guess.tolist())),
            is_candidate=chosen.is_candidate,
            how=chosen.candidates.how,
            number=chosen.candidates.number,
            left=chosen.left,
            members=chosen.members,
            compared=chosen.compared,
            first=tuple(self._rules.label_of(code) for code in codes.tolist()),
        )

    def _check_order(self, moves: Sequence[Move]) -> None:
        """Raise `CodebreakerError` for a move after the winning one."""
        for number, move in enumerate(moves[:-1], start=1):
            if move[1] == self.game.solved:
                after = self.notation.text(moves[number])
                raise CodebreakerError(
                    f"move {number + 1}, {after}: move {number} already found the secret"
                )

    def _pegs(self, move: Move) -> tuple[list[int], Pegs]:
        """Return a move's guess as colours, and its black and white pegs."""
        guess, feedback = move
        colours = self._rules.colours_of(self.game.guesses[guess])
        if isinstance(self._rules, BlackPegs):
            return colours, (feedback, 0)
        return colours, self._rules.feedback_pairs()[feedback]
