"""Numbers of the report, the claims and the README: SQL over the result files.

A query selects from the table `file`, which is one result file, such as
`SELECT total FROM file WHERE game = 'mm-4-6'`; `FROM file this, file other` compares two rows.
Polars evaluates it, and `workflow/checkers/check_claims.py` does so again by SQLite. Integers are
divided as doubles; a literal such as 1.0 would be a decimal with few digits.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.files import checked_read
from codebreaker.report.tables import verbatim

TEXTS = ("opening", "class", "row", "column", "published", "computed")
"""Columns of texts that may look like numbers: codes, and cells of the sources' tables."""

NUMBER = r"^-?(0|[1-9]\d{0,17})(\.\d+)?([eE][-+]?\d+)?$"
"""A number as result files have it; 0123 is a code."""

INTEGER = r"^-?\d+$"

COMMAS_FROM = 10_000
"""Numbers with a comma for the thousands start here: 1296, but 32,768."""


Cell = str | int | float
"""A value: a number, or a text."""


@dataclass(frozen=True)
class Query:
    """A value of a result file: SQL on the table `file`, which is the result file of that path."""

    file: str
    sql: str


def select(value: str, file: str, where: str = "") -> Query:
    """Return the query of an SQL expression over the rows of a file that meet a condition."""
    condition = f" WHERE {where}" if where else ""
    return Query(file, f"SELECT {value} FROM file{condition}")


def conditions(cells: Mapping[str, object]) -> str:
    """Return the SQL condition that columns have these cells; None is an empty cell."""
    return " AND ".join(
        f"{identifier(column)} IS NULL"
        if cell is None
        else f"{identifier(column)} = {literal(cell)}"
        for column, cell in cells.items()
    )


def identifier(column: str) -> str:
    """Return a column's name in SQL, with quotes if it has spaces or other marks."""
    return column if re.fullmatch(r"[a-z_]+", column) else f'"{column}"'


def literal(cell: object) -> str:
    """Return a cell in SQL: result files have true and false as texts."""
    if isinstance(cell, bool):
        return f"'{str(cell).lower()}'"
    if isinstance(cell, int | float):
        return str(cell)
    return "'" + str(cell).replace("'", "''") + "'"


class Results:
    """The result files of a study, each read on first use.

    Args:
        folder: The folder that their paths start from.
        files: The paths that may be read; any other raises `CodebreakerError`.
    """

    def __init__(self, folder: str | Path, files: Iterable[str]) -> None:
        self.folder = Path(folder)
        self.files = frozenset(files)
        self._frames: dict[str, pl.DataFrame] = {}

    def path(self, file: str) -> Path:
        """Return a file's path; raise `CodebreakerError` if the study has no such file."""
        if file not in self.files:
            raise CodebreakerError(
                f"the report has no file {file}: give it that file, or drop the statement"
            )
        return self.folder / file

    def text(self, file: str) -> str:
        """Return a file's text."""
        path = self.path(file)
        with checked_read(path):
            return path.read_text(encoding="utf-8")

    def frame(self, file: str) -> pl.DataFrame:
        """Return a CSV file's rows, or a JSON file as one row with dotted keys as columns."""
        if file not in self._frames:
            with checked_read(self.path(file)):
                self._frames[file] = self._read(file)
        return self._frames[file]

    def _read(self, file: str) -> pl.DataFrame:
        """Read a JSON file as one row, or a CSV file with typed columns."""
        if file.endswith(".json"):
            return pl.DataFrame([flattened(json.loads(self.text(file)))])
        return typed(pl.read_csv(self.path(file), infer_schema=False))

    def has(self, file: str, where: str = "") -> bool:
        """Return whether the study has a file, and a row that meets an SQL condition."""
        if file not in self.files:
            return False
        return not where or self.value(select("COUNT(*)", file, where)) != 0

    def value(self, query: Query) -> Cell | None:
        """Return the only cell of a query's result.

        Several texts, such as openings that tie, are joined by 'and'. The value is None if no row
        meets the conditions, or the cell is empty. `CodebreakerError` is raised for several numbers
        and for errors in the query.
        """
        table = pl.SQLContext(file=self.frame(query.file), eager=True)
        try:
            column = table.execute(query.sql).to_series()
        except pl.exceptions.PolarsError as error:
            reason = str(error).splitlines()[0]
            raise CodebreakerError(f"{self.path(query.file)}: {reason}: {query.sql}") from None
        cells = column.drop_nulls().to_list()
        if not cells:
            return None
        if column.dtype == pl.String:
            return " and ".join(cells)
        if len(cells) > 1:
            raise CodebreakerError(
                f"{self.path(query.file)} has {len(cells)} rows for {query.sql}: the report needs "
                "one; compute the file again, or drop the statement"
            )
        cell: Cell = cells[0]
        return cell


