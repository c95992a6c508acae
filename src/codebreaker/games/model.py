"""Deduction games, with a feedback table or feedback on demand, and their files.

A game is a `TableGame` or a `CodeGame`, and callers need not know which: they use the methods of
`GameModel`. Whatever needs the table itself asks `has_table`, and gets it from `with_table`.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError, DamagedFileError
from codebreaker.files import checked_read, read_arrays, write_arrays
from codebreaker.games.facts import Facts, facts_of
from codebreaker.games.feedback import colour_counts
from codebreaker.types import FeedbackIds, Indices, Prior, SymbolMatrix

TILE = 128


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Symmetries of a game of codes: positions may be permuted, and colours renamed."""

    codes: SymbolMatrix  # (n_guesses, pegs), in lexicographic order, with colours from 0
    n_colours: int
    alphabets: SymbolMatrix  # (pegs,); positions of equal alphabets share their colours


@dataclass(frozen=True, eq=False)
class GameModel(ABC):
    """A deduction game, such as `mm-4-6`; guesses and secrets are in lexicographic order.

    `prior` holds positive weights, (n_secrets,) int64, without a common factor; None if all equal.
    A `symmetry` preserves feedback and the prior; None if none is known.
    """

    has_table: ClassVar[bool]

    name: str
    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    feedback_labels: tuple[str, ...]
    solved: int  # the feedback id that wins
    prior: Prior | None = field(default=None, kw_only=True)  # only games with a table have one
    symmetry: Symmetry | None = field(default=None, kw_only=True)

    @cached_property
    def letters(self) -> SymbolMatrix:
        """The guesses' code points, (n_guesses, n_letters), if they are equally long."""
        return np.array(self.guesses).view(np.uint32).reshape(self.n_guesses, -1)

    @property
    def n_guesses(self) -> int:
        """Return the number of guesses."""
        return len(self.guesses)

    @property
    def n_secrets(self) -> int:
        """Return the number of secrets."""
        return len(self.secrets)

    @property
    def n_feedback(self) -> int:
        """Return the number of feedback ids."""
        return len(self.feedback_labels)

    @cached_property
    def facts(self) -> Facts:
        """What searches, bounds and reports may rely on."""
        guess_of_secret = self.guesses_of(np.arange(self.n_secrets, dtype=np.int32))
        is_last = self.solved == self.n_feedback - 1
        return facts_of(self.n_guesses, guess_of_secret, self.prior, is_last)

    @cached_property
    def digest(self) -> str:
        """Return a digest of everything that determines play: labels, feedback and the prior."""
        # JSON, and each array's type and shape, tell where a part ends: no two games look alike.
        labels = [self.guesses, self.secrets, self.feedback_labels]
        digest = hashlib.sha256(json.dumps([*labels, int(self.solved)]).encode())
        for array in self._rules():
            digest.update(f"{array.dtype.str} {array.shape} ".encode())
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    @abstractmethod
    def _rules(self) -> tuple[NDArray[np.generic], ...]:
        """Return the arrays that determine feedback."""

    @abstractmethod
    def feedback(self, guess: int | Indices, secrets: Indices) -> FeedbackIds:
        """Return the feedback ids of a guess, or of one per secret, (len(secrets),)."""

    @abstractmethod
    def guesses_of(self, secrets: Indices) -> Indices:
        """Return the guesses with the secrets' labels, (len(secrets),) int32."""

    @abstractmethod
    def arrays(self) -> dict[str, Any]:
        """Return the game's parts by their names in its file."""

    def with_table(self) -> "TableGame":
        """Return this game as one with a table, or raise `CodebreakerError`."""
        raise CodebreakerError(f"game {self.name} has no table, and this needs one")

    def on_demand(self) -> "CodeGame":
        """Return this game as one without a table, or raise `CodebreakerError`."""
        raise CodebreakerError(f"game {self.name} has a table, and this works without one")


@dataclass(frozen=True, eq=False)
class TableGame(GameModel):
    """A game with a feedback table."""

    has_table: ClassVar[bool] = True

    table: FeedbackIds  # (n_guesses, n_secrets), of the `id_type` of n_feedback
    guess_of_secret: Indices  # (n_secrets,), the guess with each secret's label

    @cached_property
    def by_secret(self) -> FeedbackIds:
        """The transposed table, (n_secrets, n_guesses), or itself if symmetric."""
        if self.symmetry is not None and self.facts.guesses_are_secrets:
            return self.table  # as codes have the same feedback to each other
        transposed = np.empty(self.table.shape[::-1], self.table.dtype)
        for start in range(0, len(self.table), TILE):
            rows = slice(start, start + TILE)
            transposed[:, rows] = self.table[rows].T
        return self.table if np.array_equal(transposed, self.table) else transposed

    @cached_property
    def n_answers(self) -> int:
        """The number of feedback ids that occur; the others make no parts."""
        occurs = np.zeros(self.n_feedback, dtype=bool)
        for start in range(0, len(self.table), TILE):
            occurs[self.table[start : start + TILE]] = True
            if occurs.all():
                break
        return int(occurs.sum())

    def _rules(self) -> tuple[NDArray[np.generic], ...]:
        return self.table, self.guess_of_secret, *([] if self.prior is None else [self.prior])

    def feedback(self, guess: int | Indices, secrets: Indices) -> FeedbackIds:
        """Return feedback ids from the table."""
        ids: FeedbackIds = self.table[guess, secrets]
        return ids

    def guesses_of(self, secrets: Indices) -> Indices:
        """Return the guesses with the secrets' labels; only some guesses may be secrets."""
        guesses: Indices = self.guess_of_secret[secrets]
        return guesses

    def arrays(self) -> dict[str, Any]:
        """Return the game's parts; a prior and symmetries only if it has them."""
        parts: dict[str, Any] = {
            "name": self.name,
            "guesses": self.guesses,
            "secrets": self.secrets,
            "feedback_labels": self.feedback_labels,
            "solved": self.solved,
            "guess_of_secret": self.guess_of_secret,
        }
        if self.prior is not None:
            parts["prior"] = self.prior
        parts["feedback"] = self.table
        if self.symmetry is not None:
            parts |= vars(self.symmetry)
        return parts

    def with_table(self) -> Self:
        """Return this game."""
        return self


