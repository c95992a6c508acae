"""Claims of the sources, each weighed against a value in a result file."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.report.paper.results import Results

CLAIMS = DATA / "published" / "claims.toml"
STRATEGIES = "metrics/strategies.csv"

HOLDS, HOLDS_READ = "holds", "holds under a stated reading"
FAILS, OPEN = "does not hold", "cannot be decided from the text"
ABSENT = "not computed in this study"
VERDICTS = (HOLDS, HOLDS_READ, FAILS, OPEN, ABSENT)
"""The verdicts. The last is for claims on files that a smaller study doesn't compute."""

CELL, ROWS, VALUES = "cell", "rows", "values"
LESS, SHARE = "first less second", "first less second, in percent"
WHICH = re.compile(r"(.+) where (least|greatest)")
AGGREGATES = {"least": min, "greatest": max, "sum": sum}

_NUMBER = re.compile(r"([<>]=?)? ?([+-]?)([\d,]*\d(?:\.(\d+))?)(%?)")
_COMPARISONS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}


@dataclass(frozen=True)
class Reading:
    """One way to read a claim: the value claimed, and what it is compared with.

    `where` has conditions on the row as in `condition_text`, or on two rows separated by a bar.
    `how` is `cell`, `rows` (their number), `values` (the different ones), `least`, `greatest` or
    `sum` of the column's cells, `NAME where least` (the column NAME of the row with the least
    value), or a difference.
    """

    file: str
    where: str
    column: str
    how: str
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
    return {reading.file for claim in read_claims() for reading in claim.readings}


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
        where = " | ".join(f"game={PAPERS_GAME}; tree={tree}" for tree in trees)
    column, how, text = (told.get(key, "") for key in ("column", "how", "text"))
    return Reading(file, where, column, how or CELL, text, told["claimed"])


def weigh(results: Results, claims: Sequence[Claim] | None = None) -> pl.DataFrame:
    """Return every claim with its computed value and verdict, one row per claim.

    The value, the reading and the file are those of the first reading under which the claim
    holds, or of the first one if there is none; `otherwise` has the values of the others.
    """
    return pl.DataFrame(
        [_weighed(results, claim) for claim in (read_claims() if claims is None else claims)]
    )


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
    values = {reading: _value(results, reading) for reading in claim.readings}
    known = {reading: value for reading, value in values.items() if value is not None}
    holding = [reading for reading, value in known.items() if agrees(reading.claimed, value)]
    shown = next(iter(holding or known or claim.readings), Reading("", "", "", "", "", ""))
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
        **{name: getattr(shown, name) for name in ("file", "where", "column", "how")},
    }


def _value(results: Results, reading: Reading) -> str | None:
    """Return a reading's value as text, or None if the study doesn't have it."""
    if reading.file not in results.files:
        return None
    groups = [results.rows(reading.file, _where(part)) for part in reading.where.split(" | ")]
    if reading.how == ROWS:
        return str(len(groups[0]))
    if not all(groups):
        return None
    if found := WHICH.fullmatch(reading.how):
        return _which(groups[0], reading.column, *found.groups())
    cells = [[row[reading.column] for row in rows if row[reading.column]] for rows in groups]
    if reading.how == VALUES:
        return " and ".join(dict.fromkeys(cells[0]))
    if reading.how in AGGREGATES:
        return str(AGGREGATES[reading.how](map(Decimal, cells[0])))  # type: ignore[operator]
    if any(len(group) != 1 for group in cells):
        raise CodebreakerError(f"{reading.file} needs one row with {reading.where}")
    first, second = cells[0][0], cells[-1][0]
    if reading.how == CELL:
        return first
    difference = Decimal(first) - Decimal(second)
    return str(difference if reading.how == LESS else 100 * difference / Decimal(second))


def _which(rows: Sequence[Mapping[str, str]], column: str, name: str, extreme: str) -> str:
    best = AGGREGATES[extreme](Decimal(row[column]) for row in rows)  # type: ignore[operator]
    return " and ".join(row[name] for row in rows if Decimal(row[column]) == best)


def _where(text: str) -> dict[str, list[str]]:
    where: dict[str, list[str]] = {}
    for condition in filter(None, text.split("; ")):
        column, sign, value = re.split(r"([!<>]?=)", condition, maxsplit=1)
        where.setdefault(column, []).append(value if sign == "=" else sign + value)
    return where


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
    number = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    sign = "+" if found[2] else "-"
    commas = "," if "," in found[3] else ""
    return f"{number:{sign}{commas}}{found[5]}"
