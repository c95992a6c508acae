"""The criterion of advice by samples: the entropy of a guess's parts over some candidates, in bits.

It has two forms of `sets.partition`, which must agree: `n_log2_n` by the size of a part, of which
the compiled loops add up entries, and `entropy_of`, for parts of any size. Another criterion that
adds up a term of each part changes both, and `TIES`, which is in its unit; rollouts play by the
table, too. The highest score is chosen.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from codebreaker.games.codes import CodeRules
from codebreaker.sampling.kernels import scoring
from codebreaker.sampling.kernels.space import Symbols
from codebreaker.sets.codes import CodeBits, bits_of
from codebreaker.sets.partition import n_log2_n
from codebreaker.types import Scores

TIES = 1e-9
"""Entropies in bits that differ by less are equal."""


class ScoredGuesses(NamedTuple):
    """Guesses, (n, pegs), and their entropies in bits, (n,)."""

    guesses: Symbols
    entropies: Scores

    def best(self, most: int) -> "ScoredGuesses":
        """Return at most `most` guesses, the best first, and equal ones in their order."""
        order = np.argsort(-self.entropies, kind="stable")[:most]
        return ScoredGuesses(self.guesses[order], self.entropies[order])

    def joined(self, others: "ScoredGuesses") -> "ScoredGuesses":
        """Return these guesses and then others."""
        guesses = np.concatenate([self.guesses, others.guesses])
        return ScoredGuesses(guesses, np.concatenate([self.entropies, others.entropies]))


class Judge:
    """Scores guesses over `members`, (n, pegs), which are candidates or a sample of them.

    `n_compared` is the number of guesses scored so far.
    """

    def __init__(self, rules: CodeRules, members: Symbols) -> None:
        """Prepare to score over members."""
        self._rules = rules
        self._ids = rules.ids_by_pegs()
        self._packed_members = bits_of(members, rules.colours)
        self.logs = n_log2_n(np.arange(len(members) + 1.0))
        self.members = members
        self.n_compared = 0

    def score(self, guesses: Symbols) -> ScoredGuesses:
        """Return guesses with their scores."""
        return self._score(guesses, bits_of(guesses, self._rules.colours))

    def score_all_codes(self) -> ScoredGuesses:
        """Return all codes that may be guessed with their scores."""
        return self._score(all_codes(self._rules), _all_packed(self._rules))

    def _score(self, guesses: Symbols, packed: CodeBits) -> ScoredGuesses:
        """Return guesses with their scores; `packed` are the same guesses as bits."""
        entropies = np.zeros(len(guesses))
        scoring.score_guesses(*packed, *self._packed_members, self._ids, self.logs, entropies)
        self.n_compared += len(guesses)
        return ScoredGuesses(guesses, entropies)


@lru_cache(maxsize=2)
def all_codes(rules: CodeRules) -> Symbols:
    """Return every code that may be guessed, (n_codes, pegs); the last games' are cached."""
    return rules.codes().astype(np.uint8)


@lru_cache(maxsize=2)
def _all_packed(rules: CodeRules) -> CodeBits:
    """Return every code that may be guessed, as bits; the last games' are cached."""
    return bits_of(all_codes(rules), rules.colours)
