"""Judge the sources' claims again by the result files, deliberately without the package."""

import csv
import operator
import re
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path

from strict_json import NAME, fits, main, read, require

READING = "holds under a stated reading"
HOLDING = ("holds", READING)
OPEN = "cannot be decided from the text"
ALIKE = "agrees with the published program"
UNLIKE = "differs from the published program"
TEXTS = "comparison of two texts"
VERDICTS = (*HOLDING, "does not hold", OPEN, "not computed in this study", ALIKE, UNLIKE)
COLUMNS = (
    *("id", "source", "place", "statement", "claimed", "computed", "verdict", "reading"),
    *("otherwise", "remark", "file", "where", "column", "how"),
)
FILE = re.compile(r"(\w[\w.-]*/)*\w[\w.-]*\.(csv|tsv|json|md)", re.ASCII)
HOW = re.compile(
    r"cell( in percent)?|rows|values|different cells|lowest|highest|sum|text in place of \{\}"
    r"|first less second(, in percent( of second)?)?|[a-z ]+ where (lowest|highest)"
)
FOLDS = {"lowest": min, "highest": max, "sum": sum}
SIGNS = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
PRINTED = re.compile(r"[-+−]?(0|[1-9]\d{0,14}|[1-9]\d{0,2}(,\d{3}){1,4})(\.\d{1,15})?%?", re.ASCII)
"""A number as sources print it: not a code such as 0123, and without an exponent or a fraction."""

CELL = re.compile(r"-?(0|[1-9]\d{0,19})(\.\d{1,40})?([eE][-+]?\d{1,3})?", re.ASCII)
"""A number as programs write it to result files."""

CLAIMED = re.compile(r"((?P<sign>about|[<>]=?) )?(?P<told>.*?)(?P<cut>…?)")
COMPARING = re.compile(
    r"\b(than|more|less|fewer|lower|higher|greater|larger|smaller|better|least|most|above|below"
    r"|further|reduc\w+|improv\w+|dominated|significan\w+|within|doesn't|can't|no|none|all)\b",
    re.IGNORECASE,
)
"""Words of a source that compares, so that a bound may stand for what it says."""

IN_PERCENT = re.compile("percent|deviation")
EXACT = Context(prec=100)


def _rows_of(path):
    if path.suffix == ".json":
        return [dict(dotted(read(path)))]
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))


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


def _chosen(rows, conditions):
    for condition in filter(None, conditions.split("; ")):
        column, sign, wanted = re.match(r"([^=!<>]+)(=|!=|<=|>=)(.*)", condition).groups()
        kind = _size if sign in ("<=", ">=") else str
        holds = SIGNS[sign]
        rows = [row for row in rows if row[column] or kind is str]
        rows = [row for row in rows if holds(kind(row[column]), kind(wanted))]
    return rows


def value_of(claim, folder):
    """Return the value of a claim's row."""
    column = claim["column"]
    how = claim["how"]
    if how == "text in place of {}":
        words = re.escape(column).replace(re.escape("{}"), r"([0-9.,]*[0-9])")
        return number(re.search(words, (folder / claim["file"]).read_text(encoding="utf-8"))[1])
    rows = _rows_of(folder / claim["file"])
    groups = [_chosen(rows, conditions) for conditions in claim["where"].split(" | ")]
    if how == "rows":
        return Fraction(len(groups[0]))
    cells = [[row[column] for row in group if row[column]] for group in groups]
    if how == "values":
        return " and ".join(dict.fromkeys(cells[0]))
    if how == "different cells":
        return Fraction(len(set(cells[0])))
    if how.startswith("cell"):
        (cell,) = cells[0]
        as_told = not cell.endswith("%") or claim.get("claimed", "%").endswith(("%", "%…"))
        require(as_told, f"the file says {cell}, in percent")
        return 100 * _size(cell) if "percent" in how else number(cell)
    if how.startswith("first less second"):
        ((first,), (second,)) = ([_size(cell) for cell in group] for group in cells)
        return 100 * (first - second) / second if "percent" in how else first - second
    numbers = [_size(cell) for cell in cells[0]]
    if how in FOLDS:
        return Fraction(FOLDS[how](numbers))
    name, extreme = how.split(" where ")
    best = FOLDS[extreme](numbers)
    return " and ".join(row[name] for row in groups[0] if _size(row[column]) == best)


