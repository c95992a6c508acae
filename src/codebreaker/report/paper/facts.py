"""Facts: numbers and words from result files, each recorded where the report prints it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.report.paper.results import Results, Where, told

CELL, PERCENT, ROWS, KINDS, SUM = "cell", "cell in percent", "rows", "different cells", "sum"
LEAST, GREATEST = "least", "greatest"
LESS, SHARE = "first less second", "first less second, in percent of second"
QUOTED = "text in place of {}"

COMMAS_FROM = 10_000
"""Whole numbers from here on are printed with commas between thousands."""


@dataclass(frozen=True)
class Fact:
    """What is printed, the value behind it, and where it is from.

    `where` has the conditions on the row, or of two rows with a bar between them; `how` is one of
    the operations named above.
    """

    text: str
    value: str
    file: str
    where: str
    column: str
    how: str

    @property
    def number(self) -> float:
        """Return the value to compare with others."""
        return float(self.value)


class Facts:
    """Looks facts up in results, and keeps those that were printed, in their order."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._printed: dict[Fact, None] = {}

    @property
    def lookups(self) -> dict[str, Callable[..., Any]]:
        """Return what a template may call, by name."""
        return {
            "has": self._results.has,
            "fact": self.cell,
            "word": self.word,
            "count": self.count,
            "kinds": self.kinds,
            "total": self.total,
            "least": self.least,
            "greatest": self.greatest,
            "less": self.less,
            "quoted": self.quoted,
        }

    def printed(self, expression: object) -> object:
        """Record a fact and return its text; refuse numbers that come from no file."""
        if isinstance(expression, Fact):
            self._printed[expression] = None
            return expression.text
        if isinstance(expression, int | float):
            raise CodebreakerError(f"the report prints {expression}, which is from no result file")
        return expression

    def frame(self) -> pl.DataFrame:
        """Return the facts that were printed, a row each."""
        columns = [field.name for field in fields(Fact)]
        rows = [[getattr(fact, name) for name in columns] for fact in self._printed]
        return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")

    def cell(
        self,
        file: str,
        column: str,
        where: Where | None = None,
        digits: int | None = None,
        percent: bool = False,
    ) -> Fact:
        """Return a cell as a number, with so many digits after the point, perhaps in percent."""
        value = self._cell(file, column, where)
        if not percent:
            return Fact(_shown(value, digits), value, file, told(where), column, CELL)
        text = f"{100 * _number(value):.{digits or 0}f}%"
        return Fact(text, value, file, told(where), column, PERCENT)

    def word(self, file: str, column: str, where: Where | None = None) -> Fact:
        """Return a cell as it stands."""
        value = self._cell(file, column, where)
        return Fact(value, value, file, told(where), column, CELL)

    def count(self, file: str, where: Where | None = None) -> Fact:
        """Return the number of rows that meet the conditions."""
        value = str(len(self._results.rows(file, where)))
        return Fact(_shown(value), value, file, told(where), "", ROWS)

    def kinds(self, file: str, column: str, where: Where | None = None) -> Fact:
        """Return how many different cells a column has."""
        value = str(len({row[column] for row in self._results.rows(file, where)}))
        return Fact(_shown(value), value, file, told(where), column, KINDS)

    def total(self, file: str, column: str, where: Where | None = None) -> Fact:
        """Return the sum of a column of whole numbers."""
        value = str(sum(int(row[column]) for row in self._results.rows(file, where)))
        return Fact(_shown(value), value, file, told(where), column, SUM)

    def least(
        self, file: str, column: str, where: Where | None = None, digits: int | None = None
    ) -> Fact:
        """Return the least of a column; empty cells are left out."""
        return self._extreme(LEAST, file, column, where, digits)

    def greatest(
        self, file: str, column: str, where: Where | None = None, digits: int | None = None
    ) -> Fact:
        """Return the greatest of a column; empty cells are left out."""
        return self._extreme(GREATEST, file, column, where, digits)

    def less(
        self,
        file: str,
        column: str,
        rows: Sequence[Where],
        digits: int | None = None,
        percent: bool = False,
    ) -> Fact:
        """Return a cell of the first of two rows less that of the second, or its percentage."""
        first, second = (_number(self._cell(file, column, where)) for where in rows)
        value = first - second
        where = " | ".join(told(row) for row in rows)
        if not percent:
            plain = str(int(value)) if value.is_integer() else repr(value)
            return Fact(_shown(plain, digits), plain, file, where, column, LESS)
        value *= 100 / second
        return Fact(f"{value:.{digits or 0}f}%", repr(value), file, where, column, SHARE)

    def quoted(self, file: str, words: str) -> Fact:
        """Return the number that stands in place of `{}` in a sentence of a text file."""
        before, after = (re.escape(part) for part in words.split("{}"))
        found = re.search(f"{before}([0-9.,]*[0-9]){after}", self._results.text(file))
        if not found:
            raise CodebreakerError(f"{self._results.path(file)} does not say {words!r}")
        return Fact(found[1], found[1].replace(",", ""), file, "", words, QUOTED)

    def _cell(self, file: str, column: str, where: Where | None) -> str:
        row = self._results.row(file, where)
        if not row.get(column):
            path = self._results.path(file)
            raise CodebreakerError(f"{path} has no {column} where {told(where) or 'asked'}")
        return row[column]

    def _extreme(
        self, how: str, file: str, column: str, where: Where | None, digits: int | None
    ) -> Fact:
        cells = [row[column] for row in self._results.rows(file, where) if row[column]]
        if not cells:
            raise CodebreakerError(f"{self._results.path(file)} has no {column}: {told(where)}")
        value = (min if how == LEAST else max)(cells, key=_number)
        return Fact(_shown(value, digits), value, file, told(where), column, how)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise CodebreakerError(f"the report wants a number where {text!r} stands") from None


def _shown(value: str, digits: int | None = None) -> str:
    """Return a number as the report prints it, with a true minus sign."""
    number = _number(value)
    if digits is None and not number.is_integer():
        text = value
    else:
        text = f"{number:,.{digits or 0}f}"
        text = text if abs(number) >= COMMAS_FROM else text.replace(",", "")
    return text.replace("-", "−")
