"""Write the page `index.html`: findings, charts, an explorer and an assistant in a single file."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from codebreaker.advice.cached import RECORDED
from codebreaker.constants import BEST_KNOWN, OPTIMAL, PAPERS_GAME, VERSION
from codebreaker.files import read_arrays
from codebreaker.games.codes import COLOURS
from codebreaker.games.words import PACKAGED, read_words
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.families import criterion
from codebreaker.policies.registry import FOUND
from codebreaker.policies.strategy import Strategy
from codebreaker.proven import UNCHECKED, Evidence, is_minimum
from codebreaker.report import environment
from codebreaker.report.bundle import joined, modules_of
from codebreaker.report.chapters.transfer import better_elsewhere
from codebreaker.report.claims import (
    ABSENT,
    FAILS,
    HOLDS,
    HOLDS_OTHER,
    HOLDS_READ,
    THIS_RUN,
    count_recorded,
    counts_of,
    main_readings,
    printed,
)
from codebreaker.report.drawings import WIDTHS, dark_rules, draw_chart
from codebreaker.report.explorer import recorded_trees, title_of
from codebreaker.report.names import name_of, notation_of, spoken
from codebreaker.report.needs import PAGE_CHARTS, page_cells
from codebreaker.report.terms import script_of

PAGE = Path(__file__).parent / "page"
"""The folder of the page's template, styles and modules."""

WORKER = "engine/worker.js"
"""The module that the page's worker runs: it imports all that computes."""

MAIN = "main.js"
"""The module that opens the page."""

WORDS_LICENCE = PACKAGED / "LICENSE.txt"
"""Notices that every copy of the package's English words must carry."""

ENGLISH = {
    "guesses": "common-guesses",
    "secrets": "common-secrets",
    "further": "further-guesses",
}
"""The packaged lists of the page's English words, by the names that its scripts use."""

ENGLISH_TREE = "marks-common"
"""The recorded tree over the page's common words, whose total is what their reviews refer to."""

SCRIPT_HASHES = "hashes-of-scripts"

CONTENT_POLICY = (
    f"default-src 'none'; script-src {SCRIPT_HASHES}; style-src 'unsafe-inline'; img-src data:; "
    "worker-src blob:; base-uri 'none'; form-action 'none'"
)
"""What a browser may run: the page's own scripts; no digest covers styles in attributes."""

INLINE = re.compile(r'<script(?: id="[a-z]+")?>(.*?)</script>', re.DOTALL)
"""A script that runs; scripts with a type are data."""

MINIMUM = "the minimum, proven"
CONTEXT = "weights by turn and last feedback"
STAGE = "weights by turn"
PUBLISHED = "weights by turn, as published"
FIXED = "one vector of weights"
UNWEIGHTED = "no weights"
KINDS = (MINIMUM, CONTEXT, STAGE, PUBLISHED, FIXED, UNWEIGHTED)


def _chart_entries(specs: Mapping[str, str]) -> tuple[list[dict[str, Any]], str]:
    """Return the page's charts, each drawn for three widths, and style rules for the dark page."""
    charts = []
    svgs = []
    for name in (name for name in PAGE_CHARTS if name in specs):
        spec = json.loads(specs[name])
        chart: dict[str, Any] = {"name": name, **spec["title"], "drawings": {}, "shapes": {}}
        for size, wanted in WIDTHS.items():
            svg, width, height = draw_chart(spec, wanted)
            chart["drawings"][size] = pack(svg)
            chart["shapes"][size] = f"{width} / {height}"
            svgs.append(svg)
        charts.append(chart)
    return charts, dark_rules(svgs)


