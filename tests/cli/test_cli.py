"""Commands: output, errors, piped games."""

import json
import logging
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from unittest import mock

import check_certificates
import pytest
from conftest import LISTS, ROOT, WORD_LISTS, defined, game_called, python
from definitions import (
    WORD_GRADES,
    Definition,
    all_codes,
    grade,
    minimum_of_all_trees,
    partition,
)
from rich.cells import cell_len
from typer.testing import CliRunner

import codebreaker as cb
from codebreaker import __version__
from codebreaker import cli as commands
from codebreaker.__main__ import main
from codebreaker.cli import app
from codebreaker.cli.advise import TreeOutput
from codebreaker.cli.options import Format
from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import FAMILIES, rules_of
from codebreaker.games.words import BUNDLED, read_words
from codebreaker.search import solver
from codebreaker.trees.formats.registry import READ, WRITTEN

pytestmark = pytest.mark.usefixtures("caches")

SAMPLES = ROOT / "tests" / "samples"
SMALL = ("-g", "mm-3-4", "-p", "entropy")
SCRIPT = ("-W", "error", "-m", "codebreaker")


def run(*arguments, typed=None, code=0, **environment):
    result = CliRunner().invoke(
        app, [str(argument) for argument in arguments], input=typed, env=environment
    )
    assert result.exit_code == code, result.output
    if code == 2:
        assert result.stdout == ""
        return result.stderr
    return result.stdout


def refusal(command):
    """Return the one line, without its `error: `, by which a command is refused."""
    error = run(*shlex.split(command), code=2)
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    return error.removeprefix("error: ")


def load(*arguments):
    return json.loads(run(*arguments, "-f", "json"))


def events(*arguments, typed):
    lines = map(json.loads, run("play", *arguments, "-f", "json", typed=typed).splitlines())
    return [event for event in lines if event["event"] != "analysis"]


def figures(text):
    """Return the numbers in a text."""
    found = re.findall(r"\d[\d,]*(?:\.\d+)?", text)
    return [float(number.rstrip(",").replace(",", "")) for number in found]


def guesses_of(events, kind):
    return [event["guess"] for event in events if event["event"] == kind]


def shell(command, typed=None, **environment):
    environment = {"COLUMNS": "80"} | environment
    return python(*SCRIPT, *shlex.split(command), input=typed, environment=environment)


@pytest.mark.slow
def test_the_installed_script_runs_the_app():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, name = project["scripts"]["codebreaker"].split(":")
    assert getattr(import_module(module), name) is main
    assert project["version"] == __version__
    assert shell("--version").stdout == f"codebreaker {__version__}\n"
    refused = shell("suggest 1123:3,1")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("error: move 1, 1123:3,1: ")
    assert refused.stderr.count("\n") == 1


HELPED = [*(command.callback.__name__ for command in app.registered_commands), ""]


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("command", HELPED)
@pytest.mark.slow
def test_help_fits_terminals_and_names_no_types_of_python(command, columns):
    written = run(*command.split(), "--help", COLUMNS=str(columns))
    assert [line for line in written.splitlines() if cell_len(line) > columns] == []
    assert "str>" not in written
    # Shells read broken examples as they are written in the docstring.
    joined = re.sub(r" \\\n +", " ", written)
    text = "" if command == "" else getattr(commands, command).__doc__
    for example in re.findall(r"^    ((?:codebreaker|eval) .*?)(?:  .*)?$", text, re.M):
        assert example in joined
    assert "Suggest the next guess\n" in run("--help", COLUMNS="40")


def test_narrow_help_says_below_an_option_what_it_does():
    written = run("solve", "--help", COLUMNS="40")
    assert re.search(r"  --memory MIB\n      Remember sets", written)
    assert re.search(r"  --memory MIB +Remember sets", run("solve", "--help", COLUMNS="80"))


def test_a_value_out_of_a_list_is_refused_with_the_list_alone():
    error = run("suggest", "--format", "foo", code=2)
    assert "Value error" not in error
    assert "'foo' is not one of" in error


@pytest.mark.parametrize(
    ("command", "usual"),
    [
        ("help", "--help"),
        ("help solve", "solve --help"),
        ("version", "--version"),
        ("-V", "--version"),
        ("suggest -f JSON 1123:1,1", "suggest -f json 1123:1,1"),
        ("tree -g mm-2-3 -f Contest", "tree -g mm-2-3 -f contest"),
        ("suggest -p Knuth", "suggest -p knuth"),
        ("suggest -p 'max entropy'", "suggest -p max-entropy"),
        ("suggest -p MAX_ENTROPY", "suggest -p max-entropy"),
        ("solve marks-example --guess-pool Hard", "solve marks-example --guess-pool hard"),
        ("score -p Entropy 1122:4,0", "score -p entropy 1122:4,0"),
        ("solve Mastermind(2,2)", "solve mm-2-2"),
        ("solve MM (2, 2)", "solve mm-2-2"),
    ],
)
def test_what_people_type_is_understood(command, usual):
    assert run(*shlex.split(command)) == run(*shlex.split(usual))


# Refused commands, and the words that each message names: what is wrong, and what to write.
REMEDIES = [
    ("suggest --json", ["--json", "--format json"]),
    ("suggest --hard", ["--hard", "--guess-pool hard"]),
    ("tree --out tree.dot", ["--out", "> FILE"]),
    ("play --seed abc", ["--seed", "'abc'"]),
    ("solve mm-3-4 --time-limit 1m", ["--time-limit", "'1m'"]),
    ("play --seed -1", ["--seed", "-1", "0"]),
    ("solve mm-2-2 --max-guesses 0", ["--max-guesses", "0", "1"]),
    ("solve mm-2-2 --out .", ["folder", "trees"]),
    ("solve mm-2-2 --certificate .", ["folder", "certificates"]),
    ("suggest 1122", ["feedback", "GUESS:BLACK,WHITE", "1122:1,2"]),
    ("suggest 1,1", ["guess", "GUESS:BLACK,WHITE", "1111:1,2"]),
    ("suggest -g marks --words five-secrets rasie:bybbb", ["'rasie'", "'raise'?"]),
    ("sugest", ["'sugest'", "'suggest'?"]),
    ("policy", ["'policy'", "'policies'?"]),
    ("help solver", ["'solver'", "'solve'?"]),
    ("compare", ["'compare'", ", ".join(HELPED[:-1]), "codebreaker.compare"]),
    ("entropy", ["'entropy'", ", ".join(HELPED[:-1])]),
    ("tree entropy", ["'entropy'", "--policy entropy"]),
    ("suggest 1122:1,0 Knuth", ["'Knuth'", "--policy knuth"]),
    ("suggest renyi-2", ["'renyi-2'", "--policy renyi-2"]),
    ("suggest best-known", ["'best-known'", "--policy best-known"]),
    ("tree MM(3,4)", ["'MM(3,4)'", "--game mm-3-4"]),
    ("score entropy", ["'entropy'", "--policy entropy"]),
    ("score mm-3-4 112:1,0", ["'mm-3-4'", "--game mm-3-4"]),
    ("play entropy", ["play", "'entropy'", "--policy entropy"]),
    ("policies mm-4-6", ["policies", "'mm-4-6'", "--game mm-4-6"]),
    ("policies nerdle", ["policies", "'nerdle'", "--game\n"]),
    ("policies entropy", ["policies", "'entropy'", "--game\n"]),
    ("verify tree.json mm-3-4", ["verify", "'mm-3-4'", "--game mm-3-4"]),
    ("completion bash zsh", ["completion", "'zsh'"]),
    ("solve 4 6", ["'4 6'", "'mm-4-6'?"]),
]


@pytest.mark.parametrize(("command", "named"), REMEDIES)
def test_errors_say_what_to_write(command, named):
    message = refusal(command)
    assert [words for words in named if words not in message] == []


