"""The common look of all charts, their colours and contrasts, and their files."""

from collections.abc import Iterable, Mapping
from functools import partial
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import altair as alt
import polars as pl

from codebreaker.files import atomic_write
from codebreaker.players.registry import SHARES
from codebreaker.policies.registry import FOUND
from codebreaker.trees.metrics import BEST_KNOWN, OPTIMAL

Chart = Any
"""Any kind of Altair chart."""

INK, MUTED, GRID = "#1f2430", "#667085", "#e4e7ec"
ON_TILE = "#1f2431"
"""Colour of text on pale tiles, which stay pale on a dark page."""

SERIES = "#0072b2"
"""The colour of marks that need no other."""

TURN_COLOURS = (SERIES, "#c68900", "#009e73", "#aa4499", "#d55e00", "#8a8f98", "#6699cc", "#7a5230")

FONT = "Inter, Segoe UI, Helvetica Neue, Arial, sans-serif"

MODELS_BY_COLOUR = {
    "#999933": ("fixed", "one-vector"),
    "#009e73": (
        *("stage", "stage-code", "stage-code-5000", "guided-stage", "guided-stage-max-5"),
        "by-turn",
    ),
    "#332288": ("guided-context", "guided-context-max-5"),
    "#117733": ("endgames",),
    "#aa4499": ("renyi-stage",),
    "#d55e00": ("tsallis-stage",),
    "#661100": ("tsallis-orders",),
}
MODEL_COLOURS = {model: colour for colour, models in MODELS_BY_COLOUR.items() for model in models}

POLICIES_BY_COLOUR = {
    "#8a8f98": ("first-consistent",),
    "#d55e00": ("worst-case",),
    "#cc79a7": ("expected-size",),
    "#0072b2": ("entropy",),
    "#4b9dcb": ("entropy-base-parts",),
    "#c68900": ("most-parts", "most-parts-two-steps", "most-parts-two-then-one"),
    "#c2703d": ("entropy-with-most-parts", "entropy-then-most-parts"),
    "#999933": ("fixed-weighted",),
    "#009e73": (
        "stage-weighted",
        "stage-weighted-turns-4-6-uniform",
        "stage-weighted-repository",
        "stage-weighted-5630",
        "stage-weighted-179273",
    ),
    "#332288": ("context-weighted-5625", "context-weighted-5626"),
    "#117733": ("endgame-weighted-179064",),
    INK: (OPTIMAL, BEST_KNOWN),
    "#b2334f": ("optimal-in-time",),
}
PLAYERS_BY_COLOUR = {
    "#882255": ("random-consistent",),
    "#0072b2": tuple(f"entropy-consistent{sample}" for sample in SHARES),
    "#c68900": tuple(f"most-parts-consistent{sample}" for sample in SHARES),
    "#117733": ("EvoRank",),
    "#a19557": ("eGA-random", "eGA-seeded"),
    "#41a393": ("eGACo-random", "eGACo-seeded"),
    "#b5651d": ("eGACm-random", "eGACm-seeded"),
    "#cc6677": ("annealing",),
    "#7a5230": ("genetic",),
}
COLOURS = {f"{model}{FOUND}": colour for model, colour in MODEL_COLOURS.items()} | {
    name: colour
    for groups in (POLICIES_BY_COLOUR, PLAYERS_BY_COLOUR)
    for colour, names in groups.items()
    for name in names
}
"""The colour of each policy and player: distinct to the colour-blind, 3 in contrast with white."""

OTHER_COLOUR = "#8b9099"


def colour_of(name: str) -> str:
    """Return the colour of a policy or player; variants share one, unknown ones are grey."""
    return COLOURS.get(name, OTHER_COLOUR)


def policy_scale(policies: Iterable[str], suffix: str = "") -> alt.Scale:
    """Return a colour scale for policies or players, named without their suffix."""
    names = list(dict.fromkeys(policies))
    return alt.Scale(domain=names, range=[colour_of(f"{name}{suffix}") for name in names])


def model_scale(models: Iterable[str]) -> alt.Scale:
    """Return a colour scale for models of weights, which have the colours of their policies."""
    return policy_scale(models, FOUND)


OF_SCALE = signature(alt.Scale).parameters.keys()


def channel(kind: Any, field: str, title: Any = alt.Undefined, **options: Any) -> Any:  # noqa: ANN401
    """Return a channel such as `alt.X`; by their names, options are its scale's or its guide's.

    A guide is an axis or a legend. `each` maps the field's values to colours, shapes or dashes.
    """
    guide, of_guide = ("axis", alt.Axis) if kind in (alt.X, alt.Y) else ("legend", alt.Legend)
    if each := options.pop("each", None):
        options |= {"domain": list(each), "range": list(each.values())}
    own = {name: options.pop(name) for name in {"sort", "scale", guide} & options.keys()}
    if scale := {name: options.pop(name) for name in OF_SCALE & options.keys()}:
        own["scale"] = alt.Scale(**scale)
    if options:
        own[guide] = of_guide(**options)
    return kind(field, title=title, **own)


