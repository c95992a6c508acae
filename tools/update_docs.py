"""Update the README's table and picture, and draw the graph of rules; run by `make docs`."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl

from codebreaker.files import write_text
from codebreaker.report.chapters.best_known import read_recorded
from codebreaker.report.names import notation_of
from codebreaker.report.tables import frame_table
from codebreaker.trees.verify import known_totals

ROOT = Path(__file__).parent.parent
START = "<!-- best-known: written by `make docs` -->"
END = "<!-- end of best-known -->"
GAMES = ("mm-4-7", "mm-4-8", "mm-4-9", "mm-5-5", "mm-5-8", "bc-4-10")
PICTURE = "above-the-optimum.png"
RULES = ROOT / "images" / "rulegraph.svg"

STYLE = Path(__file__).with_name("rulegraph.dot").read_text(encoding="utf-8")


def _update_readme() -> None:
    readme = ROOT / "README.md"
    recorded = read_recorded(str(ROOT / "resources" / "best-known" / "best-known.csv"))
    before, rest = readme.read_text(encoding="utf-8").split(START)
    table = best_table_of(recorded)
    after = rest.split(END)[1]
    write_text(readme, f"{before}{START}\n\n{table}\n\n{END}{after}")
    shutil.copy(ROOT / "results" / "figures" / PICTURE, ROOT / "docs" / "images")


def best_table_of(recorded: pl.DataFrame) -> str:
    """Return the README's table of best known strategies."""
    rows = recorded.filter(pl.col("game").is_in(GAMES)).with_columns(
        pl.col("game").map_elements(_proven_by, pl.String).alias("first proven"),
        pl.col("game").map_elements(notation_of, pl.String),
        pl.col("mean").map_elements(lambda mean: f"{mean:.4f}", pl.String),
    )
    return frame_table(rows.select("game", "total", "mean", "bound", "first proven", "evidence"))


def _proven_by(game: str) -> str:
    proofs = [known for known in known_totals(game) if known.kind == "proven"]
    source = next((proof.source for proof in proofs if proof.max_guesses is None), "")
    return source.split(",")[0].replace("exact search of this project", "here")


def _draw_rules() -> None:
    if not shutil.which("dot"):
        print(f"{RULES.relative_to(ROOT)} stays as it is: drawing it needs graphviz (`dot`)")
        return
    RULES.parent.mkdir(exist_ok=True)
    write_text(RULES, _run(["dot", "-Tsvg"], _run(["tred"], _graph(rulegraph()))))


def _run(command: list[str], text: str = "") -> str:
    return subprocess.check_output(command, input=text, cwd=ROOT, text=True)


def rulegraph() -> str:
    """Return Snakemake's graph of rules."""
    return _run([sys.executable, "-m", "snakemake", "--rulegraph"])


def _graph(rulegraph: str) -> str:
    names = dict(re.findall(r'(\d+)\[label = "(\w+)"', rulegraph))
    arrows = re.findall(r"(\d+) -> (\d+)", rulegraph)
    edges = [f"{names[start]} -> {names[end]}" for start, end in arrows]
    kept = [line for line in (*names.values(), *edges) if not re.search(r"\ball$", line)]
    return f"digraph rules {{\n{STYLE}{'; '.join(sorted(kept))}\n}}\n"


if __name__ == "__main__":
    _update_readme()
    _draw_rules()