def test_moves_come_by_pipe():
    piped = run("suggest", "-", typed="1123 1,1\r\n\r\n1415 0,2\r\n")
    assert piped == run("suggest", "1123:1,1", "1415:0,2")
    assert run("suggest", "-", typed="") == run("suggest")


@pytest.mark.slow
def test_a_player_who_types_feedback_is_told_to_leave_it_out():
    seen = events("--secret", "4412", typed="1123 1,1\n1123: 2 white\nfoo\n1123\nquit\n")
    errors = [event["message"] for event in seen if event["event"] == "error"]
    assert errors[0].startswith("'1123 1,1' has feedback")
    assert errors[1].startswith("'1123: 2 white' has feedback")
    assert "'foo'" in errors[2]
    assert "3 pegs" in errors[2]
    assert guesses_of(seen, "move") == ["1123"]


@pytest.mark.parametrize("line", ["crane,slate", "crane slate", '"crane"', "crane; slate"])
def test_a_list_with_several_words_in_a_line_is_refused(line, tmp_path):
    (tmp_path / "words.txt").write_text(f"trace\n{line}\n")
    error = refusal(f"suggest -g marks --words {tmp_path / 'words.txt'}")
    assert "line 2" in error
    assert line in error
    assert "one word" in error


@pytest.mark.parametrize(
    "table",
    [
        'guess,feedback\r\n1122,"1,0"\r\n1344,"3,0"\r\n1345,"4,0"\r\n',
        '"guess","black","white"\n"1122",1,0\n"1344",3,0\n"1345",4,0\n',
        "Guess;Black;White\n1122;1;0\n1344;3;0\n1345;4;0\n",
        "turn,guess,feedback\n1,1122,1-0\n2,1344,3-0\n3,1345,4-0\n",
        "turn\tguess\tblack\twhite\n1\t1122\t1\t0\n2\t1344\t3\t0\n3\t1345\t4\t0\n",
    ],
)
def test_a_table_of_moves_is_a_game(table):
    scored = json.loads(run("score", "-f", "json", typed=table))
    assert [move["feedback"] for move in scored["moves"]] == ["1,0", "3,0", "4,0"]


@pytest.mark.slow
def test_the_score_of_one_game_as_json_has_its_moves():
    scored = load("score", "1122:1,0", "1344:3,0", "1345:4,0")
    assert [move["guess"] for move in scored["moves"]] == ["1122", "1344", "1345"]
    two = json.loads(run("score", "-", "-f", "json", typed="1122:4,0\n\n1123:4,0\n"))
    assert "moves" not in two


@pytest.mark.slow
def test_a_suggestion_as_json():
    output = load("suggest", "1123:1,1", "--list", "--exact")
    expected = ["".join(map(str, c)) for c in all_codes(4, 6) if grade((1, 1, 2, 3), c) == (1, 1)]
    assert output["candidates"] == expected
    assert output["n_candidates"] == len(expected) == 230
    assert output["moves"] == [{"guess": "1123", "feedback": "1,1"}]
    assert (output["game"], output["turn"], output["guess"]) == ("mm-4-6", 2, "1415")
    assert output["expected_guesses"] == pytest.approx(798 / 230)
    exact = output["exact"]
    assert (exact.pop("guess"), exact["best"][0]["guess"]) == ("1415", "1415")
    totals = [round(230 * guess["expected_guesses"]) for guess in exact.pop("best")]
    assert totals == [798, 803, 806, 806, 807]
    best = 798 / 230
    assert exact == pytest.approx({"expected_guesses": best, "with_guess": best, "regret": 0.0})
    over = load("suggest", "1123:4,0")
    assert set(over) == set(output)
    assert (over["solved"], over["secret"], over["guess"]) == (True, "1123", None)
    assert run("suggest", "1123:4,0") == "solved: the secret is 1123\n"


def test_a_suggestion_on_a_terminal_has_colours_that_can_be_left_out():
    suggest = ("suggest", "-f", "rich")
    coloured = {"TERM": "xterm-256color", "NO_COLOR": ""}
    shown = run(*suggest, "1123:1,1", **coloured)
    assert re.search(r"\x1b\[[0-9;]*48;5;25m 1 ", shown)
    assert re.search(r"\x1b\[[0-9;]*m B .*\x1b\[[0-9;]*m W ", shown)
    shown = run(*suggest, "1123:1,1", **coloured | {"NO_COLOR": "1"})
    assert not re.search(r"\x1b\[[0-9;]*4[0-9]m", shown)
    shown = run(*suggest, "-g", "marks-five", "raise:bybbb", **coloured)
    assert re.search(r"\x1b\[30;43m y ", shown)


def test_a_game_that_score_names_can_be_played():
    scored = load("score", "--game", "bc-3-4", "001:0,2", "120:3,0")
    name = scored["moves"][0]["game"]
    assert name == "bc-3-4-any-guess"
    secrets = [code for code in all_codes(3, 4) if len({*code}) == 3]
    secrets = [tuple(symbol - 1 for symbol in code) for code in secrets]
    fits = [code for code in secrets if grade((0, 0, 1), code) == (0, 2)]
    output = load("suggest", "--game", name, "001:0,2", "--list")
    assert output["candidates"] == ["".join(map(str, code)) for code in fits]
    again = load("score", "--game", name, "001:0,2", "120:3,0")
    assert again["moves"] == scored["moves"]
    assert "bc-4-x-any-guess" not in run("games")


def test_words_of_a_file(tmp_path):
    secrets, guesses = LISTS["wide"]
    words = ("-g", "marks", "--words", secrets, "--more-words", guesses)
    output = load("suggest", *words)
    assert output["game"] == "marks-words"
    assert output["n_candidates"] == len(rules_of("marks-wide", WORD_LISTS).secrets)
    named = run("suggest", "-g", "matches-mine", "--words", secrets)
    assert "policy: entropy-endgames-62 in matches-mine\n" in named
    (tmp_path / "tree.json").write_text(run("tree", *words, "-f", "json"), encoding="utf-8")
    assert load("verify", tmp_path / "tree.json", *words)["valid"]


def test_guesses_of_elsewhere_need_not_be_in_the_packages_lists():
    """Feedback to a word follows from its letters; `salet` is not in the list."""
    output = load("suggest", "-g", "wordle", "SALET:bbyyb")
    assert output["game"] == "marks-common"
    secrets = rules_of("marks-common", BUNDLED).secrets
    fits = [word for word in secrets if WORD_GRADES["marks"]("salet", word) == "bbyyb"]
    assert output["n_candidates"] == len(fits) > 10
    assert output["candidates"] == fits[: len(output["candidates"])]
    for word, meant in (("crwth", ""), ("rasie", "'raise'?")):
        result = CliRunner().invoke(app, ["suggest", "-g", "marks-five", f"{word}:00000"])
        assert result.stderr.count("\n") == 1
        assert repr(word) in result.stderr
        assert meant in result.stderr
        assert result.exit_code == 0
    typed = run("suggest", "-g", "wordle", "-", "-f", "json", typed="SALET:bbyyb\n")
    assert json.loads(typed) == output
    # A user's own words are the only ones that may be guessed.
    assert "'salet' is not among" in run(
        "suggest", "-g", "marks", "--words", "common-secrets", "salet:bbyyb", code=2
    )


@pytest.mark.parametrize("moves", ["1123:1,1", "1123:1,1 1415:2,0", "5561:0,2"])
def test_a_tree_begins_at_any_position(moves):
    output = load("tree", *moves.split())
    advice = load("suggest", *moves.split())
    assert output["tree"]["guess"] == advice["guess"]
    assert output["n_secrets"] == advice["n_candidates"]
    assert output["mean_guesses"] == advice["expected_guesses"]
    assert output["max_guesses"] == advice["most_guesses"]
    for wrong in (("--secret", "1111"), ("--format", "dot")):
        assert "leave" in run("tree", *moves.split(), *wrong, code=2)