def pack(data: Any) -> str:  # noqa: ANN401 (anything that JSON holds)
    """Return data as compressed JSON in base64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def page(
    strategies: pl.DataFrame,
    discrepancies: pl.DataFrame,
    strategies_by_tree: Mapping[tuple[str, str], Strategy],
    specs: Mapping[str, str],
    games: Sequence[Mapping[str, Any]],
    transfer: pl.DataFrame | None = None,
    cells: Mapping[str, pl.DataFrame] = MappingProxyType({}),
    has_report: bool = True,
    source: str = "",
    evidence: Evidence = UNCHECKED,
) -> str:
    """Return the page `index.html`.

    Args:
        strategies: The table of strategies.
        discrepancies: The claims of the sources with their verdicts.
        strategies_by_tree: The strategies by game and tree.
        specs: Charts in Vega-Lite by name; those of `PAGE_CHARTS` are shown.
        games: The games to play and explore (`explorer.game_data`).
        transfer: Weights on other games, if they were played.
        cells: Published tables by name, cell by cell, whose agreement is counted.
        has_report: Whether `report.html` is beside the page.
        source: The path from the page to the project's folder, if both are moved together.
        evidence: What the minimum totals rest on.
    """
    decided = _decided_here(discrepancies)
    charts, dark = _chart_entries(specs)
    ladder = ladder_of(strategies, strategies_by_tree)
    asked = strategies.filter(game=PAPERS_GAME, tree="entropy")
    template = environment("page", autoescape=True).get_template("index.html.j2")
    given = generated(games)
    modules = modules_of(PAGE, (WORKER, MAIN), given)
    n_engine = len(modules_of(PAGE, (WORKER,), given))
    text = template.render(
        content_policy=CONTENT_POLICY,
        version=VERSION,
        style=_asset("style.css"),
        play_style=_asset("play.css"),
        theme=_asset("theme.js"),
        engine=joined(modules[:n_engine]),
        scripts=joined(modules[n_engine:]),
        ladder=ladder,
        transfer=_transfer_of(transfer, ladder),
        entropy=next(asked.iter_rows(named=True), None),
        confirmed=confirmed(decided, cells),
        has_report=has_report,
        source=source,
        games=best_by_game(strategies, evidence),
        claims=_claims_by_source(decided),
        n_strategies=strategies.height,
        n_best_known=sum(
            strategy["tree"] == BEST_KNOWN for game in games for strategy in game["strategies"]
        ),
        charts=charts,
        dark=dark,
        explored=[{**game, "packed": pack(game)} for game in games],
        trees=pack(recorded_trees([game["name"] for game in games])),
        words_licence=WORDS_LICENCE.read_text(encoding="utf-8"),
        words=pack({part: _words(name) for part, name in ENGLISH.items()} | _opening_of_words()),
    )
    digests = (hashlib.sha256(script.encode()).digest() for script in INLINE.findall(text))
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return text.replace(SCRIPT_HASHES, hashes)


def _criteria_of(games: Sequence[Mapping[str, Any]]) -> list[Criterion]:
    """Return the registered criteria, and those of the games' rules."""
    rules = (strategy["rule"] for game in games for strategy in game["strategies"])
    names = {rule["cell"] for rule in rules if rule}
    return [criterion(name) for name in (*CRITERIA, *sorted(names - set(CRITERIA)))]


def _words(name: str) -> str:
    """Return a list of common words as a single text."""
    return " ".join(word.text for word in read_words(name))


def _opening_of_words() -> dict[str, dict[str, Any]]:
    """Return the first guess and the total of the recorded tree over the common words."""
    tree = read_arrays(RECORDED / f"{ENGLISH_TREE}.npz")
    guess = read_words(ENGLISH["guesses"])[int(tree["guess"][0])].text
    return {"opening": {"guess": guess, "total": int(tree["n_candidates"].sum())}}


def _asset(name: str) -> str:
    """Return the text of a file of the page."""
    return (PAGE / name).read_text(encoding="utf-8")


