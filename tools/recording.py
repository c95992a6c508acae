"""What the programs that record results under resources/ share."""

import json
import runpy
import sys
from datetime import date
from pathlib import Path

import polars as pl

from codebreaker.files import write_text
from codebreaker.report.tables import frame_table

ROOT = Path(__file__).parent.parent
RESOURCES = ROOT / "resources"
CHECKERS = ROOT / "workflow" / "checkers"


def read_table(path: Path) -> pl.DataFrame:
    """Return a table whose openings are codes, not numbers."""
    return pl.read_csv(path, schema_overrides={"opening": pl.String})


def write_readme(folder: Path, text: str, table: pl.DataFrame) -> None:
    """Write what a folder holds: a text with places for the day and for a table."""
    write_text(folder / "README.md", text.format(day=date.today(), table=frame_table(table)))


def replayed(path: Path) -> int:
    """Return a certificate's total; end with an error unless the plain checker accepts its tree."""
    certificate = json.loads(path.read_text(encoding="utf-8"))
    mistake = runpy.run_path(str(CHECKERS / "check_certificates.py"))["check"](certificate)
    if mistake:
        sys.exit(f"error: the tree of certificate {path} does not hold: {mistake}")
    return int(certificate["total_guesses"])
