"""Facts: numbers and words from result files, recorded when the report prints them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partialmethod
from typing import Any

import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.report.paper.results import Results, Where, condition_text

CELL, PERCENT, ROWS = "cell", "cell in percent", "rows"
AGGREGATES: dict[str, Callable[[list[str]], str]] = {
    "different cells": lambda cells: str(len(set(cells))),
    "sum": lambda cells: str(sum(map(int, cells))),
    "least": lambda cells: min(filter(None, cells), key=_number, default=""),
    "greatest": lambda cells: max(filter(None, cells), key=_number, default=""),
}
LESS, SHARE = "first less second", "first less second, in percent of second"
QUOTED = "text in place of {}"

COMMAS_FROM = 10_000
"""Numbers from this size on are printed with thousands separators."""


@dataclass(frozen=True)
class Fact:
    """A printed text with the value behind it and its origin.

    `where` has the conditions on the row, or on two rows separated by a bar; `how` is one of the
    operations above.
    """

    text: str
    value: str
    file: str
    where: str
    column: str
    how: str

    @property
    def number(self) -> float:
        """Return the value as a number, for comparisons."""
        return float(self.value)


class Facts:
    """Looks up facts in results, and records those that are printed, in their order."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._printed: dict[Fact, None] = {}

    @property
    def lookups(self) -> dict[str, Callable[..., Any]]:
        """Return the functions that templates may call, by name."""
        names = ("word", "count", "kinds", "total", "least", "greatest", "less", "quoted")
        methods: dict[str, Callable[..., Any]] = {name: getattr(self, name) for name in names}
        return methods | {"has": self._results.has, "fact": self.cell}

    def printed(self, expression: object) -> object:
        """Record a fact and return its text; raise for a number that is not a fact."""
        if isinstance(expression, Fact):
            self._printed[expression] = None
            return expression.text
        if isinstance(expression, int | float):
            raise CodebreakerError(f"the report prints {expression}, which is in no result file")
        return expression

    def frame(self) -> pl.DataFrame:
        """Return the printed facts, one row per fact."""
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
        """Return a cell as a number, rounded to `digits` decimals, or as a percentage."""
        value = self._cell(file, column, where)
        text = f"{100 * _number(value):.{digits or 0}f}%" if percent else _shown(value, digits)
        how = PERCENT if percent else CELL
        return Fact(text, value, file, condition_text(where), column, how)

    def word(self, file: str, column: str, where: Where | None = None) -> Fact:
        """Return a cell as text."""
        value = self._cell(file, column, where)
        return Fact(value, value, file, condition_text(where), column, CELL)

    def count(self, file: str, where: Where | None = None) -> Fact:
        """Return the number of rows that meet the conditions."""
        value = str(len(self._results.rows(file, where)))
        return Fact(_shown(value), value, file, condition_text(where), "", ROWS)

    def aggregate(
        self,
        how: str,
        file: str,
        column: str,
        where: Where | None = None,
        digits: int | None = None,
    ) -> Fact:
        """Return a value of all of a column's cells, by the name of the aggregate."""
        value = AGGREGATES[how]([row[column] for row in self._results.rows(file, where)])
        if not value:
            raise CodebreakerError(
                f"{self._results.path(file)} has no {column}: {condition_text(where)}"
            )
        return Fact(_shown(value, digits), value, file, condition_text(where), column, how)

    kinds = partialmethod(aggregate, "different cells")
    total = partialmethod(aggregate, "sum")
    least = partialmethod(aggregate, "least")
    greatest = partialmethod(aggregate, "greatest")

    def less(
        self,
        file: str,
        column: str,
        rows: Sequence[Where],
        digits: int | None = None,
        percent: bool = False,
    ) -> Fact:
        """Return the difference between a column's cells in two rows, or its percentage."""
        first, second = (_number(self._cell(file, column, where)) for where in rows)
        value = first - second
        where = " | ".join(condition_text(row) for row in rows)
        if not percent:
            plain = str(int(value)) if value.is_integer() else repr(value)
            return Fact(_shown(plain, digits), plain, file, where, column, LESS)
        value *= 100 / second
        return Fact(f"{value:.{digits or 0}f}%", repr(value), file, where, column, SHARE)

    def quoted(self, file: str, words: str) -> Fact:
        """Return the number at `{}` in a sentence of a text file."""
        before, after = (re.escape(part) for part in words.split("{}"))
        match = re.search(f"{before}([0-9.,]*[0-9]){after}", self._results.text(file))
        if not match:
            raise CodebreakerError(f"{self._results.path(file)} does not say {words!r}")
        return Fact(match[1], match[1].replace(",", ""), file, "", words, QUOTED)

    def _cell(self, file: str, column: str, where: Where | None) -> str:
        row = self._results.row(file, where)
        if not row.get(column):
            place = f" where {condition_text(where)}" if where else ""
            raise CodebreakerError(f"{self._results.path(file)} has no {column}{place}")
        return row[column]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise CodebreakerError(f"the report expects a number, not {text!r}") from None


def _shown(value: str, digits: int | None = None) -> str:
    """Return a number as printed in the report, with a true minus sign."""
    number = _number(value)
    if digits is None and not number.is_integer():
        text = value
    else:
        text = f"{number:,.{digits or 0}f}"
        text = text if abs(number) >= COMMAS_FROM else text.replace(",", "")
    return text.replace("-", "−")