@pytest.mark.slow
def test_words_of_an_alphabet_in_every_command(tmp_path):
    words = ["1123", "2416", "6152", "été2", "1êta"]
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    (tmp_path / "more.txt").write_text("E\u0301TE\u03022\n3333\n", encoding="utf-8")
    with_words = ("--words", tmp_path / "words.txt", "--more-words", tmp_path / "more.txt")
    with_words += ("--alphabet", "123456aeéêt")
    guesses = sorted([*words, "étê2", "3333"])
    for family, grade_of in WORD_GRADES.items():
        game = ("-g", family, *with_words)
        for guess in ("2416", "3333", "étê2"):
            for secret in {*words} - {guess}:
                answer = grade_of(guess, secret).replace("B-", ",").removesuffix("C")
                fits = [word for word in words if grade_of(guess, word) == grade_of(guess, secret)]
                output = load("suggest", *game, f"{guess}:{answer}", "--list")
                assert output["candidates"] == sorted(fits)
                assert output["guess"] in guesses
        for secret in words:
            moves = load("tree", *game, "--secret", secret)["moves"]
            assert moves[-1]["guess"] == secret
            for move in moves:
                answer = grade_of(move["guess"], secret).replace("B-", ",").removesuffix("C")
                assert move["feedback"] == answer
            rows = "\n".join(f"{move['guess']} {move['feedback']}" for move in moves)
            scored = json.loads(run("score", "-", *game, "-f", "json", typed=rows))
            assert [move["guess"] for move in scored["moves"]] == [move["guess"] for move in moves]
        (tmp_path / "tree.json").write_text(run("tree", *game, "-f", "json"), encoding="utf-8")
        assert load("verify", tmp_path / "tree.json", *game)["valid"]
        definition = Definition(guesses, sorted(words), grade_of)
        total = minimum_of_all_trees(definition, sorted(words), {})
        assert load("solve", family, *with_words)["total"] == total
        played = events(*game, "--secret", "été2", typed="e\u0301te\u03022\nété2\n")
        assert guesses_of(played, "move") == ["étê2", "été2"]


# Commands that are refused, and what the message names: the place, what is wrong, a remedy.
REFUSED = [
    ("suggest 1123:1,1 123:1,1", ["move 2, 123:1,1: ", "'123'", "3 pegs", "mm-4-6"]),
    ("suggest -g mm-3-4-any-guess", ["'mm-3-4-any-guess'", "Mastermind"]),
    ("suggest -g bc-4-any-guess", ["'bc-4'", "Bulls and Cows"]),
    ("suggest -g marks-fiv", ["'fiv'", "'five'?"]),
    ("tree --tie-break lexical", ["tie-break", "'lexical'"]),
    ("tree --guess-pool al", ["guess pool", "'al'"]),
    ("tree --secret 0000", ["'0000'", "'0'"]),
    ("tree --opening 11", ["'11'", "2 pegs"]),
    ("play --secret 11", ["'11'", "2 pegs"]),
    ("play --solver --seed 1", ["--solver", "secret"]),
    ("suggest -g marks", ["'marks'", "words"]),
    ("suggest --words x", ["'mm-4-6'", "words"]),
    ("suggest -g marks --words no-such-file", ["no-such-file can't be read"]),
    ("suggest --more-words x", ["--more-words needs --words"]),
    ("suggest -g marks --alphabet abc", ["--alphabet needs --words"]),
    ("score - --words five-secrets", ["'mm-4-6'", "words"]),
    (
        "solve pegs --words codes-4-6",
        ["line 1: ", "'1'", "'1111'", "'abcdefghijklmnopqrstuvwxyz'", "(option --alphabet)"],
    ),
    ("tree -g pegs --words codes-4-6 --alphabet 12A", ["'12A'", "'A'", "(option --alphabet)"]),
    ("suggest --endgames 99", ["--endgames"]),
    ("suggest --nonsense", ["--nonsense"]),
    ("sugest", ["sugest"]),
    ("suggest -f xml", ["xml"]),
    ("suggest -g mm-5-8 --exact", ["32,768", "(option --exact)"]),
    ("play --codemaker devious --seed 1", ["devious", "secret"]),
    ("score no-such-file", ["no-such-file can't be read", "No such file or directory"]),
    ("score .", [". can't be read", "Is a directory"]),
    ("score - --game mm-4", ["'mm-4'", "Mastermind"]),
    ("score - --exact --policy entropy", ["--exact", "--policy"]),
    ("score /dev/null --policy nonsense", ["policy", "'nonsense'"]),
    ("score /dev/null --guess-pool some", ["guess pool", "'some'"]),
    ("score /dev/null -g mm-3-3 --guess-pool hard", ["mm-3-3", "hard mode"]),
    ("score /dev/null -g mm-3-3 --policy fixed-weighted", ["'fixed-weighted'", "14"]),
    ("score /dev/null -g mm-5-8 --exact", ["mm-5-8 has no table"]),
    ("play --seed -1", ["--seed"]),
    ("tree --depth 0", ["--depth"]),
    ("score 1122:1,0 1344:9,9 -g mm-4", ["'mm-4'", "Mastermind"]),
    ("verify no-such-file", ["no-such-file can't be read"]),
    ("verify tests/samples/mm-3-4.yaml", ["mm-3-4.yaml", "--game"]),
    ("verify tests/samples/mm-3-4.yaml -g mm-4-4", ["mm-4-4", "'012'"]),
    ("verify tests/samples/mm-3-4.yaml -g black-3-4", ["black and white pegs"]),
    ("verify tests/samples/mm-3-4.json -g mm-3-5", ["mm-3-4,", "mm-3-5"]),
    ("verify tests/samples/mm-3-4.json --from dot", ["tree format", "'dot'"]),
    ("verify tests/samples/mm-3-4.json --from xml", ["tree format", "'xml'"]),
    ("tree -g mm-3-4 -p entropy -f dot --depth 2", ["dot", "whole trees"]),
    ("tree -g mm-3-4 -p entropy -f contest --secret 111", ["contest", "whole trees"]),
    ("tree -g black-3-3 -f contest", ["json or parquet"]),
]


@pytest.mark.parametrize(("command", "named"), REFUSED, ids=[command for command, _ in REFUSED])
def test_bad_input_is_reported_in_one_line(command, named, monkeypatch):
    monkeypatch.chdir(ROOT)
    message = refusal(command)
    assert [words for words in named if words not in message] == []


@pytest.mark.parametrize(
    ("game", "prior", "named"),
    [
        pytest.param(
            "mm-4-6", b"1122 5\n1122 6\n", ["line 2: ", "'1122'", "remove"], id="a secret twice"
        ),
        pytest.param("mm-4-6", b"1122\n", ["line 1: ", "'1122'", "weight"], id="no weight"),
        pytest.param("mm-4-6", b"1122 5\n , \n", ["line 2: ", "','", "weight"], id="a comma"),
        pytest.param(
            "mm-4-6", b"\n7777 1\n", ["line 2: ", "'7777'", "mm-4-6"], id="a code of another game"
        ),
        pytest.param("mm-4-6", b"1122 0\n", ["at least one secret"], id="no weight above 0"),
        pytest.param("mm-4-6", b"", ["at least one secret"], id="empty"),
        pytest.param("mm-4-6", b"\xff\xfe 1\n", ["line 1: ", "UTF-8"], id="bytes"),
        pytest.param("mm-4-6", None, ["prior.txt can't be read"], id="no file"),
        pytest.param("mm-5-8", b"11223 1", ["mm-5-8 has no table"], id="a game without a table"),
    ],
)
def test_a_bad_prior_is_reported_in_one_line(game, prior, named, tmp_path):
    path = tmp_path / "prior.txt"
    if prior is not None:
        path.write_bytes(prior)
    message = refusal(f"suggest -g {game} --prior {path}")
    assert [words for words in named if words not in message] == []


