"""Games from a feedback table, and games with fewer secrets."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codebreaker.constants import LARGEST_SUM
from codebreaker.errors import CodebreakerError, counted, quoted
from codebreaker.games.feedback import MOST_FEEDBACK, FeedbackKind, id_type
from codebreaker.games.model import GameModel, TableGame
from codebreaker.games.symmetry import respects_symmetry
from codebreaker.types import Prior


@dataclass(frozen=True)
class TableRules:
    """The rules of a game given by its table, for notation."""

    name: str
    guesses: tuple[str, ...]
    feedback: tuple[str, ...]

    @property
    def guess_form(self) -> str:
        """Return what a guess consists of."""
        return f"a guess of game {self.name!r}"

    @cached_property
    def feedback_kind(self) -> FeedbackKind:
        """The labels, typed as they are."""
        known = {label: label for label in self.feedback}
        meaning = ", ".join(self.feedback)
        return FeedbackKind("FEEDBACK", self.feedback[-1], f"one of {meaning}", known.get, str, str)

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` is a guess."""
        if label not in self.guesses:
            guesses = counted(len(self.guesses), "guess", "es")
            raise CodebreakerError(f"{label!r} is not among the {guesses} of game {self.name!r}")


def table_game(
    table: ArrayLike,
    guesses: Iterable[str],
    secrets: Iterable[str],
    feedback: Iterable[str],
    solved: str,
    name: str = "table",
) -> TableGame:
    """Return a game from its feedback ids, (n_guesses, n_secrets) integers, and labels by index.

    Sorts labels; raises `CodebreakerError` unless only its own label wins against every secret.
    """
    guesses = _checked("guess", guesses)
    secrets = _checked("secret", secrets)
    feedback = _checked("feedback", feedback)
    ids = _integers(name, table, (len(guesses), len(secrets)))
    if len(feedback) > MOST_FEEDBACK:
        raise CodebreakerError(
            f"game {name!r} has {len(feedback):,} feedback labels, at most {MOST_FEEDBACK:,}: give "
            "those alone that occur"
        )
    if ids.min() < 0 or ids.max() >= len(feedback):
        raise CodebreakerError(
            f"the table of game {name!r} holds feedback from {ids.min()} to {ids.max()}: ids are "
            f"indices of its {counted(len(feedback), 'feedback label')}, from 0"
        )
    if solved not in feedback:
        why = f"the winning feedback {solved!r} of game {name!r} is not among its labels"
        raise CodebreakerError(why)
    rows = sorted(range(len(guesses)), key=guesses.__getitem__)
    columns = sorted(range(len(secrets)), key=secrets.__getitem__)
    guesses = sorted(guesses)
    secrets = sorted(secrets)
    ids = np.ascontiguousarray(ids[np.ix_(rows, columns)], dtype=id_type(len(feedback)))
    index = {label: number for number, label in enumerate(guesses)}
    if missing := [label for label in secrets if label not in index]:
        raise CodebreakerError(
            f"the secret {missing[0]!r} of game {name!r} is not among its guesses"
        )
    guess_of_secret = np.array([index[label] for label in secrets], dtype=np.int32)
    won = ids == feedback.index(solved)
    wins = won[guess_of_secret, np.arange(len(secrets))] & (won.sum(axis=0) == 1)
    if not wins.all():
        secret = secrets[int(np.flatnonzero(~wins)[0])]
        raise CodebreakerError(
            f"the secret {secret!r} of game {name!r} must win against the guess {secret!r} and no "
            "other"
        )
    return TableGame(
        name=name,
        guesses=tuple(guesses),
        secrets=tuple(secrets),
        feedback_labels=tuple(feedback),
        solved=feedback.index(solved),
        table=ids,
        guess_of_secret=guess_of_secret,
    )


def _integers(name: str, table: ArrayLike, shape: tuple[int, int]) -> NDArray[Any]:
    """Return a table of a shape as an array; raise `CodebreakerError` for another one."""
    try:
        ids = np.asarray(table)
    except ValueError:  # rows of different lengths
        ids = np.empty(0)
    if ids.shape == shape and np.issubdtype(ids.dtype, np.integer):
        return ids
    given = f"is {quoted(table)}"
    if ids.ndim == 2:
        rows, columns = ids.shape
        given = f"has {counted(rows, 'row')} and {counted(columns, 'column')} of {ids.dtype.name}"
    guesses, secrets = shape
    raise CodebreakerError(
        f"the table of game {name!r} must hold integers, in {counted(guesses, 'row')} for its "
        f"guesses and {counted(secrets, 'column')} for its secrets, and {given}"
    )


