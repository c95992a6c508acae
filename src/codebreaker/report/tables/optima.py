"""The table of exact optima."""

from collections.abc import Iterable

import polars as pl

from codebreaker.exact.certificate import Certificate
from codebreaker.report.tables import markdown

NOTE = """A total is over all secrets of the game. *Most* is the deepest guess of the tree that was
found; a tree with the objective maximum has the fewest that are enough, proven, and then the least
total. *Bound* is proven: no tree takes fewer guesses. Each tree was played against every secret by
a program that shares no code with the search (`results/exact/checked.csv`)."""


def optima(certificates: Iterable[Certificate]) -> pl.DataFrame:
    """Return a row a certificate."""
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
                "most": certificate.max_guesses,
                "bound": certificate.bound,
                "proven": "yes" if certificate.proven else "no",
                "sets searched": certificate.sets_searched,
            }
            for certificate in certificates
        ]
    )


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table for people to read."""
    return f"# Exact optima\n\n{markdown.frame_table(table)}\n\n{NOTE}"
