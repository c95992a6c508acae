"""Quantities that the sources' texts mention and no table of theirs holds."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from codebreaker.analysis.metrics import strategy
from codebreaker.games.model import TableGame
from codebreaker.report.tables.kooi import OPENINGS, SIX_LEFT, STRATEGIES, code, entropy
from codebreaker.sets.partition import all_secrets, count_table, counts
from codebreaker.types import Counts

IRVINGS_TOTAL = 5804
"""Irving's total for Knuth's strategy, as Kooi 2005 quotes it in footnote 4."""

BASES = (2.0, np.e, 10.0)


def quantities(game: TableGame, strategies: pl.DataFrame) -> pl.DataFrame:
    """Return the quantities, one row for each and what it is a property of.

    `game` is MM(4,6).
    """
    parts = {
        "kinds of feedback": {"all": game.n_feedback},
        "kinds of first guesses": {"all": _kinds_of_openings(game)},
        "average size of a part": {name: s[s > 0].mean() for name, s in _openings(game).items()},
        "entropy in bits": {
            "a certain feedback": entropy(np.array([2])),
            "two equal parts": entropy(np.array([1, 1])),
            "as many equal parts as kinds of feedback": entropy(np.ones(game.n_feedback, int)),
        },
        "sum of p log p in bits, without the minus sign": {
            "a certain feedback": 0.0 - entropy(np.array([2])),
            "two equal parts": -entropy(np.array([1, 1])),
        },
        "orders of the first guesses by entropies with other bases": {"all": _orders(game)},
        "mean of Irving's total for Knuth's strategy": {"all": IRVINGS_TOTAL / game.n_secrets},
        "parts of the six candidates of Table 9": _parts_of_six(game),
        **{f"secrets won within {n} guesses": _won(strategies, n) for n in (2, 3, 4, 8)},
    }
    rows = [
        (quantity, name, f"{value + 0.0:.7g}")
        for quantity, values in parts.items()
        for name, value in values.items()
    ]
    return pl.DataFrame(rows, schema=["quantity", "of", "value"], orient="row")


def _openings(game: TableGame) -> dict[str, Counts]:
    return {name: counts(game, code(game, name), all_secrets(game)) for name in OPENINGS}


def _kinds_of_openings(game: TableGame) -> int:
    """Return the number of different partitions, as multisets of sizes, by a first guess."""
    sizes = np.sort(count_table(game, all_secrets(game)), axis=1)
    return len(np.unique(sizes, axis=0))


def _orders(game: TableGame) -> int:
    """Return in how many orders entropies with the bases 2, e and 10 put the first guesses."""
    values = np.array([entropy(sizes) for sizes in _openings(game).values()])
    return len({tuple(np.argsort(values / np.log2(base))) for base in BASES})


def _parts_of_six(game: TableGame) -> Mapping[str, int]:
    """Return how many of Kooi's six candidates a guess tells apart."""
    secrets = np.array(sorted(code(game, name) for name in SIX_LEFT), dtype=np.int32)
    parts = (count_table(game, secrets) > 0).sum(axis=1)
    return {"ABFA": parts[code(game, "ABFA")], "the best candidate": parts[secrets].max()}


def _won(strategies: pl.DataFrame, rounds: int) -> dict[str, int]:
    """Return the secrets that Kooi's strategies find within some rounds."""
    profiles = {row: strategy(strategies, policy)["profile"] for row, policy in STRATEGIES.items()}
    return {row: sum(map(int, profile.split()[:rounds])) for row, profile in profiles.items()}
