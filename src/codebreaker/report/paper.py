"""Write the report, whose numbers, tables and figures all come from result files, also as HTML."""

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import polars as pl
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from codebreaker.constants import LARGEST_ENDGAME, NARROW, OPTIMAL, PAPERS_GAME, VERSION
from codebreaker.errors import CodebreakerError
from codebreaker.policies.registry import FOUND, policy_called
from codebreaker.policies.strategy import Strategy
from codebreaker.report import environment
from codebreaker.report.chapters.gur import FEWEST_GUESSES
from codebreaker.report.chapters.rounds import shown_rounds
from codebreaker.report.chapters.terminals import NOTES as TERMINALS_NOTES
from codebreaker.report.chapters.terminals import shown_terminals
from codebreaker.report.claims import main_readings, printed
from codebreaker.report.guide import shown_strategies
from codebreaker.report.names import name_of, notation_of
from codebreaker.report.numbers import Facts, Results, conditions, literal
from codebreaker.report.tables import frame_table, in_words
from codebreaker.trees.swept_families import ENTROPIES, MIXTURES, OPTIMA

TEMPLATES = Path(__file__).parent / "templates"
HEAVY = "pareto-"
"""Charts with hundreds of marks, which the report shows as PNG."""

SCROLLED = '<div class="table" tabindex="0" role="region" aria-label="Table {}">\n<table>\n'
PICTURE = '<picture><source media="(max-width: 30rem)" srcset="{narrow}">{image}</picture>'
SHORT = 26
"""Maximum characters of cells that don't wrap."""

LONGEST = 16
"""Maximum number of rows of a table in the report; a longer table ends there, with a link."""

INDEX = "index_of_row"


def _strategies_of_csv(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the table of strategies for readers; CSV has true and false as texts."""
    return shown_strategies(frame.with_columns(pl.col("forced") == "true"))


def _frontier_points(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each point of a frontier, with all strategies that have it."""
    names = in_words(frame)["strategy"]
    return (
        frame.with_columns(names)
        .group_by("mean", "max", "total", maintain_order=True)
        .agg(pl.col("strategy").unique(maintain_order=True).str.join("; ").alias("strategies"))
    )


SHOWN: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "metrics/strategies.csv": _strategies_of_csv,
    "discrepancies.csv": printed,
    f"tables/pareto-{PAPERS_GAME}.csv": _frontier_points,
    "tables/rounds.csv": shown_rounds,
    "tables/terminals.csv": shown_terminals,
}
"""How files are shown as tables; others are shown as they are."""

PAGES = dict.fromkeys(("metrics/strategies.csv", "discrepancies.csv"), "README.md")
"""Where all rows of a file are shown, if not in the Markdown file beside it."""


