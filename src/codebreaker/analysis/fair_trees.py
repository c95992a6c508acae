"""Trees whose worst class of secrets takes the least mean, as a table."""

import polars as pl

from codebreaker.duel.fair import Fair
from codebreaker.games.model import TableGame

SCHEMA: dict[str, type[pl.DataType]] = {
    "game": pl.String,
    "at most": pl.Int64,
    "worst class": pl.String,
    "mean": pl.String,
    "decimal": pl.Float64,
    "bound": pl.String,
    "proven by": pl.String,
    "total": pl.Int64,
    "maximum": pl.Int64,
    "totals": pl.String,
    "least totals": pl.String,
}


def row_of(game: TableGame, guess_limit: int | None, fair: Fair) -> pl.DataFrame:
    """Return a row; `totals` are by class, and `least totals` name the class that they leave out.

    A bound is proven by the least totals alone, or by a search of all trees that are near to them.
    """
    pairs = list(zip(fair.totals, fair.classes.sizes, strict=True))
    means = [total / size for total, size in pairs]
    worst = means.index(max(means))
    row = (
        game.name,
        guess_limit,
        fair.classes.labels[worst],
        f"{pairs[worst][0]}/{pairs[worst][1]}",
        round(means[worst], 6),
        str(fair.bound),
        ("all trees" if fair.refuted else "least totals") if fair.worst == fair.bound else "",
        fair.tree.total_guesses,
        fair.tree.max_guesses,
        " ".join(map(str, fair.totals)),
        " ".join(f"{name or 'all'}:{least}" for name, least in fair.least.items()),
    )
    return pl.DataFrame([row], schema=SCHEMA, orient="row")
