"""What the cases of this folder tried, and what came out, for the table in docs/reliability.md."""

import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest

from codebreaker.errors import CodebreakerError

ROOT = Path(__file__).parents[2]

FULL = "FAULTS" in os.environ
"""Whether all cases are wanted, as in `make faults`; otherwise a part of them that is quick."""

full_only = pytest.mark.skipif(not FULL, reason="takes minutes: make faults runs it")

SILENT = "silently wrong"
WRONG = (SILENT, "traceback", "too slow", "too large")
"""The outcomes that fail a case."""

REFUSED = "refused in one line"

LONGEST_LINE = 1200
"""Characters of a refusal with the path of a temporary folder."""

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src")}


def times(whole, part):
    """How often to try: as often as the table says, or less outside `make faults`."""
    return whole if FULL else part


class Outcomes(Counter):
    """How often each outcome came out, with details of the wrong ones."""

    def __init__(self):
        super().__init__()
        self.details = []

    def add(self, name, good, *details, wrong="traceback"):
        """Count an outcome: the one with this name if it is good, or what is wrong."""
        name = name if good else wrong
        self[name] += 1
        if name in WRONG:
            self.details.append([str(one)[-1500:] for one in details])

    def read(self, action, expected=True, note="", content="same content"):
        """Count what a reader makes of a file: what is expected, one line, or a fault."""
        try:
            found = action()
        except (CodebreakerError, SystemExit) as error:
            self.add(REFUSED, is_one_line(error), note, error)
        except BaseException as error:
            self.add("traceback", False, note, f"{type(error).__name__}: {error}")
        else:
            self.add(content, found == expected, note, found, wrong=SILENT)


@contextmanager
def tried(part, case):
    """Count a case's outcomes; none may be wrong."""
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
    """Whether an error is one line of moderate length."""
    text = str(error).strip()
    return bool(text) and "\n" not in text and len(text) <= LONGEST_LINE


def says_one_line(stderr):
    """Whether what a command writes to stderr is one line, however lines are told apart."""
    return len(stderr.strip().splitlines()) == 1 and is_one_line(stderr)


def command(*arguments, program=(sys.executable, "-m"), environment=None, **options):
    """What a command does, by default a module's: its exit code and the text that it writes."""
    return subprocess.run(
        [*program, *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=ENVIRONMENT | (environment or {}),
        **{"stdin": subprocess.DEVNULL, "timeout": 120} | options,
    )


def count_command(outcomes, run):
    """Count whether a command has answered or refused in one line."""
    name = "answered" if run.returncode == 0 else REFUSED
    good = run.returncode == 0 or (run.returncode == 2 and says_one_line(run.stderr))
    outcomes.add(name, good, run.args, run.stderr)
