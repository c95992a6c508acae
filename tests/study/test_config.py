"""The configuration: its schema, its files, and what it refuses."""

import json
import math
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
MODEL = {"turns": 6, "generations": 10, "seeds": [0]}
CONTEST = {"game": "mm-4-6", "opening": "1123", "players": ["EvoRank"]}


def with_value(key, value):
    for part in reversed(key.split(".")):
        value = {part: value}
    return BASE | value


def with_policy(game, **settings):
    return f"strategies.{game}", [{"policy": "entropy"} | settings]


def with_model(game="mm-4-6", **settings):
    return f"optimise.models.{game}.m", MODEL | settings


def with_optimum(*entries, game="mm-4-6", **settings):
    return f"exact.games.{game}", [*entries, settings]


def with_method(**settings):
    players = [{"player": "EvoRank"} | settings]
    return "players.methods.two", {"game": "mm-4-6", "opening": "1123", "players": players}


def with_transfer(*games):
    return "transfer", {"games": [*games], "openings": ["1234"]}


def with_contest(**settings):
    return "players.contests.six", CONTEST | settings


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


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (("strategie", {}), "did you mean 'strategies'?"),
        (("strategies", {}), "config key strategies is empty"),
        (with_policy("mm-4-6", openin="1123"), "mm-4-6.0.openin: did you mean 'opening'?"),
        (with_policy("mm-4-6", policy="entropi"), "6.0: unknown policy 'entropi': did you mean"),
        (with_policy("mm-4-6", opening="1127"), "mm-4-6.0: code '1127' has the peg '7'"),
        (with_policy("mm-4-6", tie_break="last"), "mm-4-6.0.tie_break: Input should be"),
        (with_policy("mm-4-6", guess_pool="some"), "mm-4-6.0.guess_pool: Input should be"),
        (with_policy("mm-4-6", exact_from=1), "mm-4-6.0.exact_from: Input should be greater"),
        (with_policy("mm-5-8", policy="most-parts-two-steps"), "no table: choose most-parts"),
        (with_policy("mm-5-8", policy="entropy-with-most-parts"), "no table: choose entropy"),
        (with_policy("matches-wrong"), "line 1: 'abba' is not a secret and its weight"),
        (with_policy("matches-liked", policy="entropy-then-most-parts"), "0: the secrets of"),
        (with_optimum(game="matches-liked"), "matches-liked: the secrets of matches-liked are"),
        (("exact.values", ["marks-liked"]), "are not equally likely: this is possible only for"),
        (with_model("matches-liked"), "are not equally likely"),
        (with_policy("mm-5-8", exact_from=3), "and game mm-5-8 has no table: use endgames"),
        (with_policy("mm-3-3", policy="stage-weighted"), "weights for 14 feedback types"),
        (("strategies.mm-3-3", [{"policy": "entropy"}] * 2), "'entropy' is listed twice"),
        (with_policy("mm-9-9"), "game 'mm-9-9' has 9 pegs"),
        (with_policy("go"), "unknown game 'go'"),
        (with_policy("marks-"), "game 'marks-' names no word list: write marks-LIST"),
        (with_policy("marks-w", opening="abbb"), "marks-w.0: 'abbb' is not among the 10 words"),
        (with_policy("marks-v"), "unknown word list 'v'"),
        (with_policy("matches-mixed"), "english.txt, line 401: 'abaci' has 5 letters, but 'abet'"),
        (with_policy("matches-gone"), "word list tests/words/none.txt can't be read (No such"),
        (("word_lists.w", {"secrets": "a.txt", "guess": "b.txt"}), "did you mean 'guesses'?"),
        (("word_lists.My words", {"secrets": "a.txt"}), "name consists of lower-case letters"),
        (("pareto.mm-4-6", {"openings": ["11"]}), "code '11' has 2 pegs"),
        (
            ("pareto.mm-4-6", {"openings": ["1123"], "orders": {"low": 5}}),
            "low 5 must not be above",
        ),
        (with_model(genes="orders", orders={"high": 0}), "there is one order to choose from"),
        (with_model(orders={"high": 9}), "less than or equal to 8"),
        (with_model(endgames=5), "m: endgames are for games without a table"),
        (with_model("mm-5-8", genes="orders"), "only weights can be optimised there"),
        (with_model(preset="papers"), "unknown preset 'papers': did you mean"),
        (with_model(opening="9"), "code '9' has 1 peg"),
        (with_model(seeds=[1, 1]), "a seed is listed twice"),
        (with_model(orders={"step": 1e-300}), "orders.step: Input should be greater"),
        (("limits.memo_mib", math.inf), "limits.memo_mib: Input should be a finite number"),
        (("exact.time_limit_s", math.nan), "time_limit_s: Input should be a finite number"),
        (with_contest(rounds=10**12), "six.rounds: Input should be less than"),
        (with_contest(options={"EvoRank": {"population": 1}}), "option population is 1: choose a"),
        (with_method(options={"reset": 0.5}), "option reset is 0.5: choose a whole number from 1"),
        (with_model(seeds=[-1]), "m.seeds.0: Input should be gre"),
        (with_model(seeds=[]), "m.seeds: List should have at least"),
        (("optimise.presets.p", {"elite": 64}), "elite 64 must be below population"),
        (("optimise.presets.p", {"low": 0.9, "high": 0.5}), "low 0.9 must not be above"),
        (("guided.models.mm-4-6.g", {"opening": "7777"}), "code '7777' has the peg '7'"),
        (("guided.models.mm-4-6.g", {"opening": "1123", "by": "peg"}), "g.by: Input should be"),
        (("guided.models.mm-4-6.g", {}), "g.opening: Field required"),
        (with_optimum({}), "optimum 'optimal' is listed twice"),
        (with_optimum(game="mm-5-9"), "game 'mm-5-9' needs a feedback table"),
        (with_optimum(objective="maximum", guess_limit=5), "maximum finds guess_limit itself"),
        (with_optimum(objective="lexicographic", guess_limit=5), "lexicographic finds guess_limit"),
        (with_optimum(objective="lexicographic", rounds=5), "the key rounds belong together"),
        (with_optimum(objective="rounds"), "the key rounds belong together"),
        (with_optimum(rounds=3), "the key rounds belong together"),
        (with_optimum(objective="rounds", rounds=3, guess_limit=6), "rounds is for all codes"),
        (("exact.rounds", ["mm-5-9"]), "game 'mm-5-9' needs a feedback table"),
        (("exact.frontiers", ["mm-7-2"]), "add mm-7-2 to exact.rounds too"),
        (with_contest(players=["eGA-seed"]), "unknown player 'eGA-seed': did you mean 'eGA-seede"),
        (
            with_contest(options={"EvoRank": {"populations": 3}}),
            "EvoRank 'populations': did",
        ),
        (with_contest(game="bc-4-10"), "these players play only Mastermind, not 'bc-4-10'"),
        (with_contest(game="mm-9-9"), "'mm-9-9' has 9 pegs and 387,420,489 combinations"),
        (with_contest(secrets=1297), "1,297 secrets are more than the 1,296 codes"),
        (with_contest(secrets=1), "Input should be greater than or equal to 2"),
        (with_contest(rounds=0), "Input should be greater than or equal to 1"),
        (with_contest(games=1000), "six.games: did you mean 'game'?"),
        (("players.margins", {"evaluations": 1}), "Input should be less than 1"),
        (with_contest(opening="1"), "code '1' has 1 peg"),
        (with_method(player="knuht"), "players.methods.two: unknown player 'knuht': did you mean"),
        (with_method(options={"size": 3}), "unknown option of EvoRank 'size'"),
        (with_method(opening="1"), "code '1' has 1 peg"),
        (("players.random_consistent", ["mm-4"]), "game 'mm-4' is not a size of Mastermind"),
        (("terminals", {"lengths": [13]}), "has 0 words of 13 letters, fewer than"),
        (with_transfer("mm-4-5", "bc-4-6"), "different feedback"),
        (with_transfer("mm-4-3"), "the colours of mm-4-3 are 1 to 3"),
        (("scaling.games", ["marks-w"]), "config key scaling.games: "),
        (("rollout.mm-3-4.x", {"widths": [2], "beam": {"play": 0}}), "greater than or equal to 1"),
        (("rollout.mm-3-4.x", {"widths": [2], "beam": {"plan": 9}}), "plan: did you mean 'play'"),
        (("rollout.mm-5-8.x", {"widths": [2], "beam": {}}), "mm-5-8 has no table, which a beam"),
        (("rollout.matches-w.x", {"widths": [2], "table": False}), "needs its table"),
        (("best_known.games", ["mm-3-4"]), "game mm-3-4 is not solved: add it to exact or rollout"),
        (("best_known.first_guesses", ["marks-w"]), "config key best_known.first_guesses: "),
        (("limits.table_mb", 1), "did you mean 'table_mib'?"),
        (("limits.table_mib", 0), "Input should be gr"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(setting, message):
    with pytest.raises(CodebreakerError) as caught:
        load_study(with_value(*setting))
    assert f"config key {setting[0]}" in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_openings_may_be_written_as_numbers():
    study = load_study(with_value(*with_policy("mm-4-6", opening=1123)))
    assert study.policies["mm-4-6"]["entropy_from-1123"].opening == "1123"


def test_a_game_with_a_prior_has_strategies():
    key, value = with_policy("matches-liked", policy="worst-case")
    study = load_study(with_value(key, value))
    assert study.prior_of("matches-liked") == ["tests/words/liked.txt"]
    assert study.prior_of("matches-w") == study.prior_of("mm-4-6") == []


REFUSED = {
    "twice": ("a: {b: 1}\na: {c: 2}\n", "line 1: the key 'a' occurs twice: join the two"),
    "below": ("a:\n  b: 1\n  c: 1\n  b: 2\n", "line 2: the key 'b' occurs twice"),
    "within itself": ("a: &a\n  b: *a\n", "nested too deeply, or within itself"),
    "deep": ("[" * 200 + "]" * 200, "nested too deeply"),
    "very deep": ("[" * 10**5, "is not YAML"),
    "large": ("a: 1\n" + "#" * 2**21, "is larger than 1 MiB"),
    "broken": ("a: [1, 2", "is not YAML: while parsing"),
    "unknown tag": ("a: {!generations: 10}\n", "is not YAML: could not determine a constructor"),
    "no date": ("a: 2001-13-01\n", "is not YAML: month must be in 1..12"),
    "bytes": (b"\xff\xfea", "is not YAML: 'utf-8' codec"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_reader_would_take_in_silence_is_refused(tmp_path, name):
    content, message = REFUSED[name]
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
