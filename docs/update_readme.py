"""Bring the README's table of strategies and its picture up to date with the results.

Run `make docs`.
"""

import shutil
from pathlib import Path

import polars as pl

from codebreaker.files import write_text
from codebreaker.metrics import read_strategies
from codebreaker.report.guide import strategy_table

ROOT = Path(__file__).parent.parent
START = "<!-- strategies: written by `make docs` from results/metrics/strategies.csv -->"
END = "<!-- end of strategies -->"
GAMES = ("mm-4-6", "mm-5-8")
PICTURES = ("profiles", "turn-ablation", "pareto-mm-4-6")


def main() -> None:
    """Write the table between its marks, and copy the pictures."""
    readme = ROOT / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(START)
    after = rest.split(END)[1]
    strategies = read_strategies(ROOT / "results" / "metrics" / "strategies.parquet")
    table = strategy_table(strategies.filter(pl.col("game").is_in(GAMES)))
    write_text(readme, f"{before}{START}\n\n{table}\n\n{END}{after}")
    for name in PICTURES:
        shutil.copy(ROOT / "results" / "figures" / f"{name}.png", ROOT / "docs" / "images")


if __name__ == "__main__":
    main()
