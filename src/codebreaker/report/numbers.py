"""Look up numbers of the report, the claims and the README in result files."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from operator import eq, ge, le, ne
from pathlib import Path
from typing import Any

import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.files import checked_read

CELL = "cell"
PERCENT = "cell in percent"
ROWS = "rows"
VALUES = "values"
KINDS = "different cells"
LOWEST = "lowest"
HIGHEST = "highest"
SUM = "sum"
LESS = "first less second"
SHARE = "first less second, in percent"
QUOTED = "text in place of {}"

AGGREGATES: dict[str, Callable[[Sequence[str]], str]] = {
    VALUES: lambda cells: " and ".join(dict.fromkeys(cells)),
    KINDS: lambda cells: str(len(set(cells))),
    SUM: lambda cells: str(sum(map(number, cells))),
    LOWEST: lambda cells: min(cells, key=number),
    HIGHEST: lambda cells: max(cells, key=number),
}

_WHICH = re.compile(r"(.+) where (lowest|highest)")
_CONDITION = re.compile(r"([^=!<>]+)(!=|<=|>=|=)(.*)")
_SIGNS: dict[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<=": le, ">=": ge}
Row = dict[str, str]
Where = Mapping[str, str | int | Sequence[str]]
"""Conditions by column: the text of the cell, or one or several texts that begin with a sign."""

COMMAS_FROM = 10_000


@dataclass(frozen=True)
class Query:
    """A value of a result file.

    `where` has the conditions on the row, as in `game=mm-4-6; turn>=4; policy!=entropy`, or on two
    rows separated by ` | `; empty cells fail `<=` and `>=`. `how` is `cell` (of the only row),
    `cell in percent`, `rows` (their number), an aggregate of the column, `NAME where lowest` (the
    column NAME of the row with the minimum), `first less second` (two rows' difference, or in
    percent of the second), or `text in place of {}` in the words that `column` has.
    """

    file: str
    where: str = ""
    column: str = ""
    how: str = CELL


class Results:
    """The result files of a study, each read on first use."""

    def __init__(self, folder: str | Path, files: Iterable[str]) -> None:
        self.folder = Path(folder)
        self.files = frozenset(files)
        self._rows: dict[str, list[Row]] = {}

    def path(self, file: str) -> Path:
        """Return a file's path; raise `CodebreakerError` if the study has no such file."""
        if file not in self.files:
            raise CodebreakerError(
                f"the report has no file {file}: give it that file, or drop the statement"
            )
        return self.folder / file

    def text(self, file: str) -> str:
        """Return a file's text."""
        with checked_read(path := self.path(file)):
            return path.read_text(encoding="utf-8")

    def rows(self, file: str, where: str = "") -> list[Row]:
        """Return the rows that meet conditions; JSON has one row with dotted keys as columns."""
        if file not in self._rows:
            self._rows[file] = self._read(file)
        rows = self._rows[file]
        conditions = [_parsed(condition) for condition in filter(None, where.split("; "))]
        unknown = {column for column, _, _ in conditions}.difference(*rows)
        if rows and unknown:
            raise CodebreakerError(f"{self.path(file)} has no column {', '.join(sorted(unknown))}")
        return [row for row in rows if all(_holds(row, *condition) for condition in conditions)]

    def has(self, file: str, where: str = "") -> bool:
        """Return whether the study has a file, and a row that meets the conditions."""
        return file in self.files and (not where or bool(self.rows(file, where)))

    def value(self, query: Query) -> str:
        """Return what a query asks for; raise `CodebreakerError` if it isn't there."""
        if query.how == QUOTED:
            return self._quoted(query)
        where, *others = query.where.split(" | ")
        if query.how in (CELL, PERCENT):
            return self._cell(query, where)
        if query.how.startswith(LESS):
            first, second = (number(self._cell(query, one)) for one in (where, *others))
            less = first - second
            return str(less) if query.how == LESS else repr(float(less) * (100 / float(second)))
        rows = self.rows(query.file, where)
        if query.how == ROWS:
            return str(len(rows))
        rows = [row for row in rows if row.get(query.column)]
        if not rows:
            raise CodebreakerError(f"{self.path(query.file)} has no {query.column}: {where}")
        cells = [row[query.column] for row in rows]
        if named := _WHICH.fullmatch(query.how):
            best = number(AGGREGATES[named[2]](cells))
            return " and ".join(row[named[1]] for row in rows if number(row[query.column]) == best)
        return AGGREGATES[query.how](cells)

    def _cell(self, query: Query, where: str) -> str:
        rows = self.rows(query.file, where)
        if len(rows) != 1:
            raise CodebreakerError(
                f"{self.path(query.file)} has {len(rows)} rows with {where or 'any cells'}: the "
                "report needs one; compute the file again, or drop the statement"
            )
        if not rows[0].get(query.column):
            place = f" where {where}" if where else ""
            raise CodebreakerError(f"{self.path(query.file)} has no {query.column}{place}")
        return rows[0][query.column]

    def _quoted(self, query: Query) -> str:
        before, after = (re.escape(part) for part in query.column.split("{}"))
        found = re.search(f"{before}([0-9.,]*[0-9]){after}", self.text(query.file))
        if not found:
            raise CodebreakerError(f"{self.path(query.file)} does not say {query.column!r}")
        return found[1].replace(",", "")

    def _read(self, file: str) -> list[Row]:
        path = self.path(file)
        with checked_read(path):
            if file.endswith(".json"):
                return [_flat(json.loads(self.text(file)))]
            if file.endswith(".md"):
                return [row for _, row in table_lines(self.text(file).splitlines()) if row]
            if file.endswith(".parquet"):
                return [{} for _ in range(pl.scan_parquet(path).select(pl.len()).collect().item())]
            separator = "\t" if file.endswith(".tsv") else ","
            frame = pl.read_csv(path, separator=separator, infer_schema=False)
            return frame.fill_null("").to_dicts()


