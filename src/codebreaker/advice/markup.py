"""Codes, feedback and tables as HTML for notebooks, in the colours of the page and the terminal.

Styles are in the elements themselves, as notebooks may drop style sheets.
"""

from collections.abc import Sequence
from html import escape

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import COLOURS, CodeRules
from codebreaker.games.registry import CODES, Rules, rules_of
from codebreaker.games.tables import TableRules

PEG = (
    "display:inline-block;min-width:1.35em;height:1.35em;line-height:1.35em;margin:1px;"
    "border-radius:50%;text-align:center;font:600 .85em sans-serif;"
    "background:{background};color:{ink}"
)
LIGHT_INK = "#fff"
DARK_INK = "#111"


def rules_named(name: str) -> CodeRules | None:
    """Return the rules of a game of codes, such as `mm-4-6`, or None for another name."""
    if name.partition("-")[0] not in CODES:
        return None
    try:
        rules = rules_of(name)
    except CodebreakerError:
        return None
    return rules if isinstance(rules, CodeRules) else None


def code_html(rules: Rules | TableRules | None, label: str) -> str:
    """Return a code as coloured pegs that name their colours; a word or other label in bold."""
    if not isinstance(rules, CodeRules):
        return f"<b>{escape(label)}</b>"
    index_of = {symbol: index for index, symbol in enumerate(rules.symbols())}
    pegs = list[str]()
    for symbol in rules.symbols_of(label):
        if symbol not in index_of:  # a user's table with the name of a game of codes
            return f"<b>{escape(label)}</b>"
        index = index_of[symbol]
        colour = COLOURS[index % len(COLOURS)]
        style = PEG.format(background=colour.value, ink=LIGHT_INK if colour.dark else DARK_INK)
        # Beyond the last colour they are repeated, and the name would be of two symbols.
        words = f"{symbol} ({colour.name})" if index < len(COLOURS) else symbol
        pegs.append(f'<span title="{escape(words)}" style="{style}">{escape(symbol)}</span>')
    return f'<span style="white-space:nowrap">{"".join(pegs)}</span>'


def escaped(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows of text as HTML."""
    return [[escape(text) for text in row] for row in rows]


def table_html(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table from titles, which are text, and rows of cells, which are HTML."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    lines = [f"<tr>{head}</tr>"]
    for row in rows:
        cells = "".join(f"<td>{cell}</td>" for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    return f"<table>{''.join(lines)}</table>"
