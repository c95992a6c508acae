"""Write the table of docs/reliability.md: `write_page.py FOLDER`, with records of cases."""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
START, END = "<!-- what came out -->\n", "<!-- end -->"


def table(folder):
    """All cases as Markdown, a row for each part."""
    found = defaultdict(Counter)
    for path in sorted(Path(folder).glob("*.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        found[row["part"]].update(row["outcomes"])
    every = sum(found.values(), Counter())
    wrong, tracebacks = every["silently wrong"], every["traceback"]
    lines = [
        f"{every.total():,} faults were tried. Silently wrong: {wrong}. Tracebacks: {tracebacks}.",
        *("", "| tried | times | what came out |", "| --- | ---: | --- |"),
    ]
    for part, outcomes in found.items():
        told = "; ".join(f"{name}: {n:,}" for name, n in outcomes.most_common() if n)
        lines.append(f"| {part} | {outcomes.total():,} | {told} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + START + table(sys.argv[1]) + END + after, encoding="utf-8")
    print(f"wrote {PAGE}")
