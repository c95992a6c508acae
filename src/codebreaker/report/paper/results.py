"""Reading the files of results, a row or a cell at a time."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from codebreaker.errors import CodebreakerError, DamagedFileError

Where = Mapping[str, str | int | Sequence[str]]
"""Conditions on a row: the text of a cell by its column, or several conditions on it.

A condition may begin with `!=`, `<=` or `>=`; the last two compare numbers, and no empty cell.
"""

_NUMBERS: dict[str, Callable[[float, float], bool]] = {
    "<=": lambda cell, bound: cell <= bound,
    ">=": lambda cell, bound: cell >= bound,
}


class Results:
    """The files of a study's results: those that were named, below one folder."""

    def __init__(self, folder: str | Path, files: Iterable[str]) -> None:
        """Take the files' paths relative to the folder; they are read when they are asked for."""
        self.folder = Path(folder)
        self.files = frozenset(files)
        self._rows: dict[str, list[dict[str, str]]] = {}

    def path(self, file: str) -> Path:
        """Return where a file lies; raise `CodebreakerError` where the study has none such."""
        if file not in self.files:
            raise CodebreakerError(
                f"the report has no file {file}: make it an input of the rule, or leave it out"
            )
        return self.folder / file

    def text(self, file: str) -> str:
        """Return a file's text."""
        path = self.path(file)
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as why:
            raise DamagedFileError(path, why) from why

    def rows(self, file: str, where: Where | None = None) -> list[dict[str, str]]:
        """Return a file's rows that meet the conditions, each as texts by column.

        A JSON file has one row, whose columns are dotted keys.
        """
        if file not in self._rows:
            self._rows[file] = self._read(file)
        rows = self._rows[file]
        unknown = set(where or ()) - set(rows[0] if rows else where or ())
        if unknown:
            raise CodebreakerError(f"{self.path(file)} has no column {', '.join(sorted(unknown))}")
        return [row for row in rows if _meets(row, where or {})]

    def row(self, file: str, where: Where | None = None) -> dict[str, str]:
        """Return the one row that meets the conditions; raise where there is none, or another."""
        found = self.rows(file, where)
        if len(found) != 1:
            raise CodebreakerError(
                f"{self.path(file)} has {len(found)} rows with {told(where) or 'anything'}: "
                "the report wants one; run snakemake again, or leave the statement out"
            )
        return found[0]

    def has(self, file: str, where: Where | None = None) -> bool:
        """Return whether the study has a file, with a row that meets the conditions if any."""
        return file in self.files and (not where or bool(self.rows(file, where)))

    def _read(self, file: str) -> list[dict[str, str]]:
        path = self.path(file)
        try:
            if file.endswith(".json"):
                return [_flat(json.loads(path.read_text(encoding="utf-8")))]
            if file.endswith(".parquet"):
                count = int(pl.scan_parquet(path).select(pl.len()).collect().item())
                return [{} for _ in range(count)]
            frame = pl.read_csv(path, infer_schema=False).fill_null("")
        except (OSError, ValueError, PolarsError) as why:
            raise DamagedFileError(path, why) from why
        return frame.to_dicts()


def told(where: Where | None) -> str:
    """Return conditions as one text: `game=mm-4-6; tree=entropy`."""
    return "; ".join(
        f"{column}={condition}" if condition[:2] not in {"!=", *_NUMBERS} else column + condition
        for column, wanted in (where or {}).items()
        for condition in _conditions(wanted)
    )


def _conditions(wanted: str | int | Sequence[str]) -> list[str]:
    return [str(wanted)] if isinstance(wanted, str | int) else list(wanted)


def _meets(row: Mapping[str, str], where: Where) -> bool:
    return all(
        _holds(row[column], condition)
        for column, wanted in where.items()
        for condition in _conditions(wanted)
    )


def _holds(cell: str, condition: str) -> bool:
    mark, rest = condition[:2], condition[2:]
    if mark in _NUMBERS:
        return bool(cell) and _NUMBERS[mark](float(cell), float(rest))
    return cell != rest if mark == "!=" else cell == condition


def _flat(tree: Mapping[str, Any], stem: str = "") -> dict[str, str]:
    """Return the numbers and texts of a nested mapping by their dotted keys; lists are left out."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{stem}{key}.")
        elif not isinstance(value, list):
            flat[f"{stem}{key}"] = "" if value is None else str(value)
    return flat
