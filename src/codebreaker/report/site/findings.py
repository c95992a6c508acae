"""What the page says first: how near each kind of strategy comes to the least total."""

import re
from typing import Any

import polars as pl

from codebreaker.report.charts.style import colour_of
from codebreaker.report.names import name_of

GAME = "mm-4-6"

KINDS = {
    "weights for each turn and last feedback": r"(context-weighted|guided-context).*",
    "weights for each turn": r"(stage-weighted|guided-stage).*",
    "weights for each turn, as published": r"stage-weighted",
    "the same weights at all turns": r"fixed-weighted.*",
    "no weights": r"most-parts|entropy|expected-size|worst-case|first-consistent",
}
"""The kinds of strategies with one step of look-ahead, by what the names of policies match."""


def ladder(strategies: pl.DataFrame, game: str = GAME) -> list[dict[str, Any]]:
    """Return the best strategy of each kind, and how many guesses it is above the least total.

    Nothing where the least total of the game isn't known.
    """
    found = pl.col("policy").str.ends_with("-found")
    rows = strategies.filter(pl.col("game") == game).sort(
        "total_guesses", "max_guesses", found, "tree"
    )
    optimal = rows.filter(pl.col("policy") == "optimal", pl.col("guess_pool") == "all")
    if optimal.is_empty():
        return []
    least = optimal.row(0, named=True)
    steps = [_step("the least there is, proven", least, least)]
    for kind, pattern in KINDS.items():
        some = [
            row
            for row in rows.iter_rows(named=True)
            if re.fullmatch(pattern, row["policy"]) and row["guess_pool"] == "all"
        ]
        if some:
            steps.append(_step(kind, some[0], least))
    return steps


def _step(kind: str, row: dict[str, Any], least: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": name_of(row),
        "tree": row["tree"],
        "colour": colour_of(row["policy"]),
        "total": row["total_guesses"],
        "mean": row["mean_guesses"],
        "most": row["max_guesses"],
        "above": row["total_guesses"] - least["total_guesses"],
        "secrets": row["secrets"],
    }


def games(strategies: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the best strategy of each other game, and the least total where it is known."""
    told = []
    for game in strategies["game"].unique(maintain_order=True):
        rows = strategies.filter(pl.col("game") == game).sort("total_guesses", "max_guesses")
        proven = rows.filter(pl.col("policy") == "optimal", pl.col("guess_pool") == "all")
        others = rows.filter(~pl.col("policy").str.starts_with("optimal"))
        if others.is_empty():
            continue
        best = others.row(0, named=True)
        told.append(
            {
                "game": game,
                "name": name_of(best),
                "total": best["total_guesses"],
                "mean": best["mean_guesses"],
                "most": best["max_guesses"],
                "secrets": best["secrets"],
                "least": None if proven.is_empty() else proven.row(0, named=True)["total_guesses"],
            }
        )
    return told


def claims(discrepancies: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the claims by the document that makes them, in the order of the table."""
    by_document: dict[str, list[dict[str, Any]]] = {}
    for row in discrepancies.iter_rows(named=True):
        document, _, place = row["source"].partition(", ")
        by_document.setdefault(document, []).append(row | {"place": place})
    return [
        {
            "document": document,
            "rows": rows,
            "wrong": sum(row["verdict"] == "wrong" for row in rows),
        }
        for document, rows in by_document.items()
    ]
