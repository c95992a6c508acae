"""The table of exact optima."""

from collections.abc import Iterable

import polars as pl

from codebreaker.report.tables import markdown
from codebreaker.search.certificate import Certificate

NOTE = """A total is over all secrets of the game. *Max guesses* is the maximum of the tree. With
the objective *maximum* it is the proven least maximum, and the total is the least for that maximum.
With the objective *rounds*, *won* is the most secrets that any strategy solves within `rounds`
guesses, and the total is the least for that number. With the objective *lexicographic* the maximum
is the least of all trees of least total, and of these *won* solves the most secrets in fewer
guesses. *Bound* is proven: no tree has a smaller total, or, with the objective *rounds*, none that
solves as many secrets within them. Each tree was played against every
secret by a program that shares no code with the search (`results/exact/checked.csv`)."""


def optima(certificates: Iterable[Certificate]) -> pl.DataFrame:
    """Return the table of optima, one row per certificate."""
    return pl.DataFrame(
        [
            {
                "game": certificate.game,
                "guesses from": certificate.guess_pool,
                "objective": certificate.objective,
                "rounds": certificate.rounds,
                "secrets": certificate.secrets,
                "won": certificate.won,
                "opening": certificate.tree["guess"],
                "total": certificate.total_guesses,
                "mean": round(certificate.total_guesses / certificate.secrets, 4),
                "max guesses": certificate.max_guesses,
                "bound": _bound(certificate),
                "proven": "yes" if certificate.proven else "no",
                "sets searched": certificate.sets_searched,
            }
            for certificate in certificates
        ]
    )


def _bound(certificate: Certificate) -> int:
    """Return the bound on the total of trees that solve as many secrets within the rounds."""
    late = 0 if certificate.won is None else certificate.secrets - certificate.won
    rest = certificate.bound - certificate.late_charge * late
    return -(-rest // certificate.guess_charge)


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table as Markdown."""
    return markdown.page("Exact optima", table, NOTE)
