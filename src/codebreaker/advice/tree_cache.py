"""Persistent cache of game trees, so that repeated questions need no kernels."""

import hashlib
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.errors import DamagedFileError
from codebreaker.files import cache_folder, is_own_folder, read_arrays, write_arrays
from codebreaker.games.model import Game
from codebreaker.policies.policy import Policy
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices

MAX_FILES = 256
"""The number of trees on disk; the least recently used ones are deleted."""


class TreeCache:
    """A policy's trees in a game by the set they grow from, in memory and on disk.

    Files lie in a folder, by default in the user's caches, and are named by a digest of the
    package's source, the game, the policy and the set. If the folder can't be used, trees are
    cached in memory only.
    """

    def __init__(self, game: Game, policy: Policy, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder() / "trees"
        self._game, self._policy = game, policy
        self._trees: dict[str, GameTree] = {}

    def key(self, members: Indices, turn: int, feedback: int) -> str:
        """Return the key of the tree of a set at a turn, after a feedback id."""
        place = f"{turn} {feedback} ".encode()
        digest = hashlib.sha256(self._prefix + place + np.ascontiguousarray(members).tobytes())
        return digest.hexdigest()[:32]

    def get(self, key: str) -> GameTree | None:
        """Return a cached tree, or None if there is none or its file is damaged."""
        if key not in self._trees:
            path = self._folder / f"{key}.npz"
            try:
                if not is_own_folder(self._folder):
                    return None
                parts: dict[str, Any] = read_arrays(path)
                if str(parts.pop("key", "")) != key:
                    return None
                tree = GameTree(**parts)
                tree.check()
                self._trees[key] = tree
                path.touch()
            except (DamagedFileError, TypeError, ValueError, OSError):
                return self._trees.get(key)
        return self._trees[key]

    def put(self, key: str, tree: GameTree) -> None:
        """Cache a tree."""
        self._trees[key] = tree
        with suppress(OSError):
            write_arrays(self._folder / f"{key}.npz", key=key, **vars(tree))
            files = sorted(self._folder.glob("*.npz"), key=_last_use)
            for path in files[:-MAX_FILES]:
                path.unlink()

    @cached_property
    def _prefix(self) -> bytes:
        """The digest of what all keys share: the package's source, the game and the policy."""
        game, policy = self._game, self._policy
        parts = [path.read_bytes() for path in sorted(Path(__file__).parent.parent.rglob("*.py"))]
        parts += [game.digest.encode()]
        parts += [repr((policy.slug, policy.criterion.name, policy.endgames)).encode()]
        if policy.weights is not None:
            parts += [policy.weights.values.tobytes(), repr(policy.weights.criteria).encode()]
        return hashlib.sha256(b"\0".join(parts)).digest()


def _last_use(path: Path) -> float:
    return path.stat().st_mtime
