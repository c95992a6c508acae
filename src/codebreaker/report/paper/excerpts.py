"""Excerpts from Markdown result files, copied line by line."""

from collections.abc import Collection, Mapping

from codebreaker.errors import CodebreakerError

Keep = Mapping[str, Collection[str]]
"""Which rows of a table to keep: the accepted texts of a cell, by column."""


def excerpt(text: str, heading: str = "", keep: Keep | None = None, notes: bool = True) -> str:
    """Return a section without its heading, with all rows of its tables or only those in `keep`.

    Without `heading` it is the first section; `notes` are the lines outside tables. Raises
    `CodebreakerError` if the section or a column is missing, or if no row is left.
    """
    lines, columns, rows = [], list[str](), 0
    for line in _section(text, heading):
        cells = cells_of(line)
        if not cells:
            columns = []
            if notes:
                lines.append(line)
        elif not columns or set(line) <= set("|-: "):
            columns = columns or cells
            lines.append(line)
        elif _is_kept(dict(zip(columns, cells, strict=True)), keep or {}):
            lines.append(line)
            rows += 1
    if not rows:
        raise CodebreakerError(f"no row of {heading or 'the table'} matches {dict(keep or {})}")
    return "\n".join(lines).strip("\n")


def cells_of(line: str) -> list[str]:
    """Return the cells of a table's line; an empty list for any other line."""
    if not line.startswith("|"):
        return []
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _is_kept(row: Mapping[str, str], keep: Keep) -> bool:
    missing = set(keep) - set(row)
    if missing:
        raise CodebreakerError(f"the table has no column {', '.join(sorted(missing))}")
    return all(row[column] in accepted for column, accepted in keep.items())


def _section(text: str, heading: str) -> list[str]:
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("#")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        if not heading or lines[start].lstrip("# ") == heading:
            return lines[start + 1 : end]
    raise CodebreakerError(f"there is no heading {heading!r} among {len(starts)} headings")
