"""The page `index.html`: a single file that works from disk, without a network."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined

from codebreaker import __version__
from codebreaker.report.charts.style import GRID, INK, MUTED
from codebreaker.report.site import findings
from codebreaker.report.site.explorer import words_data
from codebreaker.report.tables.claims import counts_of

ENGINE = ("game", "choice", "solver", "worth", "worker")
"""The scripts that compute, in loading order: the page and its worker run the same text."""

SCRIPTS = (
    *("data", "charts", "keep", "ask", "pegs", "catalogue", "carry", "strategies"),
    *("answer", "entry", "board", "help", "review", "setup", "explorer", "main"),
)
"""The page's other scripts, in loading order."""

CHARTS = {
    "Strategies": (
        "mean-and-maximum",
        "profiles",
        "move-costs",
        "pareto-",
        "orders-",
        "rounds",
        "kooi-",
    ),
    "Weights": (
        "stage-weights",
        "found-weights",
        "turn-ablation",
        "weight-rounding",
        "weight-transfer",
    ),
    "The search for weights": ("ga-convergence", "weight-boxes", "entropy-families"),
    "Players": ("players-",),
    "Other games": ("scaling", "terminals"),
}
"""The charts of each theme, by prefixes of their names."""

DARK = {INK: "#e8eaf0", MUTED: "#9aa4b5", GRID: "#343b4a", "white": "#171a21"}
"""The neutral colours and their counterparts on a dark page."""


@dataclass(frozen=True)
class Tables:
    """The tables behind the findings, and the policies of the strategies."""

    strategies: pl.DataFrame
    discrepancies: pl.DataFrame
    policies: findings.Policies


def chart_entries(specs: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the charts by theme: their names, titles and packed Vega-Lite."""
    themes = []
    for theme, prefixes in CHARTS.items():
        names = [name for prefix in prefixes for name in specs if name.startswith(prefix)]
        charts = []
        for name in dict.fromkeys(names):
            spec = json.loads(specs[name])
            titles = {"title": spec["title"]["text"], "subtitle": spec["title"]["subtitle"]}
            charts.append({"name": name, **titles, "packed": pack(spec)})
        if charts:
            themes.append({"theme": theme, "charts": charts})
    return themes


def pack(data: Any) -> str:  # noqa: ANN401 (anything that JSON holds)
    """Return data as compressed JSON in base64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return base64.b64encode(gzip.compress(text.encode("utf-8"), mtime=0)).decode("ascii")


def page(tables: Tables, specs: Mapping[str, str], games: Sequence[Mapping[str, Any]]) -> str:
    """Return the page; `specs` has the charts in Vega-Lite by name, `games` come from `game_data`.

    The explorer opens the first game.
    """
    environment = Environment(
        loader=PackageLoader("codebreaker.report.site", "page"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    return environment.get_template("index.html.j2").render(
        version=__version__,
        style=_asset("style.css"),
        play_style=_asset("play.css"),
        engine=[_asset(f"{name}.js") for name in ENGINE],
        scripts=[_asset(f"{name}.js") for name in SCRIPTS],
        vega=vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=version),
        ladder=findings.ladder(tables.strategies, tables.policies),
        games=findings.games(tables.strategies),
        claims=findings.claims(tables.discrepancies),
        n_claims=tables.discrepancies.height,
        verdicts=counts_of(tables.discrepancies),
        n_strategies=tables.strategies.height,
        themes=chart_entries(specs),
        explored=[
            {"name": game["name"], "title": game["title"], "packed": pack(game)} for game in games
        ],
        words=pack(words_data()),
        settings=json.dumps({"dark": DARK}),
    )


def _asset(name: str) -> str:
    return (Path(__file__).parent / "page" / name).read_text(encoding="utf-8")
