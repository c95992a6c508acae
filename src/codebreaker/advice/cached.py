"""Game trees and minimum totals cached on disk, so that repeated questions are fast."""

import hashlib
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from codebreaker.files import DATA, read_arrays, write_arrays
from codebreaker.games.model import GameModel, TableGame
from codebreaker.games.registry import is_as_named
from codebreaker.policies.strategy import Strategy
from codebreaker.runtime.caches import Cache, cache_folder
from codebreaker.runtime.sources import ROOT, digest_of
from codebreaker.trees.tree import GameTree
from codebreaker.types import AnyPool, Hashes, Indices, Totals

if TYPE_CHECKING:
    from codebreaker.sets.primitives import Sets

MOST_TREES = 256
"""Maximum number of files of trees."""

GROWERS = (
    ROOT / "advice" / "sources.py",
    ROOT / "trees" / "grow.py",
    ROOT / "search" / "endgames.py",
    ROOT / "search" / "small.py",
)
"""The modules that grow trees, slower to import than a cached tree to read."""

SOLVERS = (
    ROOT / "search" / "solver.py",
    ROOT / "search" / "cost_to_go.py",
    ROOT / "search" / "small.py",
)
"""The modules that compute minimum totals."""

RECORDED = DATA / "trees"
"""The trees that come with the package."""

MOST_TOTALS = 1 << 20
"""Maximum sets cached per game, 24 MiB."""

MOST_GAMES = 64
"""Maximum number of files of totals, one for each game and guess pool."""

UNKNOWN = -1
"""Stands for a total that isn't cached."""


class TreeCache:
    """A strategy's trees in a game by start set, in memory and, if possible, on disk."""

    def __init__(
        self, game: GameModel, strategy: Strategy, folder: Path | None = None, name: str = ""
    ) -> None:
        """Prepare a cache; a `name` keeps an assistant with the same strategy apart."""
        self._files = Cache(folder or cache_folder() / "trees", MOST_TREES)
        self._game = game
        self._strategy = strategy
        self._name = name
        self._trees: dict[str, GameTree] = {}

    def key(self, members: Indices, turn: int, feedback: int, source: str) -> str:
        """Return the key of a source's tree of a set at a turn, after a feedback id."""
        start = f"{turn} {feedback} {source} ".encode()
        digest = hashlib.sha256(self._prefix + start + np.ascontiguousarray(members).tobytes())
        return digest.hexdigest()[:32]

    def get(self, key: str) -> GameTree | None:
        """Return a cached tree, or None if it is missing or damaged."""
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
        """The digest of all that trees depend on besides their sets: code, game and strategy."""
        game = self._game
        strategy = self._strategy
        code = digest_of(*GROWERS)
        parts = [code.encode(), game.digest.encode(), self._name.encode()]
        parts += [repr((strategy.slug, strategy.criterion.name, strategy.endgames)).encode()]
        if strategy.weights is not None:
            parts += [strategy.weights.values.tobytes(), repr(strategy.weights.criteria).encode()]
        return hashlib.sha256(b"\0".join(parts)).digest()


def best_known_file(game: GameModel) -> Path | None:
    """Return the package's file of the tree with the lowest total known, or None."""
    path = RECORDED / f"{game.name}.parquet"
    return path if path.exists() and is_as_named(game) else None


def best_known_tree(game: GameModel) -> tuple[GameTree, str] | None:
    """Return the best known tree and its policy's name, or None; without Polars once cached."""
    path = best_known_file(game)
    if path is None:
        return None
    name = hashlib.sha256(path.read_bytes()).hexdigest()[:32]
    files = Cache(cache_folder() / "trees", MOST_TREES)
    parts: dict[str, Any] = files.read_arrays(name) or {}
    with suppress(TypeError, ValueError):
        policy = str(parts.pop("policy", ""))
        tree = GameTree(**parts)
        tree.check()
        return tree, policy
    from codebreaker.trees.io import read_tree

    tree, strategy = read_tree(path)
    with suppress(OSError):
        files.write_arrays(name, policy=strategy.policy, **vars(tree))
    return tree, strategy.policy


def first_tree(game: GameModel) -> tuple[GameTree, str] | None:
    """Return what plays a game by default from its start, and how it was found, if recorded.

    For games without a best known tree, whose first guess takes long.
    """
    path = RECORDED / f"{game.name}.npz"
    if not path.exists():
        return None
    parts: dict[str, Any] = read_arrays(path)
    recorded_for = str(parts.pop("game"))
    basis = str(parts.pop("basis"))
    return (GameTree(**parts), basis) if recorded_for == game.digest else None


def record_first_tree(game: GameModel, tree: GameTree, basis: str) -> None:
    """Write a tree for `first_tree`."""
    write_arrays(RECORDED / f"{game.name}.npz", game=game.digest, basis=basis, **vars(tree))


class TotalsCache:
    """The minimum totals of a game's sets with a guess pool, keyed by two 64-bit words per set."""

    def __init__(self, game: TableGame, guess_pool: AnyPool = "all") -> None:
        """Read the cached totals, if any."""
        # Importing the search takes a second, and trees don't need it.
        from codebreaker.search.cost_to_go import random_words

        code = digest_of(*SOLVERS)
        self._name = hashlib.sha256(f"{game.digest} {code} {guess_pool}".encode()).hexdigest()[:32]
        self._files = Cache(cache_folder() / "totals", MOST_GAMES)
        self._words = random_words(game.n_secrets)
        cached: dict[str, Any] = self._files.read_arrays(self._name) or {}
        # The first and second word of each set's key and its total, ascending by the first word.
        # They are replaced together, so that other threads don't read a part of them.
        self._known: tuple[Hashes, Hashes, Totals] = tuple(
            cached.get(name, np.empty(0, kind))
            for name, kind in (("keys", np.uint64), ("checks", np.uint64), ("totals", np.int64))
        )
        self._is_new = False

    def find(self, sets: "Sets") -> Totals:
        """Return each set's minimum total, (n_sets,) int64, or UNKNOWN."""
        totals_of_sets = np.full(len(sets.offsets) - 1, UNKNOWN, dtype=np.int64)
        keys, checks, totals = self._known
        if len(keys) and len(totals_of_sets):
            first, second = self._keys_of(sets)
            at = np.minimum(np.searchsorted(keys, first), len(keys) - 1)
            known = (keys[at] == first) & (checks[at] == second)
            totals_of_sets[known] = totals[at[known]]
        return totals_of_sets

    def add(self, sets: "Sets", totals: Totals) -> None:
        """Add sets' minimum totals."""
        keys, checks, known = self._known
        if len(totals) and len(keys) + len(totals) <= MOST_TOTALS:
            first, second = self._keys_of(sets)
            keys, kept = np.unique(np.append(keys, first), return_index=True)
            checks = np.append(checks, second)[kept]
            self._known = (keys, checks, np.append(known, totals)[kept])
            self._is_new = True

    def save(self) -> None:
        """Write new totals to the file."""
        if self._is_new:
            keys, checks, totals = self._known
            with suppress(OSError):
                self._files.write_arrays(self._name, keys=keys, checks=checks, totals=totals)
            self._is_new = False

    def _keys_of(self, sets: "Sets") -> tuple[Hashes, Hashes]:
        """Return two words for each set, each (n_sets,): its members' random words, xored."""
        words = np.bitwise_xor.reduceat(self._words[sets.members], sets.offsets[:-1], axis=0)
        return words[:, 0], words[:, 1]
