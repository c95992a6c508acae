"""The tree that minimises the largest mean of a class of secrets (decision 30)."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from codebreaker.duel.value import Classes, classes_of
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_leaders
from codebreaker.games.tables import weighted
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.solver import Solver
from codebreaker.sets.partition import all_secrets, count_table, split, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Offsets

LARGEST = 62
"""Maximum bits of packed totals."""

log = logging.getLogger("codebreaker")

Listed = list[Offsets]
"""Packed totals in ascending order, by excess."""

Trees = tuple[list[Listed], list[Listed]]
"""The totals of a guess's cells, and the sums of the guess and its first cells."""

Trim = Callable[[Offsets, int], Offsets]
"""Reduces too many packed totals, given how many cells they add up."""

LARGEST_SEARCHED = 256


class _Packing:
    """Totals by class in one integer; a field's top bit is set above the class's budget."""

    def __init__(self, classes: Classes, budgets: tuple[int, ...]) -> None:
        self._widths = np.array([1 + budget.bit_length() for budget in budgets])
        if self._widths.sum() > LARGEST:
            raise CodebreakerError(f"{len(classes.sizes)} classes of secrets are too many")
        self._starts = np.cumsum([0, *self._widths[:-1]])
        self._beyond = int((1 << (self._starts + self._widths - 1)).sum())
        self.of_secret: Offsets = (1 << self._starts)[classes.of_secret]

    def within(self, packed: Offsets) -> Offsets:
        kept: Offsets = packed[packed & self._beyond == 0]
        return kept

    def unpack(self, packed: Offsets) -> Offsets:
        totals: Offsets = (packed[:, None] >> self._starts) & ((1 << self._widths) - 1)
        return totals


def _has(ascending: Offsets, packed: int) -> bool:
    at = int(np.searchsorted(ascending, packed))
    return at < len(ascending) and int(ascending[at]) == packed


class Effort(NamedTuple):
    """Limits by excess: guesses tried at a set, and totals kept for it, or for an opening."""

    guesses: int
    kept: int
    together: int


class _Option(NamedTuple):
    """A guess, its excess over the minimum total, and its cells."""

    guess: int
    excess: int
    cells: list[Indices]


