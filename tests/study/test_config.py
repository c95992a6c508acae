"""The configuration: its schema, its files, and what it refuses."""

import json
import runpy

import pytest
import yaml
from conftest import ROOT

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import TABLE_LIMIT_MIB
from codebreaker.players.registry import PLAYERS
from codebreaker.study.config import Config, Limits, schema
from codebreaker.study.load import check_yaml, load_study

CONFIG = ROOT / "config"


BASE = {
    "strategies": {"mm-4-6": [{"policy": "entropy"}]},
    "word_lists": {
        "w": {"secrets": "tests/words/short.txt"},
        "gone": {"secrets": "tests/words/none.txt"},
        "mixed": {"secrets": "english"},
        "liked": {"secrets": "tests/words/short.txt", "prior": "tests/words/liked.txt"},
        "wrong": {"secrets": "tests/words/short.txt", "prior": "tests/words/short.txt"},
    },
}


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
    default = yaml.safe_load((CONFIG / "config.yaml").read_text(encoding="utf-8"))
    study = load_study(overlaid(default, yaml.safe_load(path.read_text(encoding="utf-8"))))
    assert study.policies
    assert study.config.optimise.models


def test_the_default_file_holds_the_defaults():
    data = yaml.safe_load((CONFIG / "config.yaml").read_text(encoding="utf-8"))
    assert set(data) == set(Config.model_fields)
    for key in ("strategies", "word_lists", "pareto"):
        assert data.pop(key)
    for section, key in (
        *(("optimise", "models"), ("guided", "models")),
        *(("exact", "games"), ("exact", "rounds"), ("exact", "frontiers"), ("exact", "values")),
        *(("scaling", "games"), ("transfer", "games"), ("terminals", "count")),
        *(("best_known", "games"), ("best_known", "first_guesses")),
        *(("codemaker", "static"), ("codemaker", "devious")),
        *(("players", "random_consistent"), ("players", "contests"), ("players", "methods")),
    ):
        assert data[section].pop(key)
    assert data["codemaker"]["wrong_answers"].pop("games")
    data["optimise"]["presets"] = {"paper": data["optimise"]["presets"]["paper"]}
    assert Config.model_validate(data) == Config()
    assert Limits().table_mib == TABLE_LIMIT_MIB


def test_every_option_of_a_player_is_explained():
    text = schema()["$defs"]["Contest"]["properties"]["options"]["description"]
    for spec in PLAYERS.values():
        assert [option for option in spec.options if f"`{option}`" not in text] == []


REFUSED = yaml.safe_load((ROOT / "tests" / "study" / "refused.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["told"])
def test_errors_are_reported_in_one_line(row):
    with pytest.raises(CodebreakerError) as caught:
        load_study(BASE | row["config"])
    assert f"config key {row['key']}" in str(caught.value)
    assert row["told"] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_openings_may_be_written_as_numbers():
    study = load_study({"strategies": {"mm-4-6": [{"policy": "entropy", "opening": 1123}]}})
    assert study.policies["mm-4-6"]["entropy_from-1123"].opening == "1123"


def test_a_game_with_a_prior_has_strategies():
    study = load_study(BASE | {"strategies": {"matches-liked": [{"policy": "worst-case"}]}})
    assert study.prior_of("matches-liked") == ["tests/words/liked.txt"]
    assert study.prior_of("matches-w") == study.prior_of("mm-4-6") == []


UNREADABLE = {
    "twice": ("a: {b: 1}\na: {c: 2}\n", "line 1: the key 'a' occurs twice: join the two"),
    "below": ("a:\n  b: 1\n  c: 1\n  b: 2\n", "line 2: the key 'b' occurs twice"),
    "within itself": ("a: &a\n  b: *a\n", "nested too deeply, or within itself"),
    "deep": ("[" * 200 + "]" * 200, "nested too deeply"),
    "very deep": ("[" * 10**4, "is not YAML"),
    "large": ("a: 1\n" + "#" * 2**21, "is larger than 1 MiB"),
    "broken": ("a: [1, 2", "is not YAML: while parsing"),
    "unknown tag": ("a: {!generations: 10}\n", "is not YAML: could not determine a constructor"),
    "no date": ("a: 2001-13-01\n", "is not YAML: month must be in 1..12"),
    "bytes": (b"\xff\xfea", "is not YAML: 'utf-8' codec"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_a_reader_would_take_in_silence_is_refused(tmp_path, name):
    content, message = UNREADABLE[name]
    path = tmp_path / "study.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(CodebreakerError, match=message) as caught:
        check_yaml(path)
    assert "\n" not in str(caught.value)


def test_what_can_be_read_is_taken(tmp_path):
    for path in CONFIG.glob("*.yaml"):
        check_yaml(path)
    (tmp_path / "empty.yaml").touch()
    check_yaml(tmp_path / "empty.yaml")
    shared = "base: &base {a: 1}\none: {<<: *base, b: 2}\ntwo: {<<: *base, b: 3}\n"
    (tmp_path / "shared.yaml").write_text(shared)
    check_yaml(tmp_path / "shared.yaml")
    with pytest.raises(CodebreakerError, match="can't be read: No such file"):
        check_yaml(tmp_path / "none.yaml")
