"""Trees that are kept between processes, so that a question asked again needs no kernels."""

import hashlib
from contextlib import suppress
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from codebreaker.files import atomic_write, cache_folder
from codebreaker.games.model import Game
from codebreaker.policies.policy import Policy
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices

COLUMNS = tuple(field.name for field in fields(GameTree))

MOST_FILES = 256
"""So many trees are kept; the ones that were asked for longest ago give way."""


class TreeCache:
    """The trees of a policy of a game by the sets that they grow from, in memory and in files.

    The files lie in a folder, else among the user's caches; their names are digests of the
    package's text, the game, the policy and the set, so that no tree of another kind is found.
    Where the folder can't be used, trees are kept in memory alone.
    """

    def __init__(self, game: Game, policy: Policy, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder() / "trees"
        self._game, self._policy = game, policy
        self._trees: dict[str, GameTree] = {}

    def key(self, members: Indices, turn: int, feedback: int) -> str:
        """Return the name of the tree of a set at a turn, after a feedback id."""
        place = f"{turn} {feedback} ".encode()
        digest = hashlib.sha256(self._kind + place + np.ascontiguousarray(members).tobytes())
        return digest.hexdigest()[:32]

    def find(self, key: str) -> GameTree | None:
        """Return the tree of a name, or None where it isn't kept or its file isn't whole."""
        if key not in self._trees:
            path = self._folder / f"{key}.npz"
            try:
                with path.open("rb") as file, np.load(file, allow_pickle=False) as parts:
                    self._trees[key] = GameTree(**{name: parts[name] for name in COLUMNS})
                path.touch()
            except (BadZipFile, KeyError, ValueError, EOFError, OSError):
                return self._trees.get(key)
        return self._trees[key]

    def keep(self, key: str, tree: GameTree) -> None:
        """Keep a tree under a name."""
        self._trees[key] = tree
        with suppress(OSError):
            with atomic_write(self._folder / f"{key}.npz") as draft:
                np.savez_compressed(draft, **{name: getattr(tree, name) for name in COLUMNS})
            files = sorted(self._folder.glob("*.npz"), key=_age)
            for path in files[:-MOST_FILES]:
                path.unlink()

    @cached_property
    def _kind(self) -> bytes:
        """What all trees have in common: the package's text, the game and the policy."""
        game, policy = self._game, self._policy
        parts = [path.read_bytes() for path in sorted(Path(__file__).parent.parent.rglob("*.py"))]
        parts += ["\n".join((game.name, *game.guesses, "", *game.secrets)).encode()]
        parts += [repr((policy.slug, policy.criterion.name, policy.endgames)).encode()]
        if policy.weights is not None:
            parts += [policy.weights.values.tobytes(), repr(policy.weights.criteria).encode()]
        return hashlib.sha256(b"\0".join(parts)).digest()


def _age(path: Path) -> float:
    return path.stat().st_mtime
