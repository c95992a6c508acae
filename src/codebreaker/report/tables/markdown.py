"""Tables in Markdown."""

from collections.abc import Collection, Iterable, Sequence

import polars as pl


def table(header: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()) -> str:
    """Return a table; the columns named in `right` are right-aligned."""
    marks = ["---:" if column in right else "---" for column in header]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, marks, *rows))


def frame_table(frame: pl.DataFrame) -> str:
    """Return a frame as a table; nulls become empty cells."""
    rows = (["" if cell is None else str(cell) for cell in row] for row in frame.iter_rows())
    return table(frame.columns, rows)