class _TreeSearch:
    """The search for a tree whose classes' totals are within budgets."""

    def __init__(
        self,
        game: TableGame,
        classes: Classes,
        cost: CostToGo,
        lowest: int,
        budgets: tuple[int, ...],
        effort: Effort,
    ) -> None:
        self._game = game
        self._cost = cost
        self._effort = effort
        self._packing = _Packing(classes, budgets)
        self._lowest = lowest
        self._budgets = np.array(budgets)
        self._slack = sum(budgets) - lowest
        self.complete = True
        self._found: dict[tuple[bytes, int], tuple[Listed, list[_Option]]] = {}
        self._chosen: dict[bytes, int] = {}

    def tree(self) -> GameTree | None:
        for opening in class_leaders(self._game).tolist():
            if self._opens(opening):
                return make_tree(levels(self._game, Frontier.initial(self._game), self._guesses))
        return None

    def _opens(self, opening: int) -> bool:
        game = self._game
        secrets = all_secrets(self._game)
        pool = class_leaders(game, [opening])
        cells = split(game, opening, secrets)
        if len(cells) == 1 < game.n_secrets:
            return False
        cells.pop(game.solved, None)
        total = game.n_secrets + sum(self._cost.of(cell, 2, pool=pool) for cell in cells.values())
        if total > self._lowest + self._slack:
            return False
        excess = total - self._lowest
        ordered = sorted(cells.values(), key=lambda cell: -sum(map(len, self._list(cell, 2, pool))))
        parts = [self._list(cell, 2, pool) for cell in ordered]
        stages = self._add_up(secrets, parts, self._slack - excess, self._nearest(parts))
        for rest, packed in enumerate(stages[-1]):
            within = (self._packing.unpack(packed) <= self._budgets).all(axis=1)
            if within.any():
                self._chosen[secrets.tobytes()] = opening
                chosen = int(packed[within.argmax()])
                self._choose_below(ordered, (parts, stages), rest, chosen, 1)
                return True
        return False

    def _list(self, members: Indices, turn: int, pool: Indices | None = None) -> Listed:
        limited = turn if self._cost.guess_limit else 0
        key = members.tobytes(), limited
        if key not in self._found:
            own = self._packing.of_secret[members]
            nothing = np.empty(0, dtype=np.int64)
            listed = [nothing] * (self._slack + 1)
            options = list[_Option]()
            if len(members) <= 2:
                alone = np.unique(own.sum() + own) if len(members) == 2 else own
                listed[0] = self._packing.within(alone)
            else:
                options = self._options(members, turn, pool)
                sums = [(one.excess, self._trees(members, one, turn)[1][-1]) for one in options]
                for excess in range(self._slack + 1):
                    some = [own[excess - start] for start, own in sums if start <= excess]
                    listed[excess] = self._spread(np.unique(np.concatenate([nothing, *some])))
            self._found[key] = listed, options
        return self._found[key][0]

    def _trees(self, members: Indices, option: _Option, turn: int) -> Trees:
        parts = [self._list(cell, turn + 1) for cell in option.cells]
        return parts, self._add_up(members, parts, self._slack - option.excess, self._spread)

    def _options(self, members: Indices, turn: int, pool: Indices | None) -> list[_Option]:
        game = self._game
        cost = self._cost
        n = len(members)
        most = cost.of(members, turn, pool=pool) + self._slack
        sizes = count_table(game, members)
        splits = sizes.max(axis=1) < n
        sizes[:, game.solved] = 0
        lower = n + cost.bounds_after(turn)[sizes].sum(axis=1)
        tried = np.flatnonzero(splits & (lower <= most))
        tried = tried if pool is None else np.intersect1d(tried, pool)
        options = []
        seen = set()
        left = [self._effort.guesses] * (self._slack + 1)
        for guess in tried[np.argsort(lower[tried], kind="stable")].tolist():
            cells = unsolved(game, guess, members)
            kind = frozenset(cell.tobytes() for cell in cells.values())
            if kind in seen:
                continue
            seen.add(kind)
            total = n
            for cell in sorted(cells.values(), key=len):
                total += cost.of(cell, turn + 1, most + 1 - total) if total <= most else 0
            excess = total - most + self._slack
            if total <= most and left[excess]:
                left[excess] -= 1
                options.append(_Option(guess, excess, list(cells.values())))
            elif total <= most:
                self.complete = False
            if not any(left):
                self.complete = False
                break
        return options

    def _add_up(
        self, members: Indices, parts: list[Listed], slack: int, trim: Trim
    ) -> list[Listed]:
        nothing = np.empty(0, dtype=np.int64)
        whole = self._packing.of_secret[members].sum(keepdims=True)
        stages: list[Listed] = [[whole, *[nothing] * slack]]
        for at, part in enumerate(parts, start=1):
            sums: list[list[Offsets]] = [[nothing] for _ in range(slack + 1)]
            for excess, before in enumerate(stages[-1]):
                for more in range(slack + 1 - excess):
                    sums[excess + more].append(np.add.outer(before, part[more]).ravel())
            within = [self._packing.within(np.concatenate(some)) for some in sums]
            stages.append([trim(np.unique(some), at) for some in within])
        return stages

    def _spread(self, packed: Offsets, _at: int = 0) -> Offsets:
        if len(packed) <= self._effort.kept:
            return packed
        self.complete = False
        return packed[np.linspace(0, len(packed) - 1, self._effort.kept).astype(np.int64)]

    def _nearest(self, parts: list[Listed]) -> Trim:
        later = [self._packing.unpack(np.concatenate(part)) for part in parts[::-1]]
        nothing = np.zeros(len(self._budgets))
        lowest = np.cumsum([nothing, *(one.min(axis=0) for one in later)], axis=0)
        usual = np.cumsum([nothing, *(one.mean(axis=0) for one in later)], axis=0)

        def trim(packed: Offsets, at: int) -> Offsets:
            totals = self._packing.unpack(packed)
            possible = (totals + lowest[len(parts) - at] <= self._budgets).all(axis=1)
            packed = packed[possible]
            totals = totals[possible]
            if len(packed) <= self._effort.together:
                return packed
            self.complete = False
            gap = np.abs(totals + usual[len(parts) - at] - self._budgets).sum(axis=1)
            return np.sort(packed[np.argsort(gap, kind="stable")[: self._effort.together]])

        return trim

    def _choose(self, members: Indices, excess: int, packed: int, turn: int) -> None:
        guesses = self._game.guess_of_secret
        own = self._packing.of_secret
        if len(members) <= 2:
            first = len(members) == 2 and int(own[members].sum() + own[members[1]]) != packed
            self._chosen[members.tobytes()] = int(guesses[members[int(first)]])
            return
        limited = turn if self._cost.guess_limit else 0
        for option in self._found[members.tobytes(), limited][1]:
            if option.excess <= excess:
                trees = self._trees(members, option, turn)
                rest = excess - option.excess
                if _has(trees[1][-1][rest], packed):
                    self._chosen[members.tobytes()] = option.guess
                    self._choose_below(option.cells, trees, rest, packed, turn)
                    return

    def _choose_below(
        self, cells: list[Indices], trees: Trees, excess: int, packed: int, turn: int
    ) -> None:
        parts, stages = trees
        for at in range(len(cells) - 1, -1, -1):
            more, own = next(
                (more, int(own))
                for more in range(excess + 1)
                for own in parts[at][more]
                if _has(stages[at][excess - more], packed - int(own))
            )
            self._choose(cells[at], more, own, turn + 1)
            excess -= more
            packed -= own

    def _guesses(self, frontier: Frontier) -> Indices:
        own = self._game.guess_of_secret
        guesses = [self._chosen.get(one.tobytes(), own[one[0]]) for one in frontier.cells]
        return np.array(guesses, dtype=np.int32)