def number(text):
    """Return a fraction if the text is a number as a source or a computed table prints it."""
    return Fraction(text) if fits(text, CELL) else printed(text)


def printed(text):
    """Return a fraction if the text is a number as sources print it, possibly in percent."""
    if not fits(text, PRINTED):
        return text
    return Fraction(text.removesuffix("%").replace("−", "-").replace(",", ""))


def _size(cell):
    found = number(cell)
    require(isinstance(found, Fraction), f"{cell!r} in its file is not a number")
    return found


def is_met(claimed, value):
    """Return whether a claimed value, rounded as printed, cut off or a bound, fits the value."""
    sign, told, cut = CLAIMED.fullmatch(claimed).group("sign", "told", "cut")
    wanted = printed(told)
    if isinstance(wanted, str) or isinstance(value, str):
        require(not (sign or cut), f"{claimed} compares the sizes of texts")
        return told == value
    if sign in SIGNS:
        return SIGNS[sign](value, wanted)
    unit = Fraction(1, 10 ** _decimals_of(told))
    if cut:
        return 0 <= value - wanted < unit
    return abs(value - wanted) <= (unit if sign else unit / 2)


def _decimals_of(text):
    found = printed(text)
    return len(text.removesuffix("%").partition(".")[2]) if isinstance(found, Fraction) else 0


def _check_form(claim):
    """Raise an error if the claimed value says less than the source, or the computed one less."""
    said = claim["statement"]
    is_reading = claim["verdict"] == READING
    sign, told, cut = CLAIMED.fullmatch(claim["claimed"]).group("sign", "told", "cut")
    loose = sign == "about" and not re.search("about|around", said)
    require(not loose, "the source doesn't say about")
    require(not cut or is_reading, "that digits are cut off is a reading, which it doesn't state")
    if sign in SIGNS:
        compares = is_reading or claim["reading"] or COMPARING.search(said)
        require(compares, "it claims a bound, but the source doesn't compare")
        bound = printed(told)
        require(isinstance(bound, Fraction), f"{told} is not a number")
        empty = (sign == ">=" and bound <= 0) or (sign == ">" and bound < 0)
        require(not empty, f"{sign} {told} excludes no number of guesses")
    in_percent = IN_PERCENT.search(
        " ".join(claim[key] for key in ("how", "column", "file", "where"))
    )
    require(in_percent or not told.endswith("%"), "it claims percent of what isn't in percent")
    computed = claim["computed"]
    same = computed.endswith("%") == told.endswith("%")
    same &= _decimals_of(computed) >= _decimals_of(told)
    require(same, f"the value is given as {computed}, in a form that differs from {told}")


def check(claim, folder):
    """Raise an error unless a claim's row agrees with its file."""
    whole = tuple(claim) == COLUMNS and all(text.isprintable() for text in claim.values())
    require(whole, "its row is incomplete, has more columns, or text that can't be printed")
    verdict = claim["verdict"]
    computed = claim["computed"]
    known = verdict in VERDICTS and claim["source"] and claim["statement"]
    require(known, "its verdict is unknown, or it has no source or statement")
    if claim["how"] == TEXTS or verdict in (ALIKE, UNLIKE):
        found = ALIKE if claim["claimed"] == claim["column"] else UNLIKE
        bare = claim["how"] == TEXTS and not (computed or claim["file"])
        right = bare and claim["column"] and claim["where"] and verdict == found
        return require(right, "it compares texts, and has a value or another verdict")
    if verdict not in VERDICTS[:3]:
        empty = not (computed or (verdict == OPEN and claim["file"]))
        return require(empty, "it has a value or a file in spite of its verdict")
    plain = verdict != READING and not claim["otherwise"]
    require(plain or claim["reading"], "its reading is not stated")
    known = FILE.fullmatch(claim["file"]) and HOW.fullmatch(claim["how"])
    require(known, "its file or its operation is unknown")
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
    told = f"{len(claims)} claims checked, without a difference; on trust: how we read the sources"
    return told, {"claims": len(claims)}


if __name__ == "__main__":
    main(__doc__, shown)
