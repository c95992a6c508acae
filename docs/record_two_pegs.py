"""Record entropy's totals with two pegs and up to 255 colours in resources/best-known/.

Run by `make best-known`. The totals are compared with a formula for the least ones.
"""

from pathlib import Path

import polars as pl

from codebreaker.files import write_frame
from codebreaker.games.codes import MOST_COLOURS_ON_DEMAND
from codebreaker.games.registry import make_game
from codebreaker.policies.policy import make_policy
from codebreaker.progress import report_progress
from codebreaker.trees.grow import grow

TARGET = Path(__file__).parent.parent / "resources" / "best-known" / "two-pegs.csv"


def least_total(colours: int) -> int:
    """Return the least total of MM(2, c), c > 2, by the formula of Chen and Lin (2004)."""
    c = colours
    terms = 8 * c**3 + 51 * c**2 + (69 - 80 * c if c % 2 else 48 - 74 * c)
    total, remainder = divmod(terms, 24)
    assert not remainder
    return total


def main() -> None:
    """Grow the trees, and write the table."""
    rows = []
    for colours in range(3, MOST_COLOURS_ON_DEMAND + 1):
        tree = grow(make_game(f"mm-2-{colours}", 0), make_policy("entropy"))
        tree.check()
        rows.append(
            {
                "colours": colours,
                "secrets": colours**2,
                "total": tree.total_guesses,
                "mean": round(tree.total_guesses / colours**2, 4),
                "max": tree.max_guesses,
                "formula": least_total(colours),
            }
        )
        report_progress(f"{colours} colours", colours, MOST_COLOURS_ON_DEMAND)
    write_frame(pl.DataFrame(rows), TARGET)


if __name__ == "__main__":
    main()
