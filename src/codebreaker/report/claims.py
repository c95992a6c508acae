"""Claims of the sources, each weighed against a value in a result file."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import polars as pl

from codebreaker.files import read_toml
from codebreaker.report.needs import CLAIMS
from codebreaker.report.numbers import Query, Results, exact, rounded

HOLDS = "holds"
HOLDS_READ = "holds under a stated reading"
FAILS = "does not hold"
OPEN = "cannot be decided from the text"
ABSENT = "not computed in this study"
ALIKE = "agrees with the published program"
UNLIKE = "differs from the published program"
VERDICTS = (HOLDS, HOLDS_READ, FAILS, OPEN, ABSENT, ALIKE, UNLIKE)
_KEYS_OF_READING = {"file", "query", "program", "lines"}
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
class _Reading:
    """One way to read a claim: the value claimed, and the one that it is compared with.

    That is the value of `query` in the result file `file`; or it is `program`, what the published
    program does at `lines`, where two texts are compared and nothing is computed. `text` states the
    reading.
    """

    claimed: str = ""
    text: str = ""
    file: str = ""
    query: str = ""
    program: str = ""
    lines: str = ""


@dataclass(frozen=True, kw_only=True)
class SourceClaim:
    """A statement of a source at a place of its text, and its readings; none if it is too vague."""

    id: str
    source: str
    place: str = ""
    statement: str
    remark: str = ""
    readings: tuple[_Reading, ...]


def read_claims() -> list[SourceClaim]:
    """Return all claims."""
    sources = read_toml(CLAIMS)["sources"]
    return [
        _claim(source["name"], claim) for source in sources for claim in source.get("claims", [])
    ]


def _claim(source: str, entry: dict[str, Any]) -> SourceClaim:
    """Return a claim of claims.toml.

    It has `readings`, or the keys of a single one, or none if its text can't be decided. A reading
    may claim another value than the whole.
    """
    only_reading = {key: entry.pop(key) for key in _KEYS_OF_READING & set(entry)}
    claimed = entry.pop("claimed", "")
    readings = entry.pop("readings", [only_reading] if only_reading else [])
    return SourceClaim(
        source=source,
        readings=tuple(_reading({"claimed": claimed} | reading) for reading in readings),
        **entry,
    )


def _reading(entry: dict[str, Any]) -> _Reading:
    """Return a reading of claims.toml; its query is a single line."""
    query = " ".join(entry.pop("query", "").split())
    return _Reading(query=query, **entry)


def weigh(results: Results) -> pl.DataFrame:
    """Return a row per claim, by the first reading under which it holds, or else the first.

    The columns are the claim's texts; `claimed` and `computed`, in the form that the source prints;
    the `verdict`; the `reading`, and the values of the others in `otherwise`; and where the value
    comes from, in `file` and `query`, or in `program` and `lines`.
    """
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


def _weighed(results: Results, claim: SourceClaim) -> dict[str, str]:
    """Return a claim's row: the reading shown with its value, the verdict, and other readings."""
    values = {reading: _value(results, reading) for reading in claim.readings}
    computed = {reading: value for reading, value in values.items() if value is not None}
    holding = [reading for reading, value in computed.items() if agrees(reading.claimed, value)]
    if not holding and len(computed) < len(values):
        computed = {}  # a reading that is not computed might hold
    shown = next(iter(holding or computed or claim.readings), _Reading())
    remark = claim.remark
    if shown.program:
        verdict = ALIKE if holding else UNLIKE
        program = f"The program: {shown.program} ({shown.lines}). Nothing is computed."
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
        "file": shown.file,
        "query": shown.query,
        "program": shown.program,
        "lines": shown.lines,
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


def _value(results: Results, reading: _Reading) -> str | None:
    """Return a reading's value as text; None if its file or a row is not among the results."""
    if reading.program:
        return reading.program
    if not results.has(reading.file):
        return None
    value = results.value(Query(reading.file, reading.query))
    if value is None or isinstance(value, str):
        return value
    return str(exact(value))


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
