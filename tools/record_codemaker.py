"""Repeat the long searches in resources/codemaker/ (`make codemaker`)."""

import polars as pl
from recording import RESOURCES

from codebreaker.duel.fair import Fair, find_fair
from codebreaker.files import atomic_write, write_frame
from codebreaker.games.model import TableGame
from codebreaker.games.notation import Notation
from codebreaker.games.registry import make_game, rules_of
from codebreaker.trees.formats.registry import encode

FOLDER = RESOURCES / "codemaker"
FAIR = (
    *((f"mm-{pegs}-{colours}", None) for pegs in (2, 3) for colours in range(2, 7)),
    *((f"mm-4-{colours}", None) for colours in range(2, 7)),
    *(("mm-4-6", 5), ("mm-4-7", None)),
)

KEPT = ("mm-4-6", "mm-4-7")


def _fair_row(game: TableGame, guess_limit: int | None, fair: Fair) -> dict[str, object]:
    pairs = list(zip(fair.totals, fair.classes.sizes, strict=True))
    means = [total / size for total, size in pairs]
    worst = means.index(max(means))
    proof = "all trees" if fair.refuted else "minimum totals"
    return {
        "game": game.name,
        "at most": guess_limit,
        "worst class": fair.classes.labels[worst],
        "mean": f"{pairs[worst][0]}/{pairs[worst][1]}",
        "decimal": round(means[worst], 6),
        "bound": str(fair.bound),
        "proven by": proof if fair.worst == fair.bound else "",
        "total": fair.tree.total_guesses,
        "maximum": fair.tree.max_guesses,
        "totals": " ".join(map(str, fair.totals)),
        "minimum totals": " ".join(
            f"{key or 'all'}:{lowest}" for key, lowest in fair.lowest.items()
        ),
    }


def _find_fair_trees() -> pl.DataFrame:
    rows = []
    for name, guess_limit in FAIR:
        rules = rules_of(name)
        game = make_game(name)
        fair = find_fair(game, guess_limit)
        rows.append(_fair_row(game, guess_limit, fair))
        if name in KEPT:
            stem = name if guess_limit is None else f"{name}_max-{guess_limit}"
            with atomic_write(FOLDER / f"fair-{stem}.json") as temporary:
                temporary.write_bytes(encode("json", Notation(rules, game), fair.tree))
    return pl.DataFrame(rows, infer_schema_length=None)


if __name__ == "__main__":
    write_frame(_find_fair_trees(), FOLDER / "fair.csv")
