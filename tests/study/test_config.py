"""Configurations, and the frame of a step."""

import errno
import json
import runpy
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from conftest import ROOT, python, read_yaml
from snakemake.iocontainers import OutputFiles
from study_base import BASE

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import TABLE_LIMIT_MIB
from codebreaker.players.registry import PLAYERS
from codebreaker.policies.strategy import SETTINGS
from codebreaker.runtime.effort import read_effort
from codebreaker.study.config import Config, Limits, read_config, schema
from codebreaker.study.config.strategies import StrategyEntry
from codebreaker.study.jobs import check_digests, check_place, job, record_digests
from codebreaker.study.load import load_study
from codebreaker.study.yaml_files import read_given_yaml

CONFIG = ROOT / "config"
SECONDS = 10


def test_the_schema_and_the_tables_of_keys_are_current():
    described = runpy.run_path(str(ROOT / "tools" / "describe_config.py"))["described"]
    readme = (CONFIG / "README.md").read_text(encoding="utf-8")
    assert json.loads((CONFIG / "schema.json").read_text(encoding="utf-8")) == schema()
    assert described(readme) == readme


def overlaid(below, above):
    if not isinstance(above, dict) or not isinstance(below, dict):
        return above
    return below | {key: overlaid(below.get(key), value) for key, value in above.items()}


@pytest.mark.parametrize("path", sorted(CONFIG.glob("*.yaml")), ids=lambda path: path.name)
def test_the_files_are_valid_studies(path):
    study = load_study(overlaid(read_yaml("config/config.yaml"), read_yaml(path)))
    assert study.strategies
    assert study.config.optimise.models


def test_logs_of_agents_are_named_by_their_files(tmp_path, monkeypatch):
    """A folder of the same name without such files, as Snakemake's, is passed over."""
    working = tmp_path / "working"
    (working / "logs" / "grow_tree").mkdir(parents=True)
    monkeypatch.chdir(working)
    study = {"agents": {"logs": "logs"}, "strategies": {"mm-3-3": [{"policy": "entropy"}]}}
    (tmp_path / "logs").mkdir()
    for name in ("gpt-5.jsonl", "me.txt", "README.md"):
        (tmp_path / "logs" / name).touch()
    logs = load_study(study, tmp_path).agent_logs
    assert {agent: Path(path).name for agent, path in logs.items()} == {
        "gpt-5": "gpt-5.jsonl", "me": "me.txt",
    }  # fmt: skip
    for name, message in (("me.jsonl", "two logs are of the agent me"), ("{a}.txt", "rename it")):
        (tmp_path / "logs" / name).touch()
        with pytest.raises(CodebreakerError, match=message):
            load_study(study, tmp_path)
        (tmp_path / "logs" / name).unlink()


def test_the_default_file_holds_the_defaults():
    data = read_yaml("config/config.yaml")
    assert set(data) == set(Config.model_fields)
    for key in ("strategies", "word_lists", "pareto"):
        assert data.pop(key)
    filled = {
        "optimise": ["models"],
        "guided": ["models"],
        "exact": ["games", "rounds", "frontiers", "values"],
        "scaling": ["games"],
        "transfer": ["games"],
        "terminals": ["count"],
        "best_known": ["games", "first_guesses"],
        "codemaker": ["devious"],
        "players": ["random_consistent", "contests", "methods"],
    }
    for section, keys in filled.items():
        assert all(data[section].pop(key) for key in keys)
    data["optimise"]["presets"] = {"paper": data["optimise"]["presets"]["paper"]}
    assert read_config(data) == Config()
    assert Limits().table_mib == TABLE_LIMIT_MIB


def test_an_entry_of_strategies_has_all_settings_of_a_strategy():
    assert set(StrategyEntry.model_fields) == set(SETTINGS)


def test_every_option_of_a_player_is_explained():
    text = schema()["$defs"]["Contest"]["properties"]["options"]["description"]
    for spec in PLAYERS.values():
        assert [option for option in spec.options if f"`{option}`" not in text] == []


def test_openings_may_be_written_as_numbers_and_games_may_have_priors():
    strategies = {"mm-4-6": [{"policy": "entropy", "opening": 1123}]}
    strategies["matches-liked"] = [{"policy": "worst-case"}]
    study = load_study(BASE | {"strategies": strategies})
    assert study.strategies["mm-4-6"]["entropy_from-1123"].opening == "1123"
    several = {"mm-4-6": [{"policy": "entropy", "opening": "1123,4456"}]}
    (slug,) = load_study(BASE | {"strategies": several}).strategies["mm-4-6"]
    assert slug == "entropy_from-1123,4456"
    assert study.games.prior_of("matches-liked") == ["tests/words/liked.txt"]
    assert study.games.prior_of("matches-w") == study.games.prior_of("mm-4-6") == []


