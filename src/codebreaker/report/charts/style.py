"""One look for all charts, and how they are saved."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import altair as alt

from codebreaker.files import atomic_write

Chart = Any
"""Any of altair's charts."""

INK, MUTED, GRID = "#1f2430", "#667085", "#e4e7ec"
ON_TILE = "#1f2431"
"""The ink on pale tiles, which stay pale where the page is dark."""

FONT = "Inter, Segoe UI, Helvetica Neue, Arial, sans-serif"

POLICY_COLOURS = {
    "first-consistent": "#8a8f98",
    "random-consistent": "#882255",
    "worst-case": "#d55e00",
    "expected-size": "#cc79a7",
    "entropy": "#0072b2",
    "entropy-base-parts": "#56b4e9",
    "most-parts": "#e69f00",
    "fixed-weighted": "#66c2a5",
    "stage-weighted": "#009e73",
    "guided-stage": "#009e73",
    "context-weighted": "#332288",
    "guided-context": "#332288",
    "renyi-stage": "#aa4499",
    "tsallis-stage": "#6699cc",
    "tsallis-orders": "#661100",
    "EvoRank": "#117733",
    "eGA": "#ddcc77",
    "eGACo": "#44aa99",
    "eGACm": "#999933",
    "annealing": "#cc6677",
    "genetic": "#7a5230",
    "optimal": INK,
}
"""A colour for each policy and player in every chart, told apart also by colour-blind readers."""

OTHER_POLICY = "#b8bcc4"


def colour_of(policy: str) -> str:
    """Return a policy's colour; variants share the colour of the policy that they vary."""
    if policy in POLICY_COLOURS:
        return POLICY_COLOURS[policy]
    bases = [base for base in POLICY_COLOURS if policy.startswith((f"{base}-", f"{base},"))]
    return POLICY_COLOURS[max(bases, key=len)] if bases else OTHER_POLICY


def model_scale(models: Iterable[str]) -> alt.Scale:
    """Return the colour scale of some models of weights: the colours of their policies."""
    names = list(dict.fromkeys(models))
    return alt.Scale(domain=names, range=[colour_of(f"{name}-weighted") for name in names])


def policy_scale(policies: Iterable[str]) -> alt.Scale:
    """Return the colour scale of some policies."""
    names = list(dict.fromkeys(policies))
    return alt.Scale(domain=names, range=[colour_of(name) for name in names])


def styled(chart: Any, title: str, subtitle: str) -> Any:  # noqa: ANN401 (any kind of chart)
    """Return a chart with the common look: its title states the finding, its subtitle the data."""
    return (
        chart.properties(title=alt.TitleParams(title, subtitle=subtitle))
        .configure(font=FONT, background="white", padding=16)
        .configure_title(
            anchor="start",
            color=INK,
            fontSize=17,
            subtitleColor=MUTED,
            subtitleFontSize=12,
            offset=14,
        )
        .configure_axis(
            labelColor=INK,
            titleColor=MUTED,
            gridColor=GRID,
            domainColor=GRID,
            tickColor=GRID,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
            labelLimit=320,
        )
        .configure_legend(
            labelColor=INK,
            titleColor=MUTED,
            labelFontSize=12,
            titleFontWeight="normal",
            symbolBaseFillColor=MUTED,
            symbolBaseStrokeColor=MUTED,
        )
        .configure_rule(color=MUTED)
        .configure_text(color=INK)
        .configure_header(
            labelColor=INK,
            titleColor=MUTED,
            labelFontSize=13,
            labelAngle=0,
            titleFontWeight="normal",
        )
        .configure_view(stroke=None)
    )


def save(chart: Any, stem: str | Path, png_scale: float) -> None:  # noqa: ANN401
    """Save a chart beside `stem` as SVG, PNG, HTML that needs no network, and Vega-Lite."""
    stem = Path(stem)
    options: dict[str, dict[str, Any]] = {
        ".svg": {},
        ".png": {"scale_factor": png_scale},
        ".html": {"inline": True},
        ".json": {"indent": None},
    }
    for suffix, settings in options.items():
        with atomic_write(stem.with_name(stem.name + suffix)) as draft:
            chart.save(str(draft), **settings)
