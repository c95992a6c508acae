"""Weights played on other games than the one that they were found for."""

from typing import Any

import altair as alt
import polars as pl

from codebreaker.analysis.transfer import BASE
from codebreaker.report.charts.style import INK, MUTED, Chart, colour_of, styled
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
    shown = table.filter(pl.col("policy") != BASE)
    names = shown["policy"].unique(maintain_order=True).to_list()
    games = table["game"].unique(maintain_order=True).to_list()
    colours = [colour_of(name) for name in names]
    dashes = [DASHES[colours[:i].count(one) % len(DASHES)] for i, one in enumerate(colours)]
    legend = alt.Legend(symbolType="stroke", symbolSize=500, symbolStrokeWidth=2)
    by_policy: dict[str, Any] = {"field": "policy", "type": "nominal", "title": None, "sort": names}
    zero = alt.Chart(pl.DataFrame({"y": [0]})).mark_rule(color=MUTED).encode(y="y:Q")
    encoded = alt.Chart().encode(
        x=alt.X("game:N", sort=games, title=None, axis=alt.Axis(labelAngle=0, grid=False)),
        y=alt.Y("per_thousand:Q", title="guesses per 1,000 secrets above entropy"),
        color=alt.Color(**by_policy, legend=legend, scale=alt.Scale(domain=names, range=colours)),
        strokeDash=alt.StrokeDash(
            **by_policy, legend=legend, scale=alt.Scale(domain=names, range=dashes)
        ),
        detail="found_for:N",
        tooltip=["policy", "parameters", "found_for", "game", "opening", "difference"],
    )
    lines = zero + encoded.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=45))
    return styled(
        alt.layer(lines, data=shown)
        .properties(width=330, height=300)
        .facet(column=alt.Column("opening:N", title=None, header=alt.Header(labelColor=INK))),
        finding(table),
        "Totals minus those of entropy from the same opening, by opening and game; lower is better",
    )
