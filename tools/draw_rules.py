"""Draw the workflow from its rules: all of them for the docs, and their phases for the README."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from codebreaker.files import write_text

ROOT = Path(__file__).parent.parent
RULES = ROOT / "images" / "rulegraph.svg"
PHASES_PICTURE = ROOT / "images" / "phases.svg"
STYLE = Path(__file__).with_name("rulegraph.dot").read_text(encoding="utf-8")

READ_ALL = ("all", "describe_run", "summarise_resources")
"""Rules that read what all others write, whose arrows would hide the others'."""

PHASES = {
    "feedback tables": ("tables", ["games"]),
    "genetic algorithm": ("weights", ["weights", "bounds", "transfer"]),
    "game trees": ("trees", ["trees", "certificates", "scaling"]),
    "exact search": ("optimal trees", ["exact", "values", "best-known"]),
    "sweep of policies": ("totals", ["pareto"]),
    "players": ("game logs", ["players", "terminals"]),
    "evaluation": ("means, maxima", ["metrics"]),
    "recorded runs": ("tables", ["paper-scale"]),
    "tables and figures": ("tables", ["tables", "figures"]),
    "claims": ("verdicts", ["discrepancies.csv", "discrepancies-checked.txt"]),
    "report and page": (
        "",
        ["README.md", "report.md", "facts.csv", "index.html", "ro-crate-metadata.json"],
    ),
}
"""By phase, what it yields, and the names in `results/` where its rules write."""


def draw_rules() -> None:
    """Draw both pictures, if Graphviz is installed."""
    if not shutil.which("dot"):
        print(f"{RULES.parent.name}/ stays as it is: drawing it needs graphviz (`dot`)")
        return
    arrows = arrows_between_rules()
    RULES.parent.mkdir(exist_ok=True)
    rules = {name for arrow in arrows for name in arrow}
    _draw(RULES, [*rules, *(f"{maker} -> {reader}" for maker, reader in arrows)])
    _draw(PHASES_PICTURE, phases_graph(arrows), "rankdir=TB")


def arrows_between_rules() -> list[tuple[str, str]]:
    """Return the pairs of rules of which the second reads what the first writes."""
    graph = snakemake_graph("--rulegraph")
    names = dict(re.findall(r'(\d+)\[label = "(\w+)"', graph))
    pairs = re.findall(r"(\d+) -> (\d+)", graph)
    arrows = [(names[maker], names[reader]) for maker, reader in pairs]
    return [(maker, reader) for maker, reader in arrows if reader not in READ_ALL]


def phases_graph(arrows: list[tuple[str, str]]) -> list[str]:
    """Return the lines of the graph of phases in Graphviz's language.

    An arrow says what its first phase yields.
    """
    phases = phases_of_rules()
    pairs = {
        (phases[maker], phases[reader])
        for maker, reader in arrows
        if maker in phases and reader in phases
    }
    return [
        f'"{maker}" -> "{reader}" [label=" {PHASES[maker][0]}"]'
        for maker, reader in pairs
        if maker != reader
    ]


def phases_of_rules() -> dict[str, str]:
    """Return the phase of each rule: that of its first result; some have none."""
    graph = snakemake_graph("--filegraph")
    nodes = re.findall(r"^\d+ \[ shape=none.*?label=<(.*?)>\]", graph, re.DOTALL | re.MULTILINE)
    phases = {}
    for node in nodes:
        (name,) = re.findall(r'point-size="18">(\w+)<', node)
        outputs = re.findall(
            r'monospace">results/([^<.][^<]*)<', node.partition("output &rarr;")[2]
        )
        if outputs:
            phases[name] = _phase_of(outputs[0])
    return phases


def _phase_of(output: str) -> str:
    """Return the phase of an output, a path in `results/` with wildcards; exit if it has none."""
    # A folder that is a wildcard is the first that it allows.
    name = re.sub(r"^\{\w+,(\w+)[^{}]*\}", r"\1", output).split("/")[0]
    for phase, (_, names) in PHASES.items():
        if name in names:
            return phase
    raise SystemExit(f"error: results/{output} belongs to no phase: add {name} to PHASES")


def snakemake_graph(kind: str) -> str:
    """Return one of Snakemake's graphs of the default study."""
    return _run([sys.executable, "-m", "snakemake", kind])


def _draw(path: Path, lines: list[str], *settings: str) -> None:
    """Draw a graph without the arrows that others imply."""
    body = ";\n".join([*settings, *sorted(lines)])
    reduced = _run(["tred"], f"digraph rules {{\n{STYLE}{body}\n}}\n")
    write_text(path, _run(["dot", "-Tsvg"], reduced))


def _run(command: list[str], text: str = "") -> str:
    """Return the output of a command that reads a text."""
    return subprocess.check_output(command, input=text, cwd=ROOT, text=True)


if __name__ == "__main__":
    draw_rules()
