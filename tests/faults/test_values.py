"""Values of other types and digits of other scripts, which Python may take for what was meant."""

import re

import numpy as np
from outcomes import SILENT, is_one_line, tried

import codebreaker as cb
from codebreaker.games.words import read_prior
from codebreaker.policies.families import criterion

ZEROS = "０٠๐𝟎"
KINDS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
TABLE, LABELS, ANSWERS = [[1, 2, 2], [0, 1, 2], [0, 0, 1]], ["1", "2", "3"], ["<", "=", ">"]
GAME = cb.game("mm-2-2")
READ = {
    "games": (cb.game, ["mm-4-6", "mm-3-12", "bc-4-10"]),
    "policies": (criterion, ["renyi-1", "tsallis-0.5", "mix-most-parts-entropy-0.4"]),
    "pegs": (cb.game("mm-4-6").notation.feedback, ["1,0", "1b0w", "1 0", "10", "1b", "1w"]),
    "black pegs": (cb.game("black-4-6").notation.feedback, ["1", "1b"]),
    "matches": (cb.game("matches-five").notation.feedback, ["1"]),
    "guesses": (lambda text: GAME.feedback(text, "11"), ["12"]),
}


def test_digits_of_other_scripts():
    for kind, (read, texts) in READ.items():
        with tried("the library", f"digits of other scripts and underscores: {kind}") as outcomes:
            for text in texts:
                read(text)
                for one in written_otherwise(text):
                    refuse(outcomes, lambda read=read, one=one: read(one), one)


def written_otherwise(text):
    for zero in ZEROS:
        for digit in re.finditer("[0-9]", text):
            other = chr(ord(zero) + int(digit[0]))
            yield text[: digit.start()] + other + text[digit.end() :]
            yield f"{text[: digit.end()]}_{text[digit.start() :]}"


def refuse(outcomes, action, *details):
    """Count whether a value is refused in one line."""
    try:
        found = action()
    except cb.CodebreakerError as error:
        outcomes.add("refused in one line", is_one_line(error), *details, error)
    except Exception as error:
        outcomes.add("traceback", False, *details, repr(error))
    else:
        outcomes.add("refused in one line", False, *details, found, wrong=SILENT)


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
                    same = GAME.weighted(weights).chances == GAME.weighted(exact).chances
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
            refuse(outcomes, lambda: read_prior(str(path), GAME.model), number)
