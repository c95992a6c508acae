"""Weights of feedback ids by turn: the published ones, and weights files."""

import json
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.files import DATA, checked_read, read_json, write_text
from codebreaker.types import Scores

FOLDER = DATA / "weights"


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights in (0, 1] of each feedback id at each turn; the last row also serves later turns.

    `values` is (n_turns, n_feedback) float64 or, if weights depend on the previous feedback,
    (n_turns, n_feedback, n_feedback) with that along the second axis. `criteria` names each turn's
    criterion if it isn't always entropy. `provenance` records the search.
    """

    name: str
    source: str
    feedback_labels: tuple[str, ...]
    values: Scores = field(repr=False)
    provenance: dict[str, Any] = field(default_factory=dict)
    criteria: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n = len(self.feedback_labels)
        if self.values.shape[1:] not in ((n,), (n, n)):
            raise CodebreakerError(
                f"weights {self.name!r} have the shape {self.values.shape}: each turn needs "
                f"{n} weights, or {n} for each feedback before it"
            )
        if not ((self.values > 0) & (self.values <= 1)).all():
            raise CodebreakerError(f"weights {self.name!r} must all lie in (0, 1]")

    @property
    def by_context(self) -> bool:
        """Return whether weights depend on the previous feedback."""
        return self.values.ndim == 3

    def at(self, turn: int, previous: int = 0) -> Scores:
        """Return the weights at a turn, counted from 1, after a feedback id, (n_feedback,)."""
        rows = self.values[min(turn, len(self.values)) - 1]
        row: Scores = rows[max(previous, 0)] if self.by_context else rows
        return row

    def rounded(self, digits: int) -> "Weights":
        """Return a copy rounded to some decimals, at least to the smallest above 0."""
        return replace(self, values=np.clip(np.round(self.values, digits), 10.0**-digits, 1.0))

    def with_turn(self, turn: int, row: Scores) -> "Weights":
        """Return a copy with other weights at a turn, counted from 1."""
        values = self.values.copy()
        values[turn - 1] = row
        return replace(self, values=values)

    def uniform_from(self, turn: int) -> "Weights":
        """Return a copy with uniform weights from a turn on."""
        values = self.values.copy()
        values[turn - 1 :] = 1.0
        return replace(self, values=values)


def exact_weights(weights: Scores, scale: float) -> Scores:
    """Return weights times `scale`, rounded half to even, at least 1.

    No weight becomes 0: the score of a guess that leaves a set whole has to stay −inf.
    """
    exact: Scores = np.maximum(np.round(scale * weights), 1.0)
    return exact


def first_turn(n_turns: int, opening: str | None) -> int:
    """Return the first turn whose weights matter: 2 after a forced opening, otherwise 1."""
    return 2 if opening is not None and n_turns > 1 else 1


@dataclass(frozen=True)
class WeightsFile:
    """The contents of a weights file."""

    name: str
    source: str
    feedback: tuple[str, ...]
    weights: list[list[float]] | list[list[list[float]]]
    provenance: dict[str, Any] = field(default_factory=dict)
    criteria: tuple[str, ...] = ()


def write_weights(weights: Weights, path: str | Path) -> None:
    """Write a weights file; the same weights give the same bytes."""
    data = {
        "name": weights.name,
        "source": weights.source,
        "feedback": weights.feedback_labels,
        "weights": weights.values.tolist(),
        "provenance": weights.provenance,
    }
    data |= {"criteria": weights.criteria} if weights.criteria else {}
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False))


def read_weights(path: str | Path) -> Weights:
    """Read a weights file, or raise `DamagedFileError`."""
    data = read_json(path, WeightsFile)
    with checked_read(path):
        values = np.array(data.weights, dtype=np.float64)
        if values.shape[-1] != len(data.feedback) or not np.isfinite(values).all():
            raise ValueError("it does not hold a number for each feedback")
    return Weights(data.name, data.source, data.feedback, values, data.provenance, data.criteria)


def published_names() -> list[str]:
    """Return the names of the packaged weights."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


@cache
def published(name: str) -> Weights:
    """Return packaged weights, or raise `CodebreakerError`."""
    if name not in published_names():
        raise unknown("weights", name, published_names())
    # Packaged data needs no check of types, so pydantic need not be there.
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return Weights(
        name=data["name"],
        source=data["source"],
        feedback_labels=tuple(data["feedback"]),
        values=np.array(data["weights"], dtype=np.float64),
        provenance=data.get("provenance", {}),
        criteria=tuple(data.get("criteria", ())),
    )


def select_best(results: list[Weights]) -> Weights:
    """Return the first weights of the minimum total, with all seeds' totals."""
    records = [weights.provenance for weights in results]
    totals = {str(record["seed"]): record["total_guesses"] for record in records}
    best = min(results, key=lambda weights: int(weights.provenance["total_guesses"]))
    return replace(best, provenance=best.provenance | {"total_guesses_by_seed": totals})
