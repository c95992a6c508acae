"""Wrong arguments are refused also where a call doesn't need them."""

from inspect import isfunction, signature
from math import inf, nan

import numpy as np
import pytest

import codebreaker as cb

pytestmark = pytest.mark.usefixtures("registries")

ONE = cb.game("mm-2-2").restricted(["11"])
"""A game that leaves no choice."""

WORD = cb.Game.from_words(["abc"])
LEFT_OUT = [{"game": "mm-2-2", "moves": [["11", "9,9"]]}, {"moves": [["11", "2,0"]]}]
JUDGED = [{"game": "mm-2-2", "moves": [["11", "2,0"]]}]


def first(state):
    return state.candidates[0]


def drawn(state, rng):
    return state.candidates[0]


CALLS = {
    "game": [(ONE,), ("mm-2-2",)],
    "suggest": [(ONE,)],
    "regret": [(ONE, "11")],
    "grow": [(ONE, "entropy")],
    "solve": [(ONE,), (WORD, "hard"), (cb.game("mm-2-2").weighted({"11": 1, "12": 2}),)],
    "read_tree": [()],
    "evaluate": [(ONE, first), (ONE, drawn), (ONE, "entropy")],
    "compare": [(ONE, first), (ONE, {"mine": drawn})],
    "score": [([],), (iter(()),), (LEFT_OUT,), ("\n",), ("11:9,9",)],
    "criterion": [("mine",)],
    "player": [("mine",)],
    "list_games": [()],
    "list_policies": [()],
}
"""Calls with little or nothing to do, by their first arguments."""

COUNTS = [-1, nan, inf, 0.5, True, np.float64(nan), "1", None]
WRONG = {
    "name": [7, True],
    "game": ["nonsense", "mm-4", "", 7],
    "secrets": [[], ["zz"]],
    "guess": ["zzzzz", 7],
    "policy": ["nonsense", "renyi-300", "", 7],
    "opening": ["zzzzz", "", 7],
    "guess_pool": ["some", "", 7],
    "tie_break": ["random", "", 7],
    "form": ["nonsense", "", 7],
    "fold": ["nonsense", 7],
    "citation": [7],
    "player": [7],
    "exact": ["yes", 2, 0.5],
    "checkpoints": ["/dev/null/folder", "a\0b", 7],
    "endgames": COUNTS,
    "exact_from": [0, *COUNTS[:-1]],
    "repetitions": [0, *COUNTS],
    "seed": COUNTS,
    "samples": [0, *COUNTS[:-1]],
    "n_secrets": [0, *COUNTS[:-1]],
    "max_guesses": [0, np.int64(0), *COUNTS[:-1]],
    "time_limit_s": [0, 0.0, -1, -1e-9, nan, -inf, np.float32(nan), True, "1", None, 10**400],
    "memory_mib": [0, -1, nan, inf, np.float32(nan), True, "1", None, 10**400],
    "table_mib": [-1, -1e-9, nan, -inf, np.float32(nan), True, "1", None, 10**400],
}
"""Values that are wrong whatever the other arguments are."""

FREE = {"state", "strategy", "strategies", "games", "path", "cell"}
"""Arguments that each call needs."""


def calls(name, folder):
    """Each call of a function, by keywords."""
    function = getattr(cb, name)
    for given in CALLS[name]:
        named = dict(zip(signature(function).parameters, given, strict=False))
        if name == "solve" and given[0] is WORD:
            named = {"game": WORD, "guess_pool": "hard"}
        if name == "read_tree":
            named = {"path": folder / "tree.json"}
            cb.grow("mm-2-2", "entropy").write(named["path"])
        yield function, named


@pytest.mark.parametrize(
    "name", [parameter for parameter in cb.__all__ if isfunction(getattr(cb, parameter))]
)
def test_wrong_arguments_are_refused_where_there_is_nothing_to_do(name, tmp_path):
    if name == "rules":  # its argument is a class
        return
    parameters = {*signature(getattr(cb, name)).parameters}
    assert parameters <= {*WRONG, *FREE}
    for function, named in calls(name, tmp_path):
        function(**named)
    for parameter in sorted(parameters - FREE):
        for value in WRONG[parameter]:
            for function, named in calls(name, tmp_path):
                with pytest.raises(cb.CodebreakerError) as refused:
                    function(**named | {parameter: value})
                assert len(str(refused.value).splitlines()) == 1