def generated(games: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the modules that are written here, by their paths, for the rules of games."""
    return {
        "engine/terms.js": script_of(_criteria_of(games)),
        "engine/palette.js": _palette_script(),
    }


def _palette_script() -> str:
    """Return the module that defines `COLOURS`, the colours of symbols by number."""
    colours = json.dumps([colour._asdict() for colour in COLOURS])
    return f"export const COLOURS = {colours};\n"


def _kinds_of(strategy: Strategy) -> list[str]:
    """Return the kinds of `KINDS` that a strategy may stand for; none for other variants."""
    weights = strategy.weights
    plain = strategy.guess_pool == "all" and strategy.tie_break == strategy.criterion.tie_break
    plain = plain and strategy.is_single_score and not strategy.plays_exactly
    if not plain or (weights and weights.criteria):
        return []
    if weights is None:
        return [UNWEIGHTED]
    kind = CONTEXT if weights.by_context else STAGE if len(weights.values) > 1 else FIXED
    return [kind, PUBLISHED] if strategy.policy == "stage-weighted" else [kind]


def ladder_of(
    strategies: pl.DataFrame, strategies_by_tree: Mapping[tuple[str, str], Strategy]
) -> list[dict[str, Any]]:
    """Return the best strategy of each kind, with its guesses above the minimum total."""
    is_found = pl.col("policy").str.ends_with(FOUND)
    order = ("total_guesses", "max_guesses", is_found, "tree")
    rows = strategies.filter(game=PAPERS_GAME).sort(order)
    lowest = _optimal_row(rows)
    if lowest is None:
        return []
    best = {MINIMUM: lowest}
    for row in rows.iter_rows(named=True):
        if strategy := strategies_by_tree.get((PAPERS_GAME, row["tree"])):
            for kind in _kinds_of(strategy):
                best.setdefault(kind, row)
    ladder = [best[kind] | {"kind": kind} for kind in KINDS if kind in best]
    for step in ladder:
        step["above"] = step["total_guesses"] - lowest["total_guesses"]
    return ladder


def best_by_game(strategies: pl.DataFrame, evidence: Evidence = UNCHECKED) -> list[dict[str, Any]]:
    """Return each game's best heuristic strategy, with the minimum total and its evidence if known.

    `evidence` says what minimum totals rest on.
    """
    bests = []
    for game in strategies["game"].unique(maintain_order=True):
        rows = strategies.filter(game=game).sort("total_guesses", "max_guesses")
        heuristics = rows.filter(~pl.col("policy").is_in([OPTIMAL, BEST_KNOWN]))
        for best in heuristics.head(1).iter_rows(named=True):
            names = {"title": title_of(game), "name": spoken(name_of(best))}
            lowest = None
            kind = None
            if optimal := _optimal_row(rows):
                lowest = optimal["total_guesses"]
                kind = evidence.of_total(game, lowest)
            bests.append(best | names | {"lowest": lowest, "evidence": kind})
    return bests


def _optimal_row(rows: pl.DataFrame) -> dict[str, Any] | None:
    """Return the row of a strategy with the minimum total, None if there is none."""
    every = rows.iter_rows(named=True)
    return next((row for row in every if is_minimum(row["policy"], row["tree"])), None)


def _transfer_of(table: pl.DataFrame | None, ladder: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return differences from entropy by strategy and game, from the opening of the optimum.

    The page shows those of the ladder's strategies alone; None if none was played elsewhere.
    """
    if table is None or table.is_empty() or not ladder:
        return None
    names = {step["tree"]: spoken(step["tree"]) for step in ladder}
    shown = table.filter(
        pl.col("policy").is_in(list(names)), found_for=PAPERS_GAME, opening=ladder[0]["opening"]
    )
    if shown.is_empty():
        return None
    games = shown["game"].unique(maintain_order=True).to_list()
    played: dict[str, dict[str, int]] = {}
    for tree, game, difference in shown.select("policy", "game", "difference").iter_rows():
        played.setdefault(tree, {})[game] = difference
    return {
        "sizes": [notation_of(game) for game in games],
        "home": games.index(PAPERS_GAME) if PAPERS_GAME in games else None,
        "rows": [
            {"name": name, "by_size": [played[tree].get(game) for game in games]}
            for tree, name in names.items()
            if tree in played
        ],
        "of_these": better_elsewhere(shown),
        "of_all": better_elsewhere(table),
    }


def _decided_here(discrepancies: pl.DataFrame) -> pl.DataFrame:
    """Return the claims that this study decides; none if all figures are recorded ones."""
    decided = discrepancies.filter(pl.col("verdict") != ABSENT)
    by_this_run = decided.filter(pl.col("origin") == THIS_RUN)
    return decided.clear() if by_this_run.is_empty() else decided


def confirmed(
    discrepancies: pl.DataFrame, cells: Mapping[str, pl.DataFrame]
) -> list[dict[str, Any]]:
    """Return what was confirmed: cells of published tables, then statements by document."""
    entries: list[dict[str, Any]] = []
    for name, what in page_cells().items():
        if name in cells:
            agrees = cells[name]["agrees"].drop_nulls()
            held = int((agrees == "yes").sum())
            of = len(agrees)
            entries.append({"what": what, "held": held, "of": of, "file": f"tables/{name}.csv"})
    for (source,), rows in discrepancies.group_by("source", maintain_order=True):
        entries.append({"what": source, "of": None, **_counts(rows)})
    return entries


def _counts(claims: pl.DataFrame) -> dict[str, int]:
    """Return how many of a source's claims hold, kept apart by how, and rest on recorded files."""
    counts = counts_of(claims)
    return {
        "decided": claims.height,
        "held": counts[HOLDS],
        "held_read": counts[HOLDS_READ],
        "held_other": counts[HOLDS_OTHER],
        "recorded": count_recorded(claims),
    }


def _claims_by_source(discrepancies: pl.DataFrame) -> list[dict[str, Any]]:
    """Return each source's claims as the page shows them, and those that do not hold."""
    texts = printed(discrepancies).select("claimed", "computed", "notes").fill_null("")
    rows = discrepancies.fill_null("").with_columns(texts.iter_columns())
    mains = main_readings()
    return [
        {
            "document": name,
            "rows": part.to_dicts(),
            "main_reading": mains.get(str(name), ""),
            **_counts(part),
            "errors": part.filter(verdict=FAILS).to_dicts(),
        }
        for (name,), part in rows.group_by("source", maintain_order=True)
    ]
