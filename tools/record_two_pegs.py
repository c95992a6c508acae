"""Record entropy's totals with two pegs and up to 10^5 codes in resources/best-known/.

Run by `make best-known`, in some 70 minutes; a run that was stopped goes on where it was. The plain
checker plays each tree, and a formula gives the minimum totals.
"""

from math import isqrt
from typing import Any

import polars as pl
from recording import RESOURCES, ROOT, replayed

from codebreaker.files import write_frame
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.progress import report_progress
from codebreaker.search.certificate import unproven, write_certificate
from codebreaker.trees.grow import grow

TARGET = RESOURCES / "best-known" / "two-pegs.csv"
BUILD = ROOT / "build" / "best-known"

FEWEST_COLOURS, MOST_COLOURS = 3, isqrt(10**5)
"""With two colours the least total is 8, which the formula does not give."""


def least_total(colours: int) -> int:
    """Return the least total of MM(2, c), c > 2, by the formula of Chen and Lin (2004)."""
    c = colours
    terms = 8 * c**3 + 51 * c**2 + (69 - 80 * c if c % 2 else 48 - 74 * c)
    total, remainder = divmod(terms, 24)
    assert not remainder
    return total


def row_of(colours: int) -> dict[str, Any]:
    """Grow a tree and return its row; end with an error unless the plain checker accepts it."""
    game, path = make_game(f"mm-2-{colours}", 0), BUILD / "two-pegs.json"
    tree = grow(game, Strategy("entropy"))
    tree.check()
    write_certificate(game, unproven(game, tree, "all"), path)
    total = replayed(path)
    return {
        "colours": colours,
        "secrets": colours**2,
        "total": total,
        "mean": round(total / colours**2, 4),
        "max": tree.max_guesses,
        "formula": least_total(colours),
    }


def main() -> None:
    """Complete the table of this run, and record it."""
    done = BUILD / TARGET.name
    rows = pl.read_csv(done).to_dicts() if done.exists() else []
    for colours in range(FEWEST_COLOURS + len(rows), MOST_COLOURS + 1):
        rows.append(row_of(colours))
        write_frame(pl.DataFrame(rows), done)
        report_progress(f"{colours} colours", colours, MOST_COLOURS)
    write_frame(pl.DataFrame(rows), TARGET)
    done.unlink()


if __name__ == "__main__":
    main()
