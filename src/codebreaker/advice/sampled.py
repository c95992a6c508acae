"""Advice by samples, in the terms of a game's moves and labels, and in words."""

from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from codebreaker.advice.advice import MOST_SHOWN, Advice, Source
from codebreaker.advice.slips import Slip, changes_in_words, likeliest, may_slip
from codebreaker.constants import SAMPLED
from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.codes import BlackPegs, CodeRules
from codebreaker.games.model import refuse_prior
from codebreaker.games.notation import Notation
from codebreaker.policies.strategy import Strategy
from codebreaker.sampling.candidates import (
    Candidates,
    How,
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

WAYS = {
    How.LISTED: "drawn from a list of all",
    How.DRAWN: "drawn at random",
    How.WALKED: "found by random walks",
}
"""How the candidates that were compared were taken, in words. Those listed are then a part."""


def basis_of(chosen: SampledGuess) -> str:
    """Return what a guess was chosen by, in words."""
    how = chosen.candidates.how
    guesses = counted(chosen.n_compared, "guess", "es")
    if how is How.COUNTED:
        return f"{guesses} of different kinds compared, exactly"
    if chosen.is_exact:
        return f"{guesses} compared over all candidates"
    members = counted(chosen.n_members, "candidate")
    return f"sampled: {guesses} compared over {members} {WAYS[how]}"


class SampledAssistant:
    """Suggests guesses of the strategy `sampled`.

    What it has is as in `Assistant`, which also has what needs a list of all candidates.
    """

    name = SAMPLED
    guess_pool: AnyPool = "all"
    grown_by: Strategy | None = None

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
        self.strategy = Strategy(SAMPLED, tree=SAMPLED)
        self.rules = rules
        self.samples = samples
        self._strategy = Sampled(rules, samples, seed)
        # The last advice: who checks moves asks for advice on them next.
        self._last: Advice | None = None

    def check_moves(self, moves: Sequence[Move]) -> None:
        """Raise `CodebreakerError` if no secret agrees with the moves, or none was found."""
        self._check_order(moves)
        if not moves or moves[-1][1] != self.game.solved:
            self.suggest(moves)
            return
        # The last guess is the only candidate: it must agree with all moves before it.
        # It always can be listed, as each peg has one colour that is possible.
        try:
            list_candidates(self.rules, history_of(self.rules, self._played_codes(moves)))
        except NoCandidateError:
            raise CodebreakerError(self._contradiction(moves)) from None

    def check_guess(self, moves: Sequence[Move], guess: int) -> None:
        """Accept every guess, as all may be guessed."""

    def suggest(self, moves: Sequence[Move]) -> Advice:
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

    def _suggest(self, moves: Sequence[Move]) -> Advice:
        """Return the guess after moves, as `suggest` does."""
        chosen = self._strategy.guess(self._played_codes(moves))
        codes = chosen.candidates.codes[:MOST_SHOWN]
        return Advice(
            moves=tuple(moves),
            guess=self.notation.guess(self.rules.label_of(chosen.guess.tolist())),
            is_candidate=chosen.is_candidate,
            source=Source.SAMPLES,
            basis=basis_of(chosen),
            number=chosen.candidates.number,
            left=chosen.left,
            some_candidates=tuple(self.rules.label_of(code) for code in codes.tolist()),
            sampled=chosen,
        )

    def tree(self) -> NoReturn:
        """Raise `CodebreakerError`: samples have no tree."""
        raise CodebreakerError(
            f"{self.game.name} is played by samples, which have no tree: name another policy, or "
            "choose a smaller game"
        )

    def _candidates(self, moves: Sequence[Move]) -> Candidates:
        """Return the candidates after moves; errors are those of `find_candidates`."""
        history = history_of(self.rules, self._played_codes(moves))
        return find_candidates(self.rules, history, samples=1, state=np.zeros(1, np.uint64))

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
        changes = changes_in_words(self.notation, moves, slips)
        if not changes:
            return f"{text} and the moves before it: no single answer was found that resolves this"
        return f"{text} and the moves before it: {changes}"

    def _slips(self, moves: Sequence[Move]) -> list[Slip]:
        """Return the single answers that would resolve a contradiction, the likeliest first.

        Of a sample, rare answers may be missing.
        """
        possible = list[Slip]()
        for number, (guess, feedback) in enumerate(moves, start=1):
            others = [*moves[: number - 1], *moves[number:]]
            try:
                candidates = self._candidates(others)
            except CodebreakerError:
                continue
            colours = self.rules.colours_of(self.game.guesses[guess])
            ids = feedback_of(
                np.array(colours, np.uint8),
                candidates.codes,
                self.rules.colours,
                self.rules.ids_by_pegs(),
            )
            counts = np.bincount(ids, minlength=len(self.game.feedback_labels))
            each = candidates.number.value / len(ids)
            possible += [
                Slip(
                    number,
                    other,
                    self.notation.misread(feedback, other),
                    each * int(counts[other]),
                    candidates.are_all,
                )
                for other in np.flatnonzero(counts).tolist()
                if may_slip(self.game, moves, number, other)
            ]
        return likeliest(possible)

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
        is_black_only = isinstance(self.rules, BlackPegs)
        pairs = [] if is_black_only else self.rules.feedback_pairs()
        played = list[PlayedCode]()
        for guess, feedback in moves:
            colours = self.rules.colours_of(self.game.guesses[guess])
            # In the black-peg game the feedback id is the number of black pegs.
            played.append((colours, (feedback, 0) if is_black_only else pairs[feedback]))
        return played
