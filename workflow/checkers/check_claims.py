"""Judge the sources' claims again by the result files, deliberately without the package."""

import csv
import operator
import re
import sqlite3
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path

from strict_json import NAME, fits, main, read, require

READING = "holds under a stated reading"
OTHER = "holds under another reading"
HOLDING = ("holds", READING)
FAILS = "does not hold"
OPEN = "cannot be decided from the text"
ALIKE = "agrees with the published program"
UNLIKE = "differs from the published program"
ABSENT = "not computed in this study"
COMPUTED = (*HOLDING, OTHER, FAILS)
VERDICTS = (*COMPUTED, OPEN, ABSENT, ALIKE, UNLIKE)
COLUMNS = (
    "id", "source", "place", "statement", "test", "refuted_by", "claimed", "computed", "verdict",
    "reading", "case", "cases", "otherwise", "remark", "file", "query", "program", "lines",
    "origin", "this_run", "run_agrees",
)  # fmt: skip
READING_COLUMNS = (
    "id", "source", "under", "reading", "is_main", "case", "claimed", "computed", "holds",
    "origin", "file", "query", "run_file", "this_run", "run_agrees",
)  # fmt: skip
RECORDED = "recorded"
ORIGINS = ("this run", RECORDED)
YES_NO = {True: "yes", False: "no"}
NO_VALUE = "its query has no value"
FILE = re.compile(r"(\w[\w.-]*/)*\w[\w.-]*\.(csv|json)", re.ASCII)
TEXTS = ("opening", "class", "row", "column", "published", "computed")
"""Columns of texts that may look like numbers: codes, and cells of the sources' tables."""

FUNCTIONS = ("count", "min", "max", "sum", "avg", "abs", "round")
MOST_STEPS = 10**7
"""Maximum number of SQLite's instructions that a query may take."""

SIGNS = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
PRINTED = re.compile(r"[-+−]?(0|[1-9]\d{0,14}|[1-9]\d{0,2}(,\d{3}){1,4})(\.\d{1,15})?%?", re.ASCII)
"""A number as sources print it: not a code such as 0123, and without an exponent or a fraction."""

CELL = re.compile(r"-?(0|[1-9]\d{0,19})(\.\d{1,40})?([eE][-+]?\d{1,3})?", re.ASCII)
"""A number as programs write it to result files."""

CLAIMED = re.compile(r"((?P<sign>about|[<>]=?) )?(?P<text>.*?)(?P<cut>…?)")
COMPARING = re.compile(
    r"\b(than|more|less|fewer|lower|higher|greater|larger|smaller|better|least|most|above|below"
    r"|further|reduc\w+|improv\w+|dominated|significan\w+|within|doesn't|can't|no|none|all)\b",
    re.IGNORECASE,
)
"""Words of a source that compares, so that a bound may stand for what it says."""

SUBJECT = re.compile(
    r"\b(MM\(\d+,\d+\)|(mm|bc|black)-\d+-\d+|\d[\d,.]*%?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|the same)(?=\W|$)"
)
"""What readings of one claim may not differ in alone: games and numbers, which are cases."""

IN_PERCENT = re.compile(r"percent|deviation|100 \*")
EXACT = Context(prec=100)


