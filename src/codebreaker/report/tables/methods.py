"""Tables of methods that were played and timed side by side."""

import polars as pl

from codebreaker.report.tables import markdown

NOTE = """All players face the same secrets, and means have their standard errors; `difference` is
the mean difference in guesses from the first row, secret by secret. An evaluation is the comparison
of a code with the feedback so far or, where guesses need not be candidates, the scoring of a guess
over all candidates. Times are processor times of one thread after compilation, on the machine of
this run: unlike all other columns, they differ from run to run."""


def to_markdown(name: str, table: pl.DataFrame) -> str:
    """Return a table of methods as Markdown."""
    won = next(column for column in table.columns if column.startswith("won_within_"))
    rows = [
        (
            row["player"],
            row["options"],
            row["opening"],
            str(row["games"]),
            f"{row[won]:.2%}",
            f"{row['mean_guesses']:.4f} ± {row['guesses_error']:.4f}",
            str(row["max_guesses"]),
            f"{row['difference']:+.4f} ± {row['difference_error']:.4f}" if number else "",
            f"{row['mean_evaluations']:,.0f}",
            f"{row['ms_per_game']:.3f}",
        )
        for number, row in enumerate(table.iter_rows(named=True))
    ]
    header = (
        "player", "options", "opening", "games", f"won within {won.removeprefix('won_within_')}",
        "guesses", "max", "difference", "evaluations", "ms per game",
    )  # fmt: skip
    return markdown.page(f"Methods: {name}", markdown.table(header, rows, right=header[3:]), NOTE)
