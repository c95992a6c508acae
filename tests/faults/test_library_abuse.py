"""The library with arguments of all kinds: an answer, or one line."""

from inspect import isfunction, signature

import pytest
from outcomes import REFUSED, is_one_line, tried

import codebreaker as cb

pytestmark = pytest.mark.usefixtures("registries", "caches")


def needs_nothing():
    return "11"


def misspelled(state):
    return state.candidate


ODD = [
    None, True, 7, -1, 0.5, float("nan"), "", "x", "mm-2-2", "11", b"11", [], [7], ["11"], (1, 1),
    [("11", "1,0")], ("11", "1,0"), {"11": 1}, {7: 7}, object(), needs_nothing,
]  # fmt: skip

GAME = cb.game("mm-2-2")
GOOD = {
    "game": GAME, "name": "mine", "state": cb.State(GAME), "guess": "11", "policy": "entropy",
    "strategy": "entropy", "strategies": ["entropy"], "games": [], "path": "/no", "secret": "11",
    "cell": lambda count, total: count, "family": None, "secrets": ["11"], "feedback": "1,0",
}  # fmt: skip
METHODS = [
    *(cb.State(GAME).push, cb.State(GAME).is_consistent, cb.State(GAME).partition, cb.State),
    *(GAME.feedback, GAME.feedback_ids, GAME.partition, GAME.restricted, GAME.guess_index),
    *(cb.Game.from_words, cb.grow(GAME, "entropy").play),
]
FUNCTIONS = [one for one in (getattr(cb, name) for name in cb.__all__) if isfunction(one)]


def call(outcomes, function, arguments):
    note = f"{function.__name__} with {arguments}"[:300]
    try:
        function(**arguments)
    except cb.CodebreakerError as error:
        outcomes.add(REFUSED, is_one_line(error), note, error)
    except Exception as error:
        outcomes.add("traceback", False, note, repr(error))
    else:
        outcomes.add("answered", True)


@pytest.mark.parametrize("function", [*FUNCTIONS, *METHODS], ids=lambda one: one.__name__)
def test_arguments_of_all_kinds(function):
    parameters = signature(function).parameters.values()
    needed = {one.name: GOOD[one.name] for one in parameters if one.default is one.empty}
    with tried("the library", f"arguments of all kinds, {function.__qualname__}") as outcomes:
        for one in parameters:
            for odd in ODD:
                call(outcomes, function, needed | {one.name: odd})


def test_missing_and_unknown_arguments_are_named():
    unknown = {"game": GAME, "policy": "entropy", "strategy": "x"}
    for arguments, message in (({}, "'game'"), (unknown, "'strategy'")):
        with pytest.raises(cb.CodebreakerError, match=message):
            cb.grow(**arguments)


def test_an_error_of_a_users_own_function_is_left_as_it_is():
    with pytest.raises(AttributeError, match="candidate"):
        cb.evaluate(GAME, misspelled)
