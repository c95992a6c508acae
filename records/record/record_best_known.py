"""Record best known trees, the lowest maxima and first guesses (`make best-known`; resumes)."""

import os
import shutil
import sys
from contextlib import suppress
from functools import cache
from io import BytesIO
from math import isqrt
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
from recording import (
    RESOURCES,
    ROOT,
    check_tree,
    renew_readme,
    with_evidence,
    with_evidence_at_maximum,
)

from codebreaker.api.trees import read_tree as tree_of
from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA, DENSE, atomic_write, write_frame
from codebreaker.games.codes import BlackPegs
from codebreaker.games.model import CodeGame, GameModel
from codebreaker.games.registry import CODES, make_game, rules_of
from codebreaker.policies.strategy import Strategy
from codebreaker.proven import is_proven
from codebreaker.report.tables import read_table
from codebreaker.runtime.progress import report_progress
from codebreaker.runtime.seals import METADATA, seal
from codebreaker.search.optimum import find_optimum, lexicographic_after
from codebreaker.search.settings import Target
from codebreaker.search.solution import Solution
from codebreaker.trees.best_known import BEST_KNOWN_SCHEMA, gap, order_of
from codebreaker.trees.grow import grow
from codebreaker.trees.io import read_tree, write_tree
from codebreaker.trees.tree import GameTree
from codebreaker_records import black_pegs
from codebreaker_records.bounds import solved_within
from codebreaker_records.revise import LARGEST, Step, revise
from codebreaker_records.smaller_games import embed

TARGET = RESOURCES / "best-known"
TREES = DATA / "trees"
RECORDS = TARGET / "best-known.csv"
LOWEST = TARGET / "lowest-maximum.csv"

ENCODINGS = dict.fromkeys(("parent", "turn"), "DELTA_BINARY_PACKED") | dict.fromkeys(
    ("feedback", "guess", "n_candidates"), "BYTE_STREAM_SPLIT"
)
FIRST_GUESSES = "*.first-guesses.csv"
FEWEST_COLOURS = 3
MOST_COLOURS = isqrt(10**5)
"""The formula does not hold for two colours, whose minimum total is 8."""

BUILD = ROOT / "build" / "best-known"
CONTEST = "mm-5-8"
SECONDS = 120.0
MEMO_MIB = 2048.0
"""Limits of a search for a tie-break, or for the lowest maximum."""

THREADS = min(os.cpu_count() or 1, 8)
"""Sets searched at once, each with a memo of 256 MiB."""

COMPARISONS = 1 << 37
"""Pairs of a guess and a candidate in a search for lower maxima with black pegs: some minutes."""

FAILED = dict[bytes, int]()

REVISED = ", then sets searched again"
Row = dict[str, Any]


def main(results: Path) -> None:
    """Check and copy the trees of a study, revise them, and write the tables."""
    rows = {row["game"]: row for row in read_table(RECORDS).to_dicts()}
    for path in sorted((results / "best-known").glob("*.csv")):
        if "." not in path.stem:
            (new,) = read_table(path).to_dicts()
            rows[new["game"]] = _better(results, rows.get(new["game"]), new)
    _write_records(rows)
    _record_first_guesses(results)
    shutil.copy(results / "tables" / "machine.csv", TARGET)


def _write_records(rows: dict[str, Row]) -> pl.DataFrame:
    schema = {name: kind for name, kind in BEST_KNOWN_SCHEMA.items() if name != "tree"}
    ordered = sorted(rows.values(), key=lambda row: _by_size(row["game"]))
    table = pl.DataFrame([{name: row[name] for name in schema} for row in ordered], schema=schema)
    table = with_evidence(table)
    write_frame(table, RECORDS)
    return table


def _record_first_guesses(results: Path) -> None:
    recorded = TARGET / "first-guesses.csv"
    compared = dict[str, pl.DataFrame]()
    for path in (recorded, *(results / "best-known").glob(FIRST_GUESSES)):
        games = read_table(path).partition_by("game", as_dict=True, maintain_order=True)
        compared |= {game: rows for (game,), rows in games.items()}
    write_frame(pl.concat(compared[game] for game in sorted(compared, key=_by_size)), recorded)


