"""What searches, bounds and reports may rely on in a game, computed from the game itself.

A user's game may lack what all games of this package have: every guess a secret, the last feedback
id the one that wins, shallow trees, small weights. So what depends on such a fact asks for it here.
The symmetry of a game is a fact, too: `games.symmetry.checked_symmetry` checks it on the codes when
a game is made.
"""

from dataclasses import dataclass

import numpy as np

from codebreaker.types import Indices, Prior


@dataclass(frozen=True)
class Facts:
    """Facts of a game; totals are in units of its prior."""

    guesses_are_secrets: bool
    """Whether every guess may be the secret, with the same index."""

    solved_is_last: bool
    """Whether the last feedback id is the one that wins."""

    most_turns: int
    """The turns that a tree needs at most if each guess divides the candidates or is one."""

    largest_total: int
    """The total that such a tree has at most, also one within a limit of guesses."""

    @property
    def no_limit(self) -> int:
        """A limit above the total of any such tree, of all secrets or some."""
        return self.largest_total + 1


def facts_of(n_guesses: int, guess_of_secret: Indices, prior: Prior | None, is_last: bool) -> Facts:
    """Return the facts of a game; `is_last`: the last feedback id wins."""
    n_secrets = len(guess_of_secret)
    weight = n_secrets if prior is None else sum(prior.tolist())
    # Each guess leaves at least one candidate less together, so that none is left after n turns.
    return Facts(
        guesses_are_secrets=np.array_equal(guess_of_secret, np.arange(n_guesses)),
        solved_is_last=is_last,
        most_turns=n_secrets,
        largest_total=weight * n_secrets,
    )
