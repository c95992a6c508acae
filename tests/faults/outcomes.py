"""What the cases of this folder tried, and what came out, for the table in docs/reliability.md."""

import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from conftest import ROOT

from codebreaker.errors import CodebreakerError

FULL = "FAULTS" in os.environ
"""Whether all cases are wanted, as in `make faults`; otherwise a part of them that is quick."""

full_only = pytest.mark.skipif(not FULL, reason="takes minutes: make faults runs it")

WRONG = ("silently wrong", "traceback", "too slow", "too large", "no end")
"""The outcomes that fail a case."""

LONGEST_LINE = 1200
"""Characters of a refusal with the path of a temporary folder."""

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src")}


def times(whole, part):
    """How often to try: as often as the table says, or less outside `make faults`."""
    return whole if FULL else part


@contextmanager
def tried(part, case):
    """Count a case's outcomes; none may be wrong."""
    outcomes, details = Counter(), []
    outcomes.details = details
    yield outcomes
    folder = os.environ.get("FAULTS")
    if folder and Path(folder).is_dir():
        row = {"part": part, "case": case, "outcomes": dict(outcomes)}
        path = Path(folder) / f"{part}-{case}.json".replace("/", "_").replace(" ", "-")
        path.write_text(json.dumps(row), encoding="utf-8")
    assert outcomes.total(), "nothing was tried"
    assert not {name: outcomes[name] for name in WRONG if outcomes[name]}, details[:5]


def is_one_line(error):
    """Whether an error is one line of moderate length."""
    text = str(error)
    return bool(text) and "\n" not in text and len(text) <= LONGEST_LINE


class Any:
    """Equals everything: what a reader makes of a file that may say something else."""

    def __eq__(self, other):
        return True

    __hash__ = None


def outcome_of(action, expected, outcomes, note="", content="same content"):
    """Count what a reader makes of a file: the same content, one line, or a fault."""
    try:
        found = action()
    except (CodebreakerError, SystemExit) as error:
        name = "refused in one line" if is_one_line(error) else "traceback"
        found = error
    except BaseException as error:
        name, found = "traceback", f"{type(error).__name__}: {error}"
    else:
        name = content if found == expected else "silently wrong"
    outcomes[name] += 1
    if name in WRONG:
        outcomes.details.append((note, str(found)[:500]))
    return name


def damaged(content, draw: Random):
    """Content with bits flipped, bytes cut out, put in, repeated or zeroed, or an end cut off."""
    content = bytearray(content)
    for _ in range(draw.choice([1, 1, 1, 4])):
        end = draw.random() < 0.3
        at = draw.randrange(max(0, len(content) - 600) if end else 0, len(content))
        kind = draw.randrange(8)
        if kind < 3:
            content[at] ^= 1 << draw.randrange(8)
        elif kind == 3:
            del content[at : at + draw.randrange(1, 50)]
        elif kind == 4:
            content[at:at] = draw.randbytes(draw.randrange(1, 9))
        elif kind == 5:
            content[at : at + 16] = bytes(min(16, len(content) - at))
        elif kind == 6:
            content[at:at] = content[max(0, at - draw.randrange(1, 200)) : at]
        else:
            del content[at:]
        content = content or bytearray(draw.choice([b"", b"\0", b"{", b"\xff\xfe"]) or b"\n")
    return bytes(content)


def command(*arguments, timeout=60, **options):
    """What a command of this project's does: its exit code and what it writes."""
    environment = ENVIRONMENT | options.pop("environment", {})
    try:
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            capture_output=True,
            check=False,
            timeout=timeout,
            env=environment,
            **{"stdin": subprocess.DEVNULL} | options,
        )
    except subprocess.TimeoutExpired:
        return None


def says_one_line(stderr: bytes):
    """Whether stderr has an error of one line, and no traceback."""
    text = stderr.decode(errors="replace")
    return "Traceback" not in text and len(text.strip().splitlines()) == 1 and len(text) < 5000
