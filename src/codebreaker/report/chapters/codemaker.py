"""The codemaker: values of games with both mixed strategies, and devious codemakers."""

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from codebreaker.files import read_frame
from codebreaker.games.model import read_game
from codebreaker.players.longest_plays import strategies_row
from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of
from codebreaker.report.style import SERIES, Chart, by, display_names, save, styled
from codebreaker.report.tables import named, notes_of, write_page
from codebreaker.trees.io import read_tree

NOTES = notes_of(__file__)
Row = dict[str, Any]

PUBLISHED = pl.DataFrame(
    [
        ("mm-4-6", None, 4.34167),
        ("mm-4-6", 5, 4.34306),
        ("mm-4-7", None, 4.67738),
        ("mm-4-8", 6, 5.07143),
    ],
    {"game": pl.String, "at most": pl.Int64, "published": pl.Float64},
    orient="row",
)
"""Minimum of the largest class mean, as stated by arfst23/Mastermind."""

DRAWS = "randomised"
PLANNED = "deterministic"
RANDOM = "a random secret"
DEVIOUS = "a devious codemaker"

DRAWN = (
    *("optimal, at most 5", "optimal", "entropy", "worst-case", "first-consistent"),
    *("random-consistent", "EvoRank", "annealing"),
)
"""One strategy or player of each kind, for the chart."""


def _fair_table(recorded: pl.DataFrame, values: pl.DataFrame) -> pl.DataFrame:
    """Return the recorded trees with published means and the values of their games."""
    games = values.select("game", pl.col("decimal").alias("value of the game"))
    recorded = recorded.with_columns(pl.col("at most").cast(pl.Int64))
    published = recorded.join(
        PUBLISHED, ["game", "at most"], how="left", nulls_equal=True, maintain_order="left"
    )
    return published.join(games, "game", how="left", maintain_order="left").select(
        *("game", "at most", "worst class", "mean", "decimal", "published"),
        *("value of the game", "total", "maximum", "proven by"),
    )


def value_table(certificates: Iterable[Row], checked: pl.DataFrame) -> pl.DataFrame:
    """Return one row per game: its value as a fraction and a decimal, and what proves it.

    `gain` is by how much the value exceeds the minimum mean under a uniform prior, in percent.
    """
    searched = dict(checked.select("game", "lower_bound_checked").iter_rows())
    rows = []
    for certificate in certificates:
        value = Fraction(certificate["value"])
        gain = float(100 * (value * certificate["secrets"] / certificate["optimum"] - 1))
        rows.append(
            {
                "game": certificate["game"],
                "secrets": certificate["secrets"],
                "classes": len(certificate["classes"]),
                "value": certificate["value"],
                "decimal": round(float(value), 6),
                "total": certificate["minimum"],
                "weights": _mass(certificate),
                "uniform prior": round(certificate["optimum"] / certificate["secrets"], 6),
                "gain": round(gain, 3),
                "trees": len(certificate["trees"]),
                "lower bound": "checked" if searched[certificate["game"]] == "yes" else "search",
            }
        )
    return pl.DataFrame(rows)


def _mass(certificate: Row) -> int:
    """Return the sum of the weights of all codes under a certificate's prior."""
    return sum(code_class["weight"] * code_class["size"] for code_class in certificate["classes"])


def prior_table(certificates: Iterable[Row]) -> pl.DataFrame:
    """Return one row per class."""
    rows = []
    for certificate in certificates:
        for code_class in certificate["classes"]:
            size = code_class["size"]
            probability = Fraction(code_class["weight"] * size, _mass(certificate))
            times = round(float(probability * certificate["secrets"] / size), 4)
            decimal = round(float(probability), 6)
            rows.append(
                (certificate["game"], code_class["first"], size, str(probability), decimal, times)
            )
    columns = ("game", "class", "secrets", "probability", "decimal", "times uniform")
    return pl.DataFrame(rows, columns, orient="row", infer_schema_length=None)


def mixture_table(certificates: Iterable[Row]) -> pl.DataFrame:
    """Return one row per tree, the most probable first."""
    rows = []
    for certificate in certificates:
        sizes = [code_class["size"] for code_class in certificate["classes"]]
        trees = sorted(certificate["trees"], key=lambda tree: -Fraction(tree["probability"]))
        for number, tree in enumerate(trees, 1):
            means = [total / size for total, size in zip(tree["totals"], sizes, strict=True)]
            rows.append(
                {
                    "game": certificate["game"],
                    "tree": number,
                    "probability": tree["probability"],
                    "decimal": round(float(Fraction(tree["probability"])), 6),
                    "opening": tree["tree"]["guess"],
                    "mean": round(sum(tree["totals"]) / certificate["secrets"], 6),
                    "max": _depth(tree["tree"]),
                    "worst class": round(max(means), 4),
                }
            )
    return pl.DataFrame(rows)


def _depth(tree: Row) -> int:
    """Return the maximum number of guesses of a tree written as nested objects."""
    return 1 + max(map(_depth, tree.get("after", {}).values()), default=0)


