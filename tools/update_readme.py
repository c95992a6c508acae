"""Update the README's table and its picture from the results; run by `make docs`."""

import shutil
from pathlib import Path

import polars as pl

from codebreaker.files import write_text
from codebreaker.report.chapters.best_known import read_recorded
from codebreaker.report.names import notation_of
from codebreaker.report.tables import frame_table
from codebreaker.trees.verify import known_totals

ROOT = Path(__file__).parent.parent
START = "<!-- best-known: written by `make docs` -->"
END = "<!-- end of best-known -->"
GAMES = ("mm-4-7", "mm-4-8", "mm-4-9", "mm-5-5", "mm-5-8", "bc-4-10")
PICTURE = "above-the-optimum.png"


def main() -> None:
    """Write the table between its markers, and update the picture."""
    readme = ROOT / "README.md"
    recorded = read_recorded(str(ROOT / "resources" / "best-known" / "best-known.csv"))
    before, rest = readme.read_text(encoding="utf-8").split(START)
    table, after = best_table_of(recorded), rest.split(END)[1]
    write_text(readme, f"{before}{START}\n\n{table}\n\n{END}{after}")
    shutil.copy(ROOT / "results" / "figures" / PICTURE, ROOT / "docs" / "images")


def best_table_of(recorded: pl.DataFrame) -> str:
    """Return the README's table of best known strategies."""
    rows = recorded.filter(pl.col("game").is_in(GAMES)).with_columns(
        pl.col("game").map_elements(proven_by, pl.String).alias("first proven"),
        pl.col("game").map_elements(notation_of, pl.String),
        pl.col("mean").map_elements(lambda mean: f"{mean:.4f}", pl.String),
    )
    return frame_table(rows.select("game", "total", "mean", "bound", "first proven"))


def proven_by(game: str) -> str:
    """Return who first proved a game's minimum total, as far as we know; empty if nobody has."""
    proofs = [known for known in known_totals(game) if known.kind == "proven"]
    source = next((one.source for one in proofs if one.max_guesses is None), "")
    return source.split(",")[0].replace("exact search of this project", "here")


if __name__ == "__main__":
    main()
