"""The strategy `sampled`: guesses after any moves, reproducible from a seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from codebreaker.errors import CodebreakerError, check_seed
from codebreaker.games.codes import (
    BlackPegs,
    BullsAndCows,
    BullsAndCowsAnyGuess,
    CodeRules,
    Mastermind,
)
from codebreaker.games.unlisted import MOST_COLOURS
from codebreaker.sampling.candidates import Pegs, PlayedCode, history_of
from codebreaker.sampling.choice import SampledGuess, choose_guess
from codebreaker.sampling.settings import LEAST_SAMPLES, MOST_SAMPLES, SAMPLES

FAMILIES = (Mastermind, BullsAndCows, BullsAndCowsAnyGuess, BlackPegs)
"""The families of games whose candidates can be sampled."""


@dataclass(frozen=True)
class Sampled:
    """The strategy in a game: the same moves, number of samples and seed give the same guess."""

    rules: CodeRules
    samples: int = SAMPLES
    seed: int = 1

    def __post_init__(self) -> None:
        """Raise `CodebreakerError` for a setting out of its range."""
        if not LEAST_SAMPLES <= self.samples <= MOST_SAMPLES:
            raise CodebreakerError(
                f"{self.samples:,} samples: choose from {LEAST_SAMPLES} to {MOST_SAMPLES:,}"
            )
        if type(self.rules) not in FAMILIES:
            raise CodebreakerError(
                f"game {self.rules.name!r} has rules of its own, which samples don't know"
            )
        check_seed(self.seed)
        if self.rules.colours > MOST_COLOURS:
            raise CodebreakerError(
                f"game {self.rules.name!r} has {self.rules.colours:,} colours: samples have at "
                f"most {MOST_COLOURS}"
            )

    def guess(self, moves: Sequence[PlayedCode]) -> SampledGuess:
        """Return the guess after moves.

        Raises `CodebreakerError` if no secret agrees with the moves, or if none was found.
        """
        seeds = np.random.SeedSequence([self.seed, len(moves)])
        state = seeds.generate_state(1, np.uint64).astype(np.uint64)
        return choose_guess(self.rules, history_of(self.rules, moves), state, self.samples)

    def play(self, answer: Callable[[list[int]], Pegs], most_turns: int) -> list[list[int]]:
        """Play a game against the codemaker `answer`; return the colours of each guess.

        Raises `CodebreakerError` if the game isn't over after `most_turns`.
        """
        moves = list[tuple[list[int], Pegs]]()
        while len(moves) < most_turns:
            colours: list[int] = self.guess(moves).guess.tolist()
            pegs = answer(colours)
            moves.append((colours, pegs))
            black, _ = pegs
            if black == self.rules.pegs:
                return [guess for guess, _ in moves]
        raise CodebreakerError(f"sampled play needs over {most_turns} guesses in a game")


def pegs_between(rules: CodeRules, guess: Sequence[int], secret: Sequence[int]) -> Pegs:
    """Return the black and white pegs of a guess to a secret, by their colours."""
    black = sum(mine == theirs for mine, theirs in zip(guess, secret, strict=True))
    common = sum(min(guess.count(colour), secret.count(colour)) for colour in {*guess})
    return black, common - black
