"""Tables in Markdown, and published tables compared with computed ones, cell by cell."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import polars as pl

from codebreaker.files import DATA, write_frame, write_text
from codebreaker.report.names import name_of, spoken

PUBLISHED_TABLES = DATA / "published"
CELLS = dict.fromkeys(("table", "row", "column", "published", "computed", "agrees"), pl.String)
Cells = Mapping[tuple[str, str], str]
IN_WORDS = ("strategy", "player", "policy", "best strategy", "best classic policy")
"""Columns whose names of strategies and players are shown in words."""

MOST_DECIMALS = 6
"""Maximum number of decimals to which cells are filled up."""


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[str] = ()
) -> str:
    """Return a table; the columns in `right` are right-aligned."""
    marks = ["---:" if column in right else "---" for column in header]
    lines = (header, marks, *rows)
    return "\n".join("| " + " | ".join(map(_escaped, cells)) + " |" for cells in lines)


MARKDOWN = re.compile(
    r"[\\`*~]"  # code, emphasis, struck out
    r"|_(?![^\W_])|(?<![^\W_])_"  # emphasis, but not within a word
    r"|<(?=[A-Za-z/!?])|&(?=#?\w+;)"  # HTML
    r"|(?<=\])\("  # links
)
"""Signs that Markdown would not show as they are."""


def verbatim(text: str) -> str:
    """Return Markdown that shows a text as it is, such as a word or a game's name."""
    return MARKDOWN.sub(r"\\\g<0>", text)


def _escaped(cell: str) -> str:
    """Return a cell's text for Markdown, where | ends a cell and a line break ends a row."""
    return " ".join(cell.split("\n")).replace("|", r"\|")


def with_error(figure: str, error: float | None, digits: int) -> str:
    """Return a mean with its standard error, which is 0 if it is exact and None if unknown."""
    if error is None:
        return figure
    return f"{figure} ± {error:.{digits}f}" if error else f"{figure}, exact"


def frame_table(
    frame: pl.DataFrame, chosen: Sequence[int] | None = None, right: Collection[str] = ()
) -> str:
    """Return a frame as a table, with as many decimals in each cell of a column.

    Cells are data and shown as they are, whatever they mean in Markdown.

    Args:
        frame: The rows, of numbers and texts.
        chosen: Indices of the rows to show; all without them. They look as in the whole table.
        right: Columns that are right-aligned.
    """
    rows = list(zip(*map(_cells, frame.iter_columns()), strict=True))
    if chosen is not None:
        rows = [rows[index] for index in chosen]
    return markdown_table(frame.columns, rows, right)


def _cells(column: pl.Series) -> list[str]:
    """Return a column's cells as Markdown."""
    return list(map(verbatim, _texts(column)))


def _texts(column: pl.Series) -> list[str]:
    """Return a column's cells as texts; floats get as many decimals as the longest, up to six."""
    texts = ["" if cell is None else str(cell) for cell in column]
    places = max((len(text.partition(".")[2]) for text in texts), default=0)
    if column.dtype != pl.Float64 or places > MOST_DECIMALS or "e" in "".join(texts):
        return texts
    return [text and f"{float(text):.{places}f}" for text in texts]


def read_table(path: str | Path) -> pl.DataFrame:
    """Read a table; openings stay texts."""
    return pl.read_csv(path, schema_overrides={"opening": pl.String})


