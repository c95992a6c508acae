"""The table and the chart of the statements of Cotta et al. 2010 about players."""

import altair as alt
import polars as pl

from codebreaker.analysis.contests import Inference
from codebreaker.analysis.statements import LEAST, LISTING
from codebreaker.report.charts.style import GRID, MUTED, Chart, styled
from codebreaker.report.tables import markdown
from codebreaker.report.tables.players import explained, rounded

NOTE = """Here `p_holm` is corrected for the claims of a statement in a contest. `fewer`
and `more` are claims about the first player. `same` holds if the difference is shown to lie
within the margin, fails if it is shown to lie beyond, and is undecided otherwise. In contests
that end with `keeping`, codes of earlier moves that are still feasible may be played, as in the
source's listing; in those that end with `least`, at least as many codes are examined as EvoRank
collects, 20 with six colours and 40 with eight. Players that such a contest lacks are those of
the plain contest. The source doesn't say whether the variants that it compares with EvoRank are
seeded: here they are."""

READINGS = {
    "": ("the text", "#0072b2"),
    LISTING: ("the listing: codes of earlier moves may be played", "#d55e00"),
    LEAST: ("as many codes as EvoRank collects", "#009e73"),
}
"""The label and colour of each reading, by what it adds to the name of a contest."""


def to_markdown(claims: pl.DataFrame, inference: Inference) -> str:
    """Return the claims, statement by statement, as Markdown."""
    parts: list[str | pl.DataFrame] = []
    for (text,), rows in claims.group_by("text", maintain_order=True):
        parts += [f"## {text}", rounded(rows.drop("statement", "text"))]
    return markdown.page("Statements of Cotta et al. 2010", explained(inference), NOTE, *parts)


def guesses_chart(claims: pl.DataFrame, inference: Inference) -> Chart:
    """Draw the differences in guesses of the claims' pairs, with their intervals."""
    labels = {ending: label for ending, (label, _) in READINGS.items()}
    parts = claims["contest"].str.extract_groups(r"^(?<game>[a-z]+-[a-z]+)(?<ending>.*)$")
    pairs = claims.with_columns(
        parts.struct["game"].alias("plain"),
        parts.struct["ending"].replace_strict(labels).alias("reading"),
        pl.format("{} − {}", "player", "other").alias("pair"),
    ).filter(pl.col("measure") == "guesses")
    margin = inference.margins["guesses"]
    order = pairs["pair"].unique(maintain_order=True).to_list()
    y = alt.Y("pair:N", sort=order, title=None)
    offset = alt.YOffset("reading:N", sort=list(labels.values()))
    colour = alt.Color(
        "reading:N",
        title=None,
        scale=alt.Scale(domain=list(labels.values()), range=[one for _, one in READINGS.values()]),
        legend=alt.Legend(orient="top", labelLimit=400),
    )
    base = alt.Chart(pairs)
    band = base.transform_aggregate(groupby=["plain"]).mark_rect(color=GRID, opacity=0.7)
    within = band.encode(x=alt.datum(-margin), x2=alt.datum(margin))
    middle = base.mark_rule(color=MUTED, strokeDash=[3, 3]).encode(x=alt.datum(0))
    lines = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title="difference in mean guesses, with its 95% interval"),
        x2="high:Q", y=y, yOffset=offset, color=colour,
    )  # fmt: skip
    dots = base.mark_circle(size=45, opacity=1).encode(
        x="difference:Q", y=y, yOffset=offset, color=colour,
        tooltip=["contest", "player", "other", "difference", "low", "high", "p_holm", "verdict"],
    )  # fmt: skip
    counts = {one: (pairs["agrees"] == one).sum() for one in ("yes", "no", "undecided")}
    return styled(
        alt.layer(within, middle, lines, dots)
        .properties(width=330, height=alt.Step(10))
        .facet(column=alt.Column("plain:N", title=None, sort="descending")),
        f"{counts['yes']} of {sum(counts.values())} comparisons of guesses agree with the source, "
        f"{counts['no']} don't, {counts['undecided']} are undecided",
        f"Statements of Cotta et al. 2010; the band is the margin of ±{margin} guesses",
    )
