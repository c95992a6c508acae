"""The table of static play: guesses that are all made before any is answered."""

import polars as pl

from codebreaker.report.tables import markdown

NOTE = """*Guesses* is the fewest that tell all secrets apart if they are made at once and all
answered afterwards; smaller sets were refuted by exhaustive search up to symmetry. The guess that
then names the secret is not counted; with it, they are *to win*. *With answers* is the least
maximum of play that knows each answer before the next guess, the winning one counted, as far as the
study has it. *Published* figures don't count the final guess either. Those of Goddard are for
sufficiently many colours, as Jäger and Drewes (2018) quote them; with black pegs alone the number
is the metric dimension of a Hamming graph. *Examined* are the sets whose last two guesses were
sought."""


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table as Markdown."""
    return markdown.page("Guesses at once", NOTE, table)
