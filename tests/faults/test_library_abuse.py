"""Arguments of all kinds for the library."""

import re
from functools import partial
from inspect import isclass, isfunction, ismethod, signature
from itertools import chain

import numpy as np
import pytest
from outcomes import SILENT, tried

import codebreaker as cb
from codebreaker.games.words import read_prior
from codebreaker.policies.families import criterion

pytestmark = pytest.mark.usefixtures("registries", "caches")

GAME = cb.game("mm-2-2")

TABLE = [[1, 2, 2], [0, 1, 2], [0, 0, 1]]
LABELS = ["1", "2", "3"]
ANSWERS = ["<", "=", ">"]


ODD = [
    None, True, 7, -1, 0.5, float("nan"), "", "x", "mm-2-2", "11", b"11", [], [7], ["11"], (1, 1),
    [("11", "1,0")], ("11", "1,0"), {"11": 1}, {7: 7}, object(), lambda: "11",
    "a\0b.json", "\ud800",
]  # fmt: skip

GOOD = {
    "game": GAME, "name": "mine", "state": cb.State(GAME), "guess": "11", "policy": "entropy",
    "strategy": "entropy", "strategies": ["entropy"], "games": [], "path": "/no", "secret": "11",
    "cell": lambda count, total: count, "family": None, "secrets": ["11"], "feedback": "1,0",
    "table": TABLE, "guesses": LABELS, "solved": "=", "weights": {"11": 1}, "folder": "/no",
    "words": ["crane"],
}  # fmt: skip
OBJECTS = [
    GAME, cb.State(GAME, ["11:1,0"]), cb.State(GAME).sizes(), cb.grow(GAME, "entropy"),
    cb.solve(GAME), cb.suggest(GAME), cb.regret(GAME, "11"), cb.evaluate(GAME, "entropy"),
    cb.compare(GAME, ["entropy", "worst-case"]), cb.score(["11:2,0"], "mm-2-2"),
]  # fmt: skip
"""One of each class that the library offers."""


def methods_of(thing):
    """Return the public methods of an object, and of its class, that have parameters."""
    methods = list[object]()
    for name in dir(thing):
        of_class = getattr(type(thing), name, None)
        if not name.startswith("_") and (isfunction(of_class) or ismethod(of_class)):
            method = getattr(thing, name)
            methods += [method] * bool(signature(method).parameters)
    return methods


METHODS = [cb.State, *chain.from_iterable(map(methods_of, OBJECTS))]
FUNCTIONS = [
    function
    for function in map(partial(getattr, cb), cb.__all__)
    if isfunction(function) and signature(function).parameters
]


def test_each_class_has_an_object_here():
    classes = {thing for thing in map(partial(getattr, cb), cb.__all__) if isclass(thing)}
    assert classes - {type(thing) for thing in OBJECTS} <= {cb.CodebreakerError, cb.Exact}


def answers(function, arguments):
    function(**arguments)
    return True


