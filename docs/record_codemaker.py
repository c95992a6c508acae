"""Find the long searches in resources/codemaker/ again.

Run by `make codemaker`. The default study cites them beside the searches that it does itself.
"""

from pathlib import Path

import polars as pl

from codebreaker.analysis.static_play import row_of
from codebreaker.analysis.wrong_answers import cost_of_a_lie
from codebreaker.exact.static import fewest_at_once
from codebreaker.files import write_frame
from codebreaker.games.registry import make_game

FOLDER = Path(__file__).parent.parent / "resources" / "codemaker"

STATIC = ("mm-2-12", "mm-2-13", "mm-3-8", "mm-4-6", "mm-5-4", "black-3-6")
"""Games whose fewest guesses at once take from seconds to minutes."""

LIES = ("mm-2-8", "mm-2-9", "mm-4-4")
"""Games whose fewest guesses with a wrong answer take up to a minute."""


def main() -> None:
    """Write the tables."""
    rows = [row_of(game, fewest_at_once(game)) for game in map(make_game, STATIC)]
    write_frame(pl.concat(rows), FOLDER / "static.csv")
    write_frame(cost_of_a_lie(map(make_game, LIES)), FOLDER / "lies.csv")


if __name__ == "__main__":
    main()