def _rows_of(path):
    if path.suffix == ".json":
        return [dict(dotted(read(path)))]
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def dotted(tree, stem=""):
    """Yield the leaves of a nested dictionary."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from dotted(value, f"{stem}{key}.")
        else:
            yield stem + key, _plain(value) if isinstance(value, Fraction) else str(value)


def _plain(value):
    """Return a decimal of a JSON file as text."""
    return str(EXACT.divide(Decimal(value.numerator), Decimal(value.denominator)))


def _table_of(path):
    """Return a database whose table `file` has the rows of a result file; empty cells are null.

    A column has numbers, as doubles, if all its cells are numbers and it isn't one of the texts.
    """
    rows = _rows_of(path)
    names = list(rows[0]) if rows else []
    require(names and all(set(row) == set(names) for row in rows), f"{path.name} is no table")
    require(not any('"' in name for name in names), f"{path.name} has quotes in its columns")
    columns = []
    for name in names:
        cells = [row[name] or None for row in rows]
        is_number = name not in TEXTS and all(cell is None or fits(cell, CELL) for cell in cells)
        columns.append([cell and float(cell) for cell in cells] if is_number else cells)
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE file (" + ", ".join(f'"{name}"' for name in names) + ")")
    marks = ", ".join("?" * len(names))
    database.executemany(f"INSERT INTO file VALUES ({marks})", zip(*columns, strict=True))
    return database, names


def _allow(action, _, function, *__):
    """Allow SQLite to read the table and to call plain functions, and nothing else."""
    reads = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
    calls = action == sqlite3.SQLITE_FUNCTION and function.lower() in FUNCTIONS
    return sqlite3.SQLITE_OK if reads or calls else sqlite3.SQLITE_DENY


def value_of(claim, folder):
    """Return the value of a claim's query: a fraction, or a text."""
    query = claim["query"]
    database, names = _table_of(folder / claim["file"])
    # SQLite takes the name of a column that is missing for a text, if it is in quotes.
    quoted = re.findall(r'"([^"]*)"', re.sub(r"'[^']*'", "", query))
    require(set(quoted) <= set(names), f"its file lacks a column of {quoted}")
    database.set_authorizer(_allow)
    database.set_progress_handler(lambda: 1, MOST_STEPS)
    try:
        rows = database.execute(query).fetchall()
    except sqlite3.Error as error:
        raise ValueError(f"its query fails: {error}") from None
    finally:
        database.close()
    require(all(len(row) == 1 for row in rows), "its query has several columns")
    cells = [cell for (cell,) in rows if cell is not None]
    require(cells, NO_VALUE)
    if all(isinstance(cell, str) for cell in cells):
        return number(" and ".join(cells))
    require(len(cells) == 1, f"its query has {len(cells)} values")
    # Twelve digits: the others are noise of differences and quotients of doubles.
    return Fraction(f"{cells[0]:.12g}")


def number(text):
    """Return a fraction if the text is a number as a source or a computed table prints it."""
    return Fraction(text) if fits(text, CELL) else printed(text)


def printed(text):
    """Return a fraction if the text is a number as sources print it, possibly in percent."""
    if not fits(text, PRINTED):
        return text
    return Fraction(text.removesuffix("%").replace("−", "-").replace(",", ""))


def is_met(claimed, value):
    """Return whether a claimed value, rounded as printed, cut off or a bound, fits the value."""
    sign, text, cut = CLAIMED.fullmatch(claimed).group("sign", "text", "cut")
    wanted = printed(text)
    if isinstance(wanted, str) or isinstance(value, str):
        require(not (sign or cut), f"{claimed} compares the sizes of texts")
        return text == value
    if sign in SIGNS:
        return SIGNS[sign](value, wanted)
    unit = Fraction(1, 10 ** _decimals_of(text))
    if cut:
        return 0 <= value - wanted < unit
    return abs(value - wanted) <= (unit if sign else unit / 2)


def _decimals_of(text):
    value = printed(text)
    return len(text.removesuffix("%").partition(".")[2]) if isinstance(value, Fraction) else 0


def _check_form(claim):
    """Raise an error if the claimed value says less than the source, or the computed one less."""
    statement = f"{claim['statement']} {claim['test']}"
    is_reading = claim["verdict"] == READING
    sign, text, cut = CLAIMED.fullmatch(claim["claimed"]).group("sign", "text", "cut")
    loose = sign == "about" and not re.search("about|around", statement)
    require(not loose, "the source doesn't say about")
    require(not cut or is_reading, "that digits are cut off is a reading, which it doesn't state")
    if sign in SIGNS:
        compares = is_reading or claim["reading"] or COMPARING.search(statement)
        require(compares, "it claims a bound, but the source doesn't compare")
        bound = printed(text)
        require(isinstance(bound, Fraction), f"{text} is not a number")
        empty = (sign == ">=" and bound <= 0) or (sign == ">" and bound < 0)
        require(not empty, f"{sign} {text} excludes no number of guesses")
        is_quoted = re.search(rf"(?<![\d.]){re.escape(text)}(?![\d])", claim["statement"])
        ours = claim["test"] or is_quoted
        require(ours, f"the bound {text} isn't in the statement, so it is a test of ours")
    in_percent = IN_PERCENT.search(claim["file"] + claim["query"])
    require(in_percent or not text.endswith("%"), "it claims percent of what isn't in percent")
    computed = claim["computed"]
    same = computed.endswith("%") == text.endswith("%")
    same &= _decimals_of(computed) >= _decimals_of(text)
    require(same, f"the value is given as {computed}, in a form that differs from {text}")


