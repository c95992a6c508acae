"""Update the README's table of strategies and its picture from the results; run by `make docs`."""

import shutil
from pathlib import Path

import polars as pl

from codebreaker.analysis.metrics import read_strategies
from codebreaker.constants import PAPERS_GAME
from codebreaker.files import write_text
from codebreaker.report.tables.guide import strategy_table

ROOT = Path(__file__).parent.parent
START = "<!-- strategies: written by `make docs` from results/metrics/strategies.csv -->"
END = "<!-- end of strategies -->"
TREES = (
    "optimal",
    "context-weighted-5625",
    "stage-weighted-5630",
    "stage-weighted",
    "fixed-weighted",
    "most-parts",
    "entropy",
    "worst-case",
)
"""The strategies of the table, of the papers' game."""
PICTURES = ("above-the-optimum",)


def main() -> None:
    """Write the table between its markers, and update the pictures."""
    readme = ROOT / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(START)
    after = rest.split(END)[1]
    strategies = read_strategies(ROOT / "results" / "metrics" / "strategies.parquet")
    write_text(readme, f"{before}{START}\n\n{table_of(strategies)}\n\n{END}{after}")
    for name in PICTURES:
        shutil.copy(ROOT / "results" / "figures" / f"{name}.png", ROOT / "docs" / "images")


def table_of(strategies: pl.DataFrame) -> str:
    """Return the README's table of strategies."""
    shown = pl.col("tree").is_in(TREES) & (pl.col("game") == PAPERS_GAME)
    return strategy_table(strategies.filter(shown))


if __name__ == "__main__":
    main()
