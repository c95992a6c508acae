"""`codebreaker score`: totals, files and exit codes."""

import json

import pytest
from typer.testing import CliRunner

from codebreaker.cli import app

pytestmark = pytest.mark.usefixtures("caches")

GAME = {"game": "mm-3-4", "player": "Ann", "moves": [["112", "1,0"], ["134", "3,0"]]}


def score(*arguments, typed=None):
    """Run the command."""
    return CliRunner().invoke(app, ["score", *map(str, arguments)], input=typed)


@pytest.fixture
def file(tmp_path):
    """A file of two games, one of them by nobody."""
    path = tmp_path / "games.jsonl"
    lines = [GAME, {"moves": GAME["moves"], "game": "mm-3-4"}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def test_a_file_that_is_read_whole(file, tmp_path):
    result = score(file, "--out", tmp_path / "out", "--player", "me")
    assert (result.exit_code, result.stderr) == (0, "")
    head, _, *rows = result.stdout.splitlines()
    assert head.startswith("mm-3-4, judged by optimal play, which takes ")
    assert sorted(row.split()[0] for row in rows) == ["Ann", "me"]
    names = {path.name for path in (tmp_path / "out").iterdir()}
    tables = {f"{name}.csv" for name in ("moves", "games", "players", "turns", "skipped")}
    assert names == tables | {"score.json", "score.md", "index.html"}


def test_skipped_lines_are_told_and_change_the_exit_code(file):
    typed = file.read_text() + "\n{}" * 25
    result = score("-", typed=typed)
    assert result.exit_code == 1
    faults = result.stderr.splitlines()
    assert faults[0] == "-:3: the object has none of the keys moves, guess_history, history"
    assert faults[-1] == "... and 5 more lines were skipped"
    assert len(faults) == 21
    as_json = score("-", "-f", "json", typed=typed)
    assert as_json.exit_code == 1
    told = json.loads(as_json.stdout)
    assert (told["games"], len(told["skipped"]), told["skipped"][0]["line"]) == (2, 25, 3)


def test_a_policy_may_judge(file):
    result = score(file, "--policy", "entropy")
    assert "judged by policy entropy-endgames-12" in result.stdout
    none = score("-", typed="")
    assert (none.exit_code, none.stdout) == (0, "no games\n")
