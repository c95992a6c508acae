"""The page `index.html`: a single file that works from disk, without a network."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined

from codebreaker import __version__
from codebreaker.games.colours import COLOURS
from codebreaker.report.site import CHARTS, findings
from codebreaker.report.site.explorer import words_data
from codebreaker.report.site.figures import dark_rules, drawings, parse
from codebreaker.report.tables.claims import counts_of

ENGINE = ("game", "choice", "solver", "worth", "worker")
"""The scripts that compute, in loading order: the page and its worker run the same text."""

SCRIPTS = (
    *("data", "charts", "keep", "ask", "pegs", "catalogue", "carry", "strategies"),
    *("answer", "entry", "board", "help", "review", "setup", "explorer", "main"),
)
"""The page's other scripts, in loading order."""


SCRIPT_HASHES = "hashes-of-scripts"

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src {SCRIPT_HASHES}",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "worker-src blob:",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""What a browser may run and load: the page's own scripts alone, and nothing from elsewhere.

Styles may be inline, because bars and charts have their sizes in attributes, which no digest of an
element covers.
"""

INLINE = re.compile(r'<script(?: id="[a-z]+")?>(.*?)</script>', re.DOTALL)
"""A script that runs; those with a type are data."""


@dataclass(frozen=True)
class Tables:
    """The tables behind the findings, and the policies of the strategies.

    `transfer` has weights on other sizes, `cells` the published cells of a source's table by its
    name; a study may lack both.
    """

    strategies: pl.DataFrame
    discrepancies: pl.DataFrame
    policies: findings.Policies
    transfer: pl.DataFrame | None = None
    cells: Mapping[str, pl.DataFrame] = field(default_factory=dict)


def chart_entries(specs: Mapping[str, str]) -> tuple[list[dict[str, Any]], str]:
    """Return the page's charts, in its order, and their style rules for the dark page.

    Each has its name, title and subtitle, and for each width of screen a packed SVG and its shape.
    """
    charts, svgs = [], []
    for name in (name for name in CHARTS if name in specs):
        spec = parse(specs[name])
        drawn = drawings(spec)
        svgs += [svg for svg, _, _ in drawn.values()]
        charts.append(
            {
                "name": name,
                "title": spec["title"]["text"],
                "subtitle": spec["title"]["subtitle"],
                "drawings": {key: pack(svg) for key, (svg, _, _) in drawn.items()},
                "shapes": {key: f"{wide} / {high}" for key, (_, wide, high) in drawn.items()},
            }
        )
    return charts, dark_rules(svgs)


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
    charts, dark = chart_entries(specs)
    text = environment.get_template("index.html.j2").render(
        content_policy=CONTENT_POLICY,
        version=__version__,
        style=_asset("style.css"),
        play_style=_asset("play.css"),
        engine=[_asset(f"{name}.js") for name in ENGINE],
        scripts=[_asset(f"{name}.js") for name in SCRIPTS],
        ladder=(ladder := findings.ladder(tables.strategies, tables.policies)),
        transfer=findings.transfer(tables.transfer, ladder),
        confirmed=findings.confirmed(tables.discrepancies, tables.cells),
        games=findings.games(tables.strategies),
        claims=findings.claims(tables.discrepancies),
        n_claims=tables.discrepancies.height,
        verdicts=counts_of(tables.discrepancies),
        n_strategies=tables.strategies.height,
        charts=charts,
        dark=dark,
        explored=[
            {"name": game["name"], "title": game["title"], "packed": pack(game)} for game in games
        ],
        words=pack(words_data()),
        settings=json.dumps({"colours": [colour._asdict() for colour in COLOURS]}),
    )
    return text.replace(SCRIPT_HASHES, script_hashes(text))


def script_hashes(text: str) -> str:
    """Return the digests of a page's scripts, as a content security policy names them."""
    digests = [hashlib.sha256(one.encode("utf-8")).digest() for one in INLINE.findall(text)]
    return " ".join(f"'sha256-{base64.b64encode(one).decode('ascii')}'" for one in digests)


def _asset(name: str) -> str:
    return (Path(__file__).parent / "page" / name).read_text(encoding="utf-8")
