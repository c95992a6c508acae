"""Update the README's tables and its picture from the results; run by `make docs`."""

import shutil
from pathlib import Path

import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.files import write_text
from codebreaker.report.chapters.best_known import read_recorded
from codebreaker.report.guide import strategy_table
from codebreaker.report.names import notation_of
from codebreaker.report.tables import frame_table
from codebreaker.trees.metrics import read_strategies
from codebreaker.trees.verify import known_totals

ROOT = Path(__file__).parent.parent
START = "<!-- strategies: written by `make docs` from results/metrics/strategies.csv -->"
END = "<!-- end of strategies -->"
BEST_START = "<!-- best-known: written by `make docs` -->"
BEST_END = "<!-- end of best-known -->"
TREES = (
    *("optimal", "context-weighted-5625", "stage-weighted-5630", "stage-weighted"),
    *("fixed-weighted", "most-parts", "entropy", "worst-case"),
)
GAMES = ("mm-4-7", "mm-4-8", "mm-4-9", "mm-5-5", "mm-5-8", "bc-4-10")
PICTURE = "above-the-optimum.png"


def main() -> None:
    """Write the tables between their markers, and update the pictures."""
    readme = ROOT / "README.md"
    strategies = read_strategies(ROOT / "results" / "metrics" / "strategies.parquet")
    text = between(readme.read_text(encoding="utf-8"), START, table_of(strategies), END)
    recorded = read_recorded(str(ROOT / "resources" / "best-known" / "best-known.csv"))
    write_text(readme, between(text, BEST_START, best_table_of(recorded), BEST_END))
    shutil.copy(ROOT / "results" / "figures" / PICTURE, ROOT / "docs" / "images")


def between(text: str, start: str, table: str, end: str) -> str:
    """Return a text with a table between two markers."""
    before, rest = text.split(start)
    return f"{before}{start}\n\n{table}\n\n{end}{rest.split(end)[1]}"


def table_of(strategies: pl.DataFrame) -> str:
    """Return the README's table of strategies."""
    return strategy_table(strategies.filter(pl.col("tree").is_in(TREES), game=PAPERS_GAME))


def best_table_of(recorded: pl.DataFrame) -> str:
    """Return the README's table of best known strategies."""
    rows = recorded.filter(pl.col("game").is_in(GAMES)).with_columns(
        pl.col("game").map_elements(proven_by, pl.String).alias("first proven"),
        pl.col("game").map_elements(notation_of, pl.String),
        pl.col("mean").map_elements(lambda mean: f"{mean:.4f}", pl.String),
    )
    return frame_table(rows.select("game", "total", "mean", "bound", "first proven"))


def proven_by(game: str) -> str:
    """Return who proved a game's least total first, as far as we know; nothing if nobody has."""
    proofs = [known for known in known_totals(game) if known.kind == "proven"]
    source = next((one.source for one in proofs if one.max_guesses is None), "")
    return source.split(",")[0].replace("exact search of this project", "here")


if __name__ == "__main__":
    main()