def _strategy_fields(policy: str, opening: str | None = None, **settings: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the cells by which the table of strategies names a strategy.

    The opening is among them only if it is given, and the name of the tree never.
    """
    if policy == OPTIMAL:
        settings = {"guess_pool": "all", "tree": OPTIMAL} | settings
    elif policy.endswith(FOUND):
        settings |= {"rule": policy_called("entropy")}
    row = Strategy(policy, opening, **({"game": PAPERS_GAME} | settings)).row
    names = dict.fromkeys(("game", "policy", "forced", "opening", *row))
    left_out = {"tree"} if opening else {"tree", "opening"}
    return {name: row[name] for name in names if name not in left_out}


def strategy(policy: str, opening: str | None = None, **options: Any) -> str:  # noqa: ANN401
    """Return the SQL condition on a strategy's row in the table of strategies."""
    return conditions(_strategy_fields(policy, opening, **options))


CONSTANTS: dict[str, Any] = {
    "version": VERSION,
    "papers_game": PAPERS_GAME,
    "fewest_guesses": FEWEST_GUESSES,
    "largest_endgame": LARGEST_ENDGAME,
    "found": FOUND,
    "entropies": ENTROPIES,
    "mixtures": MIXTURES,
    "sources": tuple(main_readings()),
    "optima": OPTIMA,
    "strategy": strategy,
    "one_of": lambda *texts: f"IN ({', '.join(map(literal, texts))})",
    "rows_with": lambda **cells: conditions(cells),
    "notation_of": notation_of,
    "note_on_terminals": TERMINALS_NOTES["Terminals"],
    "strategy_name": lambda *policy, **options: name_of(_strategy_fields(*policy, **options)),
}


class Exhibits:
    """The tables and figures of a report, numbered in order of appearance."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._numbers: dict[str, str] = {}
        self._shown: set[str] = set()

    def table(
        self,
        label: str,
        file: str,
        where: str = "",
        right: Collection[str] = (),
        columns: Sequence[str] = (),
        *,
        caller: Callable[[], str],
    ) -> str:
        """Return rows of a CSV file as a table, with the call's block as its caption.

        Args:
            label: The name by which the text refers to the table.
            file: The file; `SHOWN` says how it is shown.
            where: An SQL condition on the columns as shown; all rows without one.
            right: Columns that are right-aligned.
            columns: The columns to show, in order; all without them.
            caller: The block.

        Raises:
            CodebreakerError: If no row meets the condition.
        """
        caption = f"**{self._next('Table', label)}.** {_line(caller())}"
        frame = self._results.frame(file)
        shown = SHOWN[file](frame) if file in SHOWN else frame
        rows = rows_where(shown, where)
        if not rows:
            raise CodebreakerError(f"{self._results.path(file)} has no row where {where}")
        if len(rows) > LONGEST:
            page = PAGES.get(file, str(Path(file).with_suffix(".md")))
            more = page if page in self._results.files else file
            caption = f"{caption} Further rows are in {self.link(more)}."
        worded = in_words(shown).select(columns or pl.all())
        if "game" in worded.columns:
            worded = worded.with_columns(pl.col("game").map_elements(notation_of, pl.String))
        lines = frame_table(worded, rows[:LONGEST], right)
        return f"{caption}\n\n<!-- from {file} -->\n\n{lines}\n\n<!-- end -->\n"

    def link(self, file: str) -> str:
        """Return a link to a file."""
        return f"[{self._results.path(file).name}]({file})"

    def figure(self, label: str, name: str, *, caller: Callable[[], str]) -> str:
        """Return a figure with its caption, whose first sentence is also the alternative text."""
        file = f"figures/{name}{'.png' if name.startswith(HEAVY) else '.svg'}"
        self._results.path(file)
        self._shown.add(name)
        number = self._next("Figure", label)
        caption = _line(caller())
        alternative = re.split(r"\. (?=[A-Z])", caption)[0].rstrip(".")
        return f"[![{alternative}]({file})]({file})\n\n**{number}.** {caption}\n"

    def rest(self) -> list[str]:
        """Return the charts that no figure has shown yet."""
        charts = (path for path in map(Path, self._results.files) if path.match("figures/*.json"))
        return sorted({path.stem for path in charts} - self._shown)

    def ref(self, label: str) -> str:
        """Return a mark for an exhibit's name, which may still be unknown."""
        return f"\0{label}\0"

    def resolved(self, text: str) -> str:
        """Replace references; raise `CodebreakerError` for unknown exhibits."""
        parts = text.split("\0")
        if unknown := set(parts[1::2]) - set(self._numbers):
            raise CodebreakerError(f"the report names an exhibit {min(unknown)!r} that it lacks")
        parts[1::2] = [self._numbers[label] for label in parts[1::2]]
        return "".join(parts)

    def _next(self, kind: str, label: str) -> str:
        """Return the number of the next exhibit; raise `CodebreakerError` if its label is taken."""
        if label in self._numbers:
            raise CodebreakerError(f"two exhibits of the report are called {label!r}")
        count = sum(number.startswith(kind) for number in self._numbers.values())
        self._numbers[label] = f"{kind} {count + 1}"
        return self._numbers[label]


def write(results: Results) -> tuple[str, Facts]:
    """Return the report and its facts; raise `CodebreakerError` if results are missing."""
    exhibits = Exhibits(results)
    facts = Facts(results)
    templates = environment(finalize=facts.printed, keep_trailing_newline=True)
    calls = {name: getattr(exhibits, name) for name in ("table", "figure", "ref", "rest", "link")}
    templates.globals |= facts.lookups | calls | CONSTANTS
    text = templates.get_template("report.md.j2").render()
    return exhibits.resolved(_tidied(text)), facts


def _tidied(text: str) -> str:
    """Return a rendered text with one line per paragraph and list item, and no empty blocks.

    Copied tables, between `<!-- from` and `<!-- end -->`, stay as they are.
    """
    blocks = []
    verbatim = False
    for block in filter(str.strip, (part.strip("\n") for part in text.split("\n\n"))):
        verbatim = block.startswith("<!-- from ") or (verbatim and block != "<!-- end -->")
        items = f"\n{block}".split("\n- ")[1:] if block.startswith("- ") else []
        line = "\n".join(f"- {_line(item)}" for item in items) or _line(block)
        blocks.append(block if verbatim else line)
    return "\n\n".join(blocks) + "\n"


def _line(text: str) -> str:
    """Return a text on a single line."""
    return " ".join(text.split())


def rows_where(frame: pl.DataFrame, where: str = "") -> list[int]:
    """Return the indices of the rows that meet an SQL condition; all without one."""
    if not where:
        return list(range(frame.height))
    table = pl.SQLContext(file=frame.with_row_index(INDEX), eager=True)
    indices: list[int] = table.execute(f"SELECT {INDEX} FROM file WHERE {where}")[INDEX].to_list()
    return indices


def _picture(renderer: RendererHTML, tokens: Sequence[Token], index: int, *given: Any) -> str:  # noqa: ANN401
    """Return a figure, with the drawing that `style.save` makes for phones."""
    narrow = Path(str(tokens[index].attrGet("src"))).with_suffix("")
    image = renderer.image(tokens, index, *given)
    return PICTURE.format(narrow=f"{narrow}{NARROW}", image=image)


def to_html(text: str) -> str:
    """Render Markdown as a page with contents; short cells of tables don't wrap."""
    parser = MarkdownIt("commonmark", {"typographer": False}).enable("table")
    numbers = count(1)
    parser.add_render_rule("table_open", lambda *_: SCROLLED.format(next(numbers)))
    parser.add_render_rule("table_close", lambda *_: "</table>\n</div>\n")
    parser.add_render_rule("image", _picture)
    tokens = parser.parse(text)
    headings = []
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            plain = unicodedata.normalize("NFKD", inside.content.lower()).encode("ascii", "ignore")
            anchor = re.sub(r"[^a-z0-9]+", "-", plain.decode()).strip("-")
            token.attrSet("id", anchor)
            headings.append((token.tag, inside.content, anchor))
        elif token.type == "td_open" and len(inside.content) <= SHORT:
            token.attrSet("class", "short")
    page = environment(autoescape=True).get_template("report.html.j2")
    return page.render(
        title=next(title for level, title, _ in headings if level == "h1"),
        contents=[heading for heading in headings if heading[0] != "h1"],
        body=parser.renderer.render(tokens, parser.options, {}),
        style=(TEMPLATES / "report.css").read_text(encoding="utf-8"),
    )
