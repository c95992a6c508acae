"""Functions shared by the programs that record results in resources/."""

import importlib
import json
import re
import sys
from datetime import date
from pathlib import Path

import polars as pl

from codebreaker.files import read_toml, write_text
from codebreaker.report.tables import frame_table

ROOT = Path(__file__).parent.parent
RESOURCES = ROOT / "resources"
CHECKERS = ROOT / "workflow" / "checkers"
RECORDED = read_toml(Path(__file__).with_name("recorded.toml"))


def renew_readme(folder: Path, table: pl.DataFrame) -> None:
    """Renew the day in a folder's README, and the table at its end."""
    readme = folder / "README.md"
    text, _ = readme.read_text(encoding="utf-8").rstrip().rsplit("\n\n", 1)
    text = re.sub(r"\bon \d{4}-\d\d-\d\d", f"on {date.today()}", text)
    write_text(readme, f"{text}\n\n{frame_table(table)}")


def replayed(path: Path) -> int:
    """Return a certificate's total; end with an error unless the plain checker accepts its tree."""
    certificate = json.loads(path.read_text(encoding="utf-8"))
    sys.path.insert(0, str(CHECKERS))
    sys.setrecursionlimit(10**4)  # for trees of 160 turns
    try:
        importlib.import_module("check_certificates").check(certificate)
    except ValueError as why:
        sys.exit(f"error: the tree of certificate {path} does not hold: {why}")
    return int(certificate["total_guesses"])