CHANNELS = {
    "x": alt.X, "y": alt.Y, "colour": alt.Color, "fill": alt.Fill, "stroke": alt.Stroke,
    "shape": alt.Shape, "dash": alt.StrokeDash,
}  # fmt: skip
by = SimpleNamespace(**{name: partial(channel, kind) for name, kind in CHANNELS.items()})


def with_ends(table: pl.DataFrame, mean: str, error: str) -> pl.DataFrame:
    """Return a table with the ends of error bars, `low` and `high`."""
    at, width = pl.col(mean), pl.col(error)
    return table.with_columns((at - width).alias("low"), (at + width).alias("high"))


def joined_dots(
    rows: pl.DataFrame, kind: str, colours: Mapping[str, str], index: list[str], size: int,
    x: Chart, y: Chart, title: str | None = None, **encoded: Chart,
) -> Chart:  # fmt: skip
    """Draw the two columns that have colours, in each row joined by a line.

    `kind` names what distinguishes them, and `index` the columns that tooltips show with them.
    """
    base = alt.Chart(rows).encode(y=y)
    line = base.mark_rule(strokeWidth=1.5, opacity=0.5).encode(x=x, x2=f"{[*colours][1]}:Q")
    dots = alt.Chart(rows.unpivot([*colours], index=index, variable_name=kind))
    return line + dots.mark_point(filled=True, size=size, opacity=1).encode(
        x="value:Q", y=y, color=by.colour(f"{kind}:N", title, each=colours), **encoded
    )


def deviation_tiles(base: Chart, field: str, tooltip: list[Any], size: int, **scale: Any) -> Chart:  # noqa: ANN401
    """Draw weights as text of a size on tiles, coloured by a field: the deviation in percent."""
    scale = {"scheme": "blueorange", "domain": [-100, 100], "domainMid": 0} | scale
    tiles = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=by.colour(f"{field}:Q", "deviation, %", **scale), tooltip=tooltip
    )
    dark = f"abs(datum.{field}) > 62"
    return tiles + base.mark_text(fontSize=size).encode(
        text=alt.Text("weight:Q", format=".2f"),
        color=alt.condition(dark, alt.value("white"), alt.value(ON_TILE)),
    )


def styled(chart: Chart, title: str, subtitle: str) -> Chart:
    """Return a chart in the common look; its title states the finding, its subtitle the data."""
    text = {"labelColor": INK, "titleColor": MUTED, "titleFontWeight": "normal"}
    lines = dict.fromkeys(("gridColor", "domainColor", "tickColor"), GRID)
    subtitle_look = {"subtitleColor": MUTED, "subtitleFontSize": 12}
    return (
        chart.properties(title=alt.TitleParams(title, subtitle=subtitle))
        .configure(font=FONT, background="white", padding=16)
        .configure_title(anchor="start", color=INK, fontSize=17, offset=14, **subtitle_look)
        .configure_axis(labelFontSize=12, titleFontSize=12, labelLimit=320, **lines, **text)
        .configure_legend(
            labelFontSize=12, symbolBaseFillColor=MUTED, symbolBaseStrokeColor=MUTED, **text
        )
        .configure_rule(color=MUTED)
        .configure_text(color=INK)
        .configure_header(labelFontSize=13, labelAngle=0, **text)
        .configure_view(stroke=None)
    )


def save(chart: Chart, path: str | Path, png_scale: float) -> None:
    """Save a chart as SVG, PNG, self-contained HTML and Vega-Lite.

    `path` is that of one of these files, or without a suffix.
    """
    options: dict[str, dict[str, Any]] = {
        ".svg": {},
        ".png": {"scale_factor": png_scale},
        ".html": {"inline": True},
        ".json": {"indent": None},
    }
    path = Path(path)
    stem = path.with_suffix("") if path.suffix in options else path
    for suffix, settings in options.items():
        with atomic_write(stem.with_name(stem.name + suffix)) as draft:
            chart.save(str(draft), **settings)


LEAST_CONTRAST = 3.0
"""Minimum contrast of a mark with its background (WCAG 2.2, success criterion 1.4.11)."""

MIXTURES_TRIED = 100


def channels(colour: str) -> tuple[float, ...]:
    """Return the red, green and blue of a colour such as `#0072b2`, from 0 to 1."""
    return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour."""
    linear = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4
        for one in channels(colour)
    )
    return sum(part * one for part, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: str, background: str) -> str:
    """Return a colour mixed with as little black or white as lets it stand out.

    On a dark background it is mixed with white, on a light one with black.
    """
    end = 1.0 if luminance(background) < 0.18 else 0.0
    for step in range(MIXTURES_TRIED + 1):
        share = step / MIXTURES_TRIED
        mixed = ((1 - share) * one + share * end for one in channels(colour))
        text = "#" + "".join(f"{round(255 * one):02x}" for one in mixed)
        if contrast(text, background) >= LEAST_CONTRAST:
            break
    return text
