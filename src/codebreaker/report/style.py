"""The common look of all charts, their colours and contrasts, and their files.

Altair and its renderer take 0.2 CPU seconds to import, which jobs that draw nothing don't need.
"""

import json
from collections.abc import Iterable
from functools import partial
from inspect import signature
from itertools import cycle
from pathlib import Path
from textwrap import wrap
from types import SimpleNamespace
from typing import Any

import polars as pl

from codebreaker.constants import NARROW
from codebreaker.files import atomic_write
from codebreaker.report.names import COLOURS, spoken

Chart = Any
INK = "#1f2430"
MUTED = "#667085"
GRID = "#e4e7ec"
SERIES = "#0072b2"
TURN_COLOURS = (
    *(SERIES, "#c68900", "#009e73", "#aa4499", "#d55e00", "#8a8f98", "#6699cc", "#7a5230", INK),
)
FONT = "Inter, Segoe UI, Helvetica Neue, Arial, Scaled Sans, sans-serif"

SCALED = (
    '<style>@font-face{font-family:"Scaled Sans";src:local("DejaVu Sans"),local("Verdana");'
    "size-adjust:87%}</style>"
)
"""Where no font has Arial's width, a wide one is scaled to it, so that names fit."""

OTHER_COLOUR = "#8b9099"

CHANNELS = {"x": "X", "y": "Y", "colour": "Color", "shape": "Shape", "dash": "StrokeDash"}
"""Altair's classes of channels, by our names."""

SUBTITLE = 100
"""Maximum characters of a subtitle's line, as a longer one stretches the chart."""

MINIMUM_CONTRAST = 3.0
"""Minimum contrast of a mark with its background (WCAG 2.2, success criterion 1.4.11)."""


def colour_of(name: str) -> str:
    """Return a name's colour; variants share one, unknown names are grey."""
    stem = max(filter(name.startswith, COLOURS), key=len, default="")
    return COLOURS.get(stem, OTHER_COLOUR)


def spoken_colours(names: Iterable[str]) -> dict[str, str]:
    """Return colours by display names."""
    return {spoken(name): colour_of(name) for name in names}


def turn_colours(turns: Iterable[int]) -> dict[int, str]:
    """Return a colour for each turn, in order; after nine turns the colours repeat."""
    return dict(zip(turns, cycle(TURN_COLOURS), strict=False))


def display_names(column: str) -> pl.Expr:
    """Return a column by display names."""
    return pl.col(column).map_elements(spoken, pl.String)


def channel(kind: str, field: str, title: Any = ..., **options: Any) -> Any:  # noqa: ANN401
    """Return a channel such as `alt.X`; options go to its scale, axis or legend.

    Without a `title` it has the field's name, with None it has no title.
    """
    import altair as alt  # slow to import

    guide, of_guide = ("axis", alt.Axis) if kind in ("X", "Y") else ("legend", alt.Legend)
    of_scale = signature(alt.Scale).parameters.keys()
    if each := options.pop("each", None):
        options |= {"domain": list(each), "range": list(each.values())}
    settings = {name: options.pop(name) for name in {"sort", "scale", guide} & options.keys()}
    if scale := {name: options.pop(name) for name in of_scale & options.keys()}:
        settings["scale"] = alt.Scale(**scale)
    if options:
        settings[guide] = of_guide(**options)
    if title is not ...:
        settings["title"] = title
    return getattr(alt, kind)(field, **settings)


by = SimpleNamespace(**{name: partial(channel, kind) for name, kind in CHANNELS.items()})


def with_ends(table: pl.DataFrame, mean: str, error: str) -> pl.DataFrame:
    """Add the ends of error bars."""
    at = pl.col(mean)
    width = pl.col(error)
    return table.with_columns((at - width).alias("low"), (at + width).alias("high"))


def styled(chart: Chart, title: str, subtitle: str) -> Chart:
    """Return a chart in the common look."""
    import altair as alt

    text = {"labelColor": INK, "titleColor": MUTED, "titleFontWeight": "normal"}
    lines = dict.fromkeys(("gridColor", "domainColor", "tickColor"), GRID)
    subtitle_look = {"subtitleColor": MUTED, "subtitleFontSize": 12}
    return (
        chart.properties(title=alt.TitleParams(title, subtitle=subtitle))
        .configure(font=FONT, background="white", padding=16)
        .configure_title(anchor="start", color=INK, fontSize=17, offset=14, **subtitle_look)
        .configure_axis(
            labelFontSize=12, titleFontSize=12, labelLimit=320, labelFlush=False, **lines, **text
        )
        .configure_legend(
            **text,
            labelFontSize=12,
            labelLimit=320,
            symbolBaseFillColor=MUTED,
            symbolBaseStrokeColor=MUTED,
        )
        .configure_rule(color=MUTED)
        .configure_text(color=INK)
        .configure_header(labelFontSize=13, labelAngle=0, **text)
        .configure_view(stroke=None)
    )


def save(chart: Chart, path: str | Path, png_scale: float) -> None:
    """Save a chart as SVG, PNG and Vega-Lite, under a path with or without one of their suffixes.

    The PNG has `png_scale` pixels to each unit of the SVG. A second SVG is for phones.
    """
    import altair as alt

    from codebreaker.report.drawings import WIDTHS, fitted_chart
    from codebreaker.report.rendering import to_png, to_svg

    path = Path(path)
    with alt.data_transformers.enable("default", max_rows=None):
        spec = chart.to_dict()
    lines = wrap(spec["title"]["subtitle"], SUBTITLE)
    wrapped = spec | {"title": spec["title"] | {"subtitle": lines}}
    svg = to_svg(wrapped)
    narrow, *_ = fitted_chart(spec, WIDTHS["narrow"])
    contents = {
        ".svg": _with_font(svg).encode(),
        ".png": to_png(svg, png_scale),
        ".json": json.dumps(spec).encode(),
        NARROW: _with_font(narrow).encode(),
    }
    stem = path.with_suffix("") if path.suffix in contents else path
    for suffix, content in contents.items():
        with atomic_write(stem.with_name(stem.name + suffix)) as temporary:
            temporary.write_bytes(content)


def _with_font(svg: str) -> str:
    """Return an SVG with the font that it names last."""
    opening, rest = svg.split(">", 1)
    return f"{opening}>{SCALED}{rest}"


def _channels(colour: str) -> tuple[float, ...]:
    """Return a colour's red, green and blue, from 0 to 1."""
    return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))


def _luminance(colour: str) -> float:
    """Return a colour's relative luminance, from 0 to 1 (WCAG 2.2)."""
    linear = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in _channels(colour)
    )
    return sum(
        part * channel for part, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )


def contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((_luminance(colour), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: str, background: str) -> str:
    """Return a colour mixed with as little white (on dark) or black as makes it stand out."""
    end = 1.0 if _luminance(background) < 0.18 else 0.0
    for percent in range(101):
        share = percent / 100
        mixed = ((1 - share) * channel + share * end for channel in _channels(colour))
        text = "#" + "".join(f"{round(255 * channel):02x}" for channel in mixed)
        if contrast(text, background) >= MINIMUM_CONTRAST:
            break
    return text
