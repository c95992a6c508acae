"""Parts of Markdown files of results, line by line as they stand there."""

from collections.abc import Collection, Mapping

from codebreaker.errors import CodebreakerError

Keep = Mapping[str, Collection[str]]
"""The rows of a table that are wanted: the texts of their cells by column."""


def excerpt(text: str, heading: str = "", keep: Keep | None = None, notes: bool = True) -> str:
    """Return a section's lines without its heading: all of them, or some rows of its tables.

    Without a heading it is the part below the first one, up to the next. Raises
    `CodebreakerError` where the section, a column or every row is missing.
    """
    found, columns, rows = [], list[str](), 0
    for line in _section(text, heading):
        cells = cells_of(line)
        if not cells:
            columns = []
            if notes:
                found.append(line)
        elif not columns or set(line) <= set("|-: "):
            columns = columns or cells
            found.append(line)
        elif _kept(dict(zip(columns, cells, strict=True)), keep or {}):
            found.append(line)
            rows += 1
    if not rows:
        raise CodebreakerError(f"no row of {heading or 'the table'} has {dict(keep or {})}")
    return "\n".join(found).strip("\n")


def cells_of(line: str) -> list[str]:
    """Return the cells of a line of a table, nothing of another line."""
    if not line.startswith("|"):
        return []
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _kept(row: Mapping[str, str], keep: Keep) -> bool:
    missing = set(keep) - set(row)
    if missing:
        raise CodebreakerError(f"the table has no column {', '.join(sorted(missing))}")
    return all(row[column] in wanted for column, wanted in keep.items())


def _section(text: str, heading: str) -> list[str]:
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("#")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        if not heading or lines[start].lstrip("# ") == heading:
            return lines[start + 1 : end]
    raise CodebreakerError(f"there is no heading {heading!r} among {len(starts)} headings")
