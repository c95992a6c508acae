"""Record best known trees and first guesses (`make best-known`; 70 minutes, can be resumed)."""

import shutil
import sys
from io import BytesIO
from math import isqrt
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
from recording import RESOURCES, ROOT, read_table, renew_readme, replayed

from codebreaker.api.trees import read_tree
from codebreaker.files import DATA, DENSE, UNSEALED, atomic_write, seal, write_frame
from codebreaker.games.registry import CODES, make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.progress import report_progress
from codebreaker.search.certificate import unproven, write_certificate
from codebreaker.trees.best_known import BEST_KNOWN_SCHEMA, EXACT, gap
from codebreaker.trees.grow import grow

TARGET, TREES = RESOURCES / "best-known", DATA / "trees"

ENCODINGS = dict.fromkeys(("parent", "turn"), "DELTA_BINARY_PACKED") | dict.fromkeys(
    ("feedback", "guess", "n_candidates"), "BYTE_STREAM_SPLIT"
)
FIRST_GUESSES = "*.first-guesses.csv"
FEWEST_COLOURS, MOST_COLOURS = 3, isqrt(10**5)
"""With two colours the minimum total is 8, which the formula does not give."""

BUILD = ROOT / "build" / "best-known"
CONTEST = "mm-5-8"

Row = dict[str, Any]


def main(results: Path) -> None:
    """Check and copy the trees of a study, and write the tables."""
    TARGET.mkdir(parents=True, exist_ok=True)
    recorded = TARGET / "best-known.csv"
    rows = (
        {row["game"]: row for row in read_table(recorded).to_dicts()} if recorded.exists() else {}
    )
    for path in sorted((results / "best-known").glob("*.csv")):
        if "." not in path.stem:
            (new,) = read_table(path).to_dicts()
            rows[new["game"]] = better(results, rows.get(new["game"]), new)
    schema = {name: kind for name, kind in BEST_KNOWN_SCHEMA.items() if name != "tree"}
    ordered = sorted(rows.values(), key=lambda row: by_size(row["game"]))
    table = pl.DataFrame([{name: row[name] for name in schema} for row in ordered], schema=schema)
    write_frame(table, recorded)
    record_first_guesses(results)
    read_tree(TREES / f"{CONTEST}.parquet").write(TARGET / f"{CONTEST}.contest")
    shutil.copy(results / "tables" / "machine.csv", TARGET)
    shown = table.select("game", "secrets", "total", "mean", "max", "opening", "bound", "proven")
    renew_readme(TARGET, shown)


def record_first_guesses(results: Path) -> None:
    """Write the table of first guesses; that of a game which was not computed again stays."""
    recorded, compared = TARGET / "first-guesses.csv", dict[str, pl.DataFrame]()
    for path in (recorded, *(results / "best-known").glob(FIRST_GUESSES)):
        if path.exists():
            games = read_table(path).partition_by("game", as_dict=True, maintain_order=True)
            compared |= {game: rows for (game,), rows in games.items()}
    write_frame(pl.concat(compared[game] for game in sorted(compared, key=by_size)), recorded)


def better(results: Path, old: Row | None, new: Row) -> Row:
    """Return the row with fewer guesses and the larger bound; copy a new tree if that is it."""
    best = new if old is None or new["total"] <= old["total"] else old
    bound = max(new["bound"], 0 if old is None else old["bound"])
    if best is new:
        check(results, new)
        folder = "rollout" if new["tree"].startswith("rollout-") else "exact"
        tree = results / folder / new["game"] / f"{new['tree']}.parquet"
        write_short(tree, TREES / f"{new['game']}.parquet")
    proven = "yes" if best["total"] == bound else "no"
    return best | {"bound": bound, "gap": gap(best["total"], bound), "proven": proven}


def write_short(tree: Path, target: Path) -> None:
    """Write the file of a tree again, in shorter encodings; readers of parquet know them."""
    table, content = pq.read_table(tree), BytesIO()
    with pq.ParquetWriter(
        content,
        table.schema,
        use_dictionary=False,
        column_encoding=ENCODINGS,
        compression="zstd",
        compression_level=DENSE,
        write_statistics=False,
        store_schema=False,
    ) as writer:
        writer.write_table(table)
        strategy = pq.read_metadata(tree).metadata[b"strategy"]
        writer.add_key_value_metadata(UNSEALED | {"strategy": strategy})
    with atomic_write(target) as temporary:
        temporary.write_bytes(seal(content.getvalue()))


def check(results: Path, row: Row) -> None:
    """End with an error unless the plain checker accepts a tree with the row's figures."""
    folder = "exact" if row["method"] == EXACT else "certificates"
    path = results / folder / row["game"] / f"{row['tree']}.json"
    if replayed(path) != row["total"]:
        sys.exit(f"error: certificate {path} has another total than {row['total']}")


def by_size(game: str) -> tuple[int, ...]:
    """Return what games are sorted by: their family, then their sizes."""
    family, *sizes = game.split("-")
    return list(CODES).index(family), *map(int, sizes)


def minimum_total(colours: int) -> int:
    """Return the minimum total of MM(2, c), c > 2, by the formula of Chen and Lin (2004)."""
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
        "formula": minimum_total(colours),
    }


def record_two_pegs() -> None:
    """Complete entropy's totals with two pegs of this run, and record them."""
    done, target = BUILD / "two-pegs.csv", TARGET / "two-pegs.csv"
    rows = pl.read_csv(done).to_dicts() if done.exists() else []
    for colours in range(FEWEST_COLOURS + len(rows), MOST_COLOURS + 1):
        rows.append(row_of(colours))
        write_frame(pl.DataFrame(rows), done)
        report_progress(f"{colours} colours", colours, MOST_COLOURS)
    write_frame(pl.DataFrame(rows), target)
    done.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    record_two_pegs()