EFFORTS = (Effort(3, 60, 100_000), Effort(12, 300, 300_000))
EVERY = Effort(2**31, 20_000, 2_000_000)


@dataclass(frozen=True)
class Fair:
    """A tree, its totals by class, its largest class mean, and a lower bound on it.

    `lowest` has the minimum total of all secrets (key "") and without each class (by its first
    secret). The bound follows from these alone unless the search `refuted` lower means.
    """

    tree: GameTree
    classes: Classes
    totals: tuple[int, ...]
    worst: Fraction
    bound: Fraction
    lowest: dict[str, int]
    refuted: bool


def find_fair(game: TableGame, guess_limit: int | None = None, memo_mib: float = 256.0) -> Fair:
    """Return the best tree; raise `CodebreakerError` if none exists or classes are too many."""
    classes = classes_of(game)
    lowest = {"": _minimum_without(game, classes, "", guess_limit)}
    cost = CostToGo(game, guess_limit, memo_mib)
    efforts = (*EFFORTS, EVERY) if game.n_secrets <= LARGEST_SEARCHED else EFFORTS
    bound = worst = _lowest_worst(classes, lowest, Fraction(0))
    refuted = False
    while True:
        for effort in efforts:
            budgets = tuple(int(worst * size) for size in classes.sizes)
            search = _TreeSearch(game, classes, cost, lowest[""], budgets, effort)
            tree = search.tree()
            if tree is not None:
                totals = classes.totals(game, tree)
                mean = max(map(Fraction, totals, classes.sizes))
                return Fair(tree, classes, totals, mean, min(bound, mean), lowest, refuted)
            if len(lowest) == 1:
                for label in classes.labels:
                    lowest[label] = _minimum_without(game, classes, label, guess_limit)
            excluded = _lowest_worst(classes, lowest, worst) > worst
            proven = excluded or search.complete
            if proven:
                refuted |= not excluded and bound == worst
                break
        log.info("%s: no tree with %s was found%s", game.name, worst, ", as proven" * proven)
        following = _lowest_worst(classes, lowest, _after(classes, worst))
        bound = following if proven and bound == worst else bound
        worst = following


def _minimum_without(game: TableGame, classes: Classes, label: str, guess_limit: int | None) -> int:
    kept = {
        secret: int(classes.labels[own] != label)
        for secret, own in zip(game.secrets, classes.of_secret.tolist(), strict=True)
    }
    if not any(kept.values()):
        return 0
    solution = Solver(weighted(game, kept), guess_limit=guess_limit).solve()
    if solution is None:
        raise CodebreakerError(f"no tree of {game.name} needs at most {guess_limit} guesses")
    return solution.cost


def _lowest_worst(classes: Classes, lowest: dict[str, int], start: Fraction) -> Fraction:
    worst = max(start, Fraction(1))
    sizes = dict(zip(classes.labels, classes.sizes, strict=True))
    while any(
        sum(int(worst * size) for label, size in sizes.items() if label != without) < total
        for without, total in lowest.items()
    ):
        worst = _after(classes, worst)
    return worst


def _after(classes: Classes, worst: Fraction) -> Fraction:
    return min(Fraction(int(worst * size) + 1, size) for size in classes.sizes)