def test_the_tree_as_text_and_as_json():
    lines = run("tree").splitlines()
    assert lines[0] == "1123 (1296)"
    assert figures(lines[-3].split("; ")[0]) == [5625, 1296, 4.3403, 6]
    assert lines[-3].endswith(": 1 8 102 624 560 1")
    output = load("tree", *SMALL)
    assert output["total_guesses"] == sum(i * n for i, n in enumerate(output["profile"], start=1))
    assert output["mean_guesses"] == output["total_guesses"] / output["n_secrets"]
    assert output["max_guesses"] == len(output["profile"]) == _depth(output["tree"])
    short = load("tree", *SMALL, "--depth", "2")
    assert _depth(short["tree"]) == 2
    assert short["tree"]["guess"] == output["tree"]["guess"]
    assert len(run("tree", "--depth", "1").splitlines()) == 4


def _depth(tree):
    return 1 + max(map(_depth, tree.get("after", {}).values()), default=0)


@pytest.mark.parametrize("secret", all_codes(3, 4)[::7])
def test_a_secret_has_a_path_of_the_tree_which_the_solver_plays_by_pipe(secret):
    tree = load("tree", *SMALL)["tree"]
    label = "".join(map(str, secret))
    output = load("tree", *SMALL, "--secret", label)
    for move in output["moves"]:
        assert move["guess"] == tree["guess"]
        black, white = grade(tuple(map(int, move["guess"])), secret)
        assert move["feedback"] == f"{black},{white}"
        tree = tree.get("after", {}).get(f"{black}B-{white}C")
    assert tree is None
    assert output["moves"][-1] == {"guess": label, "feedback": "3,0"}
    plain = run("tree", *SMALL, "--secret", label).splitlines()
    moves = output["moves"]
    assert [line.split()[1] for line in plain[:-2]] == [move["guess"] for move in moves]
    typed = "".join(f"{move['feedback']}\n" for move in moves)
    output = events("--solver", *SMALL, typed=typed)
    assert guesses_of(output, "guess") == [move["guess"] for move in moves]
    assert output[-1] == {"event": "end", "solved": True, "guesses": len(moves), "secret": label}
    assert f"solved in {len(moves)} guess" in run("play", "--solver", *SMALL, typed=typed)


@pytest.mark.slow
def test_hints_play_to_the_end_by_pipe():
    moves = load("tree", "--secret", "4412")["moves"]
    typed = "".join(f"?\n{move['guess']}\n" for move in moves)
    output = events("--secret", "4412", typed=typed)
    assert guesses_of(output, "hint") == guesses_of(output, "move")
    assert output[-1] == {"event": "end", "solved": True, "guesses": 5, "secret": "4412"}


@pytest.mark.parametrize("game", ["mm-2-3", "bc-2-4"])
def test_a_devious_codemaker_confirms_only_the_last_code_left(game):
    literal = defined(game)
    labels = game_called(game).guesses
    typed = "".join(f"{label}\n" for label in labels)
    output = events("-g", game, "--codemaker", "devious", typed=typed)
    left = list(literal.secrets)
    for event in output[1:-1]:
        cells = partition(literal.guesses[labels.index(event["guess"])], left, literal.grade)
        sizes = {answer.replace("B-", ",").rstrip("C"): cell for answer, cell in cells.items()}
        assert len(cells) == 1 or event["feedback"] != "2,0"
        left = sizes[event["feedback"]]
    assert output[-1]["solved"]
    assert output[-1]["secret"] == output[-2]["guess"] == labels[literal.guesses.index(left[0])]


@pytest.mark.slow
def test_bad_guesses_and_undo_in_a_game():
    typed = "1123\nundo\nundo\n11\n\n4412\n"
    result = CliRunner().invoke(app, ["play", "--secret", "4412"], input=typed)
    assert "took back move 1, 1123:0,2\n" in result.stdout
    assert "\nsolved in 1 guess: 4412\n" in result.stdout
    undone, short = result.stderr.splitlines()
    assert undone.startswith("error: ")
    assert "undo" in undone
    assert short.startswith("error: ")
    assert "'11'" in short


def test_a_contradiction_names_the_move_and_can_be_undone():
    typed = "1,1\n0,2\n0,0\nundo\n?\nz\nquit\n"
    output = events("--solver", typed=typed)
    errors = [event["message"] for event in output if event["event"] == "error"]
    assert errors[0].startswith("move 3, 6152:0,0: ")
    assert errors[1].startswith("feedback 'z'")
    assert {"event": "undo", "turn": 2, "move": "1415:0,2"} in output
    assert output[-1] == {"event": "end", "solved": False, "guesses": 1, "secret": None}


@pytest.mark.parametrize("typed", ["", "1123\n", "1123\nquit\n", "1123"])
@pytest.mark.slow
def test_a_game_that_is_cut_short_reveals_the_secret(typed):
    output = run("play", "--seed", "3", typed=typed)
    count = "1 guess" if typed else "0 guesses"
    assert re.search(rf"^ended after {count}; the secret was [1-6]{{4}}$", output, re.MULTILINE)
    assert run("play", "--seed", "3", typed=typed) == output
    assert run("play", "--solver", typed="").endswith("ended after 0 guesses\n")


def test_a_word_spelled_like_a_command_can_be_guessed(tmp_path):
    (tmp_path / "words.txt").write_text("undo\nquit\nabet\nhint\n")
    words = ("-g", "matches", "--words", tmp_path / "words.txt", "--secret", "quit")
    output = events(*words, typed="undo\n/undo\nhint\n/hint\nquit\n")
    assert [event["event"] for event in output[:5]] == ["start", "move", "undo", "move", "hint"]
    assert [event["event"] for event in output[5:]] == ["move", "end"]
    assert output[-1]["solved"] is True


def test_an_interrupt_ends_a_game_cleanly(monkeypatch):
    def interrupt(_dialogue, _what):
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("codebreaker.cli.play").Dialogue, "ask", interrupt)
    for side in ([], ["--solver"]):
        result = CliRunner().invoke(app, ["play", *side])
        assert (result.exit_code, result.stderr) == (130, "\ninterrupted\n")


def test_ctrl_c_stops_input_after_others_have_handled_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run("play", "-g", "mm-2-2", typed="quit\n")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("secret", ["4412", "1123"])
def test_a_game_ends_with_an_analysis_that_adds_up_and_can_be_scored_again(secret, tmp_path):
    typed = "1122\n2434\nundo\n4412\n1123\n"
    text = run("play", "--secret", secret, typed=typed)
    (tmp_path / "game.txt").write_text(text, encoding="utf-8")
    review = text.split("guesses on average:\n")[1]
    assert run("score", tmp_path / "game.txt").split("guesses on average:\n")[1] in review
    lines = run("play", "--secret", secret, "-f", "json", typed=typed).splitlines()
    last = json.loads(lines[-1])
    best = load("tree", "--secret", secret)
    assert (last["policy"], last["played"]) == ("best-known", best["moves"])
    assert f"finds {secret} in {len(best['moves'])} guess" in review
    gained = sum(move["regret"] - move["luck"] for move in last["moves"])
    assert 5625 / 1296 + gained == pytest.approx(len(last["moves"]))
    assert re.search(r"4\.34 [+−] [\d.]+ [+−] [\d.]+ = \d guess", review)


@pytest.mark.slow
def test_a_closed_pipe_is_no_error():
    line = f"{shlex.join([sys.executable, *SCRIPT])} tree | true"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    run = subprocess.run(line, shell=True, capture_output=True, env=environment)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_every_game_is_listed():
    output = load("games")
    assert set(output["games"]) == set(FAMILIES)
    for family in FAMILIES:
        assert rules_of(output["games"][family]["example"], BUNDLED).name.startswith(family)


PAGE, FILES = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("command-line.md", "formats.md")
)
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = CONSOLE.findall(PAGE + FILES)
BLOCKS += [block for block in CONSOLE.findall(README) if block.startswith("$ codebreaker ")]
WIDEST = 90
"""Characters of a line of code that a rendered README shows without cutting it off."""


