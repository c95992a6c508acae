"""The one place that decides what may be called proven, or optimal, and what that rests on."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codebreaker.constants import OPTIMAL

MINIMA = (OPTIMAL, f"{OPTIMAL}-lexicographic")
"""Names of searches for the minimum total of all trees. Others have limits, such as an opening."""

PROOF = "proof"
TWO_PROGRAMS = "two programs"
ONE_PROGRAM = "one program"
EVIDENCE = (PROOF, TWO_PROGRAMS, ONE_PROGRAM)
"""Kinds of evidence for a proven figure, the strongest first.

The exact search has found all of them. A plain program has checked a written proof, or a second
search, which shares no code with the first, has found the same; else the first stands alone.
"""


def is_minimum(policy: str, tree: str) -> bool:
    """Return whether the record of a tree says that no tree has a lower total, as is proven."""
    return policy == OPTIMAL and tree in MINIMA


def is_proven(cost: int, bound: int | None) -> bool:
    """Return whether the cost of a tree is proven to be the minimum.

    `bound` is a lower bound on the cost of every tree that is allowed. A search that stopped early
    has one, too: the bound that it had reached by then. It is None if the search may have missed
    trees, because it sampled, drew, or tried only some guesses.

    Raises ValueError for a bound above the cost, as the tree refutes it.
    """
    if bound is None:
        return False
    if bound > cost:
        raise ValueError(f"a tree with a cost of {cost} refutes the bound {bound}")
    return bound == cost


@dataclass(frozen=True)
class Evidence:
    """What proven totals and maxima rest on, by what other programs have checked.

    `proofs` has the bounds of written proofs by game, guess pool and guess limit (None: no limit);
    a bound of None says that no tree is within the limit. `confirmed` has the figures that a second
    search has found, by game and quantity.
    """

    proofs: Mapping[tuple[str, str, int | None], int | None]
    confirmed: Mapping[tuple[str, str], int]

    def of_total(
        self, game: str, total: int, guess_limit: int | None = None, guess_pool: str = "all"
    ) -> str:
        """Return what it rests on that no tree of a game has a lower total than this one.

        What holds for all trees holds for those within a limit, or of some guesses, too.
        """
        bounds = [
            self.proofs.get((game, pool, limit))
            for pool in {guess_pool, "all"}
            for limit in {guess_limit, None}
        ]
        if total in bounds:
            return PROOF
        totals = [self.confirmed.get((game, "minimum total"))]
        if guess_limit and self.confirmed.get((game, "lowest maximum")) == guess_limit:
            totals.append(self.confirmed.get((game, "minimum total at the lowest maximum")))
        return TWO_PROGRAMS if total in totals else ONE_PROGRAM

    def of_maximum(self, game: str, maximum: int) -> str:
        """Return what it rests on that no tree of a game has a lower maximum than this one."""
        below = (game, "all", maximum - 1)
        if below in self.proofs and self.proofs[below] is None:
            return PROOF
        is_confirmed = self.confirmed.get((game, "lowest maximum")) == maximum
        return TWO_PROGRAMS if is_confirmed else ONE_PROGRAM

    def of_total_at_maximum(self, game: str, maximum: int, total: int) -> str:
        """Return the weaker evidence of a lowest maximum and of the minimum total at it."""
        kinds = (self.of_maximum(game, maximum), self.of_total(game, total, maximum))
        return max(kinds, key=EVIDENCE.index)


UNCHECKED = Evidence({}, {})
"""No other program has checked anything."""


def read_evidence(lower_bounds: str | Path, second_solver: str | Path) -> Evidence:
    """Read the tables that `check_lower_bound.py` and `check_solved.py` write."""
    with Path(lower_bounds).open(encoding="utf-8", newline="") as file:
        proofs = {
            (row["game"], row["guess_pool"], _number(row["guess_limit"])): _number(row["bound"])
            for row in csv.DictReader(file)
        }
    with Path(second_solver).open(encoding="utf-8", newline="") as file:
        confirmed = {
            (row["game"], row["quantity"]): int(row["claimed"])
            for row in csv.DictReader(file)
            if row["result"] == "confirmed" and row["claimed"] == row["bound"] == row["tree"]
        }
    return Evidence(proofs, confirmed)


def _number(cell: str) -> int | None:
    """Return an integer, None for an empty cell."""
    return int(cell) if cell else None
