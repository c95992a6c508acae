"""The families of policies of a sweep."""

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import inf
from typing import get_args

from codebreaker.policies.families import MIXED
from codebreaker.policies.strategy import Strategy
from codebreaker.types import GuessPool

ENTROPIES = "entropies by order"


MIXTURES = "mixtures of two"


OPTIMA = "exact optima"


REGISTERED = "published and recorded"


PLAYERS = "random players"
"""Families that no sweep grows."""


def individuals_of(model: str) -> str:
    """Return the family of a model's individuals."""
    return f"individuals of {model}"


def family_policies(
    orders: Iterable[float],
    shares: Iterable[float],
    openings: Sequence[str],
) -> dict[str, list[Strategy]]:
    """Return the entropies and mixtures by family, with each pool; infinity joins the orders."""
    names = {
        ENTROPIES: [f"renyi-{order:g}" for order in (*orders, inf)],
        MIXTURES: [
            f"mix-{first}-{second}-{share:g}"
            for first, second in combinations(MIXED, 2)
            for share in shares
        ],
    }
    return {
        family: [
            Strategy(name, opening, guess_pool)
            for name, opening, guess_pool in product(members, openings, get_args(GuessPool))
        ]
        for family, members in names.items()
    }
