"""The tables of values of games: the value, the codemaker's chances, the codebreaker's trees."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import polars as pl

from codebreaker.report.tables import markdown

Row = dict[str, Any]

VALUES_NOTE = """The *value* is the mean number of guesses that the codebreaker can keep to, however
the code is chosen, and that the codemaker can force, however it is sought. It is the least *total*
of guesses, each code counted with the weight by which it is drawn, over the sum of the *weights*.
*Classes* are those of codes that permuting positions and renaming colours make alike; in black pegs
each position renames its own. With *equal chances* of all codes the least mean is lower by *gain*
per cent. The mixture's *trees* prove that the value is not higher: a program that shares no code
with the search has played each against every code. That it is not lower is the exact search's
result; *lower bound* says where that program has found it too, by trying all guesses."""

CHANCES_NOTE = """The codemaker's chances of each class, which is named by its first code and drawn
from evenly. *Times equal* is how many times as likely a code is as if all were equally likely."""

MIXTURES_NOTE = """The trees of the codebreaker. One is drawn with its *chance*, and is played with
colours and positions renamed at random. The mean is that over all codes; *worst class* is the
largest mean over a class, that of the tree if the codemaker knows it."""

FAIR_NOTE = """The tree whose worst class of codes takes the least mean, if the codebreaker plays
one tree, with colours and positions renamed at random, and the codemaker knows which. *At most*
limits the guesses for any code. *Published* are the figures of arfst23/Mastermind (its README,
'minmax average', read as this). No tree does better: each class takes a whole number of guesses,
and if none had a mean as large, their sum would be below the *least total* of any tree, over all
codes or without one class; or the search has tried *all trees* that are near enough to it. The
least totals are the exact search's."""

PUBLISHED = {("mm-4-6", None): 4.34167, ("mm-4-6", 5): 4.34306, ("mm-4-7", None): 4.67738}
"""Least worst means of a class by game and limit on guesses (arfst23/Mastermind)."""


def fair_trees(recorded: pl.DataFrame, values: pl.DataFrame) -> pl.DataFrame:
    """Return the recorded trees beside the values of their games, and published figures."""
    games = dict(values.select("game", "decimal").iter_rows())
    rows = [
        {
            "game": row["game"],
            "at most": row["at most"],
            "worst class": row["worst class"],
            "mean": row["mean"],
            "decimal": row["decimal"],
            "published": PUBLISHED.get((row["game"], row["at most"])),
            "value of the game": games.get(row["game"]),
            "total": row["total"],
            "maximum": row["maximum"],
            "proven by": row["proven by"],
        }
        for row in recorded.iter_rows(named=True)
    ]
    return pl.DataFrame(
        rows, schema_overrides={"at most": pl.Int64, "value of the game": pl.Float64}
    )


def values(certificates: Iterable[Row], checked: pl.DataFrame) -> pl.DataFrame:
    """Return one row per game, in the order of the certificates."""
    searched = dict(checked.select("game", "lower_bound_checked").iter_rows())
    return pl.DataFrame(
        [
            {
                "game": told["game"],
                "secrets": told["secrets"],
                "classes": len(told["classes"]),
                "value": told["value"],
                "decimal": round(float(Fraction(told["value"])), 6),
                "total": told["least"],
                "weights": sum(one["weight"] * one["size"] for one in told["classes"]),
                "equal chances": round(told["optimum"] / told["secrets"], 6),
                "gain": round(
                    float(100 * (Fraction(told["value"]) * told["secrets"] / told["optimum"] - 1)),
                    3,
                ),
                "trees": len(told["trees"]),
                "lower bound": "checked" if searched[told["game"]] == "yes" else "search",
            }
            for told in certificates
        ]
    )


def chances(certificates: Iterable[Row]) -> pl.DataFrame:
    """Return one row per game and class."""
    rows = []
    for told in certificates:
        mass = sum(one["weight"] * one["size"] for one in told["classes"])
        for one in told["classes"]:
            chance = Fraction(one["weight"] * one["size"], mass)
            rows.append(
                {
                    "game": told["game"],
                    "class": one["first"],
                    "secrets": one["size"],
                    "chance": str(chance),
                    "decimal": round(float(chance), 6),
                    "times equal": round(float(chance * told["secrets"] / one["size"]), 4),
                }
            )
    return pl.DataFrame(rows)


def mixtures(certificates: Iterable[Row]) -> pl.DataFrame:
    """Return one row per game and tree, the likeliest first."""
    rows = []
    for told in certificates:
        sizes = [one["size"] for one in told["classes"]]
        trees = sorted(told["trees"], key=lambda tree: Fraction(tree["chance"]), reverse=True)
        for number, tree in enumerate(trees, 1):
            means = [total / size for total, size in zip(tree["totals"], sizes, strict=True)]
            rows.append(
                {
                    "game": told["game"],
                    "tree": number,
                    "chance": tree["chance"],
                    "decimal": round(float(Fraction(tree["chance"])), 6),
                    "opening": tree["tree"]["guess"],
                    "mean": round(sum(tree["totals"]) / told["secrets"], 6),
                    "max": _depth(tree["tree"]),
                    "worst class": round(max(means), 4),
                }
            )
    return pl.DataFrame(rows)


def pages(
    values: pl.DataFrame, chances: pl.DataFrame, mixtures: pl.DataFrame, fair: pl.DataFrame
) -> list[tuple[pl.DataFrame, str]]:
    """Return each table with its page as Markdown."""
    return [
        (values, markdown.page("Values of games", VALUES_NOTE, values)),
        (chances, markdown.page("The codemaker's chances", CHANCES_NOTE, chances)),
        (mixtures, markdown.page("The codebreaker's mixtures", MIXTURES_NOTE, mixtures)),
        (fair, markdown.page("Trees with the least worst class", FAIR_NOTE, fair)),
    ]


def _depth(tree: Row) -> int:
    return 1 + max(map(_depth, tree.get("after", {}).values()), default=0)