def test_wrong_formats_are_refused_in_writing(tmp_path):
    for form in WRONG["form"]:
        with pytest.raises(cb.CodebreakerError):
            cb.grow(ONE, "entropy").write(tmp_path / "tree.json", form)


@pytest.mark.parametrize("value", [0, -1, nan, 0.5, True, "1"])
def test_a_drawing_has_a_turn(value):
    tree = cb.grow(ONE, "entropy")
    with pytest.raises(cb.CodebreakerError, match=r"^(Tree\.draw: )?turns can't be"):
        tree.draw(value)


def test_limits_are_refused_by_name_and_with_what_is_possible():
    for call, message in (
        (lambda: cb.solve(ONE, time_limit_s=0), "time_limit_s can't be 0: give seconds above 0"),
        (lambda: cb.solve(ONE, time_limit_s=nan), "time_limit_s can't be nan: give seconds"),
        (lambda: cb.solve(ONE, max_guesses=0), "max_guesses can't be 0: allow at least 1 guess"),
        (lambda: cb.solve(ONE, memory_mib=0), "memory_mib can't be 0: give 1 to 1,048,576 MiB"),
        (lambda: cb.game("mm-2-2", table_mib=-1), "table_mib can't be -1: give 0 for no table"),
        (lambda: cb.evaluate(ONE, first, seed=nan), "evaluate: seed can't be nan"),
        (lambda: cb.compare(ONE, first, repetitions=nan), "compare: repetitions can't be nan"),
        (lambda: cb.grow(ONE, "entropy", endgames=nan), "grow: endgames can't be nan"),
    ):
        with pytest.raises(cb.CodebreakerError, match=f"^{message}"):
            call()
    assert cb.solve("mm-2-2", time_limit_s=inf).is_proven


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64])
def test_numbers_of_numpy_are_those_of_python(kind):
    """A search that was compiled for int8, and read from the cache, ended the process."""
    for _ in range(2):
        solved = cb.solve(np.str_("mm-2-2"), time_limit_s=np.float32(60), max_guesses=kind(9))
        assert solved.tree.name == "optimal_max-9"
        assert type(solved.optimum.guess_limit) is int
    grown = cb.grow("mm-2-2", "entropy", endgames=kind(2), exact_from=kind(3))
    assert grown.name == "entropy-endgames-2_exact-from-3"
    evaluation = cb.evaluate("mm-2-2", drawn, repetitions=kind(2), seed=kind(1))
    assert evaluation.log.equals(cb.evaluate("mm-2-2", drawn, repetitions=2, seed=1).log)


@pytest.mark.parametrize(
    "wrong",
    [
        {"policy": "nonsense"},
        {"policy": "renyi-300"},
        {"policy": "fixed-weighted"},
        {"policy": "optimal"},
        {"guess_pool": "some"},
        {"guess_pool": "hard"},
        {"policy": "entropy", "guess_pool": "hard"},
        {"policy": "entropy", "exact": True},
        {"exact": True, "guess_pool": "hard"},
    ],
    ids=str,
)
def test_a_judge_is_refused_as_if_a_game_were_judged(wrong):
    with pytest.raises(cb.CodebreakerError) as judged:
        cb.score(JUDGED, **wrong)
    for games in ([], LEFT_OUT, "\n", "11:9,9"):
        with pytest.raises(cb.CodebreakerError) as refused:
            cb.score(games, "mm-2-2", **wrong)
        assert str(refused.value) == str(judged.value)
    with pytest.raises(cb.CodebreakerError) as refused:  # the line names the game
        cb.score(LEFT_OUT, **wrong)
    assert str(refused.value) == str(judged.value)


