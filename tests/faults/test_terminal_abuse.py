"""Abuse of the command line."""

import json
import os
import re
import sys
from itertools import product
from pathlib import Path

import pytest
from conftest import WORDS, on_a_terminal, read_yaml
from outcomes import FULL, REFUSED, SILENT, command, times, tried
from typer.testing import CliRunner

from codebreaker.cli import app

pytestmark = pytest.mark.usefixtures("caches")

DIGITS = "9" * 5000
LONG = "1" * 100_000
CASES = read_yaml("tests/faults/arguments.yaml")


def filled(texts):
    for text in texts:
        whole = text.replace("DIGITS", DIGITS).replace("LONG", LONG)
        yield from CASES["odd"] if text == "ODD" else [whole]


ARGUMENTS = [
    [*command.split(), last]
    for command, texts in CASES["arguments"].items()
    for last in filled(texts)
]
ARGUMENTS += [["suggest", "--", *["1123:0,0"] * n] for n in (2, 100, 2000)]


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


@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT", "POLARS_MAX_THREADS"])
def test_variables_of_libraries(variable):
    with tried("the command line", "variables of libraries") as outcomes:
        for value in ("0", "1", "x", ""):
            count_call(outcomes, ["suggest", "-p", "entropy"], env={variable: value})


ESCAPES = "\x1b[2J\x1b]0;taken\x07\x9b2J\x7f\u202e"
SHOWN = [[word.replace("ESCAPES", ESCAPES) for word in one] for one in CASES["escapes"]]


def test_escapes_that_reach_a_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = {"game": "mm-2-2", "moves": [["11", "2,0"]], "player": "=1+1"}
    games = [json.dumps(game | changed) for changed in ({}, {"player": ESCAPES}, {"game": ESCAPES})]
    Path(f"games{ESCAPES}").write_text("\n".join(games), encoding="utf-8")
    with tried("the command line", "escapes that reach a terminal") as outcomes:
        for arguments in SHOWN[:: times(1, 3)]:
            text = on_a_terminal(arguments)
            good = text and not re.search(r"\x1b(\[2J|\])|[\x07\x7f\x9b\u202e]", text)
            outcomes.add("shown as text", good, arguments, text, wrong=SILENT)
    command("codebreaker", "score", f"games{ESCAPES}", "--out", "judged")
    tables = "".join(path.read_text(encoding="utf-8") for path in Path("judged").glob("*.csv"))
    assert "'=1+1" in tables
    assert not re.search(r"^=|,=", tables, re.MULTILINE)


def test_input_of_a_game():
    texts = [DIGITS, f"{DIGITS},1", LONG * 20, "\0\0", "\x1b[2J", "²²²²"]
    texts += ["undo", "?", "", "1123:1,1"]
    with tried("the command line", "input of a game") as outcomes:
        for arguments in (["--secret", "1122"], ["--solver"], ["--solver", "--format", "json"]):
            for text in (*texts, "\n".join(texts)):
                count_call(outcomes, ["play", "-p", "entropy", *arguments], input=text)


LOCALES = ["LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0", "LC_ALL=tr_TR.UTF-8"]
LOCALES += ["PYTHONIOENCODING=ascii", "PYTHONIOENCODING=latin-1"]
WRITERS = [
    *("policies", "policies --format rich", "games", "--help", "suggest é"),
    *(f"suggest --format {form}" for form in ("rich", "json", "plain")),
    f"suggest -g marks --words '{WORDS / 'short.txt'}'",
]
PYTHON = f"'{sys.executable}' -m codebreaker"
SHELL = read_yaml("tests/faults/shell.yaml")
SHELL = {case: [line] for case, line in SHELL.items()} | {
    "locales": [f"env {one} {PYTHON} {other}" for one, other in product(LOCALES, WRITERS)],
    "too little memory": [
        f"ulimit -v {mib << 10}; OPENBLAS_NUM_THREADS=1 codebreaker suggest -g {game}"
        for mib, game in product((700, 1000, 1400, 2000), ("mm-5-8 -p entropy", "mm-8-8"))
    ],
}
"""A line with cut streams may end with 1, without a reason."""


@pytest.mark.parametrize("case", SHELL if FULL else list(SHELL)[2:12:3])
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
