"""Draw charts for a width: for three kinds of screen, in light and dark colours."""

import copy
import re
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

from codebreaker.report.rendering import to_svg
from codebreaker.report.style import GRID, INK, MUTED, readable

WIDTHS = {"narrow": 350, "medium": 660, "wide": 1040}
"""Widths of charts on a phone, a tablet and a desktop, in pixels."""

PANEL = 300
LEGEND = 215
"""Minimum widths of a panel and of an entry of a legend, in pixels."""

NARROWEST_LABELS = 400
"""Width below which long names have several lines, in pixels."""

SMALL = 10
"""The size of their texts, in pixels."""

LINES = "split(replace(datum.label, regexp('(?=.{27})(.{1,26}) ', 'g'), '$1\\n'), '\\n')"
"""The lines of a name of more than 26 characters, as a Vega expression."""

PADDING = {"left": 8, "top": 2, "right": 16, "bottom": 2}
"""Space around a chart, in pixels; at its sides for labels that are wider in other fonts."""

TRIES = 3
PAPER = {"light": "#ffffff", "dark": "#171a21"}
NEUTRAL = {INK: "#e8eaf0", MUTED: "#9aa4b5", GRID: "#343b4a"}
"""Backgrounds of the page, and the neutral colours' counterparts on the dark one."""

COLOUR = re.compile(r'(?:fill|stroke)="(#[0-9a-f]{6})"')
ATTRIBUTE = re.compile(r' (?:d|transform|x2?|y2?|width|height)="[^"]*"')
DIGITS = re.compile(r"(\d+\.\d\d)\d+")
UNWANTED = re.compile(
    ' font-family="[^"]*"| aria-hidden="true"| pointer-events="none"'
    '|<g class="mark-[^>]*(?:/>|></g>)'
)
"""Fonts, hidden marks, and layers without marks, which would be pictures without a name."""

Spec = dict[str, Any]


def draw_chart(spec: Spec, width: int) -> tuple[str, int, int]:
    """Return `fitted_chart` as the page shows it: without fonts, and with a name."""
    text, drawn, height = fitted_chart(spec, width)
    return _plain(text, spec["title"]), drawn, height


def fitted_chart(spec: Spec, width: int) -> tuple[str, int, int]:
    """Return a chart without its title as SVG, with the width and height of its view.

    Args:
        spec: The chart in Vega-Lite, with a title and a subtitle.
        width: The width to fill, in pixels. Panels are made narrower or wider, up to `TRIES` times,
            until the chart has it, as its other parts depend on the widths of texts.
    """
    fitted, panels, columns = _fit(spec, width)
    for _ in range(TRIES):
        text = to_svg(fitted)
        size = re.search(r'viewBox="0 0 (\d+) (\d+)"', text)
        assert size is not None, "the chart has no size"
        drawn, height = map(int, size.groups())
        if not panels or abs(drawn - width) <= 1:
            break
        for panel in panels:
            panel["width"] += (width - drawn) // columns
    return text, drawn, height


