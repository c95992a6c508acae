"""The forms of a line with a game: what it tells, before the rules of the game check it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from codebreaker.errors import CodebreakerError

LONGEST_NAME = 200
"""The longest name of a player or a game, in characters."""

MOST_MOVES = 200

Code = str | tuple[int, ...]
"""A code by its label, or by its colours, counted from 0."""

Answer = str | tuple[int, int]
"""Feedback as it is typed, or as numbers of black and white pegs."""


@dataclass(frozen=True)
class Told:
    """What a line tells of a game; None stands for what it doesn't say."""

    moves: Sequence[tuple[Code, Answer]]
    game: str | None
    secret: Code | None
    player: str | None


def told_by(line: Any) -> Told:  # noqa: ANN401 (parsed JSON)
    """Return what a parsed line tells; raise `CodebreakerError` if its form is unknown or broken.

    The forms are described in docs/transcripts.md.
    """
    if not isinstance(line, dict):
        raise CodebreakerError("the line is not a JSON object")
    if isinstance(line.get("game_state"), dict):
        line = line | line["game_state"]
    for key, form in FORMS.items():
        if key in line:
            return form(line)
    raise CodebreakerError(f"the object has none of the keys {', '.join(FORMS)}")


def _own(line: dict[str, Any]) -> Told:
    """Read our own form: `moves` of labels and typed feedback."""
    moves = [(_label(guess, n), _typed(answer, n)) for n, guess, answer in _pairs(line["moves"])]
    secret = line.get("secret")
    return Told(
        moves,
        _name(line, "game"),
        None if secret is None else _label(secret, None),
        _name(line, "player"),
    )


def _mastermind_eval(line: dict[str, Any]) -> Told:
    """Read MastermindEval's form: `guess_history` of colour names and numbers of pegs."""
    game = line.get("game")
    game = game if isinstance(game, dict) else {}
    names = game.get("possible_colors")
    colours = _Colours(None if names is None else _strings(names, "possible_colors"))
    moves = [
        (colours.code(_strings(guess, f"move {n}: the guess"), f"move {n}"), _numbers(answer, n))
        for n, guess, answer in _pairs(line["guess_history"])
    ]
    secret, length = game.get("secret_code"), game.get("code_length")
    return Told(
        moves,
        None if names is None or length is None else f"mm-{_size(length)}-{len(names)}",
        None if secret is None else colours.code(_strings(secret, "secret_code"), "secret_code"),
        _name(line, "player") or _name(line, "model"),
    )


def _history(line: dict[str, Any]) -> Told:
    """Read a `history`: of objects in TextArena's form, of pairs in the Bulls-and-Cows form."""
    history = line["history"]
    if "secret_code" in line or (isinstance(history, list) and _all(history, dict)):
        return _text_arena(line)
    moves = [
        (_digits(guess, f"move {n}: the guess"), _numbers(answer, n))
        for n, guess, answer in _pairs(history)
    ]
    target = line.get("target")
    return Told(
        moves,
        _name(line, "game"),
        None if target is None else _digits(target, "target"),
        _name(line, "player") or _name(line, "model"),
    )


def _text_arena(line: dict[str, Any]) -> Told:
    """Read TextArena's state of a game: guesses are lists of numbers from 1."""
    moves = [
        (_from_1(entry.get("guess"), f"move {n}: the guess"),
         _numbers([entry.get("black"), entry.get("white")], n))
        for n, entry in enumerate(_listed(line["history"], "history", dict), start=1)
    ]  # fmt: skip
    sizes = [line.get(key) for key in ("code_length", "num_numbers")]
    game = None
    if None not in sizes:
        family = "mm" if line.get("duplicate_numbers") is True else "bc"
        game = "-".join([family, *map(_size, sizes)])
    secret = line.get("secret_code")
    return Told(
        moves,
        game,
        None if secret is None else _from_1(secret, "secret_code"),
        _name(line, "player") or _name(line, "model"),
    )


FORMS: dict[str, Callable[[dict[str, Any]], Told]] = {
    "moves": _own,
    "guess_history": _mastermind_eval,
    "history": _history,
}
"""The forms by the key that holds the moves."""