def test_no_code_of_the_readme_is_cut_off():
    code = re.findall(r"^```\w+\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(code) >= 5
    assert [line for block in code for line in block.splitlines() if len(line) > WIDEST] == []


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
@pytest.mark.slow
def test_the_pages_show_what_the_commands_write(block, monkeypatch):
    monkeypatch.chdir(ROOT)
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        typed = None
        if " | codebreaker " in command:
            producer, command = command.split(" | ")
            typed = shlex.split(producer)[1].replace("\\n", "\n")
        arguments = shlex.split(command.split(" | head")[0])[1:]
        output = CliRunner().invoke(app, arguments, input=typed).output
        if " | head" in command:
            count = int(command.split("-n ")[1])
            output = "".join(output.splitlines(keepends=True)[:count])
        assert output == expected


def test_a_tree_in_any_format_is_written_and_verified(tmp_path):
    expected = load("tree", *SMALL)
    for form in set(READ) & set(WRITTEN):
        result = CliRunner().invoke(app, ["tree", *SMALL, "-f", form])
        assert result.exit_code == 0
        (tmp_path / form).write_bytes(result.stdout_bytes)
        output = load("verify", tmp_path / form, "-g", "mm-3-4")
        assert (output["format"], output["valid"], output["notes"]) == (form, True, [])
        for key in ("total_guesses", "max_guesses", "profile"):
            assert output[key] == expected[key], form
    assert set(TreeOutput) == set(Format) | set(WRITTEN)


def test_a_fault_has_its_history_and_an_exit_code():
    arguments = ("verify", SAMPLES / "mm-3-4-fault.contest", "-g", "mm-3-4")
    output = json.loads(run(*arguments, "-f", "json", code=1))
    assert output["fault"] == {
        "secret": "132",
        "moves": [{"guess": "123", "feedback": "1,2"}, {"guess": "112", "feedback": "2,0"}],
        "n_candidates": 1,
    }
    assert (output["n_solved"], output["valid"]) == (63, False)
    [known] = output["known"]
    assert (known["total_guesses"], known["difference"]) == (206, None)


def test_the_pages_explain_every_key():
    output = load("verify", SAMPLES / "mm-3-4.json")
    for key in (*output, *output["known"][0], "secret", "moves"):
        assert f"`{key}`" in FILES, key
    for arguments in (["suggest", "--exact"], ["tree"], ["tree", "--secret", "111"]):
        output = load(*arguments, *SMALL)
        for key in (*output, *(output.get("exact") or ())):
            assert f"`{key}`" in PAGE, key


def test_candidates_have_their_chances(tmp_path):
    path = tmp_path / "prior.txt"
    path.write_text("# seen\n1122, 5\n1234\t12\n\n6543 1\n3456 2\n1111 0\n", encoding="utf-8")
    output = load("suggest", "--prior", path)
    assert output["candidates"] == ["1234", "1122", "3456", "6543"]
    assert output["probabilities"] == [0.6, 0.25, 0.1, 0.05]
    listed = "candidates: 4: 1234 60.0%, 1122 25.0%, 3456 10.0%, 6543 5.0%\n"
    assert listed in run("suggest", "--prior", path)
    exact = load("suggest", "--prior", path, "--exact")["exact"]
    optimal = load("suggest", "--prior", path, "-p", "optimal")
    for suggestion in (exact, optimal, output):
        assert (suggestion["guess"], suggestion["expected_guesses"]) == ("1234", 1.45)
    assert figures(run("tree", "--prior", path).splitlines()[-3])[:2] == [4, 1.45]
    whole = load("tree", "--prior", path)
    assert (whole["total_guesses"], whole["mean_guesses"]) == (29, 1.45)  # of weights 12 5 2 1
    ended = events("--prior", path, "--seed", "3", typed="quit\n")[-1]
    assert ended["secret"] in output["candidates"]


MOVES = [["112", "1,0"], ["134", "3,0"]]
GAMES = [{"game": "mm-3-4", "player": "Ann", "moves": MOVES}, {"moves": MOVES, "game": "mm-3-4"}]
LINES = "\n".join(map(json.dumps, GAMES))


def test_games_of_a_file_are_judged(tmp_path):
    (tmp_path / "games.jsonl").write_text(LINES, encoding="utf-8")
    printed = run("score", tmp_path / "games.jsonl", "--out", tmp_path / "out", "--player", "me")
    head, _, *rows = printed.splitlines()
    assert head.startswith("mm-3-4, ")
    assert "optimal play" in head
    assert sorted(row.split()[0] for row in rows) == ["Ann", "me"]
    names = {path.name for path in (tmp_path / "out").iterdir()}
    tables = {f"{name}.csv" for name in ("moves", "games", "players", "turns", "skipped")}
    assert names == tables | {"score.json", "index.html"}
    judged = run("score", "-", "-p", "entropy", typed=LINES)
    assert "policy entropy (sets of up to 12 candidates" in judged
    assert run("score", "-", typed="") == "no games\n"


def test_score_says_what_it_wrote(tmp_path):
    folder = tmp_path / "judged"
    result = CliRunner().invoke(app, ["score", "1122:4,0", "--out", str(folder), "-f", "json"])
    written = ["index.html", "score.json"]
    written += [f"{name}.csv" for name in ("moves", "games", "players", "turns", "skipped")]
    assert result.stderr == f"wrote 7 files into {folder}: {', '.join(written)}\n"
    assert {path.name for path in folder.iterdir()} == {*written}
    assert json.loads(result.stdout)["file"] == "arguments"


def test_a_fault_of_score_names_its_place_in_words(tmp_path):
    (tmp_path / "game.txt").write_text("1122 9,9")
    for given, place in (
        (["1122:9,9"], "the moves given"),
        (["1122:1,0\n1122:9,9"], "line 2 of the moves given"),
        ([str(tmp_path / "game.txt")], f"{tmp_path}/game.txt:1"),
        ([], "-:1"),
    ):
        result = CliRunner().invoke(app, ["score", *given], input="1122:9,9")
        assert result.stderr.startswith(f"{place}: ")
        assert "9 black and 9 white" in result.stderr


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.slow
def test_files_in_utf_16_are_read(encoding, tmp_path):
    def written(name, text):
        (tmp_path / name).write_bytes(f"\ufeff{text}".encode(encoding))
        return tmp_path / name

    moves = written("game.txt", "1122 1,0\r\n1344 3,0\r\n1345 4,0\r\n")
    in_utf_8 = load("score", "1122:1,0", "1344:3,0", "1345:4,0")
    assert load("score", moves)["moves"] == in_utf_8["moves"]
    games = written("games.jsonl", '{"game": "mm-4-6", "moves": [["1122", "4,0"]]}\r\n' * 2)
    assert load("score", games)["games"] == 2
    words = written("words.txt", "crâne\r\nslate\r\n")
    arguments = ("-g", "marks", "--words", words, "--alphabet", "abcdefghijklmnopqrstuvwxyzâ")
    assert load("suggest", *arguments)["n_candidates"] == 2
    prior = written("prior.txt", "11 3\r\n12 4\r\n")
    assert load("suggest", "-g", "mm-2-3", "--prior", prior)["n_candidates"] == 2
    tree = written("tree.txt", run("tree", *SMALL, "-f", "contest"))
    assert load("verify", tree, "-g", "mm-3-4")["valid"]
    moves.write_bytes(moves.read_bytes()[:-1])
    assert run("score", moves, code=1) == "no games\n"


@pytest.fixture
def hard_words(tmp_path):
    words = tmp_path / "atch.txt"
    more = tmp_path / "more.txt"
    words.write_text("batch catch hatch latch match patch watch".replace(" ", "\n"))
    more.write_text("bhlmp\nclamp\n")
    return ["-g", "marks", "--words", words, "--more-words", more, "--guess-pool", "hard"]


def test_hard_games_are_judged_in_hard_mode(hard_words):
    typed = "watch\nbhlmp\nbatch\ncatch\nhatch\nlatch\nmatch\npatch\n"
    printed = run("play", *hard_words, "--secret", "patch", typed=typed)
    assert "marks-words in hard mode" in printed
    assert 2.43 in figures(printed)
    assert printed.count("no better guess") == 6
    exact = load("suggest", *hard_words, "--exact", "watch:bgggg")["exact"]
    assert (exact["expected_guesses"], exact["regret"]) == (3.5, 0)
    assert {guess["expected_guesses"] for guess in exact["best"]} == {3.5}
    devious = events(*hard_words, "--codemaker", "devious", typed="watch\nbatch\nquit\n")
    assert [event["feedback"] for event in devious if event["event"] == "move"] == ["bgggg"] * 2


@pytest.mark.slow
def test_games_are_scored_with_a_guess_pool():
    typed = '{"game": "marks-five", "moves": [["crane", "bbybb"], ["slate", "bbybb"]]}'
    arguments = ["score", "-", "--guess-pool", "hard"]
    result = CliRunner().invoke(app, arguments, input=typed)
    assert result.exit_code == 0 or "no secret fits" in result.stderr
    broken = typed.replace("slate", "hotel")
    result = CliRunner().invoke(app, arguments, input=broken)
    assert result.exit_code == 1
    assert result.stderr.startswith("-:1: move 2: ")
    assert "hotel" in result.stderr
    assert "green" in result.stderr


def test_skipped_lines_are_told_and_change_the_exit_code():
    typed = LINES + "\n{}" * 25
    result = CliRunner().invoke(app, ["score", "-"], input=typed)
    faults = result.stderr.splitlines()
    assert (result.exit_code, len(faults)) == (1, 21)
    assert faults[0].startswith("-:3: ")
    assert faults[0].endswith("moves, guess_history, history")
    assert figures(faults[-1]) == [5]
    verdict = json.loads(run("score", "-", "-f", "json", typed=typed, code=1))
    assert (verdict["games"], len(verdict["skipped"]), verdict["skipped"][0]["line"]) == (2, 25, 3)


def test_a_solved_game_is_proven_by_bound_certificate_and_replay(tmp_path):
    tree = tmp_path / "tree.contest"
    certificate = tmp_path / "certificate.json"
    text = run("solve", "mm-3-4", "--out", tree, "--certificate", certificate)
    assert text.splitlines()[0] == "mm-3-4: optimal, from 112"
    [totals] = [line for line in text.splitlines() if " on average" in line]
    assert figures(totals)[:4] == [206, 64, 3.2188, 4]
    [proof] = [line for line in text.splitlines() if line.startswith("proven: ")]
    assert figures(proof) == [206]
    replayed = load("verify", tree, "-g", "mm-3-4")
    assert (replayed["valid"], replayed["total_guesses"]) == (True, 206)
    checked = python(ROOT / "workflow" / "checkers" / "check_certificates.py", certificate)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for form in WRITTEN:
        assert run("solve", "mm-2-3", "--out", tmp_path / "tree", "--as", form)
        if form in READ:
            assert load("verify", tmp_path / "tree", "-g", "mm-2-3")["valid"]


@pytest.mark.parametrize("name", ["mm-3-4", "bc-3-5", "black-3-3", "mm-3-4-distinct"])
def test_a_tree_in_json_is_read_by_all_that_read_trees(name, tmp_path):
    file = tmp_path / "tree.json"
    file.write_text(run("tree", "-g", name, "--format", "json"), encoding="utf-8")
    stated = json.loads(file.read_text(encoding="utf-8"))
    verdict = load("verify", file)
    assert (verdict["valid"], verdict["notes"]) == (True, [])
    assert verdict["total_guesses"] == stated["total_guesses"]
    assert cb.read_tree(file).total == stated["total_guesses"]
    lengths = [turn for turn, n in enumerate(stated["profile"], start=1) for _ in range(n)]
    sentence, row = check_certificates.shown(file, {})
    assert f"all {stated['n_secrets']} secrets" in sentence
    assert sentence.endswith("it claims no bound")
    assert row["total_guesses"] == stated["total_guesses"] == sum(lengths)
    cb.read_tree(file).write(tmp_path / "again.json")
    assert check_certificates.shown(tmp_path / "again.json", {})[0] == sentence
    wrong = [
        ({"total_guesses": sum(lengths) + 1}, f"its 'total_guesses' is {sum(lengths)}"),
        ({"mean_guesses": stated["mean_guesses"] + 0.01}, "its 'mean_guesses' is"),
        ({"profile": stated["profile"][::-1]}, "its 'profile' is"),
        ({"max_guesses": 99}, "its 'max_guesses' is"),
        ({"n_secrets": -1}, "its 'n_secrets' has another form"),
        ({"bound": 1}, "its keys are not game, guess_pool"),
        ({"tree": {"guess": stated["tree"]["guess"]}}, "the tree ends at guess 1, .* a whole tree"),
        ({"tree": stated["tree"] | {"after": {"none": {"guess": "x"}}}}, "the branches after"),
    ]
    for change, reason in wrong:
        file.write_text(json.dumps(stated | change), encoding="utf-8")
        with pytest.raises(ValueError, match=reason):
            check_certificates.shown(file, {})


def test_limits_are_those_of_the_library():
    for arguments, settings in (
        (("mm-3-4", "--max-guesses", 4, "--opening", "123"), {"max_guesses": 4, "opening": "123"}),
        (("mm-3-3", "--guess-pool", "consistent"), {"guess_pool": "consistent"}),
        (("marks-example", "--guess-pool", "hard"), {"guess_pool": "hard"}),
    ):
        solved = cb.solve(arguments[0], **settings)
        data = load("solve", *arguments)
        assert (data["total"], data["bound"], data["proven"]) == (solved.bound, solved.bound, True)
        assert data["tree"] == solved.tree.name
        assert data["opening"] == solved.tree.opening


@pytest.mark.slow
def test_a_search_without_time_says_what_is_proven(tmp_path):
    limits = ("mm-4-7", "--time-limit", 0.1, "--checkpoints", tmp_path / "kept")
    data = json.loads(run("solve", *limits, "-f", "json", code=1))
    assert [path.suffix for path in (tmp_path / "kept").iterdir()] == [".npz"]
    assert data["bound"] < data["total"]
    assert (data["proven"], data["tree"]) == (False, "best-found")
    text = run("solve", *limits, code=1)
    [proof] = [line for line in text.splitlines() if line.startswith("proven: ")]
    bound, more, _ = figures(proof)
    total = figures(text.splitlines()[1])[0]
    assert 0 < bound < total == bound + more
    assert text.splitlines()[-1].startswith("not proven")
    assert "--time-limit" in text.splitlines()[-1]


def test_a_search_shows_warnings_at_once(monkeypatch):
    def warn(*_):
        logging.getLogger("codebreaker").warning("compiling for some seconds")
        raise CodebreakerError("no more")

    monkeypatch.setattr("codebreaker.advice.solving.solve_game", warn)
    run = CliRunner().invoke(app, ["solve", "mm-2-3", "-f", "json"])
    assert run.stdout == ""
    assert run.stderr.splitlines()[0] == "compiling for some seconds"


def test_solve_takes_the_game_as_the_other_commands_do():
    whole = load("solve", "mm-2-3")
    for names in (("-g", "mm-2-3"), ("--game", "MM(2,3)"), ("mm-2-3", "-g", "MM-2-3")):
        assert load("solve", *names) == whole
    refused = refusal("solve mm-2-3 -g mm-2-4")
    assert "mm-2-3" in refused
    assert "mm-2-4 by --game" in refused
    assert "codebreaker solve mm-3-4" in refusal("solve")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("--checkpoints kept/deep", 0),
        ("--max-guesses 2 --checkpoints kept", 2),
        ("--max-guesses 2 --out deep/tree.json --certificate other/proof.json", 2),
        ("--out deep/tree.json --checkpoints /dev/null/kept", 2),
        ("--out deep/tree.txt", 2),
    ],
)
def test_a_search_leaves_no_empty_folders(arguments, code, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    run("solve", "mm-2-2", *arguments.split(), code=code)
    assert [*Path().iterdir()] == []


def test_a_long_search_says_at_once_how_long_it_may_take():
    result = CliRunner().invoke(app, ["solve", "mm-3-3", "--max-guesses", "5", "-f", "json"])
    begin, progress = result.stderr.splitlines()[0].split("; ")
    assert begin.startswith("mm-3-3: ")
    assert begin.endswith(" 60 s")
    assert "progress" in progress
    assert json.loads(result.stdout)["proven"]
    short = ["solve", "mm-3-3", "--max-guesses", "5", "--time-limit", "9"]
    result = CliRunner().invoke(app, short)
    assert result.stderr.splitlines()[0] == begin.replace("60 s", "9 s")


def test_a_search_takes_a_larger_table():
    error = refusal("solve mm-5-8")
    assert "1,024.0 MiB" in error
    assert "64 MiB" in error
    assert error.endswith("(option --table)\n")
    error = refusal("suggest -g bc-5-10-any-guess")
    assert "2,883.9 MiB" in error
    assert "(option --table)" in error
    small = ("-g", "mm-3-4", "--table", "0.001")
    assert "(option --table)" in run("solve", *small, code=2)
    # Without a table the suggestion is the same.
    assert run("suggest", *small, "-p", "entropy") == run("suggest", *SMALL)


def test_ctrl_c_says_what_is_saved(tmp_path):
    def interrupt(*_):
        signal.raise_signal(signal.SIGINT)

    kept = tmp_path / "kept"
    arguments = ["solve", "mm-3-4", "--max-guesses", "5"]
    with mock.patch.object(solver, "unsolved", wraps_and(solver.unsolved, interrupt)):
        result = CliRunner().invoke(app, arguments)
        assert (result.exit_code, result.stdout) == (130, "")
        last = result.stderr.splitlines()[-1]
        assert last.startswith("interrupted: nothing is saved")
        assert "--checkpoints FOLDER" in last
        result = CliRunner().invoke(app, [*arguments, "--checkpoints", str(kept)])
    assert (result.exit_code, result.stdout) == (130, "")
    last = result.stderr.splitlines()[-1]
    assert last.startswith("interrupted: ")
    assert f"saved in {kept}" in last
    assert [path.suffix for path in kept.iterdir()] == [".npz"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    result = CliRunner().invoke(app, [*arguments, "--checkpoints", str(kept), "-f", "json"])
    assert "resuming after" in result.stderr
    assert json.loads(result.stdout) == load(*arguments)


def wraps_and(function, more):
    def both(*given):
        more()
        return function(*given)

    return both


def test_a_search_that_is_killed_resumes(tmp_path):
    killed = tmp_path / "killed"
    arguments = ("solve", "mm-4-5", "-f", "json", "--checkpoints", killed)
    with mock.patch.multiple(solver, EVERY_S=0.0, SPARED=0.0, SLICE=1 << 22):
        whole = json.loads(run(*arguments[:-1], tmp_path / "other"))
        calls = iter(range(5))

        def fail(*_):
            if next(calls, None) is None:
                raise KeyboardInterrupt

        with mock.patch.object(solver.Checkpoint, "keep", wraps_and(solver.Checkpoint.keep, fail)):
            run(*arguments, code=130)
        assert [*killed.iterdir()]
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert "resuming after" in result.stderr
    assert json.loads(result.stdout) == whole


@pytest.mark.slow
def test_a_search_in_hard_mode_ends_with_the_best_tree_in_time(tmp_path):
    hard = ("marks-five", "--guess-pool", "hard")
    stopped = run("solve", *hard, "--time-limit", "1e-9", "--out", tmp_path / "tree.json", code=1)
    assert "best-found_pool-hard" in stopped
    assert stopped.splitlines()[-1].startswith("not proven")
    assert "--time-limit" in stopped.splitlines()[-1]
    bound = int(re.search(r"has at least ([0-9,]+) guesses", stopped)[1].replace(",", ""))
    tree = cb.read_tree(tmp_path / "tree.json", "marks-five")
    assert tree.obeys_hard_mode
    assert bound <= tree.total
    policies = ("entropy", "most-parts", "expected-size", "worst-case")
    trees = [cb.grow("marks-five", policy, guess_pool="hard") for policy in policies]
    assert tree.total == min(grown.total for grown in trees)
    small = ("marks-example", "--guess-pool", "hard")
    assert "proven: no tree" in run("solve", *small, "--time-limit", "60")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("mm-3-4 --max-guesses 3", ["proven", "mm-3-4", "3 guesses"]),
        ("mm-3-4 --as dot", ["--as", "--out"]),
        ("mm-3-4 --out tree.txt", ["'txt'", "parquet"]),
        ("mm-3-4 --out tree", ["tree.json", "--as"]),
        ("mm-3-4 --out /dev/null/tree.json", ["trees", "/dev/null"]),
        ("mm-3-4 --time-limit 0", ["(option --time-limit)"]),
        ("mm-3-4 --memory 0", ["memory_mib can't be 0"]),
        ("mm-3-4 --guess-pool hard", ["marks"]),
        ("mm-3-4 --opening 999", ["999"]),
        (
            "marks-five --guess-pool hard --time-limit 1e-9 --max-guesses 3",
            ["marks-five in hard mode", "3 guesses", "1e-09 s", "(option --time-limit)"],
        ),
        (
            "marks-five --guess-pool hard --time-limit 1e-9 --max-guesses 1",
            ["proven", "hard mode", "marks-five", "1 guess"],
        ),
        ("marks-example --guess-pool hard --certificate c.json", ["--certificate"]),
        ("mm-7-5", ["78,125 secrets", "65,535"]),
        ("mm-3", ["mm-3"]),
    ],
)
@pytest.mark.slow
def test_searches_that_are_refused(arguments, named):
    message = run("solve", *shlex.split(arguments), code=2).splitlines()[-1]
    assert message.startswith("error: ")
    assert [words for words in named if words not in message] == []


