"""Weights of feedback ids by turn: published vectors, and files of them."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.errors import CodebreakerError, DamagedFileError, unknown
from codebreaker.files import write_text
from codebreaker.types import Scores

FOLDER = Path(__file__).parent.parent / "data" / "weights"


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights in (0, 1] of each feedback id at each turn; the last row serves all later turns.

    `values` is (n_turns, n_feedback) float64, `feedback_labels` names its columns. Where weights
    depend on the previous guess's feedback too, it is (n_turns, n_feedback, n_feedback), that one
    along the second axis. `criteria` names the criterion of each turn, where it isn't entropy; the
    last serves all later turns. `provenance` says how weights that were found came about.
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
                f"weights {self.name!r} have the shape {self.values.shape}: "
                f"each turn needs {n} of them, or {n} for each feedback before it"
            )
        if not ((self.values > 0) & (self.values <= 1)).all():
            raise CodebreakerError(f"weights {self.name!r} leave (0, 1]: bring every one inside")

    @property
    def by_context(self) -> bool:
        """Return whether the previous guess's feedback matters."""
        return self.values.ndim == 3

    def at(self, turn: int, previous: int = 0) -> Scores:
        """Return the weights at a turn, counted from 1, after a feedback id, (n_feedback,)."""
        rows = self.values[min(turn, len(self.values)) - 1]
        row: Scores = rows[max(previous, 0)] if self.by_context else rows
        return row

    def rounded(self, digits: int) -> "Weights":
        """Return a copy with so many digits after the point, none of them 0."""
        values = np.clip(np.round(self.values, digits), 10.0**-digits, 1.0)
        return replace(self, values=values)

    def with_turn(self, turn: int, row: Scores) -> "Weights":
        """Return a copy in which one turn, counted from 1, has other weights."""
        values = self.values.copy()
        values[turn - 1] = row
        return replace(self, values=values)

    def uniform_from(self, turn: int) -> "Weights":
        """Return a copy with uniform weights from a turn on."""
        values = self.values.copy()
        values[turn - 1 :] = 1.0
        return replace(self, values=values)


def exact_weights(weights: Scores, scale: float) -> Scores:
    """Return weights times `scale`, rounded half to even to exact integers in float64."""
    exact: Scores = np.round(scale * weights)
    return exact


def first_turn(n_turns: int, opening: str | None) -> int:
    """Return the first turn whose weights matter: 2 of several where the opening is forced."""
    return 2 if opening is not None and n_turns > 1 else 1


def parse_weights(data: dict[str, Any]) -> Weights:
    """Read weights from the dictionary that a weights file holds."""
    return Weights(
        name=data["name"],
        source=data["source"],
        feedback_labels=tuple(data["feedback"]),
        values=np.array(data["weights"], dtype=np.float64),
        provenance=data.get("provenance", {}),
        criteria=tuple(data.get("criteria", ())),
    )


def write_weights(weights: Weights, path: str | Path) -> None:
    """Write a weights file; the same weights give the same bytes."""
    data = {
        "name": weights.name,
        "source": weights.source,
        "feedback": list(weights.feedback_labels),
        "weights": weights.values.tolist(),
        "provenance": weights.provenance,
    } | ({"criteria": weights.criteria} if weights.criteria else {})
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False))


def read_weights(path: str | Path) -> Weights:
    """Read a weights file; raise `DamagedFileError` where it is not a whole one."""
    try:
        return parse_weights(json.loads(Path(path).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as why:
        raise DamagedFileError(path, why) from why


def published_names() -> list[str]:
    """Return the names of the weights that come with the package."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def published(name: str) -> Weights:
    """Return weights that come with the package; raise `CodebreakerError` if there are none."""
    if name not in published_names():
        raise unknown("weights", name, published_names())
    return read_weights(FOLDER / f"{name}.json")