def _fit(spec: Spec, width: int) -> tuple[Spec, list[Spec], int]:
    """Return a chart for a width without its title, its panels (a facet has one) and columns."""
    fitted = copy.deepcopy(spec)
    del fitted["title"]
    config = fitted["config"] = fitted["config"] | {"padding": PADDING, "background": None}
    columns = max(1, width // LEGEND)
    config["legend"] |= {"orient": "top", "columns": columns, "labelLimit": width - 40}
    if width < NARROWEST_LABELS:
        config["axis"] |= {"labelFontSize": SMALL, "labelLineHeight": SMALL}
        config["text"] = config.get("text", {}) | {"fontSize": SMALL}
    # Legends of one chart stand below each other: side by side they can be wider than the chart.
    config["legend"]["layout"] = {"top": {"direction": "vertical", "anchor": "start"}}
    config["axis"] |= {"labelLimit": 210, "labelOverlap": True, "labelBound": PADDING["right"]}
    for part in _marks(fitted):
        _describe(part)
        for channel in part["encoding"].values():
            if isinstance(channel, dict) and isinstance(channel.get("legend"), dict):
                for key in ("orient", "columns", "direction", "labelLimit"):
                    channel["legend"].pop(key, None)
        if width < NARROWEST_LABELS:
            _break_names(part["encoding"])
    panels = [fitted["spec"]] if "facet" in fitted else fitted.get("concat", [])
    if not panels:
        fitted |= {"width": width, "autosize": {"type": "fit-x", "contains": "padding"}}
        return fitted, [], 1
    number = len(panels)
    if "facet" in fitted:
        rows = fitted["datasets"][fitted["data"]["name"]]
        field = fitted["facet"]["field"]
        number = len({row[field] for row in rows})
    fitted["columns"] = columns = max(1, min(fitted["columns"], number, width // PANEL))
    for panel in panels:
        panel["width"] = width // columns - 90
        if columns == 1:
            _label_rows(panel)
    return fitted, panels, columns


def _break_names(channels: Spec) -> None:
    """Give long names of rows and in legends several lines."""
    for name, guide in (("y", "axis"), ("color", "legend"), ("shape", "legend")):
        channel = channels.get(name)
        if isinstance(channel, dict) and channel.get("type") in ("nominal", "ordinal"):
            described = channel.setdefault(guide, {})
            if described is None:
                continue
            described.setdefault("labelExpr", LINES)
            if guide == "axis":
                described["labelOverlap"] = False


def _label_rows(panel: Spec) -> None:
    """Give a panel the labels of its rows, which in a wide chart only its first panel has."""
    for part in _marks(panel):
        axis = part["encoding"].get("y", {}).get("axis") or {}
        for key in ("labels", "ticks"):
            axis.pop(key, None)


def dark_rules(svgs: list[str]) -> str:
    """Return style rules for colours that would not stand out on the dark page."""
    colours = sorted({colour for svg in svgs for colour in COLOUR.findall(svg)})
    others = {colour: NEUTRAL.get(colour, readable(colour, PAPER["dark"])) for colour in colours}
    return "\n".join(
        f'[data-theme="dark"] .chart [{name}="{colour}"]{{{name}:{other}}}'
        for colour, other in others.items()
        for name in ("fill", "stroke")
        if other != colour
    )


def _marks(spec: Spec | list[Spec]) -> Iterator[Spec]:
    """Yield the parts of a chart that have encodings, those of layers and panels included."""
    for part in spec if isinstance(spec, list) else [spec]:
        if "encoding" in part:
            yield part
        for key in {"layer", "concat", "spec"} & part.keys():
            yield from _marks(part[key])


def _describe(part: Spec) -> None:
    """Replace a part's tooltip, which the page can't show, by a description for screen readers.

    A mark without one is hidden from them.
    """
    shown = part["encoding"].pop("tooltip", None)
    if isinstance(shown, list) and shown:
        texts = [
            f"'{channel['field'].replace('_', ' ')}: ' + {_value(channel)}" for channel in shown
        ]
        part["encoding"]["description"] = {"value": {"expr": " + ', ' + ".join(texts)}}
    elif "mark" in part:
        part["mark"]["aria"] = False


def _value(channel: Spec) -> str:
    """Return the Vega expression of a tooltip's value, numbers in the channel's format."""
    field = f"datum['{channel['field']}']"
    if channel.get("type") == "quantitative":
        return f"format({field}, '{channel.get('format', ',.4~f')}')"
    return field


def _plain(svg: str, title: Spec) -> str:
    """Return an SVG without hidden marks and fonts, coordinates with two decimals.

    Its root has no size, so that it fills its place on the page, and a name for screen readers.
    """
    name = quoteattr(f"{title['text']}. {title['subtitle']}")
    opening, rest = svg.split(">", 1)
    view = re.search(r'viewBox="[^"]*"', opening)
    rest = ATTRIBUTE.sub(lambda match: DIGITS.sub(r"\1", match[0]), UNWANTED.sub("", rest))
    return f'<svg {view[0] if view else ""} role="img" aria-label={name}>{rest}'