def notes_of(chapter: str) -> dict[str, str]:
    """Return a chapter's notes by heading, from the text file of its name."""
    text = Path(chapter).with_suffix(".txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^# (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


def markdown_page(title: str, *parts: str | pl.DataFrame) -> str:
    """Return a page: its title and its parts, in which frames become tables with names in words."""
    texts = (part if isinstance(part, str) else frame_table(in_words(part)) for part in parts)
    return "\n\n".join([f"# {title}", *texts])


def in_words(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table with strategies and players by their names in words, as charts have them."""
    columns = [name for name in IN_WORDS if frame.schema.get(name) == pl.String]
    return frame.with_columns(pl.col(columns).map_elements(spoken, pl.String))


def named(strategies: pl.DataFrame) -> pl.DataFrame:
    """Add display names in column `strategy`."""
    names = [name_of(row) for row in strategies.iter_rows(named=True)]
    return strategies.with_columns(pl.Series("strategy", names, pl.String))


def write_table(frame: pl.DataFrame, text: str, paths: Sequence[str | Path]) -> None:
    """Write a frame as CSV and its page as Markdown."""
    csv, markdown = paths
    write_frame(frame, csv)
    write_text(markdown, text)


def write_page(
    frame: pl.DataFrame, paths: Sequence[str | Path], title: str, *parts: str | pl.DataFrame
) -> None:
    """Write a frame as CSV, and a page with these parts."""
    write_table(frame, markdown_page(title, *parts), paths)


@dataclass(frozen=True)
class ComparedTable:
    """A table of a source, as printed and as computed; a cell may be missing in one of them.

    `inputs` are cells that the computation takes from the source, such as weights, or that are
    settings of both. They are shown but not counted, because they can't confirm anything.
    """

    name: str
    title: str
    header: str
    rows: Sequence[str]
    columns: Sequence[str]
    published: Cells
    computed: Cells
    notes: str = ""
    inputs: frozenset[tuple[str, str]] = frozenset()

    @property
    def compared(self) -> list[tuple[str, str]]:
        """Return the published cells that are computed and not inputs."""
        both = (cell for cell in self.published if cell in self.computed)
        return [cell for cell in both if cell not in self.inputs]

    @property
    def differences(self) -> list[tuple[str, str]]:
        """Return the compared cells that differ."""
        return [cell for cell in self.compared if self.differs(cell)]

    def differs(self, cell: tuple[str, str]) -> bool:
        """Return whether a cell has different values as published and as computed."""
        return not same(self.published[cell], self.computed[cell])


def same(published: str, computed: str) -> bool:
    """Return whether two cells hold the same number, both or neither in percent, or words."""
    if published.endswith("%") != computed.endswith("%"):
        return False
    plain = (
        text.removesuffix("%").replace("−", "-").replace(",", "") for text in (published, computed)
    )
    try:
        first, second = map(float, plain)
    except ValueError:
        return published == computed
    return first == second


def compare_with_published(
    name: str,
    title: str,
    computed: Cells,
    notes: str = "",
    inputs: Iterable[tuple[str, str]] = (),
) -> ComparedTable:
    """Compare computed cells with a published table.

    Args:
        name: The published table in `PUBLISHED_TABLES`; its first column names the rows.
        title: The title of the page.
        computed: Texts by row and column. Rows and columns that the source lacks are added.
        notes: What the page says below the table.
        inputs: Cells by row and column that are taken from the source.
    """
    frame = pl.read_csv(PUBLISHED_TABLES / f"{name}.csv", infer_schema=False)
    header, *columns = frame.columns
    cells = {
        (row[header], column): row[column]
        for row in frame.iter_rows(named=True)
        for column in columns
        if row[column] is not None
    }
    rows = [*dict.fromkeys([*frame[header], *(row for row, _ in computed)])]
    columns = [*dict.fromkeys([*columns, *(column for _, column in computed)])]
    return ComparedTable(
        name, title, header, rows, columns, cells, computed, notes, frozenset(inputs)
    )


def comparison_frame(table: ComparedTable) -> pl.DataFrame:
    """Return one row per cell that is published or computed.

    `agrees` is empty for a cell that is only one of them, or an input.
    """
    rows = []
    compared = set(table.compared)
    for cell in product(table.rows, table.columns):
        published = table.published.get(cell)
        computed = table.computed.get(cell)
        agrees = None
        if cell in compared:
            agrees = "no" if table.differs(cell) else "yes"
        if published is not None or computed is not None:
            rows.append((table.name, *cell, published, computed, agrees))
    return pl.DataFrame(rows, schema=CELLS, orient="row")


def comparison_page(table: ComparedTable) -> str:
    """Return the computed values in the source's layout, with differences in bold."""
    rows = [[row, *(_cell(table, (row, column)) for column in table.columns)] for row in table.rows]
    cells = markdown_table([table.header, *table.columns], rows)
    return markdown_page(table.title, cells, _counted(table), *filter(None, [table.notes]))


def _counted(table: ComparedTable) -> str:
    """Return how many cells agree, how many are inputs, and how many the source lacks."""
    compared = len(table.compared)
    inputs = len(table.inputs)
    added = sum(cell not in table.published for cell in table.computed)
    agreeing = compared - len(table.differences)
    parts = []
    if compared:
        parts.append(f"{agreeing} of {compared} published cells agree with the computation")
    if inputs:
        parts.append(f"{inputs} published cells are inputs of the computation, and are not counted")
    if added:
        parts.append(f"{added} cells in italics are not in the source")
    return "; ".join(parts) + "."


def _cell(table: ComparedTable, cell: tuple[str, str]) -> str:
    """Return a cell as the page shows it: computed, and published where they differ."""
    published = table.published.get(cell)
    computed = table.computed.get(cell)
    if computed is None:
        return f"({published}, not computed)" if published is not None else ""
    if published is None:
        return f"*{computed}*"
    return f"**{computed}** (published {published})" if table.differs(cell) else computed


def write_tables(tables: list[ComparedTable], folder: str | Path) -> str:
    """Write each table as CSV and as Markdown, and return in how many cells they differ."""
    for table in tables:
        paths = [Path(folder) / f"{table.name}{suffix}" for suffix in (".csv", ".md")]
        write_table(comparison_frame(table), comparison_page(table), paths)
    return "; ".join(f"{table.name}: {len(table.differences)} cells differ" for table in tables)
