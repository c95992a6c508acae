"""A sweep: what the trees of families of policies come to."""

from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl

from codebreaker.games.model import TableGame, refuse_prior
from codebreaker.policies.strategy import Strategy
from codebreaker.sets.primitives import GOLDEN
from codebreaker.trees.grow import choose, levels, start_in
from codebreaker.types import Hashes


class Outcome(NamedTuple):
    """What a strategy's tree comes to; equal keys mean equal trees."""

    profile: list[int]
    key: int


def play(game: TableGame, strategy: Strategy, words: Hashes) -> Outcome:
    """Grow a strategy's tree, of which the profile and a key are left; `words` is (n_secrets,)."""
    # The key is the exclusive or of the nodes' keys, so that their order doesn't matter. A node's
    # is a hash of its candidates and its guess.
    key = np.uint64(0)
    reached = []
    start = start_in(game, strategy.guess_pool)
    for frontier, guesses, _ in levels(game, start, partial(choose, game, strategy)):
        reached.append(int(frontier.sizes.sum()))
        if frontier.turn == 1:
            key ^= np.uint64(guesses[0])
            continue
        members, offsets = frontier.sets
        of_sets = np.bitwise_xor.reduceat(words[members], offsets[:-1]) ^ np.uint64(GOLDEN)
        of_guesses = (guesses.astype(np.uint64) + np.uint64(1)) * np.uint64(GOLDEN)
        mixed = (of_sets ^ of_guesses) * np.uint64(GOLDEN)
        of_nodes = mixed ^ (mixed >> np.uint64(29))
        # A set of one candidate says nothing new: it is always guessed.
        key ^= np.bitwise_xor.reduce(of_nodes[frontier.sizes > 1])
    left = [*reached[1:], 0]
    return Outcome([now - after for now, after in zip(reached, left, strict=True)], int(key))


def sweep(game: TableGame, families: dict[str, list[Strategy]]) -> pl.DataFrame:
    """Return one row per strategy of some families; equal trees have equal keys."""
    refuse_prior(game, "a sweep")
    words = np.random.default_rng(0).integers(2**63, size=game.n_secrets, dtype=np.uint64)
    named = [(family, strategy) for family, group in families.items() for strategy in group]
    grown = [play(game, strategy, words) for _, strategy in named]
    totals = np.array(
        [sum(turn * n for turn, n in enumerate(tree.profile, 1)) for tree in grown], dtype=np.int64
    )
    return pl.DataFrame(
        {
            "family": [family for family, _ in named],
            "policy": [strategy.policy for _, strategy in named],
            "opening": [strategy.opening for _, strategy in named],
            "guess_pool": [strategy.guess_pool for _, strategy in named],
            "total_guesses": totals,
            "mean_guesses": (totals / game.n_secrets).round(6),
            "max_guesses": np.array([len(tree.profile) for tree in grown], dtype=np.int64),
            "profile": [" ".join(map(str, tree.profile)) for tree in grown],
            "tree": [f"{tree.key:016x}" for tree in grown],
        }
    )
