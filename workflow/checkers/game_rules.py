"""The rules of the games for the checkers: feedback, secrets and allowed guesses."""

import re
from functools import cache
from itertools import permutations, product
from operator import eq
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from strict_json import require

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
CODES = re.compile(r"(mm|bc|black)-([1-9]\d?)-([1-9]\d{0,3})(-distinct)?", re.ASCII)
WORDS = re.compile(r"(matches|marks|pegs)-([a-z0-9]+(?:-[a-z0-9]+)*)", re.ASCII)
MOST_CODES = 1 << 20
WORDS_OPTION = (
    "--words",
    "a word list, as NAME=FILE, or NAME=FILE,FILE,... with other words to guess",
)


def _in_place(guess, secret):
    return sum(map(eq, guess, secret))


def _pegs_of(guess, secret):
    black = _in_place(guess, secret)
    return f"{black}B-{_common_of(_ordered(guess), _ordered(secret)) - black}C"


@cache
def _ordered(code):
    return tuple(sorted(code))


@cache
def _common_of(guess, secret):
    return sum(min(guess.count(colour), secret.count(colour)) for colour in set(guess))


def _marks_of(guess, secret):
    """Return Wordle's marks: green in place; yellow as often as the secret has the letter left."""
    pairs = list(zip(guess, secret, strict=True))
    left = [other for letter, other in pairs if letter != other]
    marks = ""
    for letter, other in pairs:
        marks += "g" if letter == other else "y" if letter in left else "b"
        if marks[-1] == "y":
            left.remove(letter)
    return marks


FEEDBACK = {
    "mm": _pegs_of,
    "bc": _pegs_of,
    "black": lambda guess, secret: f"{_in_place(guess, secret)}B",
    "matches": lambda guess, secret: str(_in_place(guess, secret)),
    "marks": _marks_of,
    "pegs": _pegs_of,
}


class Rules(NamedTuple):
    """A game: its feedback, its secrets, and the codes that may be guessed, both in order."""

    feedback_of: object
    secrets: list
    guesses: list
    allowed: frozenset


def rules_of(name, lists=None):
    """Return a game's rules; `lists` has the secrets and the other words of each word list."""
    if match := WORDS.fullmatch(name):
        missing = f"the words of {name} are not given: add --words {match[2]}=FILE"
        require(match[2] in (lists or {}), missing)
        secrets, others = lists[match[2]]
        guesses = sorted({*secrets, *others})
        return Rules(FEEDBACK[match[1]], sorted({*secrets}), guesses, frozenset(guesses))
    match = CODES.fullmatch(name)
    known = match and (match[1] == "mm" or not match[4])
    require(known, "this program does not know its game")
    family = match[1]
    pegs = int(match[2])
    colours = int(match[3])
    distinct = match[4]
    too_many = f"{name} has more than {MOST_CODES:,} codes, the limit of this program"
    require(colours**pegs <= MOST_CODES, too_many)
    symbols = SYMBOLS if family == "bc" else SYMBOLS[1:]
    dot = "." * (colours > len(symbols))  # then colours are numbers, and dots separate them
    symbols = [str(colour + 1) for colour in range(colours)] if dot else symbols[:colours]
    codes = [dot.join(code) for code in product(symbols, repeat=pegs)]
    secrets = [dot.join(code) for code in permutations(symbols, pegs)]
    guesses = secrets if family == "bc" else codes
    if family != "bc" and not distinct:
        secrets = codes
    of_pegs = FEEDBACK[family]

    def feedback_of(guess, secret):
        if dot:
            guess = tuple(guess.split("."))
            secret = tuple(secret.split("."))
        return of_pegs(guess, secret)

    return Rules(feedback_of, secrets, guesses, frozenset(guesses))


def require_words(words, rules):
    """Raise ValueError if words are not the game's secrets."""
    require(words is None or sorted(words) == rules.secrets, "its words differ from the list")


def turns_of(tree, rules, candidates, consistent=False, turn=1):
    """Yield each secret with the turn that finds it; raise ValueError for a wrong tree."""
    guess = tree["guess"]
    allowed = guess in rules.allowed and (not consistent or guess in candidates)
    require(allowed, f"{guess} may not be guessed")
    cells = {}
    for secret in candidates:
        if secret == guess:
            yield secret, turn
        else:
            cells.setdefault(rules.feedback_of(guess, secret), []).append(secret)
    after = tree.get("after", {})
    left = sum(map(len, cells.values()))
    ends = f"the tree ends at guess {turn}, {guess}, with {left:,} secrets left: give a whole tree"
    require(after or not cells, ends)
    other = f"the branches after {guess} are not the answers that it may get"
    require(cells.keys() == after.keys(), other)
    for answer, cell in cells.items():
        yield from turns_of(after[answer], rules, cell, consistent, turn + 1)


def lists_of(options):
    """Return the word lists of --words five=SECRETS,OTHERS."""
    lists = {}
    for option in options.words:
        name, _, paths = option.partition("=")
        secrets, *others = map(_words_in, paths.split(","))
        lists[name] = secrets, [word for words in others for word in words]
    return lists


def _words_in(path):
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    words = [normalize("NFC", line.strip().lower()) for line in lines]
    return [word for word in words if word and not word.startswith("#")]
