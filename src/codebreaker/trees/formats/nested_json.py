"""Trees as nested JSON, `{"guess": ..., "after": {feedback: ...}}`, perhaps under `tree`."""

import json
from typing import Any

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import Node, Outline, Spelling, check_depth, decoded, quoted
from codebreaker.trees.tree import GameTree, nested

FIGURES = ("secrets", "n_secrets", "total_guesses", "max_guesses")  # a file may state them

LARGEST_FIGURE = 10**12


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of its pairs; raise `CodebreakerError` for equal keys."""
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise CodebreakerError(f"the key {quoted(key)} stands twice in an object: remove one")
        values[key] = value
    return values


def _load(content: bytes) -> dict[str, Any]:
    """Return the JSON object of a file, or raise `CodebreakerError`."""
    try:
        data = json.loads(decoded(content), object_pairs_hook=_pairs)
    except RecursionError:
        raise CodebreakerError("the JSON is nested too deeply for a tree") from None
    except json.JSONDecodeError as why:
        raise CodebreakerError(f"not JSON: {why}") from None
    except ValueError:
        raise CodebreakerError("a number has too many digits: correct it") from None
    if not isinstance(data, dict):
        raise CodebreakerError("expected an object with the key 'tree' or 'guess'")
    return data


def game(content: bytes) -> str | None:
    """Return the game's name, if any."""
    name = _load(content).get("game")
    return name if isinstance(name, str) else None


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree; `CodebreakerError` names the history of the first error."""
    data = _load(content)
    played = notation.game
    spelling = Spelling(notation, played.guesses, played.feedback_labels)
    outline = Outline(stated={name: data[name] for name in FIGURES if name in data})
    for name, value in outline.stated.items():
        if type(value) is not int or not 0 <= value <= LARGEST_FIGURE:
            why = f"{name!r} is not an integer from 0: correct it"
            raise CodebreakerError(why)
    pending: list[tuple[Any, Node | None, int, tuple[str, ...]]] = [
        (data.get("tree", data), None, -1, ())
    ]
    while pending:
        value, parent, feedback, history = pending.pop()
        check_depth(len(history) + 1)
        try:
            members = value if isinstance(value, dict) else {}
            guess = members.get("guess")
            after = members.get("after", {})
            if not isinstance(guess, str) or not isinstance(after, dict):
                why = "expected an object with a code as 'guess' and an object as 'after'"
                raise CodebreakerError(why)
            node = outline.add(parent, feedback, Node(spelling.guess(guess)))
            for label, below in after.items():
                branch = spelling.feedback_id(label)
                pending.append((below, node, branch, (*history, f"{guess} {label}")))
        except CodebreakerError as error:
            where = f"after {', '.join(history)}" if history else "at the first guess"
            raise CodebreakerError(f"{where}: {error}") from None
    return outline


def write(notation: Notation, tree: GameTree) -> bytes:
    """Write a tree with its figures."""
    data = {
        "game": notation.game.name,
        "secrets": notation.game.n_secrets,
        "total_guesses": tree.total_guesses,
        "max_guesses": tree.max_guesses,
        "tree": nested(notation.game, tree),
    }
    return (json.dumps(data, indent=0, ensure_ascii=False) + "\n").encode()
