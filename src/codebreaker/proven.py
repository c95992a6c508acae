"""The one place that decides what may be called proven, or optimal."""

from codebreaker.constants import OPTIMAL

MINIMA = (OPTIMAL, f"{OPTIMAL}-lexicographic")
"""Names of searches for the minimum total of all trees. Others have limits, such as an opening."""


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
