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

_KEYS_OF_READING = {"cases", "file", "query", "program", "lines"}
"""Keys that a claim of a single reading has itself."""

_KEYS_OF_CASE = {"file", "query", "program", "lines"}
"""Keys that a reading with a single case has itself."""

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
class _Case:
    """One value that a reading of a claim depends on: the value claimed, and where its own is.

    That is the value of `query` in the result file `file`; or it is `program`, what the published
    program does at `lines`, where two texts are compared and nothing is computed. `text` names the
    case, such as a game, if its reading has several.
    """

    claimed: str = ""
    text: str = ""
    file: str = ""
    query: str = ""
    program: str = ""
    lines: str = ""


@dataclass(frozen=True)
class _Reading:
    """One way to read a claim. By it the claim holds if it does so in all cases.

    `text` states the reading. `under` is the reading of the whole source that it belongs to, if
    that has several.
    """

    text: str = ""
    under: str = ""
    cases: tuple[_Case, ...] = (_Case(),)


@dataclass(frozen=True, kw_only=True)
class SourceClaim:
    """A statement of a source at a place of its text.

    Its readings start with the main one. A statement that is too vague has no readings. `test` is
    what we compare if the statement doesn't say so itself, and `refuted_by` the result that would
    refute it: both are ours.
    """

    id: str
    source: str
    place: str = ""
    statement: str
    test: str = ""
    refuted_by: str = ""
    remark: str = ""
    readings: tuple[_Reading, ...]


class Verdicts(NamedTuple):
    """The verdicts on all claims, and the reading by reading results that they follow from."""

    claims: pl.DataFrame
    readings: pl.DataFrame


@dataclass(frozen=True)
class _JudgedCase:
    """A case with its value, if it was computed, and whether the claim holds in it.

    If the value is from a recorded file whose table this run computes too, `run_file` is the run's
    file, and `run_value` its value.
    """

    case: _Case
    origin: str = ""
    value: str | None = None
    run_file: str = ""
    run_value: str | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the claim holds in this case, None if its value is unknown."""
        return None if self.value is None else agrees(self.case.claimed, self.value)

    @property
    def run_holds(self) -> bool | None:
        """Whether it holds by the run's own value, None if that is unknown."""
        return None if self.run_value is None else agrees(self.case.claimed, self.run_value)

    @property
    def run_agrees(self) -> bool | None:
        """Whether the run's own value leads to the same result, None if that is unknown."""
        return None if self.run_holds is None else self.run_holds == self.holds

    @property
    def shown_value(self) -> str:
        """The value in the form of the claim."""
        return "" if self.value is None else shaped(self.case.claimed, self.value)

    @property
    def shown_run_value(self) -> str:
        """The run's own value in the form of the claim."""
        return "" if self.run_value is None else shaped(self.case.claimed, self.run_value)


@dataclass(frozen=True)
class _Judged:
    """A reading with its cases, of which at least one exists."""

    reading: _Reading
    cases: tuple[_JudgedCase, ...]

    @property
    def holds(self) -> bool | None:
        """Whether the claim holds in all cases, None if no case fails and one is unknown."""
        results = [case.holds for case in self.cases]
        if False in results:
            return False
        return None if None in results else True

    @property
    def deciding(self) -> _JudgedCase:
        """The case that the reading is shown by.

        It is the first one that fails; else the first whose value is unknown; else the first in
        which this run disagrees; else the first.
        """
        failing = [case for case in self.cases if case.holds is False]
        unknown = [case for case in self.cases if case.holds is None]
        disagreeing = [case for case in self.cases if case.run_agrees is False]
        return [*failing, *unknown, *disagreeing, *self.cases][0]


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
    or a case may claim another value than the whole. The main reading is, of those under the
    source's main reading, the first listed.
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
    """Return a reading of claims.toml, which has `cases`, or the keys of a single one."""
    claimed = entry.pop("claimed")
    only_case = {key: entry.pop(key) for key in _KEYS_OF_CASE & set(entry)}
    entries = entry.pop("cases", [only_case])
    cases = tuple(_case({"claimed": claimed} | case) for case in entries)
    return _Reading(cases=cases, **entry)


def _case(entry: dict[str, Any]) -> _Case:
    """Return a case of claims.toml; its query is a single line."""
    query = " ".join(entry.pop("query", "").split())
    return _Case(query=query, **entry)


def _with_shared_text(reading: _Reading, shared: dict[str, dict[str, Any]]) -> _Reading:
    """Return a reading whose text includes that of the source's reading it belongs to."""
    if not reading.under:
        return reading
    texts = (reading.text, shared[reading.under]["text"])
    return replace(reading, text="; ".join(text for text in texts if text))


def weigh(results: Results, recorded: Collection[str] = ()) -> Verdicts:
    """Return a row per claim with its verdict, and a row per case of a reading.

    A claim is shown by the deciding case of its main reading. The columns are the claim's texts;
    our `test`, and the result that it would be `refuted_by`; `claimed` and `computed`, in the form
    that the source prints; the `verdict`; the `reading`, its deciding `case`, the results of its
    other `cases`, and those of the other readings in `otherwise`; where the value comes from, in
    `file` and `query`, or in `program` and `lines`; its `origin`; and if that is a recorded file
    whose table this run computes too, the run's own value in `this_run`, and whether it leads to
    the same result in `run_agrees`.

    Args:
        results: The result files.
        recorded: Those that this run didn't compute, but copied from what an earlier run recorded.
    """
    claims = []
    readings = []
    for claim in read_claims():
        judged = [
            _Judged(reading, tuple(_judged_case(results, case, recorded) for case in reading.cases))
            for reading in claim.readings
        ]
        claims.append(_claim_row(claim, judged))
        readings += _reading_rows(claim, judged)
    return Verdicts(pl.DataFrame(claims), pl.DataFrame(readings))


