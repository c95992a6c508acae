"""Weights played on other games than the one that they were found for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.games.model import TableGame
from codebreaker.policies.policy import Policy, found_policy, make_policy
from codebreaker.policies.weights import Weights, first_turn
from codebreaker.trees.grow import grow

BASE = "entropy"
"""The policy without weights that the others are compared with."""

REGISTERED = (
    *("fixed-weighted", "stage-weighted", "stage-weighted-5630"),
    *("context-weighted-5626", "context-weighted-5625"),
)
"""The registered policies whose weights were found for the papers' game."""


@dataclass(frozen=True)
class Candidate:
    """A policy to play on several games, and the games that its weights were found for."""

    policy: Policy
    found_for: tuple[str, ...]


def candidates(found: Sequence[tuple[str, Weights]]) -> list[Candidate]:
    """Return entropy, the registered policies, and found weights, each with its model's name.

    Weights that were found for several games name them as `games` in their provenance.
    """
    registered = [Candidate(make_policy(name), (PAPERS_GAME,)) for name in REGISTERED]
    searched = [
        Candidate(
            found_policy(model, weights, None),
            tuple(weights.provenance.get("games", (PAPERS_GAME,))),
        )
        for model, weights in found
    ]
    return [Candidate(make_policy(BASE), ()), *registered, *searched]


def parameters(policy: Policy) -> int:
    """Return the number of weights that a policy has after a forced opening.

    Equal rows count once; uniform rows of contexts that the search never met do not count.
    """
    if policy.weights is None:
        return 0
    values = policy.weights.values
    first = first_turn(len(values), policy.opening)
    rows = np.unique(values[first - 1 :].reshape(-1, values.shape[-1]), axis=0)
    if policy.weights.by_context:
        rows = rows[(rows != 1).any(axis=1)]
    return int(rows.size)


def transfer_rows(
    game: TableGame, some: Iterable[Candidate], openings: Iterable[str]
) -> pl.DataFrame:
    """Return the results of policies on a game from each opening, compared with entropy.

    `difference` is the total minus that of entropy from the same opening, and `per_thousand` the
    same per 1,000 secrets.
    """
    rows = []
    for opening in openings:
        base = grow(game, make_policy(BASE, opening)).total_guesses
        for one in some:
            policy = replace(one.policy, opening=opening)
            tree = grow(game, policy)
            difference = tree.total_guesses - base
            rows.append(
                {
                    "policy": policy.name,
                    "parameters": parameters(policy),
                    "found_for": ", ".join(one.found_for),
                    "game": game.name,
                    "secrets": game.n_secrets,
                    "opening": opening,
                    "total_guesses": tree.total_guesses,
                    "entropy_total": base,
                    "difference": difference,
                    "per_thousand": round(1000 * difference / game.n_secrets, 3),
                    "mean_guesses": round(tree.total_guesses / game.n_secrets, 6),
                    "max_guesses": int(tree.turn.max()),
                }
            )
    return pl.DataFrame(rows)
