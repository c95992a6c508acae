"""Weights played on other games than the one that they were found for."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.analysis.transfer import BASE
from codebreaker.report.charts.style import INK, MUTED, Chart, colour_of, styled
from codebreaker.report.names import SPOKEN, VARIANTS, notation_of
from codebreaker.report.tables import markdown

NOTE = """All totals are from the same opening as that of entropy. `difference` is the total minus
that of entropy, and `per_thousand` the same per 1,000 secrets; a negative difference is a gain.
`parameters` counts the weights after the opening, equal rows once. `found_for` names the games that
the weights were found for."""

DASHES = ([1, 0], [7, 4], [2, 3], [9, 3, 2, 3])
"""The dashes of policies that share a colour, in turn."""


def finding(table: pl.DataFrame) -> str:
    """Return on how many of the games that they were not found for the weights beat entropy."""
    others = table.filter(
        pl.col("parameters") > 0,
        ~pl.col("found_for").str.split(", ").list.contains(pl.col("game")),
    )
    better = others.filter(pl.col("difference") < 0).height
    return f"On other games, weights beat entropy in {better} of {others.height} cases"


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table as Markdown."""
    return markdown.page("Weights on other games", f"{finding(table)}.", table, NOTE)


def chart(table: pl.DataFrame) -> Chart:
    """Draw the difference from entropy per 1,000 secrets by game, a line for each policy.

    A policy with weights for several sets of games has a line for each.
    """
    shown = table.filter(pl.col("policy") != BASE).with_columns(
        pl.col("policy").replace(SPOKEN | VARIANTS).alias("weights"),
        pl.col("game").map_elements(notation_of, pl.String).alias("size"),
        pl.format("from {}", "opening").alias("from"),
    )
    policies = shown["policy"].unique(maintain_order=True).to_list()
    names = [(SPOKEN | VARIANTS).get(policy, policy) for policy in policies]
    games = shown["size"].unique(maintain_order=True).to_list()
    colours = [colour_of(policy) for policy in policies]
    dashes = [DASHES[colours[:i].count(one) % len(DASHES)] for i, one in enumerate(colours)]
    legend = alt.Legend(symbolType="stroke", symbolSize=500, symbolStrokeWidth=2)
    by_policy: dict[str, Any] = {
        "field": "weights",
        "type": "nominal",
        "title": None,
        "sort": names,
    }
    zero = alt.Chart(pl.DataFrame({"y": [0]})).mark_rule(color=MUTED).encode(y="y:Q")
    encoded = alt.Chart().encode(
        x=alt.X("size:N", sort=games, title=None, axis=alt.Axis(labelAngle=0, grid=False)),
        y=alt.Y("per_thousand:Q", title="guesses per 1,000 secrets above entropy"),
        color=alt.Color(**by_policy, legend=legend, scale=alt.Scale(domain=names, range=colours)),
        strokeDash=alt.StrokeDash(
            **by_policy, legend=legend, scale=alt.Scale(domain=names, range=dashes)
        ),
        detail="found_for:N",
        tooltip=["policy", "found_for", "game", "opening", "difference"],
    )
    lines = zero + encoded.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=45))
    return styled(
        alt.layer(lines, data=shown)
        .properties(width=330, height=300)
        .facet(facet=alt.Facet("from:N", title=None, header=alt.Header(labelColor=INK)), columns=2),
        finding(table),
        "Totals minus those of entropy from the same opening, by opening and size; lower is better",
    )
