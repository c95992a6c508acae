"""The families of policies that a sweep grows."""

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import inf

import polars as pl

from codebreaker.policies.families import MIXED
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.batch import BatchResult
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
    guess_pools: Sequence[GuessPool],
) -> dict[str, list[Strategy]]:
    """Return the entropies and mixtures by family; infinity joins the orders."""
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
            for name, opening, guess_pool in product(members, openings, guess_pools)
        ]
        for family, members in names.items()
    }


def sweep(families: dict[str, list[Strategy]], grown: BatchResult) -> pl.DataFrame:
    """Return one row per strategy of a sweep, in the order grown; equal trees have equal keys."""
    named = [(family, strategy) for family, group in families.items() for strategy in group]
    secrets = grown.profile.sum(axis=1)
    return pl.DataFrame(
        {
            "family": [family for family, _ in named],
            "policy": [strategy.policy for _, strategy in named],
            "opening": [strategy.opening for _, strategy in named],
            "guess_pool": [strategy.guess_pool for _, strategy in named],
            "total_guesses": grown.totals,
            "mean_guesses": (grown.totals / secrets).round(6),
            "max_guesses": grown.maxima,
            "profile": [
                " ".join(map(str, solved[:last]))
                for solved, last in zip(grown.profile.tolist(), grown.maxima, strict=True)
            ],
            "tree": [f"{key:016x}" for key in grown.key.tolist()],
        }
    )
