"""Rewards by name, and why each of them keeps the optimal policies.

The aim is the fewest guesses on average. With V(S) the expected guesses of optimal play from the
candidates S, and Q(S, g) those if g is played first, a guess g that leaves S' has

- regret Q(S, g) − V(S), which is never negative, and 0 for an optimal guess;
- luck Q(S, g) − (1 + V(S')), whose expectation over the secrets is 0.
"""

from collections.abc import Callable
from typing import NamedTuple


class Turn(NamedTuple):
    """What a turn was worth: V before it, V after it, and its regret, all in guesses.

    Without values all three are 0.
    """

    is_solved: bool
    before: float
    after: float
    regret: float


class Reward(NamedTuple):
    """A reward: its function of a turn and the discount, and whether it needs values."""

    of: Callable[[Turn, float], float]
    needs_values: bool


def _guesses(turn: Turn, discount: float) -> float:
    """Return −1 for every guess: the aim itself."""
    return -1.0


def _win(turn: Turn, discount: float) -> float:
    """Return 1 for the winning guess.

    Without a discount all policies that win within the limit are equally good. So it is the only
    reward here that does not ask for few guesses, unless the discount is below 1.
    """
    return float(turn.is_solved)


def _regret(turn: Turn, discount: float) -> float:
    """Return minus the guess's regret.

    No reward is positive, and a policy of optimal guesses always gets 0. So the best policies are
    those without regret wherever they come, which are the optimal ones; with any discount. It is
    the expectation of `shaped` over the secrets, without a discount: the same without the luck,
    which is noise to a learner.
    """
    return 0.0 - turn.regret  # never −0.0


def _shaped(turn: Turn, discount: float) -> float:
    """Return −1 and the growth of the potential −V, which is 0 once the game is solved.

    Potential-based shaping (Ng, Harada and Russell, 1999) adds discount · Φ(S') − Φ(S) to the
    reward. Over a game these terms cancel, except for −Φ at its start, which no policy changes: so
    −1 for every guess has the same optimal policies, with the same discount. Without one, the
    reward is luck minus regret.
    """
    return -1.0 - discount * turn.after + turn.before


REWARDS = {
    "guesses": Reward(_guesses, needs_values=False),
    "win": Reward(_win, needs_values=False),
    "regret": Reward(_regret, needs_values=True),
    "shaped": Reward(_shaped, needs_values=True),
}