def _better(results: Path, old: Row | None, new: Row) -> Row:
    # Of equal totals, a tree that the exact search found has the better claim.
    is_new = old is None or _claim(new) < _claim(old)
    best = new if is_new else old
    bound = max(new["bound"], 0 if old is None else old["bound"])
    assert best is not None
    if is_new:
        folder = "rollout" if new["tree"].startswith("rollout-") else "exact"
        tree, strategy = read_tree(results / folder / new["game"] / f"{new['tree']}.parquet")
        path = TREES / f"{new['game']}.parquet"
        if old is not None:
            # A tree of the same total with a lower maximum stays, under the new strategy.
            tree = min(tree, read_tree(path)[0], key=order_of)
            best = new | _figures(make_game(new["game"], 0), tree)
        _record(tree, strategy, path)
    return best | _proof(best["total"], bound)


def _claim(row: Row) -> tuple[int, bool, int, int]:
    return row["total"], row["proven"] == "no", row["max"], row["at_max"]


def _proof(total: int, bound: int) -> Row:
    return {
        "bound": bound,
        "gap": gap(total, bound),
        "proven": "yes" if is_proven(total, bound) else "no",
    }


def _record(tree: GameTree, strategy: Strategy, target: Path) -> None:
    game = make_game(strategy.game, 0)
    draft = BUILD / "draft.parquet"
    content = BytesIO()
    check_tree(game, tree)
    opening = game.guesses[tree.guess[0]]
    write_tree(tree, strategy.grown(strategy.game, opening, strategy.tree), draft)
    table = pq.read_table(draft)
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
        record = pq.read_metadata(draft).metadata[b"strategy"]
        writer.add_key_value_metadata(METADATA | {"strategy": record})
    with atomic_write(target) as short:
        short.write_bytes(seal(content.getvalue()))


def _by_size(game: str) -> tuple[int, ...]:
    family, *sizes = game.split("-")
    return list(CODES).index(family), *map(int, sizes)


def _record_lowest_maxima(only: list[str]) -> None:
    done = BUILD / LOWEST.name
    rows = {row["game"]: row for row in read_table(done).to_dicts()} if done.exists() else {}
    records = {row["game"]: row for row in read_table(RECORDS).to_dicts()}
    games = sorted(only or records, key=lambda game: records[game]["secrets"])
    left = [game for game in games if game not in rows]
    for number, game in enumerate(left):
        report_progress(f"revising {game}", number, len(left))
        rows[game] = _lowest_maximum(records, game)
        _write_records(records)
        write_frame(pl.DataFrame([*rows.values()], infer_schema_length=None), done)
    recorded = {row["game"]: row for row in read_table(LOWEST).to_dicts()}
    recorded |= {game: rows[game] for game in games}
    lowest = pl.DataFrame([recorded[game] for game in sorted(recorded, key=_by_size)])
    lowest = with_evidence_at_maximum(lowest)
    write_frame(lowest, LOWEST)
    there = lowest.select("game", pl.col("max").alias("lowest max"), pl.col("total").alias("there"))
    both = _write_records(records).join(there, on="game")
    shown = both.filter((pl.col("proven") == "no") | (pl.col("lowest max") < pl.col("max")))
    renew_readme(TARGET, shown.select("game", "total", "max", "bound", "lowest max", "there"))
    tree_of(TREES / f"{CONTEST}.parquet").write(TARGET / f"{CONTEST}.contest")


def _lowest_maximum(records: dict[str, Row], name: str) -> Row:
    row = records[name]
    game = make_game(name, 0).on_demand()
    best_path = TREES / f"{name}.parquet"
    lowest_path = LOWEST.with_suffix("") / f"{name}.parquet"
    strategy = read_tree(best_path)[1]
    trees = [*_recorded(name)]
    bound = row["bound"]
    max_bound = max(
        len(solved_within(game, game.n_feedback)), black_pegs.lowest_maximum_bound_of(game)
    )
    proven = "no"
    with_table = make_game(name)
    if row["proven"] == "yes" and with_table.has_table:
        table = with_table.with_table()
        first = Solution(min(trees, key=order_of), bound, bound, {}, 0, 0)
        trees.append(lexicographic_after(table, Target(), first, MEMO_MIB, SECONDS).solution.tree)
        with suppress(CodebreakerError):  # it finds no tree in time
            ends = find_optimum(table, Target(objective="maximum"), MEMO_MIB, SECONDS)
            trees.append(ends.solution.tree)
            bound = max(bound, ends.solution.bound)
            max_bound = ends.guess_limit or 0
            proven = "yes" if ends.solution.proven else "no"
    if proven == "no":
        trees += [_embedded(game, tree, None) for tree in trees]
        trees += _within_fewer(name, min(trees, key=_within), max_bound)
        trees += _revised(game, min(trees, key=_within), max_bound, row["proven"] == "no")
    best = min(trees, key=order_of)
    lowest = min(trees, key=_within)
    if (lowest.max_guesses, lowest.total_guesses) == (max_bound, bound):
        proven = "yes"
    if order_of(best) != (row["total"], row["max"], row["at_max"]):
        _record(best, strategy, best_path)
        row |= _figures(game, best) | _proof(best.total_guesses, row["bound"])
        row["method"] = row["method"].removesuffix(REVISED) + REVISED
    if lowest.max_guesses < best.max_guesses:
        _record(lowest, strategy, lowest_path)
    else:
        lowest_path.unlink(missing_ok=True)
    _recorded.cache_clear()
    shown = {"game": name, "secrets": row["secrets"], **_figures(game, lowest)}
    return shown | {"max_bound": max_bound, "bound": bound, "proven": proven}