def test_games_of_any_size_are_played_by_samples():
    first = load("suggest", "-g", "mm-12-20")
    assert first["guess"] == "112233445567"
    assert first["n_candidates"] == 20**12
    assert first["sampled"]["is_exact"]
    later = load("suggest", "-g", "mm-12-20", "112233445567:1,2", "--samples", "256")
    sampled = later["sampled"]
    assert sampled["how"] == "drawn"
    assert sampled["n_candidates"]["low"] < later["n_candidates"] < sampled["n_candidates"]["high"]
    assert len(later["candidates"]) == 10
    text = run("suggest", "-g", "mm-8-10", "11223344:0,2", "--samples", "256")
    assert re.search(
        r"^candidates: about [\d,]+ \([\d,]+ to [\d,]+\), such as ", text, re.MULTILINE
    )
    assert re.search(r"^found: sampled: [\d,]+ guesses compared over 256 candidates", text, re.M)
    assert run("suggest", "-g", "mm-8-10", "11223344:8,0").startswith("solved: the secret is")


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("suggest -g mm-8-10 --exact", ["leave out --exact"]),
        ("suggest -g mm-8-10 --list", ["leave out --list"]),
        ("suggest -g mm-8-10 --samples 3", ["16"]),
        ("suggest -g mm-8-10 -p entropy", ["'sampled'"]),
        ("suggest -g mm-21-200", ["mm-21-200"]),
        ("tree -g mm-6-9", ["mm-6-9", "tree"]),
        ("play -g mm-8-10 --codemaker devious", ["mm-8-10", "list"]),
        ("suggest -p entropy --samples 100", ["samples", "'sampled'"]),
        ("suggest -g mm-8-10 11111111:0,0 11223344:4,4", ["move 2, 11223344:4,4: ", "change"]),
        ("play -g mm-6-9 --codemaker devious", ["policy", "'entropy'"]),
    ],
)
def test_what_samples_can_not_do_is_refused(command, named):
    message = refusal(command)
    assert [words for words in named if words not in message] == []


