"""Judge the sources' claims again by the result files, deliberately without the package."""

import csv
import operator
import re
from fractions import Fraction
from pathlib import Path

from strict_json import NAME, fits, main, read, require

READING = "holds under a stated reading"
HOLDING, OPEN = ("holds", READING), "cannot be decided from the text"
ALIKE, UNLIKE = "agrees with the published program", "differs from the published program"
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
            yield stem + key, str(value)


def _chosen(rows, conditions):
    for condition in filter(None, conditions.split("; ")):
        column, sign, wanted = re.match(r"([^=!<>]+)(=|!=|<=|>=)(.*)", condition).groups()
        kind, holds = Fraction if sign in ("<=", ">=") else str, SIGNS[sign]
        rows = [row for row in rows if row[column] or kind is str]
        rows = [row for row in rows if holds(kind(row[column]), kind(wanted))]
    return rows


def value_of(claim, folder):
    """Return the value of a claim's row."""
    column, how = claim["column"], claim["how"]
    if how == "text in place of {}":
        words = re.escape(column).replace(re.escape("{}"), r"([\d.,]*\d)")
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
        return 100 * number(cell) if "percent" in how else number(cell)
    if how.startswith("first less second"):
        ((first,), (second,)) = ([Fraction(cell) for cell in group] for group in cells)
        return 100 * (first - second) / second if "percent" in how else first - second
    numbers = [Fraction(cell) for cell in cells[0]]
    if how in FOLDS:
        return Fraction(FOLDS[how](numbers))
    name, extreme = how.split(" where ")
    best = FOLDS[extreme](numbers)
    return " and ".join(row[name] for row in groups[0] if Fraction(row[column]) == best)


def number(text):
    """Return a fraction if the text is a number, possibly in percent."""
    try:
        return Fraction(text.rstrip("%").replace("−", "-").replace(",", ""))
    except ValueError:
        return text


def is_met(claimed, value):
    """Return whether a claimed value, rounded as printed, cut off or a bound, fits the value."""
    sign, told, cut = re.match(r"(about|[<>]?=?) *(.*?)(…?)$", claimed).groups()
    wanted = number(told)
    if isinstance(wanted, str) or isinstance(value, str):
        require(not (sign or cut), f"{claimed} compares the sizes of texts")
        return told == str(value)
    if sign in SIGNS:
        return SIGNS[sign](value, wanted)
    unit = Fraction(1, 10 ** _decimals_of(told))
    if cut:
        return 0 <= value - wanted < unit
    return abs(value - wanted) <= (unit if sign else unit / 2)


def _decimals_of(text):
    return len(text.rstrip("%").partition(".")[2]) if isinstance(number(text), Fraction) else 0


def check(claim, folder):
    """Raise an error unless a claim's row agrees with its file."""
    whole = tuple(claim) == COLUMNS and all(text.isprintable() for text in claim.values())
    require(whole, "its row is incomplete, has more columns, or text that can't be printed")
    verdict, computed = claim["verdict"], claim["computed"]
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
    loose, said = claim["claimed"].startswith("about"), claim["statement"]
    require(not loose or re.search("about|around", said), "the source doesn't say about")
    known = FILE.fullmatch(claim["file"]) and HOW.fullmatch(claim["how"])
    require(known, "its file or its operation is unknown")
    value, told = value_of(claim, folder), re.sub(r"^(about|[<>]?=?) *|…$", "", claim["claimed"])
    right = is_met(claim["claimed"], value) == (verdict in HOLDING)
    require(right, f"the verdict is {verdict}, but the file says {value}")
    plain = computed[:1] not in "<>=" and _decimals_of(computed) >= _decimals_of(told)
    require(plain, f"the value is given as {computed}, in a form that differs from {told}")
    return require(
        is_met(computed, value), f"the value is given as {computed}, but the file says {value}"
    )


def shown(path, _):
    """Return what a table of claims shows, as a sentence and as a row."""
    claims, path, name = _rows_of(Path(path)), Path(path), None
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
