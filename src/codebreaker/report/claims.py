"""Claims of the sources, each weighed against a value in a result file."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NamedTuple

import polars as pl

from codebreaker.files import read_toml
from codebreaker.report.needs import CLAIMS, run_file
from codebreaker.report.numbers import Query, Results, exact, rounded

HOLDS = "holds"
HOLDS_READ = "holds under a stated reading"
HOLDS_OTHER = "holds under another reading"
FAILS = "does not hold"
OPEN = "cannot be decided from the text"
ABSENT = "not computed in this study"
ALIKE = "agrees with the published program"
UNLIKE = "differs from the published program"
VERDICTS = (HOLDS, HOLDS_READ, HOLDS_OTHER, FAILS, OPEN, ABSENT, ALIKE, UNLIKE)
THIS_RUN = "this run"
RECORDED = "recorded"
"""The origins of a value: this run, or a file that an earlier run wrote and the project keeps."""

YES_NO = {True: "yes", False: "no", None: ""}
"""Whether something holds, in tables; empty if it is unknown."""

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
    reading. `under` is the reading of the whole source that it belongs to, if that has several.
    """

    claimed: str = ""
    text: str = ""
    under: str = ""
    file: str = ""
    query: str = ""
    program: str = ""
    lines: str = ""


@dataclass(frozen=True, kw_only=True)
class SourceClaim:
    """A statement of a source at a place of its text.

    Its readings start with the main one. A statement that is too vague has no readings.
    """

    id: str
    source: str
    place: str = ""
    statement: str
    remark: str = ""
    readings: tuple[_Reading, ...]


class Verdicts(NamedTuple):
    """The verdicts on all claims, and the reading by reading results that they follow from."""

    claims: pl.DataFrame
    readings: pl.DataFrame


@dataclass(frozen=True)
class _Judged:
    """A reading with its value, if it was computed, and whether the claim holds by it.

    If the value is from a recorded file whose table this run computes too, `run_file` is the run's
    file, and `run_value` its value.
    """

    reading: _Reading
    origin: str = ""
    value: str | None = None
    run_file: str = ""
    run_value: str | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the claim holds under this reading, None if its value is unknown."""
        return None if self.value is None else agrees(self.reading.claimed, self.value)

    @property
    def run_holds(self) -> bool | None:
        """Whether it holds by the run's own value, None if that is unknown."""
        return None if self.run_value is None else agrees(self.reading.claimed, self.run_value)

    @property
    def run_agrees(self) -> bool | None:
        """Whether the run's own value leads to the same result, None if that is unknown."""
        return None if self.run_holds is None else self.run_holds == self.holds

    @property
    def shown_value(self) -> str:
        """The value in the form of the claim."""
        return "" if self.value is None else shaped(self.reading.claimed, self.value)

    @property
    def shown_run_value(self) -> str:
        """The run's own value in the form of the claim."""
        return "" if self.run_value is None else shaped(self.reading.claimed, self.run_value)


def main_readings() -> dict[str, str]:
    """Return how each source is read as a whole, and why."""
    return {source["name"]: source["main_reading"] for source in read_toml(CLAIMS)["sources"]}


def read_claims() -> list[SourceClaim]:
    """Return all claims."""
    return [
        _claim(source, claim)
        for source in read_toml(CLAIMS)["sources"]
        for claim in source.get("claims", [])
    ]


def _claim(source: dict[str, Any], entry: dict[str, Any]) -> SourceClaim:
    """Return a claim of claims.toml, whose main reading comes first.

    It has `readings`, or the keys of a single one, or none if its text can't be decided. A reading
    may claim another value than the whole. The main one is, of those under the source's main
    reading, the first listed.
    """
    only_reading = {key: entry.pop(key) for key in _KEYS_OF_READING & set(entry)}
    claimed = entry.pop("claimed", "")
    entries = entry.pop("readings", [only_reading] if only_reading else [])
    readings = [_reading({"claimed": claimed} | reading) for reading in entries]
    shared = {reading["id"]: reading for reading in source.get("readings", [])}
    of_others = [name for name, reading in shared.items() if not reading.get("is_main", False)]
    readings.sort(key=lambda reading: reading.under in of_others)
    return SourceClaim(
        source=source["name"],
        readings=tuple(_with_shared_text(reading, shared) for reading in readings),
        **entry,
    )


def _reading(entry: dict[str, Any]) -> _Reading:
    """Return a reading of claims.toml; its query is a single line."""
    query = " ".join(entry.pop("query", "").split())
    return _Reading(query=query, **entry)


def _with_shared_text(reading: _Reading, shared: dict[str, dict[str, Any]]) -> _Reading:
    """Return a reading whose text includes that of the source's reading it belongs to."""
    if not reading.under:
        return reading
    texts = (reading.text, shared[reading.under]["text"])
    return replace(reading, text="; ".join(text for text in texts if text))


def weigh(results: Results, recorded: Collection[str] = ()) -> Verdicts:
    """Return a row per claim with its verdict, and a row per reading.

    A claim is shown by its main reading. The columns are the claim's texts; `claimed` and
    `computed`, in the form that the source prints; the `verdict`; the `reading`, and the results of
    the others in `otherwise`; where the value comes from, in `file` and `query`, or in `program`
    and `lines`; its `origin`; and if that is a recorded file whose table this run computes too, the
    run's own value in `this_run`, and whether it leads to the same result in `run_agrees`.

    Args:
        results: The result files.
        recorded: Those that this run didn't compute, but copied from what an earlier run recorded.
    """
    claims = []
    readings = []
    for claim in read_claims():
        judged = [_judged(results, reading, recorded) for reading in claim.readings]
        claims.append(_claim_row(claim, judged))
        readings += _reading_rows(claim, judged)
    return Verdicts(pl.DataFrame(claims), pl.DataFrame(readings))