@pytest.mark.slow
def test_the_program_finds_a_secret_by_samples():
    secret = (7, 1, 1, 4, 9, 10, 2, 2)
    symbols = "123456789a"
    answers = []
    guess = load("suggest", "-g", "mm-8-10")["guess"]
    moves = []
    while True:
        pegs = grade(tuple(symbols.index(symbol) + 1 for symbol in guess), secret)
        answers.append(f"{pegs[0]},{pegs[1]}")
        if pegs[0] == 8:
            break
        moves.append(f"{guess}:{answers[-1]}")
        guess = load("suggest", "-g", "mm-8-10", "--samples", "128", *moves)["guess"]
    typed = "\n".join(answers)
    played = events("-g", "mm-8-10", "--samples", "128", "--solver", typed=typed)
    assert played[-1]["event"] == "end"
    assert played[-1]["solved"]
    assert played[-1]["secret"] == "71149a22"


def test_large_games_are_played_and_not_analysed():
    typed = "11223344\n?\n99887766\nundo\nquit\n"
    played = events("-g", "mm-8-10", "--secret", "12345678", "--samples", "64", typed=typed)
    kinds = [event["event"] for event in played]
    assert kinds == ["start", "move", "hint", "move", "undo", "end", "note"]
    assert played[2]["n_candidates"] > 10**6
    assert "too large to analyse" in run(
        "play", "-g", "mm-8-10", "--secret", "12345678", typed="11223344\nquit\n"
    )