def check(claim, folder):
    """Raise an error unless a claim's row agrees with its file."""
    whole = tuple(claim) == COLUMNS and all(text.isprintable() for text in claim.values())
    require(whole, "its row is incomplete, has more columns, or text that can't be printed")
    verdict = claim["verdict"]
    computed = claim["computed"]
    refutable = bool(claim["test"]) == bool(claim["refuted_by"])
    require(
        refutable, "a test of ours has no result that refutes the claim, or the other way round"
    )
    known = verdict in VERDICTS and claim["source"] and claim["statement"]
    require(known, "its verdict is unknown, or it has no source or statement")
    if claim["program"] or verdict in (ALIKE, UNLIKE):
        expected = ALIKE if claim["claimed"] == claim["program"] else UNLIKE
        bare = not (computed or claim["file"] or claim["query"])
        right = bare and claim["program"] and claim["lines"] and verdict == expected
        return require(right, "it compares texts, and has a value or another verdict")
    if verdict not in COMPUTED:
        empty = not (computed or (verdict == OPEN and claim["file"]))
        return require(empty, "it has a value or a file in spite of its verdict")
    plain = verdict not in (READING, OTHER) and not claim["otherwise"]
    require(plain or claim["reading"], "its reading is not stated")
    require(fits(claim["file"], FILE), "its file is unknown")
    _check_form(claim)
    value = value_of(claim, folder)
    right = is_met(claim["claimed"], value) == (verdict in HOLDING)
    require(right, f"the verdict is {verdict}, but the file says {shown_as(value)}")
    return _check_value(computed, value)


def shown_as(value):
    """Return a value as people read it."""
    return f"{float(value):.10g}" if isinstance(value, Fraction) else value


def _check_value(text, value):
    """Raise an error unless a text is a value as a claim's row gives it."""
    if isinstance(value, str):  # such as the opening 1123, which is no number
        same = text == value
    else:
        same = isinstance(printed(text), Fraction) and is_met(text, value)
    require(same, f"the value is given as {text}, but the file says {shown_as(value)}")


def check_reading(reading, folder):
    """Raise an error unless a reading's row agrees with its file, and with this run's file."""
    require(tuple(reading) == READING_COLUMNS, "a reading's row is incomplete, or has more columns")
    if not reading["computed"]:
        empty = not any(reading[name] for name in ("holds", "origin", "run_file", "this_run"))
        return require(empty, "a reading has a result without a value")
    origin = reading["origin"]
    require(origin in ORIGINS, f"a value's origin is {origin}")
    copied = reading["file"].startswith("paper-scale/")
    require(origin == RECORDED or not copied, "a recorded value is given as one of this run")
    require(fits(reading["file"], FILE), "the file of a reading is unknown")
    value = value_of(reading, folder)
    _check_value(reading["computed"], value)
    holds = is_met(reading["claimed"], value)
    right = reading["holds"] == YES_NO[holds]
    shown = shown_as(value)
    require(right, f"it holds under a reading: {reading['holds']}, but the file says {shown}")
    return _check_run(reading, holds, folder)


def _check_run(reading, holds, folder):
    """Raise an error unless a recorded value is compared with the one of this run."""
    computed = _own_value(reading, folder)
    if computed is None:
        empty = not (reading["this_run"] or reading["run_agrees"])
        return require(empty, "this run has no such value")
    require(reading["origin"] == RECORDED, "this run has two values")
    require(reading["this_run"], f"the value of this run is left out: {computed}")
    _check_value(reading["this_run"], computed)
    agrees = is_met(reading["claimed"], computed) == holds
    right = reading["run_agrees"] == YES_NO[agrees]
    return require(right, f"this run agrees: {reading['run_agrees']}, but its file says {computed}")


def _own_value(reading, folder):
    """Return this run's value of a recorded reading, None if its file has none."""
    if not reading["run_file"]:
        return None
    require(fits(reading["run_file"], FILE), "the file of this run is unknown")
    try:
        return value_of(reading | {"file": reading["run_file"]}, folder)
    except ValueError as error:
        if str(error) == NO_VALUE:
            return None
        raise


def grouped(cases):
    """Return a claim's readings in order, each as the list of its cases."""
    readings = {}
    for case in cases:
        readings.setdefault((case["under"], case["reading"]), []).append(case)
    return list(readings.values())


def result_of(cases):
    """Return whether a claim holds by a reading: in all of its cases."""
    results = [case["holds"] for case in cases]
    if "no" in results:
        return "no"
    return "" if "" in results else "yes"


def deciding(cases):
    """Return the case that a reading is shown by."""
    failing = [case for case in cases if case["holds"] == "no"]
    unknown = [case for case in cases if case["holds"] == ""]
    disagreeing = [case for case in cases if case["run_agrees"] == "no"]
    return [*failing, *unknown, *disagreeing, *cases][0]