def test_a_game_of_codes_has_no_word_list_whatever_lists_are_called():
    lists = BASE["word_lists"] | {"4-6": BASE["word_lists"]["liked"]}
    study = load_study(BASE | {"word_lists": lists})
    assert study.games.lists_of("matches-4-6") == {"4-6": study.games.word_lists["4-6"]}
    assert study.games.lists_of("mm-4-6") == {}
    assert study.games.prior_of("mm-4-6") == []


def aliases(first, line):
    """Return eleven lines, each of which stands for the one before nine times."""
    text = f"a0: &a0 {first}\n"
    for number in range(1, 11):
        text += f"a{number}: &a{number} {line.replace('BEFORE', f'*a{number - 1}')}\n"
    return text


NINE = ", ".join(["BEFORE"] * 9)
KEYS = ", ".join(f"key-{number}: BEFORE" for number in range(9))

# Texts of files, and a pattern of the message.
UNREADABLE = {
    "twice": ("a: {b: 1}\na: {c: 2}\n", "line 1: the key 'a' occurs twice: join the two"),
    "below": ("a:\n  b: 1\n  c: 1\n  b: 2\n", "line 2: the key 'b' occurs twice"),
    "within itself": ("a: &a\n  b: *a\n", "nested too deeply, or within itself"),
    "broken": ("a: [1, 2", "is not YAML: while parsing"),
    "unknown tag": ("a: {!generations: 10}\n", "is not YAML: could not determine a constructor"),
    "octal": (
        "a:\n- {opening: 0123}\n",
        'line 2: YAML reads the opening 0123 as a number, 83: write "0123"',
    ),
    "hexadecimal": ("a: {opening: 0x12}\n", 'the opening 0x12 as a number, 18: write "0x12"'),
    "fraction": ("a: {opening: 1.20}\n", 'the opening 1.20 as a number, 1.2: write "1.20"'),
    "one of several": (
        "openings: [1123, 0456]\n",
        'the openings 0456 as a number, 302: write "0456"',
    ),
    "no date": ("a: 2001-13-01\n", "is not YAML: month must be in 1..12"),
    "aliases": (aliases("[x]", f"[{NINE}]"), "more than 50,000 entries, with all that its aliases"),
    "aliases of mappings": (aliases("{x: 1}", f"{{{KEYS}}}"), "more than 50,000 entries"),
    "merged aliases": (aliases("{x: 1}", f"{{<<: [{NINE}]}}"), "more than 50,000 entries"),
    "many keys": ("{" + ",".join(map(str, range(10**5))) + "}", "more than 50,000 entries"),
    "a number to the base 60": ("a: 1" + ":1" * 10**5, "more than 10,000 characters: shorten it"),
    "a large decimal": ("a: 1" + ":1" * 4000 + ".5", "a value does not fit its tag"),
    "deep": ("[" * 200 + "]" * 200, "nested too deeply"),
    "very deep": ("[" * 10**4, "is not YAML"),
    "large": ("a: 1\n" + "#" * 2**21, "is larger than 1 MiB"),
    "bytes": (b"\xff\xfea", "is not YAML: 'utf-8' codec"),
}


@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.slow
def test_what_a_reader_would_take_in_silence_is_refused(tmp_path, name):
    content, message = UNREADABLE[name]
    path = tmp_path / "study.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    started = time.process_time()
    with pytest.raises(CodebreakerError, match=message) as caught:
        read_given_yaml(path)
    assert "\n" not in str(caught.value)
    assert time.process_time() - started < SECONDS


def test_what_can_be_read_is_taken(tmp_path):
    shared = "base: &base {a: 1}\none: {<<: *base, b: 2}\ntwo: {<<: *base, b: 3}\n"
    (tmp_path / "empty.yaml").touch()
    (tmp_path / "shared.yaml").write_text(shared)
    codes = 'a: {opening: "0123"}\nb: {opening: 1123}\nc: {openings: [1.2, "1.20"], other: 0123}\n'
    (tmp_path / "codes.yaml").write_text(codes)
    for path in (*CONFIG.glob("*.yaml"), *tmp_path.iterdir()):
        read_given_yaml(path)
    with pytest.raises(CodebreakerError, match=r"can't be read \(No such file"):
        read_given_yaml(tmp_path / "none.yaml")


