"""Least totals of candidate sets, kept on disk from one run to the next."""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker import search
from codebreaker.errors import DamagedFileError
from codebreaker.files import cache_folder, is_own_folder, read_arrays, write_arrays
from codebreaker.games.model import TableGame
from codebreaker.search.search import random_words
from codebreaker.sets.primitives import Sets
from codebreaker.types import Hashes, Totals

MOST_KEPT = 1 << 20
"""The most sets that are kept for a game, 24 MiB."""

UNKNOWN = -1


class KeptTotals:
    """The least totals of a game's sets, by two 64-bit words that stand for a set.

    They lie in the user's caches, in a file named by a digest of the game and of the exact search's
    source. A damaged file counts as none, and a folder that can't be written to is left alone.
    """

    def __init__(self, game: TableGame, folder: Path | None = None) -> None:
        self._path = (folder or cache_folder() / "totals") / f"{_digest(game)}.npz"
        self._words = random_words(game.n_secrets)
        self._keys, self._totals = np.empty(0, np.uint64), np.empty(0, np.int64)
        self._checks, self._is_new = np.empty(0, np.uint64), False
        if not is_own_folder(self._path.parent):
            return
        with suppress(DamagedFileError):
            parts: dict[str, Any] = read_arrays(self._path)
            self._keys, self._checks, self._totals = (
                parts[name] for name in ("keys", "checks", "totals")
            )

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
                write_arrays(
                    self._path, False, keys=self._keys, checks=self._checks, totals=self._totals
                )
            self._is_new = False

    def _keys_of(self, sets: Sets) -> tuple[Hashes, Hashes]:
        words = np.bitwise_xor.reduceat(self._words[sets.members], sets.offsets[:-1], axis=0)
        return words[:, 0], words[:, 1]


def _digest(game: TableGame) -> str:
    """Return a digest of a game and of the source of what solves it."""
    digest = hashlib.sha256(game.digest.encode())
    for path in sorted(Path(search.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]
