"""Every option of the library in small games drawn at random, against `enumeration`."""

import ast
from collections import Counter
from inspect import getsource, isfunction, signature
from random import Random

import differential
import drawn_games
import pytest
from conftest import full_only
from differential import TRIED, NearTieError, cases, every_pair, register
from outcomes import SILENT, times, tried

import codebreaker as cb

pytestmark = pytest.mark.usefixtures("registries", "caches")

SEED = 1
GAMES = times(1600, 16)
SHARE = times(1.0, 0.3)
MOST_NEAR_TIES = 0.01

ELSEWHERE = {
    "game": "drawn_games makes games",
    "read_tree": "what is written is read",
    "criterion": "differential.register registers criteria",
    "player": "differential.register registers a strategy",
    "rules": "its argument is a class of the package",
    "list_games": "test_library compares it with the games that can be made",
    "list_policies": "test_library compares it with the policies that can be played",
}
"""The functions without options of their own in `differential`."""

MADE = {
    cb.game: {"name", "secrets", "table_mib"},
    cb.Game.from_words: {"secrets", "guesses", "feedback", "alphabet"},
    cb.Game.from_table: {"table", "guesses", "secrets", "feedback", "solved", "name"},
    cb.Game.restricted: {"self", "secrets"},
    cb.Game.weighted: {"self", "weights"},
    cb.State: {"game", "moves"},
    cb.State.push: {"self", "guess", "feedback"},
    cb.Tree.draw: {"self", "turns"},
    cb.Tree.write: {"self", "path", "form"},
    cb.read_tree: {"path", "game", "form"},
}
"""The options with which games, positions and files are made."""

UNREAD = {
    *(
        "from_words",
        "from_table",
        "restricted",
        "weighted",
        "with_guesses",
    ),  # in the Python of games
    *("model", "notation", "table", "values", "optimum", "members"),  # for the package itself
    *("guess_index", "secret_indices", "labels", "pegs_html", "after"),
    *("figures", "count", "index"),  # text, and what a tuple has
    *("players", "turns", "remarks"),  # sums of the moves, in tests of scores
    *("policy", "basis", "write", "to_pandas", "to_dict"),
}
"""Attributes that the cases don't compare."""


@pytest.mark.slow
def test_every_option_agrees_with_the_enumeration(tmp_path):
    register()
    seen = set()
    kinds = Counter()
    shortest = {}
    with tried("options", "the library by enumeration") as outcomes:
        for number in range(GAMES):
            for case in cases(SEED, number, tmp_path, seen, SHARE):
                try:
                    failure = case.failure()
                except NearTieError:
                    outcomes.add("a near tie", True)
                    continue
                outcomes.add("as by enumeration", failure is None, wrong=SILENT)
                if failure is not None:
                    kinds[failure.kind] += 1
                    report = f"game {number}: {failure.description}"
                    shortest[failure.kind] = min(
                        shortest.get(failure.kind, report), report, key=len
                    )
        outcomes.details = [f"{times} x {kind}" for kind, times in kinds.most_common()]
        outcomes.details = [
            f"{kinds[kind]} x {kind}\n{report}" for kind, report in shortest.items()
        ]
        print("In tests: from differential import *; register(); then", *outcomes.details, sep="\n")
        assert outcomes["a near tie"] <= MOST_NEAR_TIES * outcomes.total()


@full_only
def test_every_pair_of_options_is_drawn(tmp_path):
    """Each value of an option comes with each value of another that a game allows."""
    seen = set()
    possible = set()
    for number in range(GAMES):
        for case in cases(SEED, number, tmp_path, seen):
            possible |= every_pair(case.name, case.options)
    missing = sorted(possible - seen)
    assert len(missing) <= 0.001 * len(possible), (len(missing), len(possible), missing[:20])


@pytest.mark.parametrize("name", [name for name in cb.__all__ if isfunction(getattr(cb, name))])
def test_every_function_and_option_is_tried(name, tmp_path):
    if name in ELSEWHERE:
        return
    drawn = drawn_games.named_game(Random(SEED))
    options = TRIED[name].options(Random(SEED), drawn, tmp_path)
    tried_here = {*options} - {differential.MOVES}
    assert tried_here == {*signature(getattr(cb, name)).parameters}


@pytest.mark.parametrize("function", MADE, ids=lambda function: function.__qualname__)
def test_every_option_of_games_positions_and_files_is_tried(function):
    assert {*signature(function).parameters} == MADE[function]


def test_every_attribute_is_compared():
    kinds = [cb.Game, cb.State, cb.Tree, cb.Solved, cb.Suggestion, cb.Regret, cb.Evaluation]
    kinds += [cb.Comparison, cb.Verdict]
    offered = {name for kind in kinds for name in dir(kind) if not name.startswith("_")}
    offered |= {
        name
        for kind in kinds
        for name in getattr(kind, "__annotations__", ())
        if not name.startswith("_")
    }
    read = {node.attr for node in ast.walk(ast.parse(getsource(differential)))
            if isinstance(node, ast.Attribute)}  # fmt: skip
    assert offered - read - UNREAD == set()
