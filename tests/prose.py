"""Numerals in prose, and facts read again: shares no code with what writes the report."""

import csv
import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from pathlib import Path

import polars as pl

NAMES = (
    r"MM\(\w, ?\w\)",
    r"(Knuth|Irving|Neuwirth|Kooi|Shapiro|Gür|Lai|Rényi|Tsallis|al\.)('s)?,?\s\(?(19|20)\d\d\)?",
    r"\((19|20)\d\d\)",
    r"(Table|Tables|Figure|section|codebreaker|Python)\s\d+(\.\d+)*",
)
"""What has numerals and is no number: names of games, years of sources, numbers of tables."""

NUMERAL = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?")


def prose_of(text):
    """A Markdown text without excerpts, code, addresses, references, names."""
    text = re.sub(r"<!-- from .*?<!-- end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^## (References|Sources)$.*?(?=^## |\Z)", "", text, flags=re.DOTALL | re.M)
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)]*\)|https?://\S+", "]", text)
    for name in NAMES:
        text = re.sub(name, "", text)
    return text


def numerals_of(text):
    """The numerals of a text, without commas between thousands."""
    return [found.rstrip(",").replace(",", "") for found in NUMERAL.findall(text)]


def unexplained(text, known):
    """The numerals of a text's prose that are none of the known ones."""
    return sorted(set(numerals_of(prose_of(text))) - set(known))


def excerpts_of(text):
    """The files that a report has excerpts of, each with the lines."""
    found = re.findall(r"<!-- from (.*?) -->(.*?)<!-- end -->", text, flags=re.DOTALL)
    return [(file, [line for line in lines.splitlines() if line]) for file, lines in found]


def facts_of(path):
    """The rows of a file of facts."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numerals_of_facts(facts):
    """The numerals that facts print."""
    return {numeral for fact in facts for numeral in numerals_of(fact["text"].lstrip("−"))}


def fits(fact, folder):
    """Whether a fact's text is what its file says, to the digits that are printed."""
    seen, text = reread(fact, Path(folder)), fact["text"]
    if text == seen:
        return True
    if ("%" in text) != ("percent" in fact["how"]):
        return False
    try:
        told = Decimal(re.sub(r"[,%]", "", text).replace("−", "-"))
        half = Decimal(5).scaleb(told.as_tuple().exponent - 1)
        return abs(Decimal(seen) - told) <= half * (1 + Decimal("1e-9"))
    except InvalidOperation:
        return False


def reread(fact, folder):
    """A fact's value, computed from its file anew."""
    path, column, how = folder / fact["file"], fact["column"], fact["how"]
    if how == "text in place of {}":
        before, after = (re.escape(part) for part in column.split("{}"))
        found = re.search(rf"{before}([\d.,]*\d){after}", path.read_text(encoding="utf-8"))
        return found[1].replace(",", "")
    groups = [
        [row for row in rows_of(path) if meets(row, where)] for where in fact["where"].split(" | ")
    ]
    if how == "rows":
        return str(len(groups[0]))
    cells = [[row[column] for row in rows if row[column]] for rows in groups]
    if how == "different cells":
        return str(len(Counter(cells[0])))
    if how == "cell":
        (cell,) = cells[0]
        return cell
    return str(computed(how, [[Decimal(cell) for cell in group] for group in cells]))


def computed(how, cells):
    """What an operation makes of the cells of one or two groups of rows."""
    if how in ("sum", "least", "greatest"):
        return {"sum": sum, "least": min, "greatest": max}[how](cells[0])
    if how == "cell in percent":
        (cell,) = cells[0]
        return 100 * cell
    (first,), (second,) = cells
    return {
        "first less second": first - second,
        "first less second, in percent of second": 100 * (first - second) / second,
    }[how]


def rows_of(path):
    """The rows of a file, each by column; a JSON file has one, with dotted keys."""
    if path.suffix == ".parquet":
        return pl.read_parquet(path).to_dicts()
    if path.suffix == ".json":
        return [dotted(json.loads(path.read_text(encoding="utf-8")))]
    if path.suffix == ".tsv":
        return pl.read_csv(path, separator="\t", infer_schema=False).to_dicts()
    return facts_of(path)


def dotted(tree):
    """A nested mapping's leaves by dotted keys."""
    flat = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= {f"{key}.{inner}": leaf for inner, leaf in dotted(value).items()}
        else:
            flat[key] = str(value)
    return flat


def meets(row, where):
    """Whether a row has what the conditions say."""
    for condition in filter(None, where.split("; ")):
        column, sign, wanted = re.fullmatch(r"(.*?)(!=|<=|>=|=)(.*)", condition).groups()
        cell = row.get(column)
        if sign in ("<=", ">="):
            low, high = (cell, wanted) if sign == "<=" else (wanted, cell)
            holds = bool(cell) and float(low) <= float(high)
        else:
            holds = (cell == wanted) == (sign == "=")
        if not holds:
            return False
    return True


def tables_of(text):
    """The rows of all tables of a Markdown text, each by column."""
    for table in re.findall(r"((?:^\|.*\|$\n?)+)", text, flags=re.MULTILINE):
        head, _, *lines = (
            [cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines()
        )
        yield from (dict(zip(head, cells, strict=True)) for cells in lines)


def looked_up(entry, root):
    """The numeral that an entry of readme_facts.toml names; there must be exactly one."""
    kind, _, rest = entry.partition(": ")
    if kind == "name":
        return rest
    file, place = rest.split(" | ", 1)
    if kind == "text":
        found = numerals_at(place, (root / file).read_text(encoding="utf-8"))
    else:
        where, column = (part.strip() for part in f" {place} ".rsplit(" | ", 1))
        if kind == "fact":
            conditions = f"file={file}; column={column}"
            rows = [row for row in facts_of(root / "results/facts.csv") if row["where"] == where]
            column = "text"
        else:
            conditions = where
            text = (root / file).read_text(encoding="utf-8")
            rows = facts_of(root / file) if file.endswith(".csv") else tables_of(text)
            rows = [row for row in rows if column in row]
        found = [numerals_of(row[column])[0] for row in rows if meets(row, conditions)]
    assert len(set(found)) == 1, (entry, found)
    return found[0]


def numerals_at(phrase, text):
    """The numerals of a text at the braces of a phrase, wherever it occurs."""
    pattern = re.escape(phrase).replace(re.escape("{}"), f"({NUMERAL.pattern})")
    places = re.finditer(pattern, text)
    return [numerals_of(numeral)[0] for place in places for numeral in place.groups()]
