"""Update the README's table of strategies and its pictures from the results.

Run by `make docs`; the screenshot of the explorer needs Chromium.
"""

import shutil
from pathlib import Path

import polars as pl
from playwright.sync_api import sync_playwright

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
STRATEGY, FEEDBACKS = "entropy", ("1B-1C", "1B-1C")
"""The strategy in the explorer's screenshot, and the feedback to its first guesses."""


def main() -> None:
    """Write the table between its markers, and update the pictures."""
    readme = ROOT / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(START)
    after = rest.split(END)[1]
    strategies = read_strategies(ROOT / "results" / "metrics" / "strategies.parquet")
    write_text(readme, f"{before}{START}\n\n{table_of(strategies)}\n\n{END}{after}")
    for name in PICTURES:
        shutil.copy(ROOT / "results" / "figures" / f"{name}.png", ROOT / "docs" / "images")
    if chromium := shutil.which("chromium"):
        save_screenshot(chromium, ROOT / "docs" / "images" / "explorer.png")


def table_of(strategies: pl.DataFrame) -> str:
    """Return the README's table of strategies."""
    shown = pl.col("tree").is_in(TREES) & (pl.col("game") == PAPERS_GAME)
    return strategy_table(strategies.filter(shown))


def save_screenshot(chromium: str, target: Path) -> None:
    """Enter some feedback in the explorer, and save a screenshot."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1120, "height": 900}, device_scale_factor=1.5)
        page.goto((ROOT / "results" / "index.html").as_uri())
        page.wait_for_selector("html[data-state=ready]")
        page.select_option("#explorer-strategy", STRATEGY)
        for feedback in FEEDBACKS:
            page.click(f'#explorer-pad button[data-feedback="{feedback}"]')
        page.mouse.move(0, 0)
        page.locator("#explorer").screenshot(path=str(target))
        browser.close()


if __name__ == "__main__":
    main()