@dataclass(frozen=True, eq=False)
class CodeGame(GameModel):
    """A game of codes without a table; every code is a guess and a secret."""

    has_table: ClassVar[bool] = False

    codes: SymbolMatrix  # (n_codes, pegs), lexicographic, of the smallest unsigned type
    n_colours: int
    ids: FeedbackIds  # (pegs + 1, pegs + 1), by pegs in place and colours in common
    symmetry: Symmetry = field(init=False)

    def __post_init__(self) -> None:
        # With black pegs only, ids don't depend on the colours in common, and each position has its
        # own alphabet.
        black_only = bool((self.ids == self.ids[:, :1]).all())
        alphabets = np.arange(self.codes.shape[1]) * int(black_only)
        object.__setattr__(self, "symmetry", Symmetry(self.codes, self.n_colours, alphabets))

    @cached_property
    def counts(self) -> FeedbackIds:
        """Each code's number of pegs of each colour, (n_codes, n_colours) uint8."""
        return colour_counts(self.codes, self.n_colours)

    def _rules(self) -> tuple[NDArray[np.generic], ...]:
        return self.codes, self.ids

    def feedback(self, guess: int | Indices, secrets: Indices) -> FeedbackIds:
        """Return feedback ids by counting pegs."""
        black = (self.codes[secrets] == self.codes[guess]).sum(axis=1)
        common = np.minimum(self.counts[secrets], self.counts[guess]).sum(axis=1)
        ids: FeedbackIds = self.ids[black, common]
        return ids

    def guesses_of(self, secrets: Indices) -> Indices:
        """Return the secrets themselves: guesses have the same indices."""
        return secrets

    def arrays(self) -> dict[str, Any]:
        """Return the game's parts; the secrets are the guesses."""
        return {
            "name": self.name,
            "guesses": self.guesses,
            "feedback_labels": self.feedback_labels,
            "solved": self.solved,
            "codes": self.codes,
            "n_colours": self.n_colours,
            "ids": self.ids,
        }

    def on_demand(self) -> Self:
        """Return this game."""
        return self


def probabilities_of(game: GameModel, secrets: Indices) -> list[Fraction]:
    """Return the probabilities of secrets by index, given that one of them is correct."""
    weights = [1] * len(secrets) if game.prior is None else game.prior[secrets].tolist()
    total = sum(weights)
    return [Fraction(weight, total) for weight in weights]


def refuse_prior(game: GameModel, what: str) -> None:
    """Raise `CodebreakerError` about `what` if the game has a prior."""
    if game.prior is not None:
        raise CodebreakerError(f"{what} takes all secrets as equally likely: leave out the prior")


def check_marks(name: str, feedback_labels: tuple[str, ...], guesses: tuple[str, ...] = ()) -> None:
    """Raise `CodebreakerError` unless feedback is a mark per letter, as hard mode needs.

    Labels of a table may look like marks; with the guesses, there must be one for each letter.
    """
    lengths = {len(text) for text in (*feedback_labels, *guesses)}
    if len(lengths) > 1 or not {*"".join(feedback_labels)} <= {*"byg"}:
        raise CodebreakerError(f"{name} has no hard mode: only games with marks have one")


def write_game(game: GameModel, path: str | Path) -> None:
    """Write a game to a compressed `.npz` file; the same game gives the same bytes."""
    write_arrays(path, **game.arrays())


def read_game(path: str | Path) -> GameModel:
    """Read a game, or raise `DamagedFileError`."""
    parts: dict[str, Any] = read_arrays(path)
    with checked_read(path):
        for name in parts.keys() & {"guesses", "secrets", "feedback_labels"}:
            parts[name] = tuple(parts[name].tolist())
        for name in parts.keys() & {"name", "solved", "n_colours"}:
            parts[name] = parts[name].item()
        if "feedback" not in parts:
            return CodeGame(secrets=parts["guesses"], **parts)
        symmetry = [parts.pop(part.name, None) for part in fields(Symmetry)]
        parts["symmetry"] = None if symmetry[0] is None else Symmetry(*symmetry)
        game = TableGame(table=parts.pop("feedback"), **parts)
    if game.table.shape != (game.n_guesses, game.n_secrets):
        raise DamagedFileError(path, f"its table has the shape {game.table.shape}")
    return game


def read_table_game(path: str | Path) -> TableGame:
    """Read a game that has a table, or raise `CodebreakerError`."""
    return read_game(path).with_table()