def ranking(played: pl.DataFrame, means: pl.DataFrame, strategies: pl.DataFrame) -> pl.DataFrame:
    """Rank players and strategies by their guesses against the devious codemaker.

    `mean` is against a random secret. `devious` are guesses, which are exact for a deterministic
    strategy and sampled for others, with the standard `error`; `exact` is known for some of them.
    """
    players = played.join(
        means.select("player", "game", pl.col("mean_guesses").alias("mean")), on="player"
    ).with_columns(pl.lit(DRAWS).alias("kind"))
    planned = strategies.filter(pl.col("game").is_in(players["game"].unique().implode())).select(
        pl.lit(PLANNED).alias("kind"),
        *(pl.col("strategy").alias("player"), "game", "mean"),
        *(pl.col("devious").cast(pl.Float64).alias(name) for name in ("devious", "exact")),
        *(pl.col("devious").alias("max"), "play"),
    )
    return (
        pl.concat([players, planned], how="diagonal")
        .sort("devious", "mean", "player")
        .select(
            pl.col("devious").rank("min").cast(pl.Int64).alias("rank"),
            *("kind", "player", "game", "mean", "devious", "error"),
            *("exact", "games", "max", "play"),
        )
    )


def devious_chart(table: pl.DataFrame) -> Chart:
    """Draw the guesses of one player of each kind against a random secret and the codemaker.

    All players are drawn if a study has none of these.
    """
    import altair as alt  # slow to import

    known = table.filter(pl.col("player").is_in(DRAWN))
    shown = table if known.is_empty() else known
    exact = pl.coalesce("exact", "devious").alias("devious")
    rows = shown.with_columns(exact, display_names("player")).rename(
        {"mean": RANDOM, "devious": DEVIOUS}
    )
    # A line for each player, from one mean to the other, and a dot at either end.
    y = by.y("player:N", None, sort=rows.sort(DEVIOUS, RANDOM)["player"].to_list())
    line = alt.Chart(rows).encode(y=y).mark_rule(strokeWidth=1.5, opacity=0.5)
    line = line.encode(x=by.x(f"{RANDOM}:Q", "guesses", zero=False, nice=True), x2=f"{DEVIOUS}:Q")
    means = rows.unpivot([RANDOM, DEVIOUS], index=["player", "kind"], variable_name="against")
    dots = alt.Chart(means).mark_point(filled=True, size=70, opacity=1)
    colours = {RANDOM: SERIES, DEVIOUS: "#b2334f"}
    dots = dots.encode(
        x="value:Q",
        y=y,
        color=by.colour("against:N", "mean guesses against", each=colours),
        tooltip=["player", "kind", "against", alt.Tooltip("value:Q", format=".3f")],
    )
    return styled(
        (line + dots).properties(width=520, height={"step": 24}),
        "A codemaker who may change the secret makes games longer",
        f"{notation_of(shown['game'][0])}: {_devious_finding(rows)}",
    )


def _devious_finding(rows: pl.DataFrame) -> str:
    """Return which players lose the fewest and the most guesses to the codemaker."""
    lost = rows.with_columns((pl.col(DEVIOUS) - pl.col(RANDOM)).alias("lost")).sort("lost")
    least = lost.row(0, named=True)
    most = lost.row(-1, named=True)
    return (
        f"this costs {least['player']} {least['lost']:.1f} guesses, and {most['player']} "
        f"{most['lost']:.1f}. The codemaker may give any answer, as long as a secret fits them all"
    )


def rank_deviously(inputs: Files, output: Files, params: Files) -> str:
    """Rank players and strategies against a codemaker who delays them."""
    games = {game.name: game for game in map(read_game, inputs.games)}
    trees = [read_tree(path) for path in inputs.trees]
    rows = [
        strategies_row(games[strategy.game], tree, strategy)
        for tree, strategy in trees
        if strategy.game in games
    ]
    strategies = named(pl.DataFrame(rows, infer_schema_length=None))
    strategies = strategies.select("game", "strategy", "mean", "devious", "secrets", "play")
    strategies = strategies.sort("game", "devious", "mean", "strategy")
    means = pl.read_csv(inputs.means).filter(pl.col("contest") == params.contest)
    table = ranking(read_frame(inputs.played), means, strategies)
    title = "Against a devious codemaker"
    shown = table.with_columns(pl.col("mean", "error").round(4), pl.col("exact").round(6))
    write_page(table, output.tables, title, NOTES[title], shown.drop("game"))
    title = "The longest plays of strategies"
    write_page(strategies, output.strategies, title, NOTES[title], strategies)
    save(devious_chart(shown), output.figures[0], params.png_scale)
    return f"{table.height} players and strategies"


def tabulate_values(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate the values of games, and both sides' strategies."""
    certificates = [json.loads(Path(path).read_text(encoding="utf-8")) for path in inputs.values]
    values = value_table(certificates, pl.read_csv(inputs.checked))
    prior = prior_table(certificates)
    fair = _fair_table(pl.read_csv(inputs.recorded), values)
    pages = {
        "Values of games": values,
        "The codemaker's prior": prior,
        "The codebreaker's mixtures": mixture_table(certificates),
        "Trees with the best worst class": fair,
    }
    for at, (title, table) in enumerate(pages.items()):
        write_page(table, output.tables[2 * at : 2 * at + 2], title, NOTES[title], table)
    return f"{values.height} games"
