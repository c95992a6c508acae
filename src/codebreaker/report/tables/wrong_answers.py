"""Tables of what wrong answers cost."""

import polars as pl

from codebreaker.report.tables import markdown

LIE_NOTE = """The fewest guesses that always suffice, proven by exhaustive search: if all answers
are right, and *with a lie*, if the codemaker may give at most one wrong answer and the codebreaker
doesn't learn which. A right guess ends the game: it is never denied, and a wrong one never
confirmed. Any other answer may be given in place of the right one, also one that no secret gives.
The *first guess* is one with which they suffice. Long searches are cited from
`resources/codemaker`."""

ERRORS_NOTE = """Entropy that weighs secrets by their chances after all answers, of which each is
wrong with a *chance*: any of them, or at most one of a game. It plays the guess whose answer tells
most about the secret, or a code that is at least as likely as all others together, and knows how
answers go wrong. A right guess ends the game. Each secret is played equally often; *error* is the
standard error of the mean."""


def lies_to_markdown(table: pl.DataFrame) -> str:
    """Return the cost of a lie as Markdown."""
    return markdown.page("The cost of one wrong answer", LIE_NOTE, table)


def errors_to_markdown(table: pl.DataFrame) -> str:
    """Return the means of entropy with wrong answers as Markdown."""
    return markdown.page("Entropy with wrong answers", ERRORS_NOTE, table)
