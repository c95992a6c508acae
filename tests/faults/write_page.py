"""Write the table of docs/reliability.md: `write_page.py FOLDER`, with records of cases."""

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"
START, END = "<!-- what came out -->\n", "<!-- end -->"
PARTS = {
    "kills": "Kills and runs at once",
    "same bytes": "The same bytes",
    "disks": "Disks and folders",
    "damaged files": "Damaged files",
    "configurations": "Configurations",
    "proofs": "Certificates and proofs",
    "terminal": "The command line",
    "page": "The page",
}


def rows_of(folder):
    """The cases by part, with what came out of each; numbered cases are joined."""
    found = {part: {} for part in PARTS}
    for path in sorted(Path(folder).glob("*.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        case = row["case"].partition(", moment")[0].partition(" (")[0]
        found[row["part"]].setdefault(case, Counter()).update(row["outcomes"])
    return found


def table(found):
    """All cases as Markdown."""
    lines, every = [], Counter()
    for part, title in PARTS.items():
        if not found[part]:
            continue
        lines += [f"### {title}", "", "| tried | times | what came out |", "| --- | ---: | --- |"]
        for case, outcomes in found[part].items():
            every.update(outcomes)
            told = "; ".join(f"{name}: {n:,}" for name, n in outcomes.most_common() if n)
            lines.append(f"| {case} | {outcomes.total():,} | {told} |")
        lines.append("")
    wrong = every["silently wrong"]
    tracebacks = every["traceback"]
    head = (
        f"{every.total():,} faults were tried. Silently wrong: {wrong}. Tracebacks: {tracebacks}."
    )
    return "\n".join([head, "", *lines])


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + START + table(rows_of(sys.argv[1])) + END + after, encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
