"""The tree that minimises the largest mean of a class of secrets (decision 30).

If no class's mean exceeds x, a class of n secrets has a total of at most n x guesses, rounded down:
its budget. The search looks for a tree within the budgets of the smallest x that minimum totals
allow, then of the next larger x at which some budget grows, until it finds one.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from codebreaker.duel.packing import Packing, holds
from codebreaker.duel.value import Classes, classes_of
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_representatives
from codebreaker.games.tables import weighted
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.solver import Solver
from codebreaker.sets.partition import all_secrets, count_table, split, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Offsets

log = logging.getLogger("codebreaker")

TotalsByExcess = list[Offsets]
"""Packed totals of trees of one candidate set, by excess: entry e is for trees whose total is the
minimum of the set plus e. Each entry is ascending and without repeats."""


class PartTotals(NamedTuple):
    """The totals of a guess's cells, and their sums."""

    cells: list[TotalsByExcess]
    """The totals of each cell."""

    sums: list[TotalsByExcess]
    """Entry k has the sums of the guess itself and the first k cells."""


Trim = Callable[[Offsets, int], Offsets]
"""Reduces packed totals if they are too many, given how many cells they add up."""

LARGEST_SEARCHED = 256
"""Maximum number of secrets of games in which all trees are tried."""


class Effort(NamedTuple):
    """Limits by excess: guesses tried at a set, and totals kept for it, or for an opening."""

    guesses: int
    kept: int
    together: int


class _Option(NamedTuple):
    """A guess, its excess over the set's minimum total, and its cells but the solved one."""

    guess: int
    excess: int
    cells: list[Indices]


