"""The report: a text whose numbers, tables and figures all come from result files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jinja2
import polars as pl

from codebreaker import __version__
from codebreaker.errors import CodebreakerError
from codebreaker.report.paper.excerpts import Keep, excerpt
from codebreaker.report.paper.facts import Facts
from codebreaker.report.paper.results import Results
from codebreaker.report.tables import markdown

TEMPLATES = Path(__file__).parent / "templates"

HEAVY = ("pareto-", "orders-")
"""Beginnings of the names of charts with so many marks that the report shows their PNG."""


class Exhibits:
    """The tables and figures of a report, numbered as they come.

    `known` are the numbers by label that an earlier pass found, for references ahead; None in it.
    """

    def __init__(self, results: Results, known: Mapping[str, str] | None) -> None:
        self._results, self._known = results, known
        self.numbers: dict[str, str] = {}
        self._shown: set[str] = set()

    @property
    def calls(self) -> dict[str, Callable[..., Any]]:
        """Return what a template may call, by name."""
        return {
            "table": self.table,
            "figure": self.figure,
            "ref": self.ref,
            "rest": self.rest,
        }

    def table(
        self,
        label: str,
        file: str,
        heading: str = "",
        keep: Keep | None = None,
        notes: bool = True,
        *,
        caller: Callable[[], str],
    ) -> str:
        """Return a CSV file, or part of a Markdown file, under the caption in the call's block."""
        number = self._next("Table", label)
        if file.endswith(".csv"):
            lines = markdown.frame_table(pl.DataFrame(self._results.rows(file)))
        else:
            lines = excerpt(self._results.text(file), heading, keep, notes)
        return (
            f"**{number}.** {_line(caller())}\n\n<!-- from {file} -->\n\n{lines}\n\n<!-- end -->\n"
        )

    def figure(self, label: str, name: str, *, caller: Callable[[], str]) -> str:
        """Return a picture with its caption; the caption's first sentence describes it."""
        suffix = ".png" if name.startswith(HEAVY) else ".svg"
        self._results.path(f"figures/{name}{suffix}")
        self._shown.add(name)
        number, caption = self._next("Figure", label), _line(caller())
        seen = caption.split(". ")[0].rstrip(".")
        return f"![{seen}](figures/{name}{suffix})\n\n**{number}.** {caption}\n"

    def rest(self) -> list[str]:
        """Return the names of the charts that the study has and no figure has shown yet."""
        specs = {Path(file).stem for file in self._results.files if _is_spec(file)}
        return sorted(specs - self._shown)

    def ref(self, label: str) -> str:
        """Return an exhibit's name, such as Table 3."""
        if self._known is None:
            return label
        if label not in self._known:
            raise CodebreakerError(f"the report names an exhibit {label!r} that it does not have")
        return self._known[label]

    def _next(self, kind: str, label: str) -> str:
        if label in self.numbers:
            raise CodebreakerError(f"two exhibits of the report are called {label!r}")
        count = sum(number.startswith(kind) for number in self.numbers.values())
        self.numbers[label] = f"{kind} {count + 1}"
        return self.numbers[label]


def _is_spec(file: str) -> bool:
    return file.startswith("figures/") and file.endswith(".json")


def write(results: Results, name: str = "report.md.j2") -> tuple[str, Facts]:
    """Return the report as Markdown, and the facts that it prints.

    The first pass numbers tables and figures, the second knows all numbers. Raises
    `CodebreakerError` for what the results lack, and for references to nothing.
    """
    first = Exhibits(results, None)
    _render(results, first, Facts(results), name)
    second, facts = Exhibits(results, first.numbers), Facts(results)
    text = _render(results, second, facts, name)
    return text, facts


def _render(results: Results, exhibits: Exhibits, facts: Facts, name: str) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        finalize=facts.printed,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= facts.lookups | exhibits.calls | {"version": __version__}
    text = environment.get_template(name).render()
    return _tidied(text)


def _tidied(text: str) -> str:
    """Return a text with a line for each paragraph and item; excerpts stay as they are."""
    blocks: list[str] = []
    verbatim = False
    for block in (part.strip("\n") for part in text.split("\n\n")):
        verbatim = block.startswith("<!-- from ") or (verbatim and block != "<!-- end -->")
        if block.strip():
            blocks.append(block if verbatim else _joined(block))
    return "\n\n".join(blocks) + "\n"


def _joined(block: str) -> str:
    """Return a paragraph as one line, a list as one for each item."""
    if not block.startswith("- "):
        return _line(block)
    return "\n".join(f"- {_line(item)}" for item in f"\n{block}".split("\n- ")[1:])


def _line(text: str) -> str:
    return " ".join(text.split())
