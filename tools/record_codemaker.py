"""Find the long searches in resources/codemaker/ again.

Run by `make codemaker`. The default study cites them beside the searches that it does itself.
"""

from pathlib import Path

import polars as pl

from codebreaker.analysis import fair_trees
from codebreaker.analysis.static_play import row_of
from codebreaker.analysis.wrong_answers import cost_of_a_lie
from codebreaker.duel.fair import find_fair
from codebreaker.files import atomic_write, write_frame
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, make_game, rules_of
from codebreaker.search.static import fewest_at_once
from codebreaker.trees.formats.registry import encode

FOLDER = Path(__file__).parent.parent / "resources" / "codemaker"

STATIC = ("mm-2-12", "mm-2-13", "mm-3-8", "mm-4-6", "mm-5-4", "black-3-6")
"""Games whose fewest guesses at once take from seconds to minutes."""

LIES = ("mm-2-8", "mm-2-9", "mm-4-4")
"""Games whose fewest guesses with a wrong answer take up to a minute."""

FAIR = (
    *((f"mm-2-{colours}", None) for colours in range(2, 7)),
    *((f"mm-3-{colours}", None) for colours in range(2, 7)),
    *((f"mm-4-{colours}", None) for colours in range(2, 6)),
    *(("mm-4-6", None), ("mm-4-6", 5), ("mm-4-7", None)),
)
"""Games and limits on guesses: a tree is found whose worst class takes the least mean."""

KEPT = ("mm-4-6", "mm-4-7")
"""Games whose trees are kept."""


def find_fair_trees() -> pl.DataFrame:
    """Return the table of these trees, and keep some."""
    rows = []
    for name, guess_limit in FAIR:
        rules = rules_of(name)
        game = build_game(rules)
        fair = find_fair(game, guess_limit)
        rows.append(fair_trees.row_of(game, guess_limit, fair))
        if name in KEPT:
            stem = name if guess_limit is None else f"{name}_max-{guess_limit}"
            with atomic_write(FOLDER / f"fair-{stem}.json") as draft:
                draft.write_bytes(encode("json", Notation(rules, game), fair.tree))
    return pl.concat(rows)


def main() -> None:
    """Write the tables."""
    write_frame(find_fair_trees(), FOLDER / "fair.csv")
    rows = [row_of(game, fewest_at_once(game)) for game in map(make_game, STATIC)]
    write_frame(pl.concat(rows), FOLDER / "static.csv")
    write_frame(cost_of_a_lie(map(make_game, LIES)), FOLDER / "lies.csv")


if __name__ == "__main__":
    main()