def _within_fewer(name: str, tree: GameTree, max_bound: int) -> list[GameTree]:
    rules = rules_of(name)
    trees = list[GameTree]()
    if isinstance(rules, BlackPegs):
        search = black_pegs.BlackPegSearch(rules.pegs, rules.colours, False, 1024, COMPARISONS)
        with suppress(CodebreakerError):  # it gave up
            for limit in range(tree.max_guesses - 1, max_bound - 1, -1):
                lower = search.tree(limit, tree)
                if lower is None:
                    break
                trees.append(lower)
    return trees


def _revised(game: CodeGame, tree: GameTree, max_bound: int, also_total: bool) -> list[GameTree]:
    revisions = [tree]
    turns = range(tree.max_guesses, 1, -1)
    for limit in range(tree.max_guesses - 1, max_bound - 1, -1):
        revisions.append(_embedded(game, revisions[-1], limit))
        for turn in turns:
            step = Step(turn, smallest=game.n_secrets, largest=LARGEST, lookups=1 << 26)
            revisions.append(
                revise(game, revisions[-1], step, limit, threads=THREADS, failed=FAILED)
            )
        if revisions[-1].max_guesses > limit:
            break
    for turn in turns if also_total else ():
        best = min(revisions, key=_within)
        step = Step(turn, exact=24, width=40, smallest=25, largest=LARGEST, lookups=1 << 28)
        revisions.append(revise(game, best, step, best.max_guesses, threads=THREADS, failed=FAILED))
    return revisions


def _embedded(game: CodeGame, tree: GameTree, limit: int | None) -> GameTree:
    for turn in range(2, tree.max_guesses):
        tree = embed(game, tree, turn, limit, _recorded)
    return tree


@cache
def _recorded(name: str) -> list[GameTree]:
    files = (folder / f"{name}.parquet" for folder in (TREES, LOWEST.with_suffix("")))
    return [read_tree(path)[0] for path in files if path.exists()]


def _within(tree: GameTree) -> tuple[int, int, int]:
    total, longest, late = order_of(tree)
    return longest, total, late


def _figures(game: GameModel, tree: GameTree) -> Row:
    total, longest, late = order_of(tree)
    shown = {"total": total, "mean": round(total / game.n_secrets, 4), "max": longest}
    return shown | {"at_max": late, "opening": game.guesses[tree.guess[0]]}


def _record_two_pegs() -> None:
    done = BUILD / "two-pegs.csv"
    target = TARGET / "two-pegs.csv"
    rows = pl.read_csv(done).to_dicts() if done.exists() else []
    for colours in range(FEWEST_COLOURS + len(rows), MOST_COLOURS + 1):
        game = make_game(f"mm-2-{colours}", 0)
        c = colours
        tree = grow(game, Strategy("entropy"))
        check_tree(game, tree)
        row = {"colours": colours, "secrets": colours**2, **_figures(game, tree)}
        rest = 69 - 80 * c if c % 2 else 48 - 74 * c
        rows.append(row | {"formula": (8 * c**3 + 51 * c**2 + rest) // 24})
        write_frame(pl.DataFrame(rows), done)
        report_progress(f"{colours} colours", colours, MOST_COLOURS)
    write_frame(pl.DataFrame(rows).drop("at_max", "opening"), target)
    done.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    _record_lowest_maxima(sys.argv[2:])
    if not sys.argv[2:]:
        _record_two_pegs()
    (BUILD / LOWEST.name).unlink()
