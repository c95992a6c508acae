"""Claims of the sources, each weighed against a value in a result file."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.files import DATA
from codebreaker.report.numbers import CELL, ROWS, Query, Results, conditions, rounded

CLAIMS = DATA / "published" / "claims.toml"
STRATEGIES = "metrics/strategies.csv"

HOLDS, HOLDS_READ = "holds", "holds under a stated reading"
FAILS, OPEN = "does not hold", "cannot be decided from the text"
ABSENT = "not computed in this study"
VERDICTS = (HOLDS, HOLDS_READ, FAILS, OPEN, ABSENT)
"""The verdicts. The last is for claims on files that a smaller study doesn't compute."""

_NUMBER = re.compile(r"([<>]=?)? ?([+-]?)([\d,]*\d(?:\.(\d+))?)(%?)")
_COMPARISONS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}


@dataclass(frozen=True)
class Reading:
    """One way to read a claim: the value claimed, and what it is compared with."""

    query: Query
    text: str
    claimed: str


@dataclass(frozen=True)
class Claim:
    """A statement of a source and the ways to read it; without any it can't be decided.

    A claimed value is a number as printed, to whose digits the computed one is rounded, with `<` or
    `>` for bounds, or a text.
    """

    id: str
    source: str
    place: str
    statement: str
    readings: tuple[Reading, ...]
    remark: str = ""


def read_claims() -> list[Claim]:
    """Return all claims, in the order of the sources."""
    told = tomllib.loads(CLAIMS.read_text(encoding="utf-8"))
    return [
        _claim(source, claim) for source in told["sources"] for claim in source.get("claims", [])
    ]


def files_of_claims() -> set[str]:
    """Return the result files that claims are weighed against, relative to the results' folder."""
    return {reading.query.file for claim in read_claims() for reading in claim.readings}


def _claim(source: Mapping[str, Any], told: Mapping[str, Any]) -> Claim:
    own = {"file", "where", "column", "how", "strategy"}
    readings = told.get("readings", [told] if own & set(told) else [])
    return Claim(
        id=told["id"],
        source=source["name"],
        place=told.get("place", ""),
        statement=told["statement"],
        readings=tuple(_reading({"claimed": told.get("claimed", "")} | one) for one in readings),
        remark=told.get("remark", ""),
    )


def _reading(told: Mapping[str, Any]) -> Reading:
    """Return a reading; `strategy` stands for trees of the papers' game."""
    file, where = told.get("file", STRATEGIES), told.get("where", "")
    if "strategy" in told:
        trees = [told["strategy"]] if isinstance(told["strategy"], str) else told["strategy"]
        where = conditions([{"game": PAPERS_GAME, "tree": tree} for tree in trees])
    query = Query(file, where, told.get("column", ""), told.get("how", CELL))
    return Reading(query, told.get("text", ""), told["claimed"])


def weigh(results: Results) -> pl.DataFrame:
    """Return every claim with its computed value and verdict, one row per claim.

    The value, the reading and the file are those of the first reading under which the claim
    holds, or of the first one if there is none; `otherwise` has the values of the others.
    """
    return pl.DataFrame([_weighed(results, claim) for claim in read_claims()])


def printed(claims: pl.DataFrame) -> pl.DataFrame:
    """Return the claims for readers: the place, the statement, both values, the verdict, notes."""
    notes = [
        " ".join(
            [
                *([f"Reading: {row['reading']}."] if row["reading"] else []),
                *([f"Otherwise: {row['otherwise']}."] if row["otherwise"] else []),
                row["remark"] or "",
            ]
        ).strip()
        for row in claims.fill_null("").iter_rows(named=True)
    ]
    place = pl.col("place").replace("", None)
    source = pl.concat_str("source", place, separator=", ", ignore_nulls=True)
    shown = claims.select(source.alias("source"), "statement", "claimed", "computed", "verdict")
    return shown.with_columns(pl.Series("notes", notes, pl.String))


def counts_of(claims: pl.DataFrame) -> dict[str, int]:
    """Return the number of claims with each verdict."""
    return {verdict: claims.filter(pl.col("verdict") == verdict).height for verdict in VERDICTS}


def _weighed(results: Results, claim: Claim) -> dict[str, str]:
    values = {reading: _value(results, reading.query) for reading in claim.readings}
    known = {reading: value for reading, value in values.items() if value is not None}
    holding = [reading for reading, value in known.items() if agrees(reading.claimed, value)]
    shown = next(iter(holding or known or claim.readings), Reading(Query("", how=""), "", ""))
    if not values:
        verdict = OPEN
    elif not known:
        verdict = ABSENT
    else:
        verdict = FAILS if not holding else HOLDS if len(holding) == len(values) else HOLDS_READ
    texts = {reading: shaped(reading.claimed, value) for reading, value in known.items()}
    return {
        **{name: getattr(claim, name) for name in ("id", "source", "place", "statement")},
        "claimed": shown.claimed,
        "computed": texts.get(shown, ""),
        "verdict": verdict,
        "reading": shown.text,
        "otherwise": "; ".join(f"{o.text}: {text}" for o, text in texts.items() if o != shown),
        "remark": claim.remark,
        **vars(shown.query),
    }


def _value(results: Results, query: Query) -> str | None:
    """Return a query's value, or None if the study doesn't have the file or its rows."""
    groups = query.where.split(" | ")
    if query.file not in results.files:
        return None
    if query.how != ROWS and not all(results.rows(query.file, where) for where in groups):
        return None
    return results.value(query)


def agrees(claimed: str, value: str) -> bool:
    """Return whether a value is what is claimed, to the digits that are printed."""
    found = _NUMBER.fullmatch(claimed)
    if found and found[1]:
        return Decimal(value).compare(_number(found)) in _COMPARISONS[found[1]]
    return shaped(claimed, value) == claimed.replace("−", "-")


def _number(found: re.Match[str]) -> Decimal:
    return Decimal(found[2] + found[3].replace(",", ""))


def shaped(claimed: str, value: str) -> str:
    """Return a value in the form of the claim: as many decimals, a plus sign, a percent sign.

    Bounds are given with two decimals more than claimed.
    """
    found = _NUMBER.fullmatch(claimed.replace("−", "-"))
    try:
        number = Decimal(value.removesuffix("%"))
    except ArithmeticError:
        return value
    if not found:
        return value
    decimals = len(found[4] or "") + (2 if found[1] and number % 1 else 0)
    sign = "+" if found[2] else "-"
    commas = "," if "," in found[3] else ""
    return f"{rounded(number, decimals):{sign}{commas}}{found[5]}"
