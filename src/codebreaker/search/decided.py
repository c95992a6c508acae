"""The guesses that a rollout has found so far, kept in a file from one run to the next."""

import hashlib
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.errors import DamagedFileError
from codebreaker.files import read_arrays, write_arrays
from codebreaker.games.model import Game
from codebreaker.search.settings import Rollout
from codebreaker.types import Indices

log = logging.getLogger("codebreaker")

EVERY_S = 20.0
"""How often the file is written, in seconds."""


@dataclass
class Decided:
    """Guesses by turn and set; with a path they are in a file, whose `identity` must agree."""

    path: Path | None
    identity: str
    guesses: dict[bytes, int] = field(default_factory=dict)
    saved: float = field(default_factory=time.monotonic)

    @classmethod
    def read(cls, path: Path | None, game: Game, rollout: Rollout, code: str) -> "Decided":
        """Return what a file holds; nothing if it is missing, damaged or of another rollout."""
        decided = cls(path, identity_of(game, rollout, code))
        if path is None or not path.exists():
            return decided
        try:
            parts: Mapping[str, Any] = read_arrays(path)
        except DamagedFileError as error:
            log.warning("%s is damaged, and rollout starts anew: %s", path, error.__cause__)
            return decided
        if str(parts["identity"]) != decided.identity:
            log.warning("%s belongs to other settings, and rollout starts anew", path)
            return decided
        keys = [key.tobytes() for key in parts["keys"]]
        decided.guesses = dict(zip(keys, parts["guesses"].tolist(), strict=True))
        log.info("%d sets were decided earlier", len(keys))
        return decided

    def find(self, turn: int, members: Indices) -> int | None:
        """Return the guess at a set, or None."""
        return self.guesses.get(_key(turn, members))

    def add(self, turn: int, members: Indices, guess: int) -> None:
        """Keep the guess at a set, and write the file if it is time."""
        self.guesses[_key(turn, members)] = guess
        if time.monotonic() - self.saved > EVERY_S:
            self.save()

    def save(self) -> None:
        """Write the file, if there is one."""
        if self.path is None or not self.guesses:
            return
        keys = np.frombuffer(b"".join(self.guesses), np.uint8).reshape(len(self.guesses), -1)
        guesses = np.array(list(self.guesses.values()), np.int32)
        write_arrays(self.path, False, identity=self.identity, keys=keys, guesses=guesses)
        self.saved = time.monotonic()


def identity_of(game: Game, rollout: Rollout, code: str) -> str:
    """Return what determines the guesses of a rollout, as JSON."""
    weights = rollout.base.weights
    return json.dumps(
        {
            "code": code,
            "game": game.digest,
            "base": rollout.base.slug,
            "weights": weights and hashlib.sha256(weights.values.tobytes()).hexdigest(),
            "widths": rollout.widths,
            "ahead": rollout.ahead,
            "exact": rollout.exact,
            "beam": rollout.beam and asdict(rollout.beam),
        }
    )


def _key(turn: int, members: Indices) -> bytes:
    return hashlib.sha256(bytes([turn]) + members.tobytes()).digest()[:16]
