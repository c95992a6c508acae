"""Codes, feedback and tables as HTML for notebooks, in the colours of the page and the terminal.

Styles are in the elements themselves, as notebooks may drop style sheets.
"""

from collections.abc import Collection, Sequence
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
LETTER = (
    "display:inline-block;min-width:1.5em;line-height:1.5em;margin:1px;border-radius:{radius};"
    "text-align:center;font-weight:600;background:{background};color:{ink}"
)
MARKS = {
    "b": ("absent", "#4a4d52", LIGHT_INK, "3px"),
    "y": ("elsewhere", "#ffd75e", DARK_INK, "1em"),
    "g": ("in place", "#3fae6f", DARK_INK, "3px"),
}
"""What a mark means, and the colours and corners of its letter, which are the page's."""

LEFT = ' style="text-align:left"'
"""Of columns of text: notebooks put cells at the right."""


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


def marked_html(word: str, marks: str) -> str:
    """Return a word with its marks: each letter on the colour of its mark, which it names."""
    letters = list[str]()
    for letter, mark in zip(word, marks, strict=True):
        meaning, background, ink, radius = MARKS[mark]
        style = LETTER.format(background=background, ink=ink, radius=radius)
        letters.append(f'<span title="{meaning}" style="{style}">{escape(letter)}</span>')
    return f'<span style="white-space:nowrap">{"".join(letters)}</span>'


def escaped(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows of text as HTML."""
    return [[escape(text) for text in row] for row in rows]


def table_html(
    titles: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[str] = ()
) -> str:
    """Return a table from titles, which are text, and rows of cells, which are HTML.

    The columns with the titles in `left` are aligned at the left, others as the notebook does.
    """
    sides = [LEFT if title in left else "" for title in titles]
    head = "".join(
        f"<th{side}>{escape(title)}</th>" for side, title in zip(sides, titles, strict=True)
    )
    lines = [f"<tr>{head}</tr>"]
    for row in rows:
        cells = "".join(f"<td{side}>{cell}</td>" for side, cell in zip(sides, row, strict=True))
        lines.append(f"<tr>{cells}</tr>")
    return f"<table>{''.join(lines)}</table>"
