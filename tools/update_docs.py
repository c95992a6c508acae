"""Update the tables and pictures of the README and the docs; run by `make docs`."""

import shutil
import textwrap
from pathlib import Path

import polars as pl
from draw_page import draw
from draw_rules import draw_rules
from record_evidence import in_words

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

LINE = 128
"""Maximum length of a line of text."""


IMAGES = ROOT / "docs" / "images"


def _update_tables() -> None:
    """Write the table of best known strategies, and the names of all games, into the findings."""
    page = ROOT / "docs" / "findings.md"
    recorded = read_recorded(str(ROOT / "resources" / "best-known" / "best-known.csv"))
    before, rest = page.read_text(encoding="utf-8").split(START)
    table = best_table_of(recorded)
    after = rest.split(END)[1]
    names = textwrap.fill(f"All games: {in_words(recorded['game'].to_list())}.", LINE)
    write_text(page, f"{before}{START}\n\n{table}\n\n{names}\n\n{END}{after}")


def best_table_of(recorded: pl.DataFrame) -> str:
    """Return the table of best known strategies."""
    rows = recorded.filter(pl.col("game").is_in(GAMES)).with_columns(
        pl.col("game").map_elements(_proven_by, pl.String).alias("first proven"),
        pl.col("game").map_elements(notation_of, pl.String),
        pl.col("mean").map_elements(lambda mean: f"{mean:.4f}", pl.String),
    )
    return frame_table(rows.select("game", "total", "mean", "bound", "first proven", "evidence"))


def _proven_by(game: str) -> str:
    proofs = [known for known in known_totals(game) if known.kind == "proven"]
    source = next((proof.source for proof in proofs if proof.max_guesses is None), "")
    return source.split(",")[0].replace("exact search of this project", "here")


if __name__ == "__main__":
    _update_tables()
    shutil.copy(ROOT / "results" / "figures" / PICTURE, IMAGES)
    draw(ROOT / "results" / "index.html", IMAGES / "page.png")
    draw_rules()