@pytest.fixture
def step(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results/in.csv").write_text("a,b\n1,2\n")
    output = OutputFiles(["results/sub/out.csv"])
    return SimpleNamespace(input=["results/in.csv"], output=output, log=["logs/x.log"])


def run(step, error=None):
    try:
        with job(step):
            if error is not None:
                raise error
            for path in step.output:
                folder = path.rpartition("/")[0]
                Path(folder).mkdir(exist_ok=True)
                Path(path).write_text("out\n")
    except SystemExit as stop:
        return stop.code
    return 0


FAILURES = {
    "ours": (CodebreakerError("no such game"), "error: no such game"),
    "disk": (OSError(errno.ENOSPC, "Full", "a"), "error: Full (a): free disk space, and run again"),
    "short write": (OSError("100 requested and 10 written"), "written: free disk space, and run"),
    "read-only": (OSError(errno.EROFS, "Read-only", "a"), "(a): let this user write there"),
    "memory": (MemoryError(), "error: not enough memory: use fewer --cores, or change"),
    "table": (pl.exceptions.NoDataError("empty CSV"), "error: a table can't be read (empty CSV)"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failures_are_one_line(step, capsys, name):
    error, message = FAILURES[name]
    assert run(step, error) == 1
    printed = capsys.readouterr().err
    assert message in printed
    assert "Traceback" not in printed
    assert len(printed.splitlines()) == 1
    assert message in Path(step.log[0]).read_text(encoding="utf-8")


def test_places_where_no_study_runs_are_named(tmp_path, monkeypatch):
    (tmp_path / "n\udcff").mkdir()
    (tmp_path / "results").touch()
    for folder, message in ((tmp_path, "move it away"), (tmp_path / "n\udcff", "not UTF-8")):
        monkeypatch.chdir(folder)
        with pytest.raises(CodebreakerError, match=message):
            check_place()


def test_a_defect_is_told_with_its_lines(step, capsys):
    assert run(step, ZeroDivisionError()) == 1
    printed = capsys.readouterr().err
    assert "this is a bug in codebreaker" in printed
    assert "Traceback" in printed


@pytest.mark.parametrize("log", ["logs/x.log", "/dev/full"])
def test_a_log_that_cannot_be_written_fails_no_step(step, tmp_path, capsys, log):
    (tmp_path / "logs").write_text("a file")
    step.log = [log]
    assert run(step) == 0
    printed = capsys.readouterr().err
    assert "done in" in printed
    assert "Traceback" not in printed


def test_a_job_says_what_it_took(step):
    step.output = OutputFiles(
        fromdict={"table": "results/sub/out.csv", "effort": "results/e/j.json"}
    )
    with job(step):
        Path("results/sub").mkdir()
        Path("results/sub/out.csv").write_text("out\n")
        began = time.process_time()
        while time.process_time() < began + 0.2:
            pass
    took = read_effort("results/e/j.json")
    assert took.cpu_seconds >= 0.2
    assert took.seconds >= 0.2
    assert took.peak_mib > 10


def test_a_command_is_measured_with_what_it_started_unless_it_fails(tmp_path):
    file = tmp_path / "took.json"
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    measure = ("-m", "codebreaker.runtime.effort", file, sys.executable, "-c")
    assert python(*measure, busy).returncode == 0
    assert read_effort(file).cpu_seconds >= 0.3
    file.unlink()
    assert python(*measure, "raise SystemExit(3)").returncode == 3
    assert not file.exists()


def test_a_file_that_changed_since_it_was_written_is_refused(step, tmp_path, capsys):
    assert run(step) == 0
    after = SimpleNamespace(
        **vars(step) | {"input": step.output, "output": OutputFiles(["results/last.csv"])}
    )
    assert run(after) == 0
    (tmp_path / "results/sub/out.csv").write_text("ou\n")
    assert run(after) == 1
    printed = capsys.readouterr().err
    assert (
        "results/sub/out.csv is damaged or incomplete (its content has changed): delete" in printed
    )
    assert run(step) == 0
    assert run(after) == 0


def test_folders_are_checked_too(step):
    path = Path("results/islands/one.json")
    path.parent.mkdir()
    path.write_text("1")
    record_digests(["results/islands"])
    check_digests(["results/islands"])
    path.write_text("2")
    with pytest.raises(CodebreakerError, match=r"islands/one\.json is damaged"):
        check_digests(["results/islands"])
