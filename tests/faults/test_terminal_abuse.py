"""The command line under abuse: one line, in JSON if JSON is asked for, and an end."""

import os
import sys
from itertools import product

import pytest
from conftest import WORDS
from outcomes import FULL, REFUSED, command, tried
from typer.testing import CliRunner

from codebreaker.cli import app

pytestmark = pytest.mark.usefixtures("caches")

DIGITS = "9" * 5000
LONG = "1" * 100_000
ODD = ["", " ", "\x1b[2J", "é", "¹²³⁴", "１１２３", "'; rm", "-", "--", "%s", "{0}", "\u202e", "🟩"]

ARGUMENTS = [
    *(["suggest", "-g", f"{family}-{size}"] for family in ("mm", "bc", "black")
      for size in (f"{DIGITS}-6", f"4-{DIGITS}", "0-0", "-1-6", "4-999999999", "21-999999999")),
    *(["suggest", "-g", odd] for odd in (*ODD, LONG)),
    *(["suggest", "-p", odd] for odd in (*ODD, LONG, f"renyi-{DIGITS}", f"renyi-1e{DIGITS}")),
    *(["suggest", "--", odd] for odd in (*ODD, LONG, f"1123:{DIGITS},1", f"{DIGITS}:1,1", "1123:")),
    *(["suggest", "--", *["1123:0,0"] * n] for n in (2, 100, 2000)),
    *(["suggest", "-g", "matches-five-secrets", "--", f"abbey:{odd}"] for odd in (DIGITS, "²")),
    *(["suggest", "-g", "marks-five-secrets", "--", f"abbey:{odd}"] for odd in (LONG, "", "ggggx")),
    *(["suggest", "--opening", odd] for odd in (*ODD, LONG)),
    *(["suggest", "--guess-pool", odd] for odd in ODD),
    *(["suggest", "--tie-break", odd] for odd in ODD),
    *(["suggest", "--endgames", odd] for odd in (DIGITS, "-1", "1e9", "nan", "0.5")),
    *(["suggest", "-g", "marks", "--words", odd] for odd in ("/dev/null", "/dev/zero", "/", "")),
    *(["play", "--seed", odd] for odd in (DIGITS, "nan", "")),
    *(["play", "--secret", odd] for odd in (*ODD, LONG)),
    *(["tree", "--depth", odd] for odd in (DIGITS, "0", "-1", "x")),
    *(["tree", "--secret", odd] for odd in ODD),
    *(["tree", "--format", odd] for odd in ODD),
    *(["verify", path] for path in ("/dev/null", "/dev/zero", "/", "", "no", LONG)),
    *(["score", path] for path in ("/", "", "no", LONG)),
    ["score", "/dev/null", "-g", DIGITS], ["no-command"], ["--nothing"], [LONG],
]  # fmt: skip
"""What no command can do, or only if it is short."""


def count_call(outcomes, arguments, **options):
    result = CliRunner().invoke(app, arguments, **options)
    note = str(arguments)[:200], repr(result.exception)
    outcomes.answer(result.exit_code, result.stderr, note, "json" in arguments)


@pytest.mark.parametrize("form", ["plain", "json"])
def test_arguments(form):
    with tried("the command line", f"arguments, {form}") as outcomes:
        for name, *others in ARGUMENTS:
            asked = form == "json" and name in ("suggest", "play", "score")
            count_call(outcomes, [name, *(["--format", "json"] if asked else []), *others])


def test_input_of_a_game():
    texts = [DIGITS, f"{DIGITS},1", LONG * 20, "\0\0", "\x1b[2J", "²²²²"]
    texts += ["undo", "?", "", "1123:1,1"]
    with tried("the command line", "input of a game") as outcomes:
        for arguments in (["--secret", "1122"], ["--solver"], ["--solver", "--format", "json"]):
            for text in (*texts, "\n".join(texts)):
                count_call(outcomes, ["play", "-p", "entropy", *arguments], input=text)


LOCALES = [
    *("LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0", "LC_ALL=tr_TR.UTF-8"),
    *("PYTHONIOENCODING=ascii", "PYTHONIOENCODING=latin-1"),
]
WRITERS = [
    *("policies", "policies --format rich", "games", "--help", "suggest é"),
    *(f"suggest --format {form}" for form in ("rich", "json", "plain")),
    f"suggest -g marks --words '{WORDS / 'short.txt'}'",
]
PYTHON = f"'{sys.executable}' -m codebreaker"
SHELL = {
    "closed stdin": ["codebreaker play <&-"],
    "closed stdout": ["codebreaker suggest >&-"],
    "closed stderr": ["codebreaker suggest 1123:9,9 2>&-"],
    "all closed": ["codebreaker play <&- >&- 2>&-"],
    "full output": ["codebreaker suggest > /dev/full"],
    "full output, help": ["codebreaker --help > /dev/full"],
    "full output, tree": ["codebreaker tree > /dev/full"],
    "full output, parquet": ["codebreaker tree --format parquet > /dev/full"],
    "full output, JSON": ["codebreaker suggest --format json > /dev/full"],
    "full output, table": ["codebreaker policies > /dev/full"],
    "full output and stderr": ["codebreaker suggest > /dev/full 2> /dev/full"],
    "output to a process that has ended": ["codebreaker tree | true"],
    "bytes that are not text": ["codebreaker play --secret 1122 < noise"],
    "bytes that are not text, JSON": ["codebreaker play --format json --secret 1122 < noise"],
    "a line without end": ["codebreaker score - < /dev/zero"],
    "a device as words": ["codebreaker suggest -g marks --words /dev/zero"],
    "locales": [f"env {one} {PYTHON} {other}" for one, other in product(LOCALES, WRITERS)],
    "too little memory": [
        f"ulimit -v {mib << 10}; OPENBLAS_NUM_THREADS=1 codebreaker suggest -g {game}"
        for mib, game in product((700, 1000, 1400, 2000), ("mm-5-8 -p entropy", "mm-8-8"))
    ],
}
"""Lines of a shell; one whose streams are cut may end with 1, and need not say why."""


@pytest.mark.parametrize("case", SHELL if FULL else list(SHELL)[:9:2])
def test_shell(case, tmp_path):
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x80\n" + os.urandom(2000) + b"\n1122\n")
    with tried("the command line", case) as outcomes:
        for line in SHELL[case]:
            line = f'codebreaker() {{ {PYTHON} "$@"; }}; {line}'
            run = command(line, program=("bash", "-c"), cwd=tmp_path)
            if set(line) & set("<>|") and "Exception ignored" not in run.stderr:
                lines = [one for one in run.stderr.splitlines() if one]
                good = "Traceback" not in run.stderr and run.returncode in (0, 1, 2)
                good &= run.returncode != 2 or len(lines) <= 1
                outcomes.add("answered" if run.returncode == 0 else REFUSED, good, lines[-4:])
            else:
                outcomes.answer(run.returncode, run.stderr, line)
