"""Abuse of the command line."""

import json
import os
import re
import sys
from itertools import product
from pathlib import Path

import pytest
from conftest import WORDS, on_a_terminal
from outcomes import FULL, REFUSED, SILENT, command, times, tried
from typer.testing import CliRunner

from codebreaker.cli import app

pytestmark = pytest.mark.usefixtures("caches")

DIGITS = "9" * 5000
LONG = "1" * 100_000
ODD = ["", " ", "\x1b[2J", "é", "¹²³⁴", "１１２３", "'; rm", "-", "--", "%s", "{0}", "\u202e", "🟩"]
SIZES = [
    f"{family}-{size}"
    for family in ("mm", "bc", "black")
    for size in (f"{DIGITS}-6", f"4-{DIGITS}", "0-0", "-1-6", "4-999999999", "21-999999999")
]

LAST_ARGUMENTS = {
    "": ["no-command", "--nothing", LONG],
    "suggest -g": [*ODD, LONG, *SIZES],
    "suggest -p": [*ODD, LONG, f"renyi-{DIGITS}", f"renyi-1e{DIGITS}"],
    "suggest --": [*ODD, LONG, f"1123:{DIGITS},1", f"{DIGITS}:1,1", "1123:"],
    "suggest -g matches-five-secrets --": [f"abbey:{DIGITS}", "abbey:²"],
    "suggest -g marks-five-secrets --": [f"abbey:{LONG}", "abbey:", "abbey:ggggx"],
    "suggest --opening": [*ODD, LONG],
    "suggest --guess-pool": [*ODD],
    "suggest --tie-break": [*ODD],
    "suggest --endgames": [DIGITS, "-1", "1e9", "nan", "0.5"],
    "suggest -g marks --words": ["/dev/null", "/dev/zero", "/", ""],
    "play --seed": [DIGITS, "nan", ""],
    "play --secret": [*ODD, LONG],
    "tree --depth": [DIGITS, "0", "-1", "x"],
    "tree --secret": [*ODD],
    "tree --format": [*ODD],
    "solve": [*ODD, LONG, *SIZES],
    "solve mm-2-2 --opening": [*ODD, LONG],
    "solve mm-2-2 --time-limit": [f"-{DIGITS}", "0", "-1", "nan", "x"],
    "solve mm-2-2 --memory": [DIGITS, "0", "-1", "nan", "inf", "x"],
    "solve mm-2-2 --max-guesses": [DIGITS, "0", "-1", "x"],
    "solve mm-2-2 --out": ["/", "", "no", "no.txt", "/dev/null/tree.json"],
    "solve mm-2-2 --checkpoints": ["/dev/null", "/dev/null/no"],
    "verify": ["/dev/null", "/dev/zero", "/", "", "no", LONG],
    "score": ["/", "", "no", LONG],
    "score /dev/null -g": [DIGITS],
}
"""Arguments that are tried after each command with its first arguments."""

ARGUMENTS = [[*first.split(), last] for first, others in LAST_ARGUMENTS.items() for last in others]
ARGUMENTS += [["suggest", "--", *["1123:0,0"] * n] for n in (2, 100, 2000)]


def count_call(outcomes, arguments, **options):
    result = CliRunner().invoke(app, arguments, **options)
    note = str(arguments)[:200], repr(result.exception)
    outcomes.answer(result.exit_code, result.stderr, note, "json" in arguments)


@pytest.mark.parametrize("form", ["plain", "json"])
@pytest.mark.slow
def test_arguments(form):
    with tried("the command line", f"arguments, {form}") as outcomes:
        for name, *others in ARGUMENTS:
            if form == "plain":
                count_call(outcomes, [name, *others])
            elif name in ("suggest", "play", "score"):
                count_call(outcomes, [name, "--format", "json", *others])


@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT", "POLARS_MAX_THREADS"])
@pytest.mark.slow
def test_variables_of_libraries(variable):
    with tried("the command line", "variables of libraries") as outcomes:
        for value in ("0", "1", "x", ""):
            count_call(outcomes, ["suggest", "-p", "entropy"], env={variable: value})


ESCAPES = "\x1b[2J\x1b]0;taken\x07\x9b2J\x7f\u202e"
SHOWN = [
    ["suggest", "-g", "marks", "--words", f"/no{ESCAPES}"],
    ["verify", f"/no{ESCAPES}"],
    ["score", f"/no{ESCAPES}"],
    ["score", "-f", "json", f"games{ESCAPES}"],
    ["score", f"games{ESCAPES}"],
    ["suggest", "-f", "json", f"{ESCAPES}:1,1"],
    [f"--{ESCAPES}"],
    ["suggest", "-g", ESCAPES],
    ["suggest", "-p", ESCAPES],
    ["suggest", "-f", ESCAPES],
    ["suggest", "--opening", ESCAPES],
    ["suggest", "--", ESCAPES],
]
"""Commands that repeat escapes in what they print."""


@pytest.mark.slow
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


@pytest.mark.slow
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
    "locales": [
        f"env {variables} {PYTHON} {arguments}"
        for variables, arguments in product(LOCALES, WRITERS)
    ],
    "too little memory": [
        f"ulimit -v {mib << 10}; OPENBLAS_NUM_THREADS=1 codebreaker suggest -g {game}"
        for mib, game in product((700, 1000, 1400, 2000), ("mm-5-8 -p entropy", "mm-8-8"))
    ],
}
"""Lines of a shell by case. A line with cut streams may end with 1, without a reason."""


@pytest.mark.parametrize("case", SHELL if FULL else list(SHELL)[2:12:3])
@pytest.mark.slow
def test_shell(case, tmp_path):
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x80\n" + os.urandom(2000) + b"\n1122\n")
    with tried("the command line", case) as outcomes:
        for line in SHELL[case]:
            line = f'codebreaker() {{ {PYTHON} "$@"; }}; {line}'
            run = command(line, program=("bash", "-c"), cwd=tmp_path)
            if set(line) & set("<>|") and "Exception ignored" not in run.stderr:
                lines = [line for line in run.stderr.splitlines() if line]
                good = "Traceback" not in run.stderr and run.returncode in (0, 1, 2)
                good &= run.returncode != 2 or len(lines) <= 1
                outcomes.add("answered" if run.returncode == 0 else REFUSED, good, lines[-4:])
            else:
                outcomes.answer(run.returncode, run.stderr, line)
