"""The parameterised families of policies that a sweep grows."""

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import inf

from codebreaker.policies.criteria import MIXED
from codebreaker.policies.policy import Policy, make_policy
from codebreaker.types import GuessPool

_RENYI = "renyi-"

ENTROPIES, MIXTURES = "entropies by order", "mixtures of two"
"""The families' names."""


def individuals_of(model: str) -> str:
    """Return the name of the family of individuals that the search for a model recorded."""
    return f"individuals of {model}"


def entropy_of_order(order: float) -> str:
    """Return the name of the policy of Rényi's entropy of an order."""
    return f"{_RENYI}{order:g}"


def order_of(policy: str) -> float:
    """Return the order in a name from `entropy_of_order`."""
    return float(policy.removeprefix(_RENYI))


def family_policies(
    orders: Iterable[float],
    shares: Iterable[float],
    openings: Sequence[str],
    guess_pools: Sequence[GuessPool],
) -> dict[str, list[Policy]]:
    """Return policies by family: entropies of each order, and mixtures of each share.

    Each is played from each opening and with each pool. Without weights Rényi's entropies and
    Tsallis' are the same policies, so that one family stands for both; the infinite order is added.
    """
    names = {
        ENTROPIES: [entropy_of_order(order) for order in (*orders, inf)],
        MIXTURES: [
            f"mix-{one}-{other}-{share:g}"
            for one, other in combinations(MIXED, 2)
            for share in shares
        ],
    }
    return {
        family: [
            make_policy(name, opening, guess_pool)
            for name, opening, guess_pool in product(some, openings, guess_pools)
        ]
        for family, some in names.items()
    }
