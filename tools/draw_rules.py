"""Draw the graph of the workflow's rules, images/rulegraph.svg, with graphviz (`make docs`)."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from codebreaker.files import write_text

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "images" / "rulegraph.svg"
STYLE = """
    graph [rankdir=LR, bgcolor=transparent, nodesep=0.12, ranksep=0.4, margin=0]
    node [shape=box, style="rounded,filled", fillcolor="#eaf1f8", color="#5b7a99",
          fontcolor="#1b2733", fontname="Helvetica", fontsize=12, height=0.35, margin="0.14,0.04"]
    edge [color="#7c8b99", arrowsize=0.7]
"""


def main() -> None:
    """Draw the picture, if graphviz is installed."""
    if not shutil.which("dot"):
        print(f"{PICTURE.relative_to(ROOT)} stays as it is: drawing it needs graphviz (`dot`)")
        return
    PICTURE.parent.mkdir(exist_ok=True)
    write_text(PICTURE, run(["dot", "-Tsvg"], run(["tred"], graph(rulegraph()))))


def run(command: list[str], text: str = "") -> str:
    """Return what a command writes for an input."""
    return subprocess.check_output(command, input=text, cwd=ROOT, text=True)


def rulegraph() -> str:
    """Return Snakemake's graph of the rules of the default study."""
    return run([sys.executable, "-m", "snakemake", "--rulegraph"])


def graph(rulegraph: str) -> str:
    """Return a rule graph in our style, without `all`."""
    names = dict(re.findall(r'(\d+)\[label = "(\w+)"', rulegraph))
    arrows = re.findall(r"(\d+) -> (\d+)", rulegraph)
    edges = [f"{names[start]} -> {names[end]}" for start, end in arrows]
    kept = [line for line in (*names.values(), *edges) if not re.search(r"\ball$", line)]
    return f"digraph rules {{{STYLE}{'; '.join(sorted(kept))}\n}}\n"


if __name__ == "__main__":
    main()