class _Colours:
    """Numbers of colours by their names; without a list of names, in order of appearance."""

    def __init__(self, names: list[str] | None) -> None:
        self._known = {name: number for number, name in enumerate(names or [])}
        if names is not None and len(self._known) < len(names):
            raise CodebreakerError("possible_colors names a colour twice")
        self._is_closed = names is not None

    def code(self, names: list[str], where: str) -> tuple[int, ...]:
        """Return a code by its colours; raise `CodebreakerError` for an unknown one."""
        for name in names:
            if name not in self._known:
                if self._is_closed:
                    raise CodebreakerError(
                        f"{where}: colour {_short(name)} is not one of possible_colors"
                    )
                self._known[name] = len(self._known)
        return tuple(self._known[name] for name in names)


def _pairs(value: object) -> list[tuple[int, Any, Any]]:
    """Return the number, guess and feedback of each move."""
    pairs = []
    for number, pair in enumerate(_listed(value, "the list of moves", list), start=1):
        if len(pair) != 2:
            raise CodebreakerError(f"move {number} is not a guess and its feedback")
        pairs.append((number, *pair))
    return pairs


def _listed(value: object, what: str, kind: type) -> list[Any]:
    """Return a list of objects of a kind, one for each move."""
    if not isinstance(value, list) or not _all(value, kind):
        things = "pairs" if kind is list else "objects"
        raise CodebreakerError(f"{what} is not a list of {things}")
    if len(value) > MOST_MOVES:
        raise CodebreakerError(f"the game has {len(value):,} moves: at most {MOST_MOVES} are read")
    return value


def _all(values: list[Any], kind: type) -> bool:
    return all(isinstance(value, kind) for value in values)


def _label(value: object, move: int | None) -> str:
    if not isinstance(value, str):
        raise CodebreakerError(f"{_where(move)} is not a text such as 1123")
    return value


def _where(move: int | None) -> str:
    return "the secret" if move is None else f"move {move}: the guess"


def _typed(value: object, move: int) -> Answer:
    """Return feedback as text, or as the pair of numbers that it is."""
    return value if isinstance(value, str) else _numbers(value, move)


def _numbers(value: object, move: int) -> tuple[int, int]:
    """Return feedback given as a list of two whole numbers."""
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(type(one) is int and 0 <= one < 100 for one in value)
    ):
        return value[0], value[1]
    raise CodebreakerError(f"move {move}: the feedback is not two numbers of pegs, as in [1, 2]")


def _strings(value: object, what: str) -> list[str]:
    if not isinstance(value, list) or not _all(value, str) or len(value) > LONGEST_NAME:
        raise CodebreakerError(f"{what} is not a list of names of colours")
    return value


def _digits(value: object, what: str) -> tuple[int, ...]:
    """Return the digits of a text as colours from 0."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < LONGEST_NAME:
        return tuple(map(int, value))
    raise CodebreakerError(f"{what} is not a text of digits, as in '0123'")


def _from_1(value: object, what: str) -> tuple[int, ...]:
    """Return a list of numbers from 1 as colours from 0."""
    if (
        isinstance(value, list)
        and len(value) < LONGEST_NAME
        and all(type(one) is int and 1 <= one < 1000 for one in value)
    ):
        return tuple(one - 1 for one in value)
    raise CodebreakerError(f"{what} is not a list of numbers from 1, as in [1, 2, 3, 4]")


def _size(value: object) -> str:
    if type(value) is not int or not 0 < value < 1000:
        raise CodebreakerError("the size of the game is not two whole numbers")
    return str(value)


def _name(line: dict[str, Any], key: str) -> str | None:
    """Return the name of a player or a game, if the line has one."""
    value = line.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > LONGEST_NAME or not value.isprintable():
        raise CodebreakerError(
            f"{key} is not a name of at most {LONGEST_NAME} printable characters"
        )
    return value


def _short(text: str) -> str:
    """Return a text from a file as a message quotes it."""
    return repr(text if len(text) <= 20 else text[:20] + "…").encode("ascii", "replace").decode()