def printed(claims: pl.DataFrame) -> pl.DataFrame:
    """Return the claims for readers."""
    source, place, test, refuted_by, reading, case, cases, otherwise, remark, origin, run = (
        pl.col(name).replace("", None)
        for name in (
            *("source", "place", "test", "refuted_by", "reading", "case", "cases", "otherwise"),
            *("remark", "origin", "this_run"),
        )
    )
    differs = pl.col("run_agrees") == YES_NO[False]
    notes = (
        pl.format("Our test: {}.", test),
        pl.format("It would be refuted by {}.", refuted_by),
        pl.format("Reading: {}.", reading),
        pl.format("The value is that of {}.", case),
        pl.format("Further cases: {}.", cases),
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


def _judged_case(results: Results, case: _Case, recorded: Collection[str]) -> _JudgedCase:
    """Return a case with its value; if that is recorded, also with this run's own value."""
    value = _value(results, case.file, case.query)
    if value is None:
        return _JudgedCase(case)
    if case.file not in recorded:
        return _JudgedCase(case, THIS_RUN, value)
    computed = run_file(case.file)
    if not results.has(computed):
        return _JudgedCase(case, RECORDED, value)
    return _JudgedCase(case, RECORDED, value, computed, _value(results, computed, case.query))


def _claim_row(claim: SourceClaim, judged: list[_Judged]) -> dict[str, str]:
    """Return a claim's row, shown by the deciding case of its main reading."""
    main = judged[0] if judged else _Judged(_Reading(), (_JudgedCase(_Case()),))
    shown = main.deciding
    remark = claim.remark
    if shown.case.program:
        program = f"The program: {shown.case.program} ({shown.case.lines})."
        remark = f"{program} Nothing is computed. {remark}".strip()
    verdict = _verdict(judged)
    other_cases = [case for case in main.cases if case is not shown and case.value is not None]
    others = [each for each in judged[1:] if each.deciding.value is not None]
    if verdict == ABSENT:  # a reading or case that is not computed might hold
        shown = _JudgedCase(shown.case)
        other_cases = []
        others = []
    return {
        "id": claim.id,
        "source": claim.source,
        "place": claim.place,
        "statement": claim.statement,
        "test": claim.test,
        "refuted_by": claim.refuted_by,
        "claimed": shown.case.claimed,
        "computed": shown.shown_value,
        "verdict": verdict,
        "reading": main.reading.text,
        "case": shown.case.text,
        "cases": "; ".join(map(_in_words, other_cases)),
        "otherwise": "; ".join(map(_reading_in_words, others)),
        "remark": remark,
        "file": shown.case.file,
        "query": shown.case.query,
        "program": shown.case.program,
        "lines": shown.case.lines,
        "origin": shown.origin,
        "this_run": shown.shown_run_value,
        "run_agrees": YES_NO[shown.run_agrees],
    }


def _reading_in_words(judged: _Judged) -> str:
    """Return the result of a reading that is not the main one, in each of its cases."""
    cases = [case for case in judged.cases if case.value is not None]
    return f"{judged.reading.text}: {', '.join(map(_in_words, cases))}"


def _in_words(judged: _JudgedCase) -> str:
    """Return the result in a case."""
    result = HOLDS if judged.holds else FAILS
    if judged.run_agrees is False:
        result += f"; this run disagrees: {judged.shown_run_value}"
    name = f"{judged.case.text}: " if judged.case.text else ""
    return f"{name}{judged.shown_value} ({result})"


def _reading_rows(claim: SourceClaim, judged: list[_Judged]) -> list[dict[str, str]]:
    """Return a row for each case of a claim's readings that names a result file."""
    return [
        {
            "id": claim.id,
            "source": claim.source,
            "under": each.reading.under,
            "reading": each.reading.text,
            "is_main": YES_NO[each is judged[0]],
            "case": judged_case.case.text,
            "claimed": judged_case.case.claimed,
            "computed": judged_case.shown_value,
            "holds": YES_NO[judged_case.holds],
            "origin": judged_case.origin,
            "file": judged_case.case.file,
            "query": judged_case.case.query,
            "run_file": judged_case.run_file,
            "this_run": judged_case.shown_run_value,
            "run_agrees": YES_NO[judged_case.run_agrees],
        }
        for each in judged
        for judged_case in each.cases
        if judged_case.case.file
    ]


def _verdict(judged: list[_Judged]) -> str:
    """Return the verdict on a claim by its readings, of which the first is the main one.

    It holds without a condition only if it does so in all readings, if a single one needs no words,
    and if the source's number is not cut off.
    """
    if not judged:
        return OPEN
    main = judged[0]
    only = main.cases[0].case
    if only.program:
        return ALIKE if agrees(only.claimed, only.program) else UNLIKE
    results = [each.holds for each in judged]
    if main.holds is None:
        return ABSENT
    if main.holds:
        needs_words = len(judged) == 1 and bool(main.reading.text)
        is_cut = any(case.case.claimed.endswith("…") for case in main.cases)
        return HOLDS if all(results) and not needs_words and not is_cut else HOLDS_READ
    if True in results:
        return HOLDS_OTHER
    return ABSENT if None in results else FAILS


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
