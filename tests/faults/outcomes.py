"""Outcomes of faults; as a program, the table of docs/reliability.md."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

import pytest

from codebreaker.errors import CodebreakerError

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src")}

PAGE = ROOT / "docs" / "reliability.md"
START = "<!-- outcomes -->\n"
END = "<!-- end -->"

FULL = "FAULTS" in os.environ
"""Whether all cases are tried, as in `make faults`."""

SILENT = "silently wrong"
WRONG = (SILENT, "traceback", "too slow", "too large")

REFUSED = "refused in one line"
SAME = "same content"


def times(whole, part):
    return whole if FULL else part


class Outcomes(Counter):
    """Counts of outcomes, and details of wrong ones."""

    def __init__(self):
        super().__init__()
        self.details = []

    def add(self, name, good, *details, wrong="traceback"):
        """Count a good outcome, or what is wrong."""
        name = name if good else wrong
        self[name] += 1
        if name in WRONG:
            self.details.append([str(detail)[-1500:] for detail in details])

    def read(self, action, expected=True, note="", content=SAME):
        """Count what a reader does."""
        try:
            result = action()
        except (CodebreakerError, SystemExit) as error:
            self.add(REFUSED, is_one_line(error), note, error)
        except BaseException as error:
            self.add("traceback", False, note, f"{type(error).__name__}: {str(error)[:500]}")
        else:
            self.add(content, result == expected, note, result, wrong=SILENT)

    def answer(self, code, stderr, note, in_json=False):
        """Count what a command answers."""
        name = REFUSED
        good = code == 2 and is_one_line(stderr)
        if code == 0:
            name = "answered"
            good = True
        elif good and in_json:
            name = "refused in JSON"
            good = stderr.startswith('{"error": "')
        self.add(name, good, note, code, stderr)


@contextmanager
def tried(part, case):
    outcomes = Outcomes()
    yield outcomes
    folder = os.environ.get("FAULTS")
    if folder and Path(folder).is_dir():
        row = {"part": part, "case": case, "outcomes": dict(outcomes)}
        path = Path(folder) / f"{part}-{case}.json".replace("/", "_").replace(" ", "-")
        path.write_text(json.dumps(row), encoding="utf-8")
    assert outcomes.total(), "nothing was tried"
    assert not {name: outcomes[name] for name in WRONG if outcomes[name]}, outcomes.details[:5]


def is_one_line(error):
    return len(str(error).strip().splitlines()) == 1 and len(str(error)) <= 1200


def command(*arguments, program=(sys.executable, "-m"), environment=None, **options):
    options = {"stdin": subprocess.DEVNULL, "timeout": 120, "errors": "replace"} | options
    environment = ENVIRONMENT | (environment or {})
    return subprocess.run(
        [*program, *arguments], capture_output=True, text=True, env=environment, **options
    )


@contextmanager
def file_system(folder, options):
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", options, "codebreaker-faults", folder]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted: only root may, and not in every container")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def make_room(folder):
    subprocess.run(["mount", "-o", "remount,rw,size=99999k", folder], check=True)


def places(data):
    """Holders and keys of all nested values."""
    for key in data if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], (dict, list)):
            yield from places(data[key])


def change(data, draw, values):
    """Replace, rename or leave out something nested."""
    part, key = draw.choice(list(places(data)))
    kind = draw.randrange(10)
    value = deepcopy(draw.choice(values))
    if kind < 6:
        part[key] = value
    elif kind < 8 and isinstance(part, dict):
        part[str(value)] = part.pop(key)
    else:
        del part[key]


def table(folder):
    counts = defaultdict(Counter)
    for path in sorted(Path(folder).glob("*.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        counts[row["part"]].update(row["outcomes"])
    every = sum(counts.values(), Counter())
    wrong = every["silently wrong"]
    tracebacks = every["traceback"]
    lines = [
        f"{every.total():,} faults were tried. Silently wrong: {wrong}. Tracebacks: {tracebacks}.",
        "",
        "| faults in | trials | outcomes |",
        "| --- | ---: | --- |",
    ]
    for part, outcomes in counts.items():
        listed = "; ".join(f"{name}: {n:,}" for name, n in outcomes.most_common() if n)
        lines.append(f"| {part} | {outcomes.total():,} | {listed} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + START + table(sys.argv[1]) + END + after, encoding="utf-8")
    print(f"wrote {PAGE}")