@pytest.mark.parametrize(
    ("game", "default", "others"), [("mm-12-20", "sampled", False), ("mm-4-6", "best-known", True)]
)
def test_policies_list_samples(game, default, others):
    listed = load("policies", "-g", game)
    names = [policy["name"] for policy in listed["policies"]]
    assert listed["default"] == default
    assert "sampled" in names
    assert ("entropy" in names) == others
    assert "sampled" not in [
        policy["name"] for policy in load("policies", "-g", "marks-five")["policies"]
    ]


def test_rarer_words_may_be_the_secret_if_no_other_word_fits():
    def suggested(*moves, game="wordle"):
        return CliRunner().invoke(app, ["suggest", "-g", game, "-f", "json", "--list", *moves])

    solved = CliRunner().invoke(app, ["suggest", "-g", "wordle", "karma:ggggg"])
    assert solved.stderr == "no secret of the list fits: 1 rarer word may be the secret\n"
    assert solved.stdout == "solved: the secret is karma\n"
    usual = {word.text for word in read_words("common-secrets")}
    known = [word.text for name in ("common", "further") for word in read_words(f"{name}-guesses")]
    moves = list[str]()
    had_usual = []
    fits = sorted({*known})
    for guess in ("stole", "prone", "drove"):
        answer = WORD_GRADES["marks"](guess, "trove")
        moves.append(f"{guess}:{answer}")
        fits = [word for word in fits if WORD_GRADES["marks"](guess, word) == answer]
        left = [word for word in fits if word in usual]
        result = suggested(*moves)
        assert json.loads(result.stdout)["candidates"] == (left or fits)
        assert (f"{len(fits)} rarer word" in result.stderr) == (not left)
        had_usual.append(bool(left))
    assert had_usual[0] > had_usual[-1]
    assert "trove" in fits
    # A contradiction, and a list that has no rarer words, are as before.
    assert "no secret fits" in suggested("aback:gbbbb", "abbey:bbbbb").stderr
    assert "no secret fits" in suggested("karma:ggggg", game="marks-five").stderr


def test_words_of_no_list_are_guessed_in_play():
    played = events("-g", "wordle", "--secret", "abide", typed="salet\ncrane\n?\nabidx\nquit\n")
    kinds = [event["event"] for event in played]
    assert kinds == ["start", "note", "move", "move", "hint", "note", "move", "end"]
    assert played[1]["message"].startswith("'salet' is not in the word list (did you mean")
    answers = [(event["guess"], event["feedback"]) for event in played if event["event"] == "move"]
    words = ("salet", "crane", "abidx")
    assert answers == [(word, WORD_GRADES["marks"](word, "abide")) for word in words]
    # A word of another length is refused; with a list of the user's, so is any word that it lacks.
    refused = events("-g", "wordle", "--secret", "abide", typed="sale\nsale1\nquit\n")
    assert [event["event"] for event in refused] == ["start", "error", "error", "end"]
    own = events("-g", "marks", "--words", "five-secrets", typed="qqqqq\nquit\n")
    assert [event["event"] for event in own] == ["start", "error", "end"]


def test_rarer_words_may_be_the_secret_of_the_player():
    typed = list[str]()
    for _ in range(8):
        played = events("-g", "wordle", "--solver", typed="\n".join([*typed, "quit"]))
        guess = guesses_of(played, "guess")[-1]
        typed.append(WORD_GRADES["marks"](guess, "karma"))
        if guess == "karma":
            break
    played = events("-g", "wordle", "--solver", typed="\n".join(typed))
    notes = [event["message"] for event in played if event["event"] == "note"]
    assert len(notes) == 1
    assert re.fullmatch(r"no secret of the list fits: \d+ rarer words? may be the secret", notes[0])
    assert played[-1]["secret"] == "karma"
    assert guesses_of(played, "move")[-1] == "karma"
    # A secret that is given may be rarer, too.
    given = events("-g", "wordle", "--secret", "karma", typed="stole\nkarma\n")
    assert given[0]["message"] == "the secret is a rarer word: the game is marks-rare"
    assert given[-1]["solved"]
    unknown = CliRunner().invoke(app, ["play", "-g", "wordle", "--secret", "karmx"])
    assert "'karmx' is not among" in unknown.stderr
    # A contradiction is as before.
    wrong = events("-g", "wordle", "--solver", typed="ggggb\nbbbby\nbbbbb\nbbbbb\nquit")
    assert "error" in [event["event"] for event in wrong]


@pytest.mark.parametrize("source", ["file", "stdin", "argument"])
def test_scores_read_words_of_no_list_and_rarer_secrets(tmp_path, source):
    text = "salet bbbyb\ncrane ggggg\n\nrhino bbbbb\nkarma ggggg\n\nstole bbbby\ncrane ggggg\n"
    assert WORD_GRADES["marks"]("salet", "crane") == "bybyb"
    text = text.replace("salet bbbyb", "salet bybyb").replace("rhino bbbbb", "rhino ybbbb")
    text = text.replace("stole bbbby", "stole bbbbg")
    path = tmp_path / "games.txt"
    path.write_text(text)
    given = {"file": str(path), "stdin": "-", "argument": text}[source]
    typed = text if source == "stdin" else None
    arguments = ["score", "-g", "wordle", "--policy", "first-consistent", "-f", "json", given]
    verdict = json.loads(CliRunner().invoke(app, arguments, input=typed).stdout)
    assert verdict["skipped"] == []
    assert [(row["game"], row["games"]) for row in verdict["players"]] == [
        ("marks-common", 2),
        ("marks-rare", 1),
    ]
    assert verdict["remarks"][0].startswith("line 4: no secret of marks-common fits")
    assert verdict["remarks"][1] == "'salet' is not in the word list: taken as a guess"
    assert len(verdict["remarks"]) == 2


def test_solve_takes_one_opening_guess():
    refused = CliRunner().invoke(app, ["solve", "mm-3-4", "--opening", "123,234"])
    assert "a search takes one opening guess, not '123,234'" in refused.stderr
    assert refused.exit_code == 2
