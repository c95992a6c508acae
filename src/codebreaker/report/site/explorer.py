"""The data of the page's explorer and assistant: a game's codes, and its strategies' trees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from codebreaker.games.model import Game, TableGame
from codebreaker.games.registry import CODES
from codebreaker.games.word_lists import read_words
from codebreaker.policies.policy import Policy
from codebreaker.policies.weights import exact_weights
from codebreaker.report.names import name_of
from codebreaker.report.site.choices import featured, group_of, label_of
from codebreaker.trees.io import StrategyKey
from codebreaker.trees.tree import GameTree

CELLS = {
    "first-consistent": "nothing",
    "worst-case": "largest",
    "expected-size": "square",
    "most-parts": "one",
    "entropy": "information",
}
"""The criteria that the page can compute, with its names of their cells."""

NODES = ("parent", "feedback", "guess", "n_candidates")

WORD_TITLES = {
    "matches": "Words, letters in place",
    "marks": "Words with Wordle's marks",
    "pegs": "Words with Mastermind's pegs",
}


@dataclass(frozen=True)
class Played:
    """A strategy's tree and key, the prices of its moves if known, and its policy if it has one."""

    tree: GameTree
    key: StrategyKey
    prices: pl.DataFrame | None = None
    policy: Policy | None = None


def game_data(game: Game, strategies: Sequence[Played]) -> dict[str, Any]:
    """Return a game's data for the page as JSON values, its strategies sorted by total."""

    def by_total(one: Played) -> tuple[int, int]:
        return one.tree.total_guesses, one.tree.max_guesses

    secrets = game.guess_of_secret if isinstance(game, TableGame) else np.arange(game.n_secrets)
    all_are_secrets = len(secrets) == game.n_guesses
    first = featured([(one.tree, one.key) for one in strategies])
    return {
        "name": game.name,
        "title": title_of(game.name),
        "family": game.name.split("-")[0],
        "guesses": list(game.guesses),
        "secrets": None if all_are_secrets else secrets.tolist(),
        "feedback": list(game.feedback_labels),
        "solved": game.solved,
        "strategies": [_strategy(game, one, first) for one in sorted(strategies, key=by_total)],
    }


def words_data() -> dict[str, str]:
    """Return the page's common words of five letters: what may be guessed, and the secrets."""
    return {
        part: " ".join(word.text for word in read_words(f"common-{part}"))
        for part in ("guesses", "secrets")
    }


def title_of(name: str) -> str:
    """Return a game's display name, such as `Mastermind, 4 pegs and 6 colours`."""
    family, *rest = name.split("-")
    if family in WORD_TITLES:
        return f"{WORD_TITLES[family]}: the list '{'-'.join(rest)}'"
    things = "symbols" if family == "bc" else "colours"
    return f"{CODES[family].title}, {rest[0]} pegs and {rest[1]} {things}"


def _strategy(game: Game, one: Played, first: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Return a strategy for the page; `first` has those that are offered first, as `featured`."""
    tree, key, prices = one.tree, one.key, one.prices
    mean = tree.total_guesses / game.n_secrets
    told = f"{mean:.4f} guesses on average, at most {tree.max_guesses}"
    label, line = first.get(key.tree, (label_of(key), told))
    return {
        "tree": key.tree,
        "name": name_of(vars(key)),
        "label": label,
        "line": line,
        "group": group_of(key),
        "place": list(first).index(key.tree) + 1 if key.tree in first else 0,
        "total": tree.total_guesses,
        "nodes": {name: getattr(tree, name).tolist() for name in NODES},
        "prices": None
        if prices is None
        else {name: prices[name].to_list() for name in ("least", "best", "cost")},
        "rule": None if one.policy is None else _rule(game, one.policy),
    }


def _rule(game: Game, policy: Policy) -> dict[str, Any] | None:
    """Return how a policy scores guesses, in exact integers; None if the page can't compute it."""
    if policy.plays_exactly or not policy.is_single_score or policy.criterion.name not in CELLS:
        return None
    if policy.weights is not None and policy.weights.criteria:
        return None
    criterion, weights = policy.criterion, policy.weights
    scales = criterion.scales(game.n_secrets, game.n_feedback, weights is not None)
    unit = criterion.tolerance(game.n_secrets, game.n_feedback, scales) > 0
    return {
        "cell": CELLS[criterion.name],
        "takesMin": criterion.fold == "min",
        "termScale": scales.term,
        "weightScale": scales.weight,
        "tiesInBits": unit,
        "weights": None
        if weights is None
        else exact_weights(weights.values, scales.weight).astype(np.int64).tolist(),
        "byContext": weights is not None and weights.by_context,
        "consistentOnly": policy.guess_pool == "consistent",
        "prefersConsistent": policy.prefers_consistent,
        "reverses": policy.reverses,
        "reversesOthers": policy.reverses_others,
    }