class _TreeSearch:
    """The search for a tree whose classes' totals are within budgets.

    The excess of a tree is its total minus the minimum total of its set. Excesses of cells and of
    guesses add up, and a tree of all secrets within the budgets has an excess of at most `_slack`.
    """

    def __init__(
        self,
        game: TableGame,
        classes: Classes,
        cost: CostToGo,
        lowest: int,
        budgets: tuple[int, ...],
        effort: Effort,
    ) -> None:
        """Prepare a search; `lowest` is the minimum total of all secrets."""
        self._game = game
        self._cost = cost
        self._effort = effort
        self._packing = Packing(classes, budgets)
        self._lowest = lowest
        self._budgets = np.array(budgets)
        self._slack = sum(budgets) - lowest
        self.complete = True
        """Whether no guess or total was left out so far: then a failure is a proof."""

        self._totals: dict[tuple[bytes, int], tuple[TotalsByExcess, list[_Option]]] = {}
        """The totals and options of a set, by its members and turn (0 if turns don't matter)."""

        self._chosen: dict[bytes, int] = {}
        """The guesses of the tree that was found, by members."""

    def tree(self) -> GameTree | None:
        """Return a tree within the budgets, or None if none was found."""
        for opening in class_representatives(self._game).tolist():
            if self._opens(opening):
                return make_tree(levels(self._game, Frontier.initial(self._game), self._guesses))
        return None

    def _opens(self, opening: int) -> bool:
        """Return whether a tree with an opening was found; if so, write its guesses."""
        # 1. The minimum excess of a tree with this opening.
        game = self._game
        secrets = all_secrets(game)
        pool = class_representatives(game, [opening])
        cells = split(game, opening, secrets)
        if len(cells) == 1 < game.n_secrets:
            return False
        cells.pop(game.solved, None)
        total = game.n_secrets + sum(self._cost.of(cell, 2, pool=pool) for cell in cells.values())
        excess = total - self._lowest
        if excess > self._slack:
            return False
        # 2. The totals by class of all its trees, those with most totals first.
        ordered = sorted(
            cells.values(),
            key=lambda cell: -sum(map(len, self._totals_of(cell, 2, pool))),
        )
        totals = [self._totals_of(cell, 2, pool) for cell in ordered]
        sums = self._add_up(secrets, totals, self._slack - excess, self._nearest(totals))
        # 3. One within the budgets.
        for rest, packed in enumerate(sums[-1]):
            within = (self._packing.unpack(packed) <= self._budgets).all(axis=1)
            if within.any():
                self._chosen[secrets.tobytes()] = opening
                chosen = int(packed[within.argmax()])
                self._choose_below(ordered, PartTotals(totals, sums), rest, chosen, 1)
                return True
        return False

    def _totals_of(
        self, members: Indices, turn: int, pool: Indices | None = None
    ) -> TotalsByExcess:
        """Return the packed totals of near-optimal trees of a set whose first guess is at a turn.

        `pool` are the guesses to try first, by default all.
        """
        key = self._key(members, turn)
        if key not in self._totals:
            once = self._packing.of_secret[members]
            nothing = np.empty(0, dtype=np.int64)
            by_excess = [nothing] * (self._slack + 1)
            options = list[_Option]()
            if len(members) == 1:
                by_excess[0] = self._packing.within(once)
            elif len(members) == 2:
                # Either secret needs one guess, and the other two.
                by_excess[0] = self._packing.within(np.unique(once.sum() + once))
            else:
                options = self._options(members, turn, pool)
                sums = [self._part_totals(members, option, turn).sums[-1] for option in options]
                for excess in range(self._slack + 1):
                    of_excess = [
                        by_rest[excess - option.excess]
                        for option, by_rest in zip(options, sums, strict=True)
                        if option.excess <= excess
                    ]
                    together = np.unique(np.concatenate([nothing, *of_excess]))
                    by_excess[excess] = self._spread(together)
            self._totals[key] = by_excess, options
        return self._totals[key][0]

    def _key(self, members: Indices, turn: int) -> tuple[bytes, int]:
        return members.tobytes(), turn if self._cost.guess_limit else 0

    def _part_totals(self, members: Indices, option: _Option, turn: int) -> PartTotals:
        cells = [self._totals_of(cell, turn + 1) for cell in option.cells]
        sums = self._add_up(members, cells, self._slack - option.excess, self._spread)
        return PartTotals(cells, sums)

    def _options(self, members: Indices, turn: int, pool: Indices | None) -> list[_Option]:
        """Return guesses for a set whose excess is within the slack, one of each partition."""
        game = self._game
        cost = self._cost
        n = len(members)
        minimum = cost.of(members, turn, pool=pool)
        most = minimum + self._slack
        # 1. Guesses whose lower bound is within the slack, the lowest bound first.
        sizes = count_table(game, members)
        splits = sizes.max(axis=1) < n
        sizes[:, game.solved] = 0
        lower = n + cost.bounds_after(turn)[sizes].sum(axis=1)
        tried = np.flatnonzero(splits & (lower <= most))
        if pool is not None:
            tried = np.intersect1d(tried, pool)
        options = []
        seen = set()
        left = [self._effort.guesses] * (self._slack + 1)
        for guess in tried[np.argsort(lower[tried], kind="stable")].tolist():
            # 2. Guesses with the same cells have the same trees below them.
            cells = unsolved(game, guess, members)
            partition = frozenset(cell.tobytes() for cell in cells.values())
            if partition in seen:
                continue
            seen.add(partition)
            # 3. The guess's minimum total, which need not be known above `most`.
            total = n
            for cell in sorted(cells.values(), key=len):
                if total <= most:
                    total += cost.of(cell, turn + 1, most + 1 - total)
            if total > most:
                continue
            # 4. At most `effort.guesses` of each excess; any other is left out of the proof.
            excess = total - minimum
            if left[excess]:
                left[excess] -= 1
                options.append(_Option(guess, excess, list(cells.values())))
            else:
                self.complete = False
            if not any(left):
                self.complete = False
                break
        return options

    def _add_up(
        self, members: Indices, cells: list[TotalsByExcess], slack: int, trim: Trim
    ) -> list[TotalsByExcess]:
        """Return sums of a guess and its first cells, (n_cells + 1): see `PartTotals.sums`.

        The sums of an excess come from all pairs of excesses that add up to it.
        """
        nothing = np.empty(0, dtype=np.int64)
        guess = self._packing.of_secret[members].sum(keepdims=True)  # one guess for each member
        stages: list[TotalsByExcess] = [[guess, *[nothing] * slack]]
        for n_added, cell in enumerate(cells, start=1):
            sums: list[list[Offsets]] = [[nothing] for _ in range(slack + 1)]
            for excess, before in enumerate(stages[-1]):
                for more in range(slack + 1 - excess):
                    sums[excess + more].append(np.add.outer(before, cell[more]).ravel())
            # Filtering after each addition keeps the fields apart (see `Packing`).
            within = [self._packing.within(np.concatenate(of_excess)) for of_excess in sums]
            stages.append([trim(np.unique(of_excess), n_added) for of_excess in within])
        return stages

    def _spread(self, packed: Offsets, _n_added: int = 0) -> Offsets:
        """Return at most `effort.kept` totals, at even distances in the ascending list."""
        if len(packed) <= self._effort.kept:
            return packed
        self.complete = False
        return packed[np.linspace(0, len(packed) - 1, self._effort.kept).astype(np.int64)]

    def _nearest(self, cells: list[TotalsByExcess]) -> Trim:
        """Return what keeps at most `effort.together` totals that can still meet the budgets.

        Totals so far meet them at best with the lowest total by class of each later cell. Of those
        that can, the nearest to the budgets are kept if later cells have their mean totals.
        """
        nothing = np.zeros(len(self._budgets))
        unpacked = [self._packing.unpack(np.concatenate(cell)) for cell in cells[::-1]]
        # Entry k is for k later cells.
        lowest = np.cumsum([nothing, *(totals.min(axis=0) for totals in unpacked)], axis=0)
        usual = np.cumsum([nothing, *(totals.mean(axis=0) for totals in unpacked)], axis=0)

        def trim(packed: Offsets, n_added: int) -> Offsets:
            n_later = len(cells) - n_added
            totals = self._packing.unpack(packed)
            possible = (totals + lowest[n_later] <= self._budgets).all(axis=1)
            packed = packed[possible]
            totals = totals[possible]
            if len(packed) <= self._effort.together:
                return packed
            self.complete = False
            gap = np.abs(totals + usual[n_later] - self._budgets).sum(axis=1)
            return np.sort(packed[np.argsort(gap, kind="stable")[: self._effort.together]])

        return trim

    def _choose(self, members: Indices, excess: int, packed: int, turn: int) -> None:
        """Write the guesses of a set's tree that has an excess and packed totals."""
        guesses = self._game.guess_of_secret
        if len(members) <= 2:
            once = self._packing.of_secret[members]
            # Of two, the first is guessed first, unless the totals are of the other order.
            second_first = len(members) == 2 and int(once.sum() + once[1]) != packed
            self._chosen[members.tobytes()] = int(guesses[members[int(second_first)]])
            return
        for option in self._totals[self._key(members, turn)][1]:
            if option.excess <= excess:
                totals = self._part_totals(members, option, turn)
                rest = excess - option.excess
                if holds(totals.sums[-1][rest], packed):
                    self._chosen[members.tobytes()] = option.guess
                    self._choose_below(option.cells, totals, rest, packed, turn)
                    return

    def _choose_below(
        self, cells: list[Indices], totals: PartTotals, excess: int, packed: int, turn: int
    ) -> None:
        """Write the guesses of cells' trees whose excesses and totals add up to the given ones."""
        # Backwards, the last cell's totals are those whose rest is a sum of the cells before it.
        for at in range(len(cells) - 1, -1, -1):
            excess_of_cell, packed_of_cell = next(
                (more, int(of_cell))
                for more in range(excess + 1)
                for of_cell in totals.cells[at][more]
                if holds(totals.sums[at][excess - more], packed - int(of_cell))
            )
            self._choose(cells[at], excess_of_cell, packed_of_cell, turn + 1)
            excess -= excess_of_cell
            packed -= packed_of_cell

    def _guesses(self, frontier: Frontier) -> Indices:
        """Return the chosen guess at each node of a frontier, (n_nodes,) int32."""
        guess_of_secret = self._game.guess_of_secret
        guesses = [
            self._chosen.get(cell.tobytes(), guess_of_secret[cell[0]]) for cell in frontier.cells
        ]
        return np.array(guesses, dtype=np.int32)


