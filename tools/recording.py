"""Functions shared by the programs that record results in resources/."""

import importlib
import json
import re
import sys
from datetime import date
from pathlib import Path

import polars as pl

from codebreaker.files import read_toml, write_text
from codebreaker.games.model import GameModel
from codebreaker.proven import Evidence, read_evidence
from codebreaker.report.tables import frame_table
from codebreaker.search import certificate
from codebreaker.trees.tree import GameTree

ROOT = Path(__file__).parent.parent
RESOURCES = ROOT / "resources"
CHECKERS = ROOT / "workflow" / "checkers"
RECORDED = read_toml(Path(__file__).with_name("recorded.toml"))
LOWER_BOUNDS = RESOURCES / "proofs" / "lower-bounds.csv"
SECOND_SOLVER = RESOURCES / "proofs" / "second-solver.csv"


def evidence() -> Evidence:
    """Return what proven figures rest on, as recorded."""
    return read_evidence(LOWER_BOUNDS, SECOND_SOLVER)


def with_evidence(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table of best known totals with the evidence for those that are proven."""
    rests = evidence()
    kinds = [
        rests.of_total(row["game"], row["total"]) if row["proven"] == "yes" else None
        for row in table.iter_rows(named=True)
    ]
    return _after_proven(table, kinds)


def with_evidence_at_maximum(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table of lowest maxima with the weaker evidence, of maximum and total at it."""
    rests = evidence()
    kinds = [
        rests.of_total_at_maximum(row["game"], row["max"], row["total"])
        if row["proven"] == "yes"
        else None
        for row in table.iter_rows(named=True)
    ]
    return _after_proven(table, kinds)


def _after_proven(table: pl.DataFrame, kinds: list[str | None]) -> pl.DataFrame:
    """Return a table with the column `evidence` after `proven`, in place of an older one."""
    table = table.drop("evidence", strict=False)
    column = pl.Series("evidence", kinds, pl.String)
    return table.insert_column(table.columns.index("proven") + 1, column)


def renew_readme(folder: Path, table: pl.DataFrame) -> None:
    """Renew the day in a folder's README, and the table at its end."""
    readme = folder / "README.md"
    text, _ = readme.read_text(encoding="utf-8").rstrip().rsplit("\n\n", 1)
    text = re.sub(r"\bon \d{4}-\d\d-\d\d", f"on {date.today()}", text)
    write_text(readme, f"{text}\n\n{frame_table(table)}")


def check_tree(game: GameModel, tree: GameTree) -> None:
    """End with an error unless the plain checker accepts the tree with its total.

    The checker plays every secret and imports nothing from the package; it reads a certificate.
    """
    path = ROOT / "build" / "certificate.json"
    certificate.write_certificate(game, certificate.unproven(game, tree, "all"), path)
    sys.path.insert(0, str(CHECKERS))
    sys.setrecursionlimit(10**4)  # for trees of 160 turns
    try:
        importlib.import_module("check_certificates").check(json.loads(path.read_text("utf-8")))
    except ValueError as why:
        sys.exit(f"error: the tree of certificate {path} does not hold: {why}")
