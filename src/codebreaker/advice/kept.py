"""Least totals of candidate sets, kept on disk from one run to the next."""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.caches import Cache, cache_folder
from codebreaker.games.model import TableGame
from codebreaker.search import cost_to_go, solver
from codebreaker.search.cost_to_go import random_words
from codebreaker.sets.primitives import Sets
from codebreaker.sources import digest_of
from codebreaker.types import Hashes, Totals

MOST_KEPT = 1 << 20
"""The most sets that are kept for a game, 24 MiB."""

MAX_FILES = 64
"""The number of games on disk; the least recently used ones are deleted."""

UNKNOWN = -1


class KeptTotals:
    """The least totals of a game's sets, by two 64-bit words that stand for a set.

    They lie in the user's caches, in a file named by a digest of the game and of the exact search's
    source.
    """

    def __init__(self, game: TableGame, folder: Path | None = None) -> None:
        self._files, self._name = (
            Cache(folder or cache_folder() / "totals", MAX_FILES),
            _digest(game),
        )
        self._words = random_words(game.n_secrets)
        kept: dict[str, Any] = self._files.read_arrays(self._name) or {}
        self._keys = kept.get("keys", np.empty(0, np.uint64))
        self._checks = kept.get("checks", np.empty(0, np.uint64))
        self._totals = kept.get("totals", np.empty(0, np.int64))
        self._is_new = False

    def find(self, sets: Sets) -> Totals:
        """Return the least total of each set, UNKNOWN for those that are not kept."""
        found = np.full(len(sets.offsets) - 1, UNKNOWN, dtype=np.int64)
        if len(self._keys) and len(found):
            first, second = self._keys_of(sets)
            at = np.minimum(np.searchsorted(self._keys, first), len(self._keys) - 1)
            known = (self._keys[at] == first) & (self._checks[at] == second)
            found[known] = self._totals[at[known]]
        return found

    def add(self, sets: Sets, totals: Totals) -> None:
        """Keep the least totals of sets."""
        if len(totals) and len(self._keys) + len(totals) <= MOST_KEPT:
            first, second = self._keys_of(sets)
            self._keys, own = np.unique(np.append(self._keys, first), return_index=True)
            self._checks = np.append(self._checks, second)[own]
            self._totals = np.append(self._totals, totals)[own]
            self._is_new = True

    def save(self) -> None:
        """Write what was added to the file."""
        if self._is_new:
            with suppress(OSError):
                self._files.write_arrays(
                    self._name, keys=self._keys, checks=self._checks, totals=self._totals
                )
            self._is_new = False

    def _keys_of(self, sets: Sets) -> tuple[Hashes, Hashes]:
        words = np.bitwise_xor.reduceat(self._words[sets.members], sets.offsets[:-1], axis=0)
        return words[:, 0], words[:, 1]


def _digest(game: TableGame) -> str:
    """Return a digest of a game and of the source of what solves it."""
    code = digest_of(Path(solver.__file__), Path(cost_to_go.__file__))
    return hashlib.sha256(f"{game.digest} {code}".encode()).hexdigest()[:32]
