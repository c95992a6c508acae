"""Result files, read by row and cell."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import ge, le
from pathlib import Path
from typing import Any

import polars as pl

from codebreaker.analysis.metrics import OPTIMAL
from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError
from codebreaker.files import checked_read
from codebreaker.policies.policy import FOUND, make_policy
from codebreaker.report.names import name_of
from codebreaker.types import GuessPool, TieBreak

Where = Mapping[str, str | int | Sequence[str]]
"""Conditions on a row: for a column, the text of the cell or several conditions on it.

A condition may begin with `!=`, `<=` or `>=`; the last two compare numbers, and empty cells fail.
"""

_NUMBERS: dict[str, Callable[[float, float], bool]] = {"<=": le, ">=": ge}


class Results:
    """The named result files of a study, all below one folder."""

    def __init__(self, folder: str | Path, files: Iterable[str]) -> None:
        """Take the files' paths relative to the folder; each is read on first use."""
        self.folder = Path(folder)
        self.files = frozenset(files)
        self._rows: dict[str, list[dict[str, str]]] = {}

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

    def rows(self, file: str, where: Where | None = None) -> list[dict[str, str]]:
        """Return the rows of a file that meet the conditions, each as texts by column.

        A JSON file has one row, whose columns are dotted keys.
        """
        if file not in self._rows:
            self._rows[file] = self._read(file)
        rows = self._rows[file]
        unknown = set(where or ()) - set(rows[0] if rows else where or ())
        if unknown:
            raise CodebreakerError(f"{self.path(file)} has no column {', '.join(sorted(unknown))}")
        conditions = list(_conditions(where))
        return [row for row in rows if all(_holds(row[column], one) for column, one in conditions)]

    def row(self, file: str, where: Where | None = None) -> dict[str, str]:
        """Return the only row that meets the conditions; raise `CodebreakerError` without one."""
        rows = self.rows(file, where)
        if len(rows) != 1:
            kind = condition_text(where) or "any cells"
            raise CodebreakerError(
                f"{self.path(file)} has {len(rows)} rows with {kind}: the report needs one; "
                "compute the file again, or drop the statement"
            )
        return rows[0]

    def has(self, file: str, where: Where | None = None) -> bool:
        """Return whether the study has a file, and in it a row that meets the conditions."""
        return file in self.files and (not where or bool(self.rows(file, where)))

    def _read(self, file: str) -> list[dict[str, str]]:
        path = self.path(file)
        with checked_read(path):
            if file.endswith(".json"):
                return [_flat(json.loads(path.read_text(encoding="utf-8")))]
            if file.endswith(".parquet"):
                count = int(pl.scan_parquet(path).select(pl.len()).collect().item())
                return [{} for _ in range(count)]
            separator = "\t" if file.endswith(".tsv") else ","
            frame = pl.read_csv(path, separator=separator, infer_schema=False)
            return frame.fill_null("").to_dicts()


def strategy_fields(
    policy: str,
    opening: str | None = None,
    *,
    game: str = PAPERS_GAME,
    guess_pool: GuessPool | None = None,
    tie_break: TieBreak | None = None,
    endgames: int = 0,
    exact_from: int | None = None,
    guess_limit: int | None = None,
    rounds: int | None = None,
) -> dict[str, Any]:
    """Return the fields that identify a strategy; what is left out is the policy's default."""
    fields = {"game": game, "policy": policy, "forced": opening is not None}
    fields |= {"opening": opening} if opening else {}
    if policy == OPTIMAL:
        choices = {"guess_pool": guess_pool or "all", "tie_break": "none"}
    else:
        base = "entropy" if policy.endswith(FOUND) else policy
        full = make_policy(base, opening, guess_pool, tie_break)
        choices = {"guess_pool": full.guess_pool, "tie_break": full.tie_break}
    exact = {"endgames": endgames, "exact_from": exact_from, "guess_limit": guess_limit}
    return fields | choices | exact | {"rounds": rounds}


def strategy(policy: str, opening: str | None = None, **options: Any) -> dict[str, str]:  # noqa: ANN401
    """Return the conditions on a strategy's row in the table of strategies."""
    fields = strategy_fields(policy, opening, **options)
    return {name: _csv_text(value) for name, value in fields.items()}


def strategy_name(policy: str, opening: str | None = None, **options: Any) -> str:  # noqa: ANN401
    """Return a strategy's display name."""
    return name_of(strategy_fields(policy, opening, **options))


def _csv_text(value: str | int | None) -> str:
    """Return a value as polars writes it to a CSV file."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def condition_text(where: Where | None) -> str:
    """Return conditions as text: `game=mm-4-6; policy=entropy`."""
    return "; ".join(
        f"{column}={condition}" if condition[:2] not in {"!=", *_NUMBERS} else column + condition
        for column, condition in _conditions(where)
    )


def _conditions(where: Where | None) -> Iterator[tuple[str, str]]:
    for column, conditions in (where or {}).items():
        some = [str(conditions)] if isinstance(conditions, str | int) else conditions
        yield from ((column, condition) for condition in some)


def _holds(cell: str, condition: str) -> bool:
    mark, rest = condition[:2], condition[2:]
    if mark in _NUMBERS:
        return bool(cell) and _NUMBERS[mark](float(cell), float(rest))
    return cell != rest if mark == "!=" else cell == condition


def _flat(tree: Mapping[str, Any], stem: str = "") -> dict[str, str]:
    """Return the leaves of a nested mapping as texts by dotted key, without lists."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{stem}{key}.")
        elif not isinstance(value, list):
            flat[f"{stem}{key}"] = "" if value is None else str(value)
    return flat
