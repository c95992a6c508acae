"""The configuration: its schema, its files, and what it refuses."""

import json

import pytest
import yaml
from conftest import ROOT

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import TABLE_LIMIT_MIB
from codebreaker.study.config import Config, Limits, schema
from codebreaker.study.load import load_study

CONFIG = ROOT / "config"


def entry(**settings):
    """A configuration with one strategy of MM(4,6)."""
    return {"strategies": {"mm-4-6": [{"policy": "entropy"} | settings]}}


def model(**settings):
    """A configuration with one model to optimise."""
    plain = {"turns": 6, "generations": 10, "seeds": [0]}
    return entry() | {"optimise": {"models": {"mm-4-6": {"m": plain | settings}}}}


def exact(game, *optima):
    """A configuration with optima to search for."""
    return entry() | {"exact": {"games": {game: list(optima)}}}


def guide(**settings):
    """A configuration with one model that is sought by the exact cost-to-go."""
    return entry() | {"guided": {"models": {"mm-4-6": {"g": settings}}}}


def words(game, path, **settings):
    """A configuration with a strategy of a game with words."""
    lists = {"word_lists": {"w": {"secrets": path}}}
    return lists | {"strategies": {game: [{"policy": "entropy"} | settings]}}


def preset(**settings):
    """A configuration with one preset."""
    return entry() | {"optimise": {"presets": {"p": settings}}}


def test_the_schema_is_in_step():
    assert json.loads((CONFIG / "schema.json").read_text(encoding="utf-8")) == schema()


def overlaid(below, above):
    """What Snakemake makes of one file laid over another."""
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
    del data["strategies"], data["optimise"]["models"]
    assert data["exact"].pop("games")
    assert data["guided"].pop("models")
    assert data["scaling"].pop("games")
    assert data["players"].pop("random_consistent")
    assert data["players"].pop("contests")
    assert data.pop("word_lists")
    assert data.pop("pareto")
    data["optimise"]["presets"] = {"paper": data["optimise"]["presets"]["paper"]}
    assert Config.model_validate(data) == Config()
    assert Limits().table_mib == TABLE_LIMIT_MIB


def test_every_key_is_explained():
    text = (CONFIG / "README.md").read_text(encoding="utf-8")
    for name, section in [("", schema()), *schema()["$defs"].items()]:
        for key, value in section["properties"].items():
            assert f"`{key}`" in text or f".{key}`" in text, (name, key)
            assert "description" in value or "$ref" in value, (name, key)


def contest(**keys):
    """A configuration with a contest."""
    asked = {"game": "mm-4-6", "opening": "1123", "players": ["EvoRank"]} | keys
    return {"players": {"contests": {"six": asked}}}


ORDERS = {"turns": 6, "generations": 1, "seeds": [0], "genes": "orders"}


