"""Claims of the sources, each weighed against a value in a result file."""

import re
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.files import DATA, read_toml
from codebreaker.report.numbers import ROWS, Query, Results, conditions, rounded

CLAIMS = DATA / "published" / "claims.toml"
STRATEGIES = "metrics/strategies.csv"
HOLDS, HOLDS_READ = "holds", "holds under a stated reading"
FAILS, OPEN = "does not hold", "cannot be decided from the text"
ABSENT = "not computed in this study"
ALIKE, UNLIKE = "agrees with the published program", "differs from the published program"
VERDICTS = (HOLDS, HOLDS_READ, FAILS, OPEN, ABSENT, ALIKE, UNLIKE)
TEXTS = "comparison of two texts"
"""An operation that computes nothing: `column` is what the published program does at `where`."""

_QUERY = {"file", "where", "column", "how", "strategy"}
_NUMBER = re.compile(
    r"(?:(about|[<>]=?) )?([+-]?)"
    r"((?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?)(%?)(…?)",
    re.ASCII,
)
_VALUE = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?%?", re.ASCII)
_COMPARISONS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}


@dataclass(frozen=True)
class _Reading(Query):
    """One way to read a claim: the value claimed, and what it is compared with."""

    claimed: str = ""
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement of a source, its value in the notation of claims.toml, and its readings."""

    id: str
    source: str
    place: str = ""
    statement: str
    remark: str = ""
    readings: tuple[_Reading, ...]


def read_claims() -> list[Claim]:
    """Return all claims."""
    sources = read_toml(CLAIMS)["sources"]
    return [
        _claim(source["name"], claim) for source in sources for claim in source.get("claims", [])
    ]


def files_of_claims() -> set[str]:
    """Return the result files that claims are weighed against."""
    return {reading.file for claim in read_claims() for reading in claim.readings} - {""}


def _claim(source: str, entry: dict[str, Any]) -> Claim:
    own = {key: entry.pop(key) for key in _QUERY & set(entry)}
    claimed, readings = entry.pop("claimed", ""), entry.pop("readings", [own] if own else [])
    found = tuple(_reading({"claimed": claimed} | reading) for reading in readings)
    return Claim(source=source, readings=found, **entry)


def _reading(entry: dict[str, Any]) -> _Reading:
    if strategy := entry.pop("strategy", None):
        trees = [strategy] if isinstance(strategy, str) else strategy
        entry["where"] = conditions([{"game": PAPERS_GAME, "tree": tree} for tree in trees])
    return _Reading(**({"file": "" if entry.get("how") == TEXTS else STRATEGIES} | entry))


def weigh(results: Results) -> pl.DataFrame:
    """Return a row per claim, by the first reading under which it holds, or else the first."""
    return pl.DataFrame([_weighed(results, claim) for claim in read_claims()])


def printed(claims: pl.DataFrame) -> pl.DataFrame:
    """Return the claims for readers."""
    source, place, reading, otherwise, remark = (
        pl.col(name).replace("", None)
        for name in ("source", "place", "reading", "otherwise", "remark")
    )
    notes = (pl.format("Reading: {}.", reading), pl.format("Otherwise: {}.", otherwise), remark)
    shown = claims.select(
        pl.concat_str(source, place, separator=", ", ignore_nulls=True).alias("source"),
        *("statement", "claimed", "computed", "verdict"),
        pl.concat_str(notes, separator=" ", ignore_nulls=True).alias("notes"),
    )
    return shown.with_columns(pl.col(pl.String).str.replace_all(r"(^|[ (])-(\d)", "${1}−$2"))


def counts_of(claims: pl.DataFrame) -> dict[str, int]:
    """Return the number of claims by verdict."""
    return {verdict: claims.filter(pl.col("verdict") == verdict).height for verdict in VERDICTS}


def _weighed(results: Results, claim: Claim) -> dict[str, str]:
    values = {reading: _value(results, reading) for reading in claim.readings}
    known = {reading: value for reading, value in values.items() if value is not None}
    holding = [reading for reading, value in known.items() if agrees(reading.claimed, value)]
    if not holding and len(known) < len(values):
        known = {}  # a reading that is not computed might hold
    shown = next(iter(holding or known or claim.readings), _Reading("", how=""))
    if not known:
        verdict = ABSENT if values else OPEN
    else:
        is_cut = shown.claimed.endswith("…")
        is_read = is_cut or len(holding) < len(values) or (len(values) == 1 and shown.text)
        verdict = FAILS if not holding else HOLDS_READ if is_read else HOLDS
    note = claim.remark
    if shown.how == TEXTS:
        verdict, known = ALIKE if holding else UNLIKE, {}
        note = f"The program: {shown.column} ({shown.where}). Nothing is computed. {note}".strip()
    texts = {reading: shaped(reading.claimed, value) for reading, value in known.items()}
    return {
        **{name: getattr(claim, name) for name in ("id", "source", "place", "statement")},
        "claimed": shown.claimed,
        "computed": texts.get(shown, ""),
        "verdict": verdict,
        "reading": shown.text,
        "otherwise": "; ".join(f"{o.text}: {text}" for o, text in texts.items() if o != shown),
        "remark": note,
        **{field.name: getattr(shown, field.name) for field in fields(Query)},
    }


def _value(results: Results, query: Query) -> str | None:
    if query.how == TEXTS:
        return query.column
    if not results.has(query.file):
        return None
    groups = (results.rows(query.file, where) for where in query.where.split(" | "))
    return results.value(query) if query.how == ROWS or all(groups) else None


def agrees(claimed: str, value: str) -> bool:
    """Return whether a value is what is claimed, to the digits that are printed."""
    found = _NUMBER.fullmatch(claimed)
    if found and (found[1] or found[6]) and _VALUE.fullmatch(value):
        bound = Decimal(found[2] + found[3].replace(",", ""))
        above, unit = (
            Decimal(value.removesuffix("%")) - bound,
            Decimal(1).scaleb(-len(found[4] or "")),
        )
        if found[1] in _COMPARISONS:
            return above.compare(Decimal()) in _COMPARISONS[found[1]]
        return abs(above) <= unit if found[1] else 0 <= above < unit
    return shaped(claimed, value) == claimed.replace("−", "-")


def shaped(claimed: str, value: str) -> str:
    """Return a value in the form of the claim: its signs and decimals, two more unless rounded."""
    found = _NUMBER.fullmatch(claimed.replace("−", "-"))
    if not found or not _VALUE.fullmatch(value):
        return value
    number = Decimal(value.removesuffix("%"))
    decimals = len(found[4] or "") + (2 if (found[1] or found[6]) and number % 1 else 0)
    sign = "+" if found[2] else "-"
    commas = "," if "," in found[3] else ""
    return f"{rounded(number, decimals):{sign}{commas}}{found[5]}"
