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
HOLDING = ("holds", READING)
OPEN = "cannot be decided from the text"
ALIKE = "agrees with the published program"
UNLIKE = "differs from the published program"
VERDICTS = (*HOLDING, "does not hold", OPEN, "not computed in this study", ALIKE, UNLIKE)
COLUMNS = (
    "id", "source", "place", "statement", "claimed", "computed", "verdict", "reading",
    "otherwise", "remark", "file", "query", "program", "lines",
)  # fmt: skip
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
    require(cells, "its query has no value")
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
    statement = claim["statement"]
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
    known = verdict in VERDICTS and claim["source"] and claim["statement"]
    require(known, "its verdict is unknown, or it has no source or statement")
    if claim["program"] or verdict in (ALIKE, UNLIKE):
        expected = ALIKE if claim["claimed"] == claim["program"] else UNLIKE
        bare = not (computed or claim["file"] or claim["query"])
        right = bare and claim["program"] and claim["lines"] and verdict == expected
        return require(right, "it compares texts, and has a value or another verdict")
    if verdict not in VERDICTS[:3]:
        empty = not (computed or (verdict == OPEN and claim["file"]))
        return require(empty, "it has a value or a file in spite of its verdict")
    plain = verdict != READING and not claim["otherwise"]
    require(plain or claim["reading"], "its reading is not stated")
    require(fits(claim["file"], FILE), "its file is unknown")
    _check_form(claim)
    value = value_of(claim, folder)
    right = is_met(claim["claimed"], value) == (verdict in HOLDING)
    require(right, f"the verdict is {verdict}, but the file says {value}")
    if isinstance(value, str):  # such as the opening 1123, which is no number
        same = computed == value
    else:
        same = isinstance(printed(computed), Fraction) and is_met(computed, value)
    return require(same, f"the value is given as {computed}, but the file says {value}")


def shown(path, _):
    """Return what a table of claims shows, as a sentence and as a row."""
    claims = _rows_of(Path(path))
    path = Path(path)
    name = None
    names = [claim.get("id") for claim in claims]
    right = claims and len({*names}) == len(names) and fits(names, [NAME])
    require(right, "its ids are not names that differ")
    for name, claim in zip(names, claims, strict=True):
        try:
            check(claim, path.parent)
        except ValueError as why:
            raise ValueError(f"{name}: {why}") from None
    sentence = f"{len(claims)} claims checked, without a difference; "
    sentence += "on trust: how we read the sources"
    return sentence, {"claims": len(claims)}


if __name__ == "__main__":
    main(__doc__, shown)