def searched(**keys):
    """A configuration with one model to optimise."""
    model = {"turns": 6, "generations": 1, "seeds": [0]} | keys
    return {"optimise": {"models": {"mm-4-6": {"m": model}}}}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"strategie": {}}, "unknown config key strategie: did you mean 'strategies'?"),
        (entry(openin="1123"), "unknown config key strategies.mm-4-6.0.openin: did you mean 'op"),
        (entry() | {"limits": {"table_mb": 1}}, "unknown config key limits.table_mb: did you mean"),
        (entry() | {"limits": {"table_mib": 0}}, "config key limits.table_mib: Input should be gr"),
        (entry(policy="entropi"), "config key strategies.mm-4-6.0: unknown policy 'entropi': did"),
        (entry(opening="1127"), "config key strategies.mm-4-6.0: code '1127' has the peg '7'"),
        (entry(opening="11"), "code '11' has 2 pegs: the codes of mm-4-6 have 4"),
        (
            entry(policy="renyi-x"),
            "config key strategies.mm-4-6.0: unknown criterion 'renyi-x'",
        ),
        (
            entry() | {"pareto": {"mm-4-6": {"openings": ["11"]}}},
            "config key pareto.mm-4-6: code '11' has 2 pegs",
        ),
        (
            entry() | {"pareto": {"mm-4-6": {"openings": ["1123"], "orders": {"low": 5}}}},
            "low 5 must not be above high 4",
        ),
        (
            entry() | searched(genes="orders", orders={"high": 0}),
            "there is one order to choose from: widen orders, or add weights",
        ),
        (entry() | searched(orders={"high": 9}), "less than or equal to 8"),
        (
            entry() | contest(players=["eGA-seed"]),
            "config key players.contests.six: unknown player 'eGA-seed': did you mean 'eGA-seeded'",
        ),
        (
            entry() | contest(options={"EvoRank": {"size": 3}}),
            "config key players.contests.six: unknown option of EvoRank 'size'",
        ),
        (entry() | contest(game="bc-4-10"), "play only Mastermind, not 'bc-4-10'"),
        (entry() | contest(opening="1"), "config key players.contests.six: code '1' has 1 pegs"),
        (entry(tie_break="last"), "config key strategies.mm-4-6.0.tie_break: Input should be"),
        (entry(guess_pool="some"), "config key strategies.mm-4-6.0.guess_pool: Input should be"),
        ({"strategies": {"mm-9-9": []}}, "config key strategies.mm-9-9: game 'mm-9-9' has 9 pegs"),
        (entry(endgames=5), "config key strategies.mm-4-6.0: endgames are for games without a ta"),
        (model(endgames=5), "config key optimise.models.mm-4-6.m: endgames are for games without"),
        (
            entry() | {"optimise": {"models": {"mm-5-8": {"m": ORDERS}}}},
            "game mm-5-8 has no table: only weights can be optimised there",
        ),
        (entry() | {"scaling": {"games": ["marks-w"]}}, "config key scaling.games: "),
        ({"strategies": {"mm-4": []}}, "config key strategies.mm-4: game 'mm-4' is not a size"),
        (model(preset="papers"), "optimise.models.mm-4-6.m: unknown preset 'papers': did you mean"),
        (model(opening="9"), "optimise.models.mm-4-6.m: code '9' has 1 pegs"),
        (model(seeds=[-1]), "config key optimise.models.mm-4-6.m.seeds.0: Input should be gre"),
        (preset(elite=64), "optimise.presets.p: Value error, elite 64 must be below population"),
        (preset(low=0.9, high=0.5), "optimise.presets.p: Value error, low 0.9 must not be above"),
        (guide(opening="7777"), "config key guided.models.mm-4-6.g: code '7777' has the peg '7'"),
        (guide(opening="1123", by="peg"), "config key guided.models.mm-4-6.g.by: Input should be"),
        (guide(), "config key guided.models.mm-4-6.g.opening: Field required"),
        (
            exact("mm-4-6", {}, {}),
            "config key exact.games.mm-4-6: optimum 'optimal' is listed twice",
        ),
        (
            exact("mm-5-9", {}),
            "config key exact.games.mm-5-9: game 'mm-5-9' needs a feedback table",
        ),
        (
            exact("mm-4-6", {"objective": "maximum", "guess_limit": 5}),
            "config key exact.games.mm-4-6: objective maximum finds guess_limit itself",
        ),
        (
            entry() | {"word_lists": {"w": {"secrets": "a.txt", "guess": "b.txt"}}},
            "unknown config key word_lists.w.guess: did you mean 'guesses'?",
        ),
        (
            entry() | {"word_lists": {"My words": {"secrets": "words.txt"}}},
            "config key word_lists.My words: a list's name consists of lower-case",
        ),
        (
            words("matches-w", "tests/words/none.txt"),
            "config key strategies.matches-w: word list tests/words/none.txt can't be read (No",
        ),
        (words("marks-v", "tests/words/short.txt"), "strategies.marks-v: unknown word list 'v'"),
        (
            words("marks-w", "tests/words/short.txt", opening="abbb"),
            "config key strategies.marks-w.0: 'abbb' is not among the 10 words",
        ),
        ({"strategies": {"marks-w": []}}, "game 'marks-w' names no word list: write marks-LIST"),
        (
            entry() | {"players": {"random_consistent": ["mm-4"]}},
            "config key players.random_consistent: game 'mm-4' is not a size of Mastermind",
        ),
        (
            entry() | {"terminals": {"lengths": [13]}},
            "config key terminals.words: src/codebreaker/data/words/english.txt has 0 words of 13",
        ),
        (model(seeds=[]), "config key optimise.models.mm-4-6.m.seeds: List should have at least"),
        ({"strategies": {"go": []}}, "config key strategies.go: unknown game 'go'"),
        ({}, "config key strategies is empty"),
        (
            {"strategies": {"mm-3-3": [{"policy": "stage-weighted"}]}},
            "weights for 14 feedback",
        ),
        ({"strategies": {"mm-3-3": [{"policy": "entropy"}] * 2}}, "'entropy' is listed twice"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(data, message):
    with pytest.raises(CodebreakerError) as caught:
        load_study(data)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_openings_may_be_written_as_numbers():
    study = load_study(entry(opening=1123))
    assert study.policies["mm-4-6"]["entropy_from-1123"].opening == "1123"