@pytest.mark.parametrize(
    "function", [*FUNCTIONS, *METHODS], ids=lambda function: function.__qualname__
)
def test_arguments_of_all_kinds(function, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # some write
    parameters = signature(function).parameters.values()
    needed = {
        parameter.name: GOOD[parameter.name]
        for parameter in parameters
        if parameter.default is parameter.empty
    }
    with tried("the library", f"arguments of all kinds, {function.__qualname__}") as outcomes:
        for parameter in parameters:
            for odd in ODD:
                given = needed | {parameter.name: odd}
                note = f"{function.__name__} with {given}"[:300]
                outcomes.read(partial(answers, function, given), True, note, "answered")


def test_missing_and_unknown_arguments_are_named():
    unknown = {"game": GAME, "policy": "entropy", "strategy": "x"}
    for arguments, message in (({}, "'game'"), (unknown, "'strategy'")):
        with pytest.raises(cb.CodebreakerError, match=message):
            cb.grow(**arguments)


def test_an_error_of_a_users_own_function_is_left_as_it_is():
    with pytest.raises(AttributeError, match="candidate"):
        cb.evaluate(GAME, lambda state: state.candidate)


UNKNOWN = object()

ZEROS = "０٠๐𝟎"
KINDS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
READ = {
    "games": (cb.game, ["mm-4-6", "mm-3-12", "bc-4-10"]),
    "policies": (criterion, ["renyi-1", "tsallis-0.5", "mix-most-parts-entropy-0.4"]),
    "pegs": (cb.game("mm-4-6")._notation.feedback, ["1,0", "1b0w", "1 0", "10", "1b", "1w"]),
    "black pegs": (cb.game("black-4-6")._notation.feedback, ["1", "1b"]),
    "matches": (cb.game("matches-five")._notation.feedback, ["1"]),
    "guesses": (lambda text: GAME.feedback(text, "11"), ["12"]),
}


def test_digits_of_other_scripts():
    for kind, (read, texts) in READ.items():
        with tried("the library", f"digits of other scripts and underscores: {kind}") as outcomes:
            for text in texts:
                read(text)
                for version in written_otherwise(text):
                    refuse(outcomes, lambda read=read, version=version: read(version), version)


def written_otherwise(text):
    for zero in ZEROS:
        for digit in re.finditer("[0-9]", text):
            other = chr(ord(zero) + int(digit[0]))
            yield text[: digit.start()] + other + text[digit.end() :]
            yield f"{text[: digit.end()]}_{text[digit.start() :]}"


def refuse(outcomes, action, *details):
    outcomes.read(action, UNKNOWN, details)


def test_weights_of_all_types():
    with tried("the library", "weights of NumPy's types, up to the largest") as outcomes:
        for kind in KINDS:
            most = int(np.iinfo(kind).max)
            for top in (100, most // 3, most):
                weights = dict.fromkeys(GAME.secrets, kind(top)) | {"11": kind(1)}
                exact = {label: int(weight) for label, weight in weights.items()}
                if sum(exact.values()) > 2**56:
                    refuse(outcomes, lambda weights=weights: GAME.weighted(weights), kind)
                else:
                    same = GAME.weighted(weights) == GAME.weighted(exact)
                    outcomes.add("exact", same, kind, wrong=SILENT)
    with tried("the library", "weights that are not integers") as outcomes:
        for bad in (True, np.True_, 1.0, np.float32(2), "2", "２", None, -1, np.int8(-1), [1], 1j):
            refuse(outcomes, lambda bad=bad: GAME.weighted({"11": bad, "12": 2}), bad)
        refuse(outcomes, lambda: GAME.weighted("11"))


def table(guesses=LABELS, secrets=LABELS, feedback=ANSWERS):
    return cb.Game.from_table(TABLE, guesses, secrets, feedback, "=")


def test_labels_that_are_not_a_list_of_texts():
    short = cb.game("mm-1-6")
    for way in (tuple, np.array, iter, dict.fromkeys):
        game = table(way(LABELS), way(LABELS), way(ANSWERS))
        assert game.feedback("1", ["1", "2", "3"]) == ["=", ">", ">"]
    with tried("the library", "one text, or numbers, instead of a list of labels") as outcomes:
        for bad in ("123", [1, 2, 3], [True, False, None], [b"1", b"2", b"3"]):
            for name in ("guesses", "secrets", "feedback"):
                refuse(outcomes, lambda name=name, bad=bad: table(**{name: bad}), name, bad)
            for ask in (short.restricted, lambda bad: cb.game("mm-1-6", bad)):
                refuse(outcomes, lambda ask=ask, bad=bad: ask(bad), bad)
        refuse(outcomes, lambda: cb.Game.from_words("crane"))
        refuse(outcomes, lambda: cb.Game.from_words(["a"], "crane"))
        refuse(outcomes, lambda: short.partition("1", "123"))


def test_digits_in_files_of_weights(tmp_path):
    path = tmp_path / "prior.txt"
    with tried("the library", "weights of a file, written otherwise") as outcomes:
        for number in ("１", "٣", "1_0", "nan", "inf", "1e3", "+1", "-0", "0x1", "1.0", "²"):
            path.write_text(f"11 {number}\n", encoding="utf-8")
            refuse(outcomes, lambda: read_prior(str(path), GAME._model), number)
