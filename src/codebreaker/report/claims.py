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
HOLDS = "holds"
HOLDS_READ = "holds under a stated reading"
FAILS = "does not hold"
OPEN = "cannot be decided from the text"
ABSENT = "not computed in this study"
ALIKE = "agrees with the published program"
UNLIKE = "differs from the published program"
VERDICTS = (HOLDS, HOLDS_READ, FAILS, OPEN, ABSENT, ALIKE, UNLIKE)
TEXTS = "comparison of two texts"
"""An operation that computes nothing: `column` is what the published program does at `where`."""

_KEYS_OF_READING = {"file", "where", "column", "how", "strategy"}
"""Keys that a claim of a single reading has itself."""

_CLAIMED_NUMBER = re.compile(
    r"""
    (?:(?P<comparison>about|[<>]=?)\ )?
    (?P<sign>[+-]?)
    (?P<digits>
        (?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)
        (?:\.(?P<decimals>\d+))?
    )
    (?P<percent>%?)
    (?P<cut>…?)  # after the last digit that the source prints without rounding
    """,
    re.ASCII | re.VERBOSE,
)
_VALUE = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?%?", re.ASCII)

_ALLOWED_ORDER = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}
"""By comparison, the results of comparing a value with the bound for which it holds."""


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
    """Return a claim of claims.toml.

    It has `readings`, or the keys of a single one, or none if its text can't be decided. A reading
    may claim another value than the whole.
    """
    only_reading = {key: entry.pop(key) for key in _KEYS_OF_READING & set(entry)}
    claimed = entry.pop("claimed", "")
    readings = entry.pop("readings", [only_reading] if only_reading else [])
    return Claim(
        source=source,
        readings=tuple(_reading({"claimed": claimed} | reading) for reading in readings),
        **entry,
    )


def _reading(entry: dict[str, Any]) -> _Reading:
    """Return a reading; `strategy` is short for the rows of trees of the papers' game."""
    strategy = entry.pop("strategy", None)
    if strategy:
        trees = [strategy] if isinstance(strategy, str) else strategy
        entry["where"] = conditions([{"game": PAPERS_GAME, "tree": tree} for tree in trees])
    file = "" if entry.get("how") == TEXTS else STRATEGIES
    return _Reading(**({"file": file} | entry))


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
    """Return a claim's row: the reading shown with its value, the verdict, and other readings."""
    values = {reading: _value(results, reading) for reading in claim.readings}
    computed = {reading: value for reading, value in values.items() if value is not None}
    holding = [reading for reading, value in computed.items() if agrees(reading.claimed, value)]
    if not holding and len(computed) < len(values):
        computed = {}  # a reading that is not computed might hold
    no_reading = _Reading("", how="")
    shown = next(iter(holding or computed or claim.readings), no_reading)
    remark = claim.remark
    if shown.how == TEXTS:
        verdict = ALIKE if holding else UNLIKE
        program = f"The program: {shown.column} ({shown.where}). Nothing is computed."
        remark = f"{program} {remark}".strip()
        computed = {}
    elif computed:
        verdict = _verdict(shown, bool(holding), len(holding) == len(values), len(values))
    else:
        verdict = ABSENT if values else OPEN
    texts = {reading: shaped(reading.claimed, value) for reading, value in computed.items()}
    others = [f"{reading.text}: {text}" for reading, text in texts.items() if reading != shown]
    return {
        "id": claim.id,
        "source": claim.source,
        "place": claim.place,
        "statement": claim.statement,
        "claimed": shown.claimed,
        "computed": texts.get(shown, ""),
        "verdict": verdict,
        "reading": shown.text,
        "otherwise": "; ".join(others),
        "remark": remark,
        **{field.name: getattr(shown, field.name) for field in fields(Query)},
    }


def _verdict(shown: _Reading, holds: bool, holds_in_all: bool, n_readings: int) -> str:
    """Return the verdict on a claim whose readings were computed.

    It holds without a condition only if it does so in all readings, if a single one needs no words,
    and if the source's number is not cut off.
    """
    if not holds:
        return FAILS
    needs_words = n_readings == 1 and bool(shown.text)
    is_cut = shown.claimed.endswith("…")
    return HOLDS if holds_in_all and not needs_words and not is_cut else HOLDS_READ


def _value(results: Results, query: Query) -> str | None:
    """Return a value as text, or None if a row that it needs is not among the results."""
    if query.how == TEXTS:
        return query.column
    if not results.has(query.file):
        return None
    groups = (results.rows(query.file, where) for where in query.where.split(" | "))
    return results.value(query) if query.how == ROWS or all(groups) else None


def agrees(claimed: str, value: str) -> bool:
    """Return whether a value is what is claimed, to the digits that are printed.

    `about` allows a unit of the last digit more or less; a number cut off (…) lies up to a unit
    below the value.
    """
    number = _CLAIMED_NUMBER.fullmatch(claimed)
    if not number or not _VALUE.fullmatch(value) or not (number["comparison"] or number["cut"]):
        return shaped(claimed, value) == claimed.replace("−", "-")
    bound = Decimal(number["sign"] + number["digits"].replace(",", ""))
    above = Decimal(value.removesuffix("%")) - bound
    unit = Decimal(1).scaleb(-len(number["decimals"] or ""))
    if number["comparison"] in _ALLOWED_ORDER:
        return above.compare(Decimal()) in _ALLOWED_ORDER[number["comparison"]]
    if number["comparison"] == "about":
        return abs(above) <= unit
    return 0 <= above < unit


def shaped(claimed: str, value: str) -> str:
    """Return a value in the form of the claim: its signs and decimals, two more unless rounded."""
    number = _CLAIMED_NUMBER.fullmatch(claimed.replace("−", "-"))
    if not number or not _VALUE.fullmatch(value):
        return value
    exact = Decimal(value.removesuffix("%"))
    decimals = len(number["decimals"] or "")
    if (number["comparison"] or number["cut"]) and exact % 1:
        decimals += 2
    sign = "+" if number["sign"] else "-"
    commas = "," if "," in number["digits"] else ""
    return f"{rounded(exact, decimals):{sign}{commas}}{number['percent']}"
