"""The report as an HTML page that needs no other files than its figures."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import count, pairwise

import jinja2
from markdown_it import MarkdownIt
from markdown_it.token import Token

from codebreaker.report.paper.paper import TEMPLATES

SCROLLED = '<div class="table" tabindex="0" role="region" aria-label="Table {}">\n<table>\n'
"""What opens a table; it is scrolled by itself where the screen is narrow."""

SHORT = 26
"""Cells of at most this length don't wrap, in characters."""


def to_html(text: str) -> str:
    """Render Markdown as a page, with contents from its second-level headings."""
    parser = MarkdownIt("commonmark", {"typographer": False}).enable("table")
    numbers = count(1)
    parser.add_render_rule("table_open", lambda *_: SCROLLED.format(next(numbers)))
    parser.add_render_rule("table_close", lambda *_: "</table>\n</div>\n")
    tokens = parser.parse(text)
    headings = _anchor(tokens)
    _keep_short_cells_on_one_line(tokens)
    body = parser.renderer.render(tokens, parser.options, {})
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined, autoescape=True
    )
    page = environment.get_template("report.html.j2")
    return page.render(
        title=next(title for level, title, _ in headings if level == "h1"),
        contents=[(title, anchor) for level, title, anchor in headings if level == "h2"],
        body=body,
        style=(TEMPLATES / "report.css").read_text(encoding="utf-8"),
    )


def _keep_short_cells_on_one_line(tokens: Sequence[Token]) -> None:
    for token, inside in pairwise(tokens):
        if token.type == "td_open" and len(inside.content) <= SHORT:
            token.attrSet("class", "short")


def _anchor(tokens: Sequence[Token]) -> list[tuple[str, str, str]]:
    """Set the headings' ids, and return each heading's tag, text and id."""
    headings = []
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            plain = unicodedata.normalize("NFKD", inside.content.lower()).encode("ascii", "ignore")
            anchor = re.sub(r"[^a-z0-9]+", "-", plain.decode()).strip("-")
            token.attrSet("id", anchor)
            headings.append((token.tag, inside.content, anchor))
    return headings