@dataclass(frozen=True)
class Fact:
    """A printed text with the value behind it, and its query."""

    text: str
    value: str
    query: Query

    @property
    def number(self) -> float:
        """Return the value, for comparisons."""
        return float(self.value)


class Facts:
    """Looks up facts in results, and records the printed ones."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._printed: dict[Fact, None] = {}

    @property
    def lookups(self) -> dict[str, Callable[..., Any]]:
        """Return the functions that templates may call."""
        by_name = {"kinds": KINDS, "total": SUM, "lowest": LOWEST, "highest": HIGHEST, "less": LESS}
        return {
            "fact": self.look_up,
            "count": lambda file, where=None: self.look_up(file, "", where, how=ROWS),
            "word": partial(self.look_up, is_number=False),
            "quoted": partial(self.look_up, how=QUOTED),
            **{name: partial(self.look_up, how=how) for name, how in by_name.items()},
            "has": lambda file, where=None: self._results.has(file, conditions(where)),
        }

    def look_up(
        self,
        file: str,
        column: str,
        where: Where | Sequence[Where] | None = None,
        digits: int | None = None,
        percent: bool = False,
        *,
        how: str = CELL,
        is_number: bool = True,
    ) -> Fact:
        """Return the value of a query, rounded to `digits` decimals, in percent or as it stands."""
        if percent:
            how = PERCENT if how == CELL else f"{SHARE} of second"
        query = Query(file, conditions(where), column, how)
        value = self._results.value(query)
        if not is_number:
            return Fact(re.sub(r"^-(?=\d)", "−", value), value, query)
        if percent:
            share = number(value) * (100 if how == PERCENT else 1)
            return Fact(f"{rounded(share, digits or 0)}%", value, query)
        return Fact(_shown(value, digits), value, query)

    def printed(self, expression: object) -> object:
        """Record a fact and return its text; raise for a number that is not a fact."""
        if isinstance(expression, Fact):
            self._printed[expression] = None
            return expression.text
        if isinstance(expression, int | float):
            raise CodebreakerError(f"the report prints {expression}, which is in no result file")
        return expression

    def frame(self) -> pl.DataFrame:
        """Return one row per printed fact."""
        columns = ["text", "value", *(field.name for field in fields(Query))]
        rows = [[one.text, one.value, *vars(one.query).values()] for one in self._printed]
        return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def conditions(where: Where | Sequence[Where] | None) -> str:
    """Return conditions, or those on two rows, in the notation of a query."""
    if not isinstance(where, Mapping):
        return " | ".join(map(conditions, where or ()))
    texts = []
    for column, wanted in where.items():
        some = [str(wanted)] if isinstance(wanted, str | int) else wanted
        texts += [column + one if one[:2] in _SIGNS else f"{column}={one}" for one in some]
    return "; ".join(texts)


def number(text: str) -> Decimal:
    """Return a text as a number; raise `CodebreakerError` if it isn't one."""
    try:
        return Decimal(text)
    except ArithmeticError:
        raise CodebreakerError(f"the report expects a number, not {text!r}") from None


def _shown(value: str, digits: int | None) -> str:
    exact = number(value)
    if digits is not None or not exact % 1:
        value = f"{rounded(exact, digits or 0):{',' if abs(exact) >= COMMAS_FROM else ''}f}"
    return value.replace("-", "−")


def rounded(value: Decimal, decimals: int) -> Decimal:
    """Return a number with some decimals, halves rounded away from zero as papers do."""
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def table_lines(lines: Iterable[str]) -> Iterator[tuple[str, Row | None]]:
    """Yield the lines of a Markdown text with their cells by column, None outside tables."""
    columns: list[str] = []
    for line in lines:
        if not line.startswith("|"):
            columns = []
            yield line, None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        is_row = columns and not set(line) <= set("|-: ")
        yield line, dict(zip(columns, cells, strict=True)) if is_row else {}
        columns = columns or cells


def _parsed(condition: str) -> tuple[str, str, str]:
    if found := _CONDITION.fullmatch(condition):
        return found[1], found[2], found[3]
    raise CodebreakerError(f"{condition!r} is not a condition such as game=mm-4-6")


def _holds(row: Row, column: str, sign: str, wanted: str) -> bool:
    if sign in ("<=", ">="):
        return bool(row.get(column)) and _SIGNS[sign](float(row[column]), float(wanted))
    return column in row and _SIGNS[sign](row[column], wanted)


def _flat(tree: Mapping[str, Any], stem: str = "") -> Row:
    flat: Row = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{stem}{key}.")
        elif not isinstance(value, list):
            flat[f"{stem}{key}"] = "" if value is None else str(value)
    return flat