def expected_verdict(readings):
    """Return the verdict that follows from a claim's readings, of which the first is the main."""
    main = readings[0]
    results = [result_of(cases) for cases in readings]
    if results[0] == "yes":
        stated = len(readings) == 1 and main[0]["reading"]
        whole = all(result == "yes" for result in results)
        is_cut = any(case["claimed"].endswith("…") for case in main)
        return READING if stated or not whole or is_cut else "holds"
    if results[0] == "no" and "yes" in results:
        return OTHER
    return ABSENT if "" in results else FAILS


def check_readings(readings):
    """Raise an error unless a claim's readings differ in more than in what their cases are about.

    A claim holds if it does so by a single reading, so a case that is given as a reading could save
    it. Readings of the same reading of the source may not differ in games or numbers alone, neither
    in their words nor in what they look up.
    """
    words = set()
    lookups = {}
    for cases in readings:
        first = cases[0]
        names = [case["case"] for case in cases]
        named = names == [""] or (all(names) and len({*names}) == len(names))
        require(named, "the cases of a reading have no names, or the same ones")
        text = (first["under"], SUBJECT.sub("", first["reading"]))
        # Readings that look up the same differ in what they claim.
        looked_up = [f"{case['file']} {case['query']}" for case in cases]
        subjects = (first["under"], *(SUBJECT.sub("", lookup) for lookup in looked_up))
        differs = text not in words and lookups.setdefault(subjects, looked_up) == looked_up
        fault = f"readings that differ in games or numbers alone are cases: {first['reading']}"
        require(differs, fault)
        words.add(text)


def check_verdict(claim, rows):
    """Raise an error unless a claim is shown by its main reading, and its verdict follows."""
    if claim["program"] or not rows:
        return require(claim["verdict"] in (OPEN, ALIKE, UNLIKE), "it has no readings")
    readings = grouped(rows)
    require(rows == [row for cases in readings for row in cases], "a reading's cases are apart")
    main = deciding(readings[0])
    marks = [reading["is_main"] for reading in rows]
    n_main = len(readings[0])
    first = marks == ["yes"] * n_main + ["no"] * (len(rows) - n_main)
    require(first, "its main reading is not the first")
    check_readings(readings)
    verdict = expected_verdict(readings)
    require(claim["verdict"] == verdict, f"its readings lead to the verdict: {verdict}")
    same = ["source", "reading", "case", "claimed", "file", "query"]
    if verdict != ABSENT:
        same += ["computed", "origin", "this_run", "run_agrees"]
    differing = [name for name in same if claim[name] != main[name]]
    return require(not differing, f"it differs from its main reading in {differing}")


def check_all(claims, readings):
    """Raise an error unless each source is read in one way, and each file has one origin."""
    known = {claim["id"] for claim in claims}
    require({reading["id"] for reading in readings} <= known, "a reading is of no claim")
    mains = [reading for reading in readings if reading["is_main"] == "yes" and reading["under"]]
    _check_one(mains, "source", "under", "has several main readings")
    computed = [reading for reading in readings if reading["computed"]]
    _check_one(computed, "file", "origin", "has several origins")
    _check_one(computed, "file", "run_file", "is compared with this run in some rows only")


def _check_one(readings, key, column, fault):
    """Raise an error if rows with the same key differ in a column."""
    known = {}
    for reading in readings:
        cell = known.setdefault(reading[key], reading[column])
        require(cell == reading[column], f"{reading['id']}: {reading[key]} {fault}")


def shown(path, _):
    """Return what a table of claims shows, as a sentence and as a row."""
    path = Path(path)
    claims = _rows_of(path)
    readings = _rows_of(path.with_name("readings.csv"))
    name = None
    names = [claim.get("id") for claim in claims]
    right = claims and len({*names}) == len(names) and fits(names, [NAME])
    require(right, "its ids are not names that differ")
    for name, claim in zip(names, claims, strict=True):
        try:
            check(claim, path.parent)
            of_claim = [reading for reading in readings if reading["id"] == name]
            for reading in of_claim:
                check_reading(reading, path.parent)
            check_verdict(claim, of_claim)
        except ValueError as why:
            raise ValueError(f"{name}: {why}") from None
    check_all(claims, readings)
    sentence = f"{len(claims)} claims checked, without a difference; "
    sentence += "on trust: how we read the sources"
    return sentence, {"claims": len(claims)}


if __name__ == "__main__":
    main(__doc__, shown)
