"""The table of exact optima."""

from collections.abc import Iterable

import polars as pl

from codebreaker.exact.certificate import Certificate
from codebreaker.report.tables import markdown

NOTE = """A total is over all secrets of the game. *Max guesses* is the maximum of the tree. With
the objective *maximum* it is the proven least maximum, and the total is the least for that maximum.
*Bound* is proven: no tree has a smaller total. Each tree was played against every secret by a
program that shares no code with the search (`results/exact/checked.csv`)."""


def optima(certificates: Iterable[Certificate]) -> pl.DataFrame:
    """Return the table of optima, one row per certificate."""
    return pl.DataFrame(
        [
            {
                "game": certificate.game,
                "guesses from": certificate.guess_pool,
                "objective": certificate.objective,
                "secrets": certificate.secrets,
                "opening": certificate.tree["guess"],
                "total": certificate.total_guesses,
                "mean": round(certificate.total_guesses / certificate.secrets, 4),
                "max guesses": certificate.max_guesses,
                "bound": certificate.bound,
                "proven": "yes" if certificate.proven else "no",
                "sets searched": certificate.sets_searched,
            }
            for certificate in certificates
        ]
    )


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table as Markdown."""
    return markdown.page("Exact optima", table, NOTE)