def typed(texts: pl.DataFrame) -> pl.DataFrame:
    """Return a CSV file's texts with numbers where all cells of a column are numbers.

    Empty cells are null. A column without any cell has the type Null, which may be compared with
    numbers and texts.
    """
    columns = []
    for column in texts.iter_columns():
        cells = column.replace("", None)
        filled = cells.drop_nulls()
        if filled.is_empty():
            cells = pl.Series(column.name, [None] * len(cells), pl.Null)
        elif column.name not in TEXTS and filled.str.contains(NUMBER).all():
            is_whole = filled.str.contains(INTEGER).all()
            cells = cells.cast(pl.Int64 if is_whole else pl.Float64)
        columns.append(cells)
    return pl.DataFrame(columns)


def flattened(tree: Mapping[str, Any], stem: str = "") -> dict[str, Any]:
    """Return the numbers and texts of nested objects by dotted keys; lists are left out."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= flattened(value, f"{stem}{key}.")
        elif not isinstance(value, list):
            flat[f"{stem}{key}"] = value
    return flat


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
        return {
            "value": self.value,
            "count": self.count,
            "difference": self.difference,
            "percent_above": self.percent_above,
            "has": self._results.has,
        }

    def value(
        self, value: str, file: str, where: str = "", digits: int | None = None, unit: str = ""
    ) -> Fact:
        """Return a value of the rows that meet a condition.

        Args:
            value: An SQL expression, such as a column's name or `MAX(games)`.
            file: The result file.
            where: An SQL condition; all rows without one.
            digits: The decimals to which a number is rounded; as it stands without them.
            unit: What follows the number, such as %.

        Raises:
            CodebreakerError: If there is no value, or more than one.
        """
        return self._fact(select(value, file, where), digits, unit)

    def count(self, file: str, where: str = "") -> Fact:
        """Return the number of rows that meet an SQL condition."""
        return self.value("COUNT(*)", file, where)

    def difference(self, value: str, file: str, first: str, second: str) -> Fact:
        """Return a value of the row of the first condition less that of the second one."""
        this = f"(SELECT {value} FROM file WHERE {first})"
        other = f"(SELECT {value} FROM file WHERE {second})"
        return self._fact(Query(file, f"SELECT {this} - {other}"))

    def percent_above(self, value: str, file: str, first: str, second: str, digits: int) -> Fact:
        """Return the difference of two rows as `difference` does, in percent of the second one."""
        this = f"(SELECT {value} FROM file WHERE {first})"
        other = f"(SELECT {value} FROM file WHERE {second})"
        return self._fact(Query(file, f"SELECT 100 * ({this} - {other}) / {other}"), digits, "%")

    def _fact(self, query: Query, digits: int | None = None, unit: str = "") -> Fact:
        """Return a query's value as a fact; raise `CodebreakerError` if it has none."""
        cell = self._results.value(query)
        if cell is None:
            path = self._results.path(query.file)
            raise CodebreakerError(f"{path} has no value for {query.sql}: drop the statement")
        return Fact(shown(cell, digits) + unit, str(cell), query)

    def printed(self, expression: object) -> object:
        """Record a fact and return it as Markdown; raise for a number that is not a fact."""
        if isinstance(expression, Fact):
            self._printed[expression] = None
            return verbatim(expression.text)
        if isinstance(expression, int | float):
            raise CodebreakerError(f"the report prints {expression}, which is in no result file")
        return expression

    def frame(self) -> pl.DataFrame:
        """Return one row per printed fact."""
        columns = dict.fromkeys(("text", "value", "file", "query"), pl.String)
        rows = [(fact.text, fact.value, fact.query.file, fact.query.sql) for fact in self._printed]
        return pl.DataFrame(rows, schema=columns, orient="row")


def shown(cell: Cell, digits: int | None = None) -> str:
    """Return a value as it is printed: with a minus sign and, from 10,000 on, with commas.

    A text that is a code or a fraction stays as it is. A number is rounded once, from all its
    digits, if `digits` are given. `CodebreakerError` is raised for a text with `digits`.
    """
    if isinstance(cell, str):
        if digits is not None:
            raise CodebreakerError(f"the report expects a number, not {cell!r}")
        return f"−{cell[1:]}" if re.match(r"-\d", cell) else cell
    number = exact(cell)
    if digits is not None or number % 1 == 0:
        number = rounded(number, digits or 0)
    commas = "," if abs(number) >= COMMAS_FROM else ""
    return f"{number:{commas}f}".replace("-", "−")


def exact(cell: int | float) -> Decimal:
    """Return a number as a decimal, with 12 significant digits if it is no integer.

    Differences and quotients of doubles have noise in their last digits: 5.6425 - 5.875 would be
    rounded as -0.2324999999999999.
    """
    return Decimal(cell) if isinstance(cell, int) else Decimal(f"{cell:.12g}")


def rounded(value: Decimal, decimals: int) -> Decimal:
    """Return a number with some decimals, halves rounded away from zero as papers do; no -0."""
    nearest = value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return nearest if nearest else abs(nearest)
