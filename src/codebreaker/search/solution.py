"""What a search for an optimal tree returns."""

from dataclasses import dataclass

from codebreaker.proven import is_proven
from codebreaker.search.settings import GUESSES, Charges, Target
from codebreaker.trees.tree import GameTree


@dataclass(frozen=True)
class Solution:
    """The best tree, its cost, and lower bounds on the cost, overall and by opening.

    A bound holds for every tree, also if the search stopped early. An opening that no tree within
    the limits begins with has the cost itself: nothing better begins with it.
    """

    tree: GameTree
    cost: int
    bound: int
    openings: dict[str, int]
    sets_searched: int
    lookups: int

    @property
    def proven(self) -> bool:
        """Return whether the tree is proven to be optimal."""
        return is_proven(self.cost, self.bound)


@dataclass(frozen=True)
class Optimum:
    """A target and its solution; `guess_limit` is given, or the smallest that attains it."""

    target: Target
    guess_limit: int | None
    solution: Solution
    charges: Charges = GUESSES
