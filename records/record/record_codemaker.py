"""Repeat the long searches in resources/codemaker/ (`make codemaker`)."""

import polars as pl
from recording import RESOURCES, check_tree

from codebreaker.files import write_frame
from codebreaker.games.model import TableGame
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.io import read_tree, write_tree
from codebreaker.trees.tree import GameTree
from codebreaker_records.fair import ALL_SECRETS, Fair, find_fair, lower_fair

FOLDER = RESOURCES / "codemaker"
LOWEST_MAXIMUM = RESOURCES / "best-known" / "lowest-maximum"
FAIR = (
    *((f"mm-{pegs}-{colours}", None) for pegs in (2, 3) for colours in range(2, 7)),
    *((f"mm-4-{colours}", None) for colours in range(2, 7)),
    *(("mm-4-6", 5), ("mm-4-7", None)),
)

"""Games, with a guess limit, whose best tree is searched."""

LOWERED = (("mm-4-8", 6),)
"""Larger games, with a guess limit: the parts of a best known tree are exchanged."""

KEPT = ("mm-4-6", "mm-4-7", "mm-4-8")
"""Games whose trees are written, too."""

POLICY = "fair"
"""The policy in the records of these trees. It isn't registered: no rule grows them again."""


def main() -> None:
    """Find the trees, write the table, and write the trees of the games in KEPT."""
    rows = []
    for name, guess_limit in (*FAIR, *LOWERED):
        game = make_game(name).with_table()
        if (name, guess_limit) in LOWERED:
            known, _ = read_tree(LOWEST_MAXIMUM / f"{name}.parquet")
            fair = lower_fair(game, known, guess_limit)
        else:
            fair = find_fair(game, guess_limit)
        rows.append(_fair_row(game, guess_limit, fair))
        if name in KEPT:
            _write_fair_tree(game, guess_limit, fair.tree)
    write_frame(pl.DataFrame(rows, infer_schema_length=None), FOLDER / "fair.csv")


def _fair_row(game: TableGame, guess_limit: int | None, fair: Fair) -> dict[str, object]:
    """Return a row of `fair.csv`.

    The mean is not reduced: its numerator is the total of the worst class, its denominator the
    size. `minimum totals` are of all secrets and, if the search needed them, without each class.
    `proven by` is empty if the mean is above the bound.
    """
    pairs = list(zip(fair.totals, fair.classes.sizes, strict=True))
    means = [total / size for total, size in pairs]
    worst = means.index(max(means))
    total, size = pairs[worst]
    proof = "all trees" if fair.refuted else "minimum totals"
    minimum_totals = [
        f"{'all' if label == ALL_SECRETS else label}:{lowest}"
        for label, lowest in fair.lowest.items()
    ]
    return {
        "game": game.name,
        "at most": guess_limit,
        "worst class": fair.classes.labels[worst],
        "mean": f"{total}/{size}",
        "decimal": round(means[worst], 6),
        "bound": str(fair.bound),
        "proven by": proof if fair.worst == fair.bound else "",
        "total": fair.tree.total_guesses,
        "maximum": fair.tree.max_guesses,
        "totals": " ".join(map(str, fair.totals)),
        "minimum totals": " ".join(minimum_totals),
    }


def _write_fair_tree(game: TableGame, guess_limit: int | None, tree: GameTree) -> None:
    """Write a tree as the study writes trees (docs/formats.md), if the plain checker accepts it."""
    check_tree(game, tree)
    stem = f"fair-{game.name}" if guess_limit is None else f"fair-{game.name}_max-{guess_limit}"
    opening = game.guesses[tree.guess[0]]
    strategy = Strategy(POLICY, guess_pool="all", guess_limit=guess_limit, tree=stem)
    write_tree(tree, strategy.grown(game.name, opening, stem), FOLDER / f"{stem}.parquet")


if __name__ == "__main__":
    main()
