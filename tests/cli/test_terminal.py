"""Help, completion, letters and errors at a terminal."""

import json
import re
import sys
from fractions import Fraction

import numpy as np
import pytest
from conftest import defined, game_called, on_a_terminal
from definitions import partition, total_after
from test_cli import run
from typer.testing import CliRunner

from codebreaker.advice.regret import OptimalValues
from codebreaker.cli import app, output
from codebreaker.cli.options import Shell
from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import LETTERS
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of, usual_games
from codebreaker.games.words import BUNDLED
from codebreaker.policies.catalogue import MEANINGS, catalogue
from codebreaker.policies.families import FAMILIES
from codebreaker.policies.registry import policy_names
from codebreaker.policies.strategy import Strategy

pytestmark = pytest.mark.usefixtures("caches")


def test_an_error_wraps_at_words_on_a_terminal_alone(monkeypatch):
    message = "code '11234' has 5 pegs: the codes of mm-4-6 have 4"
    assert output.error_line(message) == f"error: {message}"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    lines = output.error_line(message).splitlines()
    assert len(lines) > 1
    assert " ".join(lines) == f"error: {message}"
    assert max(map(len, lines)) < 30


@pytest.mark.slow
def test_a_suggestion_on_a_terminal_wraps_at_words_and_names_the_pegs():
    arguments = ["suggest", "-g", "mm-3-4", "-p", "entropy", "112:1,1"]
    words = set(run(*arguments).split()) - {"123,"}  # which is pegs on a terminal
    text = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal(arguments))
    assert " 1  " in text
    assert " B  W  1,1" in text
    assert words <= set(text.split())
    assert max(map(len, text.splitlines())) <= 60


@pytest.mark.parametrize("game", ["mm-3-4", "black-2-3", "mm-2-8", "mm-2-9", "bc-2-4"])
def test_letters_stand_for_colours_and_for_nothing_else(game):
    rules = rules_of(game)
    notation = Notation(rules, build_game(rules))
    named = {letter: str(number) for number, letter in enumerate("bogrpysn", start=1)}
    assert "".join(named) == LETTERS
    spelled = "bogrpysn"[: rules.colours]
    if game in ("mm-2-9", "bc-2-4"):
        with pytest.raises(CodebreakerError):
            notation.guess("bo")
        return
    for first in spelled:
        typed = (first + "b" * rules.pegs)[: rules.pegs]
        label = "".join(named[letter] for letter in typed)
        assert notation.guess(typed) == notation.guess(typed.upper()) == notation.guess(label)
    assert notation.game.guesses[notation.guess("b" * rules.pegs)] == "1" * rules.pegs


def test_every_policy_is_listed_with_a_line():
    text = run("policies")
    for name in policy_names():
        assert re.search(rf"^ +{name}  +\S", text, re.MULTILINE), name
    assert set(MEANINGS) <= set(policy_names())
    for family in FAMILIES.values():
        assert re.search(rf"^ +{family.form}  +\S", text, re.MULTILINE), family.form
    for entry in catalogue():
        assert entry.kind in ("tree", "samples") or Strategy(entry.example)
    listed = json.loads(run("policies", "-g", "mm-5-8", "-f", "json"))
    names = {policy["name"] for policy in listed["policies"]}
    assert {"best-known", "stage-weighted-179273"} <= names
    assert names.isdisjoint({"optimal", "stage-weighted-5630", "most-parts-two-steps"})
    assert listed["default"] == "best-known"
    listed = json.loads(run("policies", "-g", "bc-4-10", "-f", "json"))
    names = {policy["name"] for policy in listed["policies"]}
    assert "optimal" in names
    assert "context-weighted-5625" not in names
    assert json.loads(run("policies", "-g", "marks-five", "-f", "json"))["default"] == "entropy"


@pytest.mark.parametrize("shell", list(Shell))
def test_a_shell_completes_commands_games_policies_and_formats(shell):
    assert [rules_of(name, BUNDLED).name for name in usual_games()] == usual_games()
    script = run("completion", shell.value)
    assert "_CODEBREAKER_COMPLETE" in script
    completed_by = {
        "sug": ["suggest"],
        "suggest --game mm-4": ["mm-4-6", "mm-4-6-distinct"],
        "suggest -p stage-weighted-5": ["stage-weighted-5630"],
        "verify --from k": ["koyama-lai"],
    }
    if shell is not Shell.bash:
        completed_by = {"sug": completed_by["sug"]}
    for typed, completed in completed_by.items():
        words = f"codebreaker {typed}"
        environment = {
            "_CODEBREAKER_COMPLETE": f"complete_{shell.value}",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
            "_TYPER_COMPLETE_ARGS": words,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        result = CliRunner().invoke(app, [], env=environment, prog_name="codebreaker")
        assert {*completed} <= set(re.findall(r"[\w-]+", result.stdout)), result.output


@pytest.mark.parametrize(
    ("name", "moves"),
    [("mm-3-3", ["112:1,0"]), ("bc-3-4", ["012:0,2"]), ("mm-2-6", ["12:0,1", "23:0,0"])],
)
def test_the_best_guesses_are_those_of_the_definition(name, moves):
    game = game_called(name)
    rules = defined(name)
    known = {}
    history = Notation(rules_of(name), game).moves(moves)
    left = rules.secrets
    for guess, feedback in history:
        left = partition(rules.guesses[guess], left, rules.grade)[game.feedback_labels[feedback]]
    values = {
        number: Fraction(total_after(rules, guess, left, known), len(left))
        for number, guess in enumerate(rules.guesses)
        if len(partition(guess, left, rules.grade)) > 1
    }
    members = np.array([rules.secrets.index(secret) for secret in left], np.int32)
    leading = OptimalValues(game).leading(members, history, 5)
    means = [mean for _, mean in leading]
    assert means == sorted(values[guess] for guess, _ in leading)
    assert means[0] == min(values.values())
    assert all(value in means or value >= means[-1] for value in values.values())