def test_moves_that_hard_mode_forbids_have_no_advice():
    words = cb.Game.from_words(["baa", "abb", "bbb"], ["bab"])
    state = cb.State(words, ["baa:yyb", "bbb:bgg"])
    for ask in (cb.regret, lambda state, _, guess_pool: cb.suggest(state, guess_pool=guess_pool)):
        assert ask(cb.State(words, ["baa:yyb"]), "abb", guess_pool="hard").expected == 1
        with pytest.raises(cb.CodebreakerError, match=r"^hard mode forbids bbb: keep green"):
            ask(state, "abb", guess_pool="hard")


def test_a_table_whose_answers_look_like_marks_has_no_hard_mode():
    table = [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    game = cb.Game.from_table(table, ["pp", "qq", "rr"], ["pp", "qq", "rr"], ["g", "y", "b"], "g")
    for moves in ((), ["pp:y"]):
        state = cb.State(game, moves)
        for ask in (
            lambda: cb.suggest(state, guess_pool="hard"),  # noqa: B023
            lambda: cb.regret(state, "qq", guess_pool="hard"),  # noqa: B023
            lambda: cb.grow(game, "entropy", guess_pool="hard"),
            lambda: cb.solve(game, guess_pool="hard"),
        ):
            with pytest.raises(cb.CodebreakerError, match=r"^table has no hard mode"):
                ask()


def test_optimal_play_without_a_table_is_refused_before_games_are_read():
    with pytest.raises(cb.CodebreakerError, match=r"^mm-5-8 has no table"):
        cb.score([], "mm-5-8", exact=True)
    assert not len(cb.score([], "mm-5-8").games)


def test_a_function_is_refused_where_the_name_of_a_policy_belongs():
    def square_root(count, total):
        return count**0.5

    calls = (cb.grow, cb.suggest)
    with pytest.raises(cb.CodebreakerError, match="square_root is a function, and a policy is"):
        cb.grow("mm-3-4", square_root)
    with pytest.raises(cb.CodebreakerError, match=r"square_root takes two .* cb.criterion"):
        cb.suggest("mm-3-4", square_root)
    rule = cb.criterion("square-root-2", square_root)
    for call in calls:
        for given in (rule, square_root):
            with pytest.raises(cb.CodebreakerError, match="here it is 'square-root-2'"):
                call("mm-3-4", given)
    for call in (cb.evaluate, lambda game, strategy: cb.compare(game, [strategy])):
        with pytest.raises(cb.CodebreakerError, match="here it is 'square-root-2'"):
            call("mm-3-4", square_root)


@pytest.mark.slow
def test_a_game_that_no_table_can_hold_is_refused_with_what_is_possible():
    with pytest.raises(cb.CodebreakerError, match="65,535, so choose a smaller game"):
        cb.solve("mm-7-5")
    with pytest.raises(cb.CodebreakerError, match="table_mib=1024"):
        cb.solve("mm-5-8")


def test_wrong_calls_say_what_was_meant():
    for call, message in (
        (lambda: cb.solve("mm-2-2", time_limit=5), "did you mean 'time_limit_s'"),
        (lambda: cb.grow("mm-2-2", "entropy", openning="11"), "did you mean 'opening'"),
        (lambda: cb.grow("mm-2-2", "entropy", zzz=1), "unexpected keyword argument 'zzz'$"),
        (lambda: cb.suggest("mm-4-6", ["1123:1,1"]), "moves belong to a state, as in cb.State"),
        (lambda: cb.score([["1122", "1", "0"]]), "move 1, .* is not a guess and its feedback"),
        (lambda: cb.score([[["1122", "1,0"]]]), "move 1, .* is not a guess and its feedback"),
        (lambda: cb.score([{}, "1122:1,0"]), "don't mix them"),
        (lambda: cb.Game("mm-4-6"), "made by cb.game, as in cb.game"),
        (lambda: cb.Tree("mm-4-6", "x", "y"), "made by cb.grow, cb.solve or cb.read_tree"),
        (lambda: cb.State("mm-4-6", 5), "the moves are 5: list them"),
        (lambda: cb.State("mm-4-6", [1122]), "move 1, 1122, is not a guess and its feedback"),
    ):
        with pytest.raises(cb.CodebreakerError, match=message):
            call()