def restricted(game: GameModel, secrets: Iterable[str]) -> TableGame:
    """Return the game with only some secrets, but every guess, or raise `CodebreakerError`."""
    if not game.has_table:
        why = f"{game.name} has no table, and its secrets can't be restricted: raise table_mib"
        raise CodebreakerError(why)
    with_table = game.with_table()
    secrets = _checked("secret", secrets)
    index = {label: number for number, label in enumerate(game.secrets)}
    if unknown := [label for label in secrets if label not in index]:
        raise CodebreakerError(f"{unknown[0]!r} is not a secret of {game.name}")
    kept = np.array(sorted(index[label] for label in secrets), dtype=np.int32)
    return replace(
        with_table,
        name=f"{game.name} with {len(kept)} secret{'s' * (len(kept) != 1)}",
        secrets=tuple(game.secrets[number] for number in kept),
        table=np.ascontiguousarray(with_table.table[:, kept]),
        guess_of_secret=with_table.guess_of_secret[kept],
        symmetry=None,
        prior=None if game.prior is None else _reduced(game.prior[kept]),
    )


def weighted(game: GameModel, weights: Mapping[str, int]) -> TableGame:
    """Return the game with integer weights as its prior, from 0; errors are as for `restricted`."""
    if not isinstance(weights, Mapping):
        raise CodebreakerError(f"the weights are {weights!r}: give a mapping from secrets to them")
    for label, weight in weights.items():
        whole = isinstance(weight, int | np.integer) and not isinstance(weight, bool)
        if not whole or weight < 0:
            why = f"the secret {label!r} has the weight {weight!r}: weights are integers from 0"
            raise CodebreakerError(why)
    weights = {label: int(weight) for label, weight in weights.items()}
    if sum(weights.values()) > LARGEST_SUM:
        raise CodebreakerError(
            f"the weights add up to {sum(weights.values()):,}: at most {LARGEST_SUM:,} are "
            "possible: divide them by a common factor"
        )
    kept = restricted(game, [label for label, weight in weights.items() if weight])
    _checked("secret", weights)
    if unknown := weights.keys() - set(game.secrets):
        raise CodebreakerError(f"{min(unknown)!r} is not a secret of {game.name}")
    prior = np.array([weights[label] for label in kept.secrets], dtype=np.int64)
    symmetric = game.symmetry is not None and respects_symmetry(
        replace(kept, symmetry=game.symmetry), prior
    )
    return replace(
        kept,
        name=game.name if kept.n_secrets == game.n_secrets else kept.name,
        symmetry=game.symmetry if symmetric else None,
        prior=_reduced(prior),
    )


def _reduced(weights: Prior) -> Prior | None:
    """Return weights without their common factor; None if they are equal."""
    reduced: Prior = weights // np.gcd.reduce(weights)
    return None if (reduced == 1).all() else reduced


def listed(kind: str, given: Iterable[str]) -> list[str]:
    """Return a list; raise `CodebreakerError` for a single text."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise CodebreakerError(f"{given!r} is not a list: put each {kind} in a list")
    return [*given]


def _checked(kind: str, given: Iterable[str]) -> list[str]:
    """Return the labels, or raise `CodebreakerError` for none, equal ones, or ones hard to type."""
    labels = listed(kind, given)
    if not labels:
        raise CodebreakerError(f"give at least one {kind}")
    label, times = Counter(labels).most_common(1)[0]
    if times > 1:
        raise CodebreakerError(f"the {kind} {label!r} is given {times} times: labels are unique")
    for label in labels:
        if not isinstance(label, str):
            raise CodebreakerError(f"the {kind} {label!r} is not text: write it as text")
        if not label or label != label.strip().lower() or ":" in label or not label.isprintable():
            raise CodebreakerError(
                f"the {kind} {label!r} can't be typed: labels are printable text on one line, in "
                "lower case, without colons and without spaces around them"
            )
    return labels