EFFORTS = (Effort(3, 60, 100_000), Effort(12, 300, 300_000))
"""Limits of the search, tried in turn."""

EVERY = Effort(2**31, 20_000, 2_000_000)
"""Limits that are tried last in games of up to LARGEST_SEARCHED secrets, and seldom reached."""


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
    # `worst` is the largest class mean that is tried. `bound` is the last one below which no tree
    # exists: the two are equal as long as each failure was a proof.
    worst = _lowest_worst(classes, lowest, Fraction(0))
    bound = worst
    refuted = False
    while True:
        for effort in efforts:
            # 1. A tree within the budgets of this mean ends the search.
            budgets = tuple(int(worst * size) for size in classes.sizes)
            search = _TreeSearch(game, classes, cost, lowest[""], budgets, effort)
            tree = search.tree()
            if tree is not None:
                totals = classes.totals(game, tree)
                mean = max(map(Fraction, totals, classes.sizes))
                return Fair(tree, classes, totals, mean, min(bound, mean), lowest, refuted)
            # 2. Without one, minimum totals without a class may exclude this mean, or the search
            #    was complete. If neither, more effort may find a tree.
            if len(lowest) == 1:
                for label in classes.labels:
                    lowest[label] = _minimum_without(game, classes, label, guess_limit)
            excluded = _lowest_worst(classes, lowest, worst) > worst
            proven = excluded or search.complete
            if proven:
                refuted |= not excluded and bound == worst
                break
        # 3. The next mean at which some class's budget grows.
        log.info("%s: no tree with %s was found%s", game.name, worst, ", as proven" * proven)
        following = _lowest_worst(classes, lowest, _after(classes, worst))
        if proven and bound == worst:
            bound = following
        worst = following


def _minimum_without(game: TableGame, classes: Classes, label: str, guess_limit: int | None) -> int:
    """Return the minimum total of the secrets outside a class; of all if the label is ""."""
    weights = {
        secret: int(classes.labels[of_secret] != label)
        for secret, of_secret in zip(game.secrets, classes.of_secret.tolist(), strict=True)
    }
    if not any(weights.values()):
        return 0
    solution = Solver(weighted(game, weights), guess_limit=guess_limit).solve()
    if solution is None:
        raise CodebreakerError(f"no tree of {game.name} needs at most {guess_limit} guesses")
    return solution.cost


def _lowest_worst(classes: Classes, lowest: dict[str, int], start: Fraction) -> Fraction:
    """Return the smallest mean from a start on whose budgets reach all minimum totals."""
    worst = max(start, Fraction(1))
    sizes = dict(zip(classes.labels, classes.sizes, strict=True))
    while any(
        sum(int(worst * size) for label, size in sizes.items() if label != without) < total
        for without, total in lowest.items()
    ):
        worst = _after(classes, worst)
    return worst


def _after(classes: Classes, worst: Fraction) -> Fraction:
    """Return the next larger mean at which some class's budget grows."""
    return min(Fraction(int(worst * size) + 1, size) for size in classes.sizes)
