"""The report: a text with all numbers, tables and figures taken from result files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jinja2
import polars as pl

from codebreaker import __version__
from codebreaker.analysis.dominance import OPTIMA
from codebreaker.analysis.families import ENTROPIES, MIXTURES
from codebreaker.constants import LARGEST_ENDGAME, PAPERS_GAME
from codebreaker.errors import CodebreakerError
from codebreaker.policies.policy import FOUND
from codebreaker.report.paper.excerpts import Keep, excerpt
from codebreaker.report.paper.facts import Facts
from codebreaker.report.paper.results import Results, strategy, strategy_name
from codebreaker.report.tables import gur, kooi, markdown

TEMPLATES = Path(__file__).parent / "templates"

NEEDED = tuple(
    dict.fromkeys(
        (
            *(*kooi.NEEDED, *gur.NEEDED, "entropy-base-parts"),
            *("stage-weighted-turns-4-6-uniform", "stage-weighted-repository"),
        )
    )
)
"""The strategies of MM(4,6) without which there is no report, by the names of files."""

HEAVY = ("pareto-", "orders-")
"""Name prefixes of charts with thousands of marks, which the report shows as PNG."""

CONSTANTS: dict[str, Any] = {
    "version": __version__,
    "papers_game": PAPERS_GAME,
    "fewest_guesses": gur.FEWEST_GUESSES,
    "largest_endgame": LARGEST_ENDGAME,
    "found": FOUND,
    "entropies": ENTROPIES,
    "mixtures": MIXTURES,
    "optima": OPTIMA,
    "strategy": strategy,
    "strategy_name": strategy_name,
}
"""What templates may use besides facts and exhibits, by name."""


class Exhibits:
    """The tables and figures of a report, numbered in order of appearance.

    `known` has the numbers by label from an earlier pass, for forward references; None in that
    pass.
    """

    def __init__(self, results: Results, known: Mapping[str, str] | None) -> None:
        self._results, self._known = results, known
        self.numbers: dict[str, str] = {}
        self._shown: set[str] = set()

    @property
    def calls(self) -> dict[str, Callable[..., Any]]:
        """Return the functions that templates may call, by name."""
        return {name: getattr(self, name) for name in ("table", "figure", "ref", "rest")}

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
        """Return a CSV file, or a part of a Markdown file, with the call's block as its caption."""
        number = self._next("Table", label)
        if file.endswith(".csv"):
            lines = markdown.frame_table(pl.DataFrame(self._results.rows(file)))
        else:
            lines = excerpt(self._results.text(file), heading, keep, notes)
        return (
            f"**{number}.** {_line(caller())}\n\n<!-- from {file} -->\n\n{lines}\n\n<!-- end -->\n"
        )

    def figure(self, label: str, name: str, *, caller: Callable[[], str]) -> str:
        """Return a figure with its caption, whose first sentence is also the alternative text."""
        suffix = ".png" if name.startswith(HEAVY) else ".svg"
        self._results.path(f"figures/{name}{suffix}")
        self._shown.add(name)
        number, caption = self._next("Figure", label), _line(caller())
        alternative = caption.split(". ")[0].rstrip(".")
        return f"![{alternative}](figures/{name}{suffix})\n\n**{number}.** {caption}\n"

    def rest(self) -> list[str]:
        """Return the names of the study's charts that no figure has shown yet."""
        charts = (path for path in map(Path, self._results.files) if path.suffix == ".json")
        return sorted({path.stem for path in charts if path.parts[0] == "figures"} - self._shown)

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


def write(results: Results, name: str = "report.md.j2") -> tuple[str, Facts]:
    """Return the report as Markdown, and the facts that it prints.

    The first pass numbers tables and figures, the second resolves references. Raises
    `CodebreakerError` for missing results and unknown references.
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
    environment.globals |= facts.lookups | exhibits.calls | CONSTANTS
    return _tidied(environment.get_template(name).render())


def _tidied(text: str) -> str:
    """Return a text with each paragraph and list item on one line, and excerpts unchanged."""
    blocks: list[str] = []
    verbatim = False
    for block in (part.strip("\n") for part in text.split("\n\n")):
        verbatim = block.startswith("<!-- from ") or (verbatim and block != "<!-- end -->")
        if block.strip():
            blocks.append(block if verbatim else _joined(block))
    return "\n\n".join(blocks) + "\n"


def _joined(block: str) -> str:
    """Return a paragraph on one line, or a list with one line per item."""
    if not block.startswith("- "):
        return _line(block)
    return "\n".join(f"- {_line(item)}" for item in f"\n{block}".split("\n- ")[1:])


def _line(text: str) -> str:
    return " ".join(text.split())
