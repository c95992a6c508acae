"""Tables in Markdown."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import polars as pl

from codebreaker.files import write_frame, write_text


def table(header: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()) -> str:
    """Return a table; the columns named in `right` are right-aligned."""
    marks = ["---:" if column in right else "---" for column in header]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, marks, *rows))


def frame_table(frame: pl.DataFrame) -> str:
    """Return a frame as a table; nulls become empty cells."""
    rows = (["" if cell is None else str(cell) for cell in row] for row in frame.iter_rows())
    return table(frame.columns, rows)


def page(title: str, *parts: str | pl.DataFrame) -> str:
    """Return a page: its title and its parts, in which frames become tables."""
    texts = (part if isinstance(part, str) else frame_table(part) for part in parts)
    return "\n\n".join([f"# {title}", *texts])


def write_table(frame: pl.DataFrame, text: str, paths: Sequence[str | Path]) -> None:
    """Write a frame as CSV and its page as Markdown; `paths` are those of the two."""
    csv, page = paths
    write_frame(frame, csv)
    write_text(page, text)
