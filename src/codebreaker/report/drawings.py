"""Charts as the page shows them: drawings for three widths of screen, in light and dark colours."""

import copy
import re
from collections.abc import Iterator
from typing import Any

import altair as alt
import vl_convert

from codebreaker.report.style import GRID, INK, MUTED, readable

WIDTHS = {"narrow": 350, "medium": 660, "wide": 1040}
"""The widths that charts are drawn for, in pixels: a phone, a tablet and a desktop."""

PANEL, LEGEND = 300, 215
"""The least widths of a panel and of an entry of a legend."""

PADDING = {"left": 2, "top": 2, "right": 14, "bottom": 2}
"""Room around a chart, in pixels; on the right for labels at the end of an axis."""

TRIES = 3
"""How often the panels' widths are corrected by what their axes take."""

PAPER = {"light": "#ffffff", "dark": "#171a21"}
NEUTRAL = {INK: "#e8eaf0", MUTED: "#9aa4b5", GRID: "#343b4a"}
"""The page's backgrounds, and the counterparts of neutral colours on a dark one."""

COLOUR = re.compile(r'(?:fill|stroke)="(#[0-9a-f]{6})"')
ATTRIBUTE = re.compile(r' (?:d|transform|x2?|y2?|width|height)="[^"]*"')
DIGITS = re.compile(r"(\d+\.\d\d)\d+")
"""Places of an SVG, and their digits beyond a hundredth of a pixel."""

EMPTY = re.compile(r'<g class="mark-[^>]*></g>')
"""A layer without marks, which would be a picture without a name."""

VERSION = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])

Spec = dict[str, Any]


def drawings(spec: Spec) -> dict[str, tuple[str, int, int]]:
    """Return a chart's SVG, width and height, for each width of screen."""
    return {name: draw(spec, width) for name, width in WIDTHS.items()}


def draw(spec: Spec, width: int) -> tuple[str, int, int]:
    """Return a chart without its title as SVG that fills a width, with the size of its view."""
    fitted, count = fit(spec, width)
    panels = [fitted["spec"]] if "facet" in fitted else fitted.get("concat", [])
    for _ in range(TRIES):
        text = vl_convert.vegalite_to_svg(fitted, vl_version=VERSION)
        size = re.search(r'viewBox="0 0 (\d+) (\d+)"', text)
        assert size is not None, "the chart has no size"
        drawn, height = map(int, size.groups())
        if not panels or abs(drawn - width) <= 1:
            break
        for panel in panels:
            panel["width"] += (width - drawn) // count
    return _plain(text, spec["title"]), drawn, height


def fit(spec: Spec, width: int) -> tuple[Spec, int]:
    """Return a chart's specification for a width, without its title, and its number of columns."""
    fitted = copy.deepcopy(spec)
    del fitted["title"]
    config = fitted["config"] | {"padding": PADDING, "background": None}
    config["legend"] |= {
        "orient": "top", "columns": max(1, width // LEGEND), "labelLimit": width - 40,
    }  # fmt: skip
    config["axis"] |= {"labelLimit": 210, "labelOverlap": True, "labelBound": PADDING["right"]}
    fitted["config"] = config
    for part in _marks(fitted):
        _describe(part)
        for channel in part["encoding"].values():
            if isinstance(channel, dict) and isinstance(channel.get("legend"), dict):
                for key in ("orient", "columns", "direction", "labelLimit"):
                    channel["legend"].pop(key, None)
    if "facet" not in fitted and "concat" not in fitted:
        return fitted | {"width": width, "autosize": {"type": "fit-x", "contains": "padding"}}, 1
    columns = max(1, min(fitted["columns"], _panels(fitted), width // PANEL))
    fitted["columns"] = columns
    for panel in [fitted["spec"]] if "facet" in fitted else fitted["concat"]:
        panel["width"] = width // columns - 90
    return fitted, columns


def dark_rules(svgs: list[str]) -> str:
    """Return style rules that replace colours which would not stand out on the dark page."""
    rules = []
    for colour in sorted({one for svg in svgs for one in COLOUR.findall(svg)}):
        other = NEUTRAL.get(colour, readable(colour, PAPER["dark"]))
        if other != colour:
            rules += [
                f'[data-theme="dark"] .chart [{name}="{colour}"]{{{name}:{other}}}'
                for name in ("fill", "stroke")
            ]
    return "\n".join(rules)


def _panels(spec: Spec) -> int:
    """Return the number of panels of a chart that has several."""
    if "concat" in spec:
        return len(spec["concat"])
    rows = spec["datasets"][spec["data"]["name"]]
    return len({row[spec["facet"]["field"]] for row in rows})


def _marks(spec: Any) -> Iterator[Spec]:  # noqa: ANN401 (anything that JSON holds)
    """Return the parts of a specification that encode something."""
    if isinstance(spec, list):
        for part in spec:
            yield from _marks(part)
    elif isinstance(spec, dict):
        if "encoding" in spec:
            yield spec
        for key in ("layer", "concat", "spec"):
            yield from _marks(spec.get(key))


def _describe(part: Spec) -> None:
    """Make the tooltip of a mark its description, which the page shows."""
    shown = part["encoding"].pop("tooltip", None)
    if isinstance(shown, list) and shown:
        texts = [f"'{_words(one['field'])}: ' + {_value(one)}" for one in shown]
        part["encoding"]["description"] = {"value": {"expr": " + ', ' + ".join(texts)}}
    elif "mark" in part:
        part["mark"]["aria"] = False


def _words(field: str) -> str:
    return field.replace("_", " ")


def _value(channel: Spec) -> str:
    """Return Vega's expression for a value as text."""
    field = f"datum['{channel['field']}']"
    if channel.get("type") == "quantitative":
        return f"format({field}, '{channel.get('format', ',.4~f')}')"
    return field


def _plain(svg: str, title: Spec) -> str:
    """Return an SVG that takes the page's font and width, and is named by its chart's title."""
    name = _escaped(f"{title['text']}. {title['subtitle']}")
    opening, rest = svg.split(">", 1)
    view = re.search(r'viewBox="[^"]*"', opening)
    rest = re.sub(r' font-family="[^"]*"', "", rest)
    rest = re.sub(r' aria-hidden="true"| pointer-events="none"', "", rest)
    rest = EMPTY.sub("", rest)
    rest = ATTRIBUTE.sub(lambda found: DIGITS.sub(r"\1", found[0]), rest)
    return f'<svg {view[0] if view else ""} role="img" aria-label="{name}">{rest}'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