def printed(claims: pl.DataFrame) -> pl.DataFrame:
    """Return the claims for readers."""
    source, place, reading, otherwise, remark, origin, run = (
        pl.col(name).replace("", None)
        for name in ("source", "place", "reading", "otherwise", "remark", "origin", "this_run")
    )
    differs = pl.col("run_agrees") == YES_NO[False]
    notes = (
        pl.format("Reading: {}.", reading),
        pl.format("Otherwise: {}.", otherwise),
        pl.when(differs).then(pl.format("This run disagrees: {}.", run)),
        pl.when(origin == RECORDED).then(pl.lit("From a recorded run.")),
        remark,
    )
    shown = claims.select(
        pl.concat_str(source, place, separator=", ", ignore_nulls=True).alias("source"),
        *("statement", "claimed", "computed", "verdict"),
        pl.concat_str(notes, separator=" ", ignore_nulls=True).alias("notes"),
    )
    return shown.with_columns(pl.col(pl.String).str.replace_all(r"(^|[ (])-(\d)", "${1}−$2"))


def counts_of(claims: pl.DataFrame) -> dict[str, int]:
    """Return the number of claims by verdict."""
    return {verdict: claims.filter(pl.col("verdict") == verdict).height for verdict in VERDICTS}


def count_recorded(claims: pl.DataFrame) -> int:
    """Return the number of claims whose value is from a recorded file."""
    return claims.filter(pl.col("origin") == RECORDED).height


def _judged(results: Results, reading: _Reading, recorded: Collection[str]) -> _Judged:
    """Return a reading with its value; if that is recorded, also with this run's own value."""
    value = _value(results, reading.file, reading.query)
    if value is None:
        return _Judged(reading)
    if reading.file not in recorded:
        return _Judged(reading, THIS_RUN, value)
    computed = run_file(reading.file)
    if not results.has(computed):
        return _Judged(reading, RECORDED, value)
    return _Judged(reading, RECORDED, value, computed, _value(results, computed, reading.query))


def _claim_row(claim: SourceClaim, judged: list[_Judged]) -> dict[str, str]:
    """Return a claim's row, shown by its main reading."""
    main = judged[0] if judged else _Judged(_Reading())
    remark = claim.remark
    if main.reading.program:
        program = f"The program: {main.reading.program} ({main.reading.lines})."
        remark = f"{program} Nothing is computed. {remark}".strip()
    verdict = _verdict(judged)
    if verdict == ABSENT:
        main = _Judged(main.reading)  # a reading that is not computed might hold
    others = [each for each in judged[1:] if verdict != ABSENT and each.value is not None]
    return {
        "id": claim.id,
        "source": claim.source,
        "place": claim.place,
        "statement": claim.statement,
        "claimed": main.reading.claimed,
        "computed": main.shown_value,
        "verdict": verdict,
        "reading": main.reading.text,
        "otherwise": "; ".join(map(_in_words, others)),
        "remark": remark,
        "file": main.reading.file,
        "query": main.reading.query,
        "program": main.reading.program,
        "lines": main.reading.lines,
        "origin": main.origin,
        "this_run": main.shown_run_value,
        "run_agrees": YES_NO[main.run_agrees],
    }


def _in_words(judged: _Judged) -> str:
    """Return the result of a reading that is not the main one."""
    result = HOLDS if judged.holds else FAILS
    if judged.run_agrees is False:
        result += f"; this run disagrees: {judged.shown_run_value}"
    return f"{judged.reading.text}: {judged.shown_value} ({result})"


def _reading_rows(claim: SourceClaim, judged: list[_Judged]) -> list[dict[str, str]]:
    """Return a row for each reading of a claim that names a result file."""
    return [
        {
            "id": claim.id,
            "source": claim.source,
            "under": each.reading.under,
            "reading": each.reading.text,
            "is_main": YES_NO[each is judged[0]],
            "claimed": each.reading.claimed,
            "computed": each.shown_value,
            "holds": YES_NO[each.holds],
            "origin": each.origin,
            "file": each.reading.file,
            "query": each.reading.query,
            "run_file": each.run_file,
            "this_run": each.shown_run_value,
            "run_agrees": YES_NO[each.run_agrees],
        }
        for each in judged
        if each.reading.file
    ]


def _verdict(judged: list[_Judged]) -> str:
    """Return the verdict on a claim by its readings, of which the first is the main one.

    It holds without a condition only if it does so in all readings, if a single one needs no words,
    and if the source's number is not cut off.
    """
    if not judged:
        return OPEN
    main = judged[0]
    if main.reading.program:
        return ALIKE if agrees(main.reading.claimed, main.reading.program) else UNLIKE
    holding = [each for each in judged if each.holds]
    if main.value is None:
        return ABSENT
    if main.holds:
        needs_words = len(judged) == 1 and bool(main.reading.text)
        is_cut = main.reading.claimed.endswith("…")
        return HOLDS if holding == judged and not needs_words and not is_cut else HOLDS_READ
    if holding:
        return HOLDS_OTHER
    is_whole = all(each.value is not None for each in judged)
    return FAILS if is_whole else ABSENT


def _value(results: Results, file: str, query: str) -> str | None:
    """Return a value as text; None if the file or a row is not among the results."""
    if not results.has(file):
        return None
    value = results.value(Query(file, query))
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
