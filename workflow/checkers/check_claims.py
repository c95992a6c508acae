"""Weigh the sources' claims again, deliberately without the package.

Each row of the table of claims names a file, rows, a column and an operation: the computed value is
read again and compared with the claimed one. The tests read the report's facts with it too.
"""

import csv
import json
import operator
import re
from fractions import Fraction
from pathlib import Path

HOLDING = ("holds", "holds under a stated reading")
UNWEIGHED = ("cannot be decided from the text", "not computed in this study")
SIGNS = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def rows_of(path):
    """Return the rows of a file as dictionaries of texts; a JSON file has one, with dotted keys."""
    if path.suffix == ".json":
        return [dict(dotted(json.loads(path.read_text(encoding="utf-8"))))]
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))


def dotted(tree, stem=""):
    """Yield the leaves of a nested dictionary with their dotted keys."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from dotted(value, f"{stem}{key}.")
        else:
            yield stem + key, str(value)


def chosen(rows, conditions):
    """Return the rows that meet conditions such as `game=mm-4-6; tree!=entropy`."""
    for condition in filter(None, conditions.split("; ")):
        column, sign, wanted = re.match(r"([^=!<>]+)(=|!=|<=|>=)(.*)", condition).groups()
        if sign in ("<=", ">="):
            wanted = Fraction(wanted)
            rows = [
                row for row in rows if row[column] and SIGNS[sign](Fraction(row[column]), wanted)
            ]
        else:
            rows = [row for row in rows if SIGNS[sign](row[column], wanted)]
    return rows


def value_of(claim, folder):
    """Return the value of a claim's row, a fraction or a text."""
    column, how = claim["column"], claim["how"]
    if how == "text in place of {}":
        words = re.escape(column).replace(re.escape("{}"), r"([\d.,]*\d)")
        return number(re.search(words, (folder / claim["file"]).read_text(encoding="utf-8"))[1])
    rows = rows_of(folder / claim["file"])
    groups = [chosen(rows, conditions) for conditions in claim["where"].split(" | ")]
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
    if how in ("least", "greatest", "sum"):
        return Fraction({"least": min, "greatest": max, "sum": sum}[how](numbers))
    name, extreme = how.split(" where ")
    best = {"least": min, "greatest": max}[extreme](numbers)
    return " and ".join(row[name] for row in groups[0] if Fraction(row[column]) == best)


def number(text):
    """Return a text as a fraction if it is a number, possibly in percent."""
    try:
        return Fraction(text.rstrip("%").replace("−", "-").replace(",", ""))
    except ValueError:
        return text


def is_met(claimed, value):
    """Return whether a claimed value, rounded as printed or a bound, fits the computed one."""
    sign, told = re.match(r"([<>]?=?) *(.*)", claimed).groups()
    wanted = number(told)
    if isinstance(wanted, str) or isinstance(value, str):
        return told == str(value)
    if sign:
        return SIGNS[sign](value, wanted)
    decimals = len(told.rstrip("%").partition(".")[2])
    return abs(value - wanted) <= Fraction(1, 2 * 10**decimals)


def check(claim, folder):
    """Return what is wrong with a claim's row, or nothing."""
    if None in claim or None in claim.values():
        return "its row is incomplete"
    if claim["verdict"] in UNWEIGHED:
        return "" if not claim["computed"] else "it has a value in spite of its verdict"
    value = value_of(claim, folder)
    if is_met(claim["claimed"], value) != (claim["verdict"] in HOLDING):
        return f"the verdict is {claim['verdict']}, but the file says {value}"
    if not is_met(claim["computed"], value):
        return f"the value is given as {claim['computed']}, but the file says {value}"
    return ""


if __name__ == "__main__":
    folder = Path(snakemake.input.claims).parent
    claims = rows_of(Path(snakemake.input.claims))
    try:
        faults = {claim["id"]: check(claim, folder) for claim in claims}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as why:
        raise SystemExit(f"error: a claim or its file can't be read: {why!r}") from None
    wrong = [f"{name}: {fault}" for name, fault in faults.items() if fault]
    told = "\n".join(wrong or [f"{len(claims)} claims checked, without a difference"])
    Path(snakemake.log[0]).write_text(told + "\n", encoding="utf-8")
    if wrong:
        raise SystemExit(told)
    Path(snakemake.output.checked).write_text(told + "\n", encoding="utf-8")
