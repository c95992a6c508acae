"""Persistent cache of game trees, so that repeated questions need no kernels."""

import hashlib
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.caches import Cache, cache_folder
from codebreaker.games.model import Game
from codebreaker.policies.strategy import Strategy
from codebreaker.sources import ROOT, digest_of
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices

MAX_FILES = 256
"""The number of trees on disk; the least recently used ones are deleted."""

GROWERS = ROOT / "trees" / "grow.py", ROOT / "search" / "endgames.py"
"""The modules that grow trees, which take longer to import than a kept tree to read."""


class TreeCache:
    """A policy's trees in a game by the set they grow from, in memory and on disk.

    Files lie in a folder, by default in the user's caches, and are named by a digest of the code
    that grows trees, the game, the policy and the set. If the folder can't be used, trees are
    cached in memory only.
    """

    def __init__(self, game: Game, policy: Strategy, folder: Path | None = None) -> None:
        self._files = Cache(folder or cache_folder() / "trees", MAX_FILES)
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
            parts: dict[str, Any] = self._files.read_arrays(key) or {}
            with suppress(TypeError, ValueError):
                if str(parts.pop("key", "")) == key:
                    tree = GameTree(**parts)
                    tree.check()
                    self._trees[key] = tree
        return self._trees.get(key)

    def put(self, key: str, tree: GameTree) -> None:
        """Cache a tree."""
        self._trees[key] = tree
        with suppress(OSError):
            self._files.write_arrays(key, key=key, **vars(tree))

    @cached_property
    def _prefix(self) -> bytes:
        """The digest of what all keys share: the code that grows trees, the game and the policy."""
        game, policy = self._game, self._policy
        names = {policy.criterion.name, *(policy.weights.criteria if policy.weights else ())}
        code = digest_of(*GROWERS, criteria=frozenset(names))
        parts = [code.encode(), game.digest.encode()]
        parts += [repr((policy.slug, policy.criterion.name, policy.endgames)).encode()]
        if policy.weights is not None:
            parts += [policy.weights.values.tobytes(), repr(policy.weights.criteria).encode()]
        return hashlib.sha256(b"\0".join(parts)).digest()
