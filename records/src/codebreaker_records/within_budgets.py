"""The search for a tree in which no class of secrets needs more guesses than its budget.

It lists what trees can achieve, not the trees. For a set of candidates, a list has the totals by
class of its trees, one entry for all trees with the same totals. The lists of a guess's parts are
added up to the list of the guess, and the lists of the guesses are united to that of the set. From
an entry of all secrets within the budgets, a tree is traced back through the lists.

Lists are kept short by the excess: the total of a tree minus the minimum total of its set. A guess
has an excess too: its minimum total minus that of the set. The excess of a tree is that of its
guess plus those of the trees of its parts.

What is left out of the lists, and why no tree within the budgets is lost:

- A tree with an excess above the slack, which is the sum of the budgets minus the minimum total of
  all secrets. Excesses are not negative and add up, so that the tree of all secrets would have more
  guesses than the budgets together.
- Totals that exceed a class's budget. Adding parts never lowers a total.
- Repeated totals, and guesses with the same parts as another. Either gives the same tree totals.

Limits of effort leave out more. Then the search is not `complete`, and failure proves nothing.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from codebreaker.duel.matrix import Classes
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import class_representatives
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.sets.partition import all_secrets, count_table, split, unsolved
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Offsets
from codebreaker_records.packing import Packing, holds

NO_TOTALS: Offsets = np.empty(0, dtype=np.int64)

TotalsByExcess = list[Offsets]
"""Packed totals by class of the trees of a set: entry e is for trees with an excess of e.

Each entry is (n_totals,) int64, ascending and without repeats; see `Packing`.
"""

Trim = Callable[[Offsets, int], Offsets]
"""Returns at most so many packed totals as effort allows, given the number of parts in them."""


class SearchLimits(NamedTuple):
    """Limits of the search; each is counted for every excess apart."""

    guesses: int
    """Maximum number of guesses tried at a set."""

    kept: int
    """Maximum number of totals in the list of a set."""

    together: int
    """Maximum number of totals in the list of an opening."""


class Option(NamedTuple):
    """A guess at a set, its excess, and its parts but the solved one."""

    guess: int
    excess: int
    parts: list[Indices]


class SetTotals(NamedTuple):
    """The totals of a set's trees, and the guesses that they may begin with."""

    by_excess: TotalsByExcess
    options: list[Option]
    """Empty for sets of one or two, whose trees need no list."""


class OptionTotals(NamedTuple):
    """The totals of the trees that begin with a guess, part by part."""

    parts: list[TotalsByExcess]
    """The totals of each part's trees."""

    sums: list[TotalsByExcess]
    """Entry k adds up the guess itself and the first k parts; their excesses are added, too."""


class BudgetSearch:
    """The search for a tree within the budgets of all classes."""

    def __init__(
        self,
        game: TableGame,
        classes: Classes,
        cost: CostToGo,
        minimum_total: int,
        budgets: tuple[int, ...],
        effort: SearchLimits,
    ) -> None:
        """Prepare a search; `minimum_total` is that of all secrets, with the limit of `cost`."""
        self._game = game
        self._cost = cost
        self._effort = effort
        self._packing = Packing(classes, budgets)
        self._minimum_total = minimum_total
        self._budgets = np.array(budgets)
        self._slack = sum(budgets) - minimum_total
        self.complete = True
        """Whether effort left nothing out so far: then failure proves that there is no tree."""

        self._totals: dict[tuple[bytes, int], SetTotals] = {}
        """The totals of the sets so far, by `_key`."""

        self._guess_of: dict[bytes, int] = {}
        """The guess at each set of the tree that was found, by the bytes of the set's members."""

    def find(self) -> GameTree | None:
        """Return a tree within the budgets, or None if none was found."""
        # Openings of a class lead to equal trees, up to the names of positions and colours.
        for opening in class_representatives(self._game).tolist():
            if self._find_after(opening):
                return make_tree(levels(self._game, Frontier.initial(self._game), self._guesses))
        return None

    def _find_after(self, opening: int) -> bool:
        """Return whether an opening has a tree within the budgets, and write its guesses if so."""
        game = self._game
        secrets = all_secrets(game)
        # 1. The opening's excess, which leaves the rest of the slack to its parts. Guesses that
        #    are equivalent after the opening need only be tried once.
        pool = class_representatives(game, [opening])
        cells = split(game, opening, secrets)
        if len(cells) == 1 < game.n_secrets:
            return False
        cells.pop(game.solved, None)
        total = game.n_secrets + sum(self._cost.of(cell, 2, pool=pool) for cell in cells.values())
        excess = total - self._minimum_total
        if excess > self._slack:
            return False
        # 2. The lists of the parts, the longest first: sums of later parts are few, and what still
        #    meets the budgets is then known early.
        parts = sorted(
            cells.values(),
            key=lambda part: -sum(map(len, self._totals_of(part, 2, pool))),
        )
        totals_of_parts = [self._totals_of(part, 2, pool) for part in parts]
        # 3. Their sums. An entry within the budgets is a tree.
        trim = self._nearest_to_budgets(totals_of_parts)
        sums = self._add_up(secrets, totals_of_parts, self._slack - excess, trim)
        for excess_of_parts, packed in enumerate(sums[-1]):
            within = (self._packing.unpack(packed) <= self._budgets).all(axis=1)
            if within.any():
                entry = int(packed[within.argmax()])
                self._guess_of[secrets.tobytes()] = opening
                after = OptionTotals(totals_of_parts, sums)
                self._trace_parts(parts, after, excess_of_parts, entry, turn=1)
                return True
        return False

    def _totals_of(
        self, members: Indices, turn: int, pool: Indices | None = None
    ) -> TotalsByExcess:
        """Return the totals of the trees of a set, (n_members,) ascending, from a turn on.

        Guesses are tried from the `pool`, by default all; it counts at the first call for a set.
        """
        key = self._key(members, turn)
        if key not in self._totals:
            if len(members) <= 2:
                self._totals[key] = self._of_few(members)
            else:
                self._totals[key] = self._of_options(members, turn, pool)
        return self._totals[key].by_excess

    def _key(self, members: Indices, turn: int) -> tuple[bytes, int]:
        """Return the key of a set's totals; turns matter only with a guess limit."""
        return members.tobytes(), turn if self._cost.guess_limit else 0

    def _of_few(self, members: Indices) -> SetTotals:
        """Return the totals of one or two candidates, all of them with an excess of 0."""
        one_each = self._packing.of_secret[members]
        # Of two, either secret needs one guess, and the other two.
        totals = one_each if len(members) == 1 else np.unique(one_each.sum() + one_each)
        return SetTotals([self._packing.within(totals), *[NO_TOTALS] * self._slack], [])

    def _of_options(self, members: Indices, turn: int, pool: Indices | None) -> SetTotals:
        """Return the totals of a set of at least three: those of its guesses together."""
        options = self._options(members, turn, pool)
        sums = [self._after(members, option, turn).sums[-1] for option in options]
        by_excess = []
        for excess in range(self._slack + 1):
            totals = [
                by_excess_of_parts[excess - option.excess]
                for option, by_excess_of_parts in zip(options, sums, strict=True)
                if option.excess <= excess
            ]
            by_excess.append(self._evenly_spread(np.unique(np.concatenate([NO_TOTALS, *totals]))))
        return SetTotals(by_excess, options)

    def _after(self, members: Indices, option: Option, turn: int) -> OptionTotals:
        """Return the totals of the trees that begin with an option at a turn."""
        parts = [self._totals_of(part, turn + 1) for part in option.parts]
        sums = self._add_up(members, parts, self._slack - option.excess, self._evenly_spread)
        return OptionTotals(parts, sums)

    def _options(self, members: Indices, turn: int, pool: Indices | None) -> list[Option]:
        """Return the guesses at a set whose excess is within the slack, one for each partition."""
        game = self._game
        cost = self._cost
        n = len(members)
        minimum = cost.of(members, turn, pool=pool)
        most = minimum + self._slack
        # 1. Guesses that split the set and whose bound by part sizes is within the slack, the
        #    lowest bound first. The bound is a lower one, so that no other guess is within it.
        sizes = count_table(game, members)
        splits = sizes.max(axis=1) < n
        sizes[:, game.solved] = 0
        lower = n + cost.bounds_after(turn)[sizes].sum(axis=1)
        tried = np.flatnonzero(splits & (lower <= most))
        if pool is not None:
            tried = np.intersect1d(tried, pool)
        options = []
        partitions_seen = set()
        tries_left = [self._effort.guesses] * (self._slack + 1)  # by excess
        for guess in tried[np.argsort(lower[tried], kind="stable")].tolist():
            # 2. A guess with the same parts as an earlier one has the same trees below it.
            parts = unsolved(game, guess, members)
            partition = frozenset(part.tobytes() for part in parts.values())
            if partition in partitions_seen:
                continue
            partitions_seen.add(partition)
            # 3. The guess's minimum total, which need not be known above `most`.
            total = n
            for part in sorted(parts.values(), key=len):
                if total <= most:
                    total += cost.of(part, turn + 1, most + 1 - total)
            if total > most:
                continue
            # 4. The limit of effort, for each excess apart: what it leaves out ends completeness.
            excess = total - minimum
            if tries_left[excess]:
                tries_left[excess] -= 1
                options.append(Option(guess, excess, list(parts.values())))
            else:
                self.complete = False
            if not any(tries_left):
                self.complete = False
                break
        return options

    def _add_up(
        self, members: Indices, parts: list[TotalsByExcess], slack: int, trim: Trim
    ) -> list[TotalsByExcess]:
        """Return the sums of a guess and its first parts, (n_parts + 1): see `OptionTotals.sums`.

        Excesses are from 0 to `slack`, what the guess's own excess leaves.
        """
        # Before any part there is the guess itself: one guess for each member.
        guess = self._packing.of_secret[members].sum(keepdims=True)
        stages: list[TotalsByExcess] = [[guess, *[NO_TOTALS] * slack]]
        for n_added, part in enumerate(parts, start=1):
            # 1. An excess is that of the sum before plus that of the part: all such pairs.
            sums: list[list[Offsets]] = [[NO_TOTALS] for _ in range(slack + 1)]
            for excess_before, before in enumerate(stages[-1]):
                for excess_of_part in range(slack + 1 - excess_before):
                    pairs = np.add.outer(before, part[excess_of_part])
                    sums[excess_before + excess_of_part].append(pairs.ravel())
            # 2. Totals above a budget are dropped after each part, which also keeps the fields of
            #    packed totals apart (see `Packing`).
            within = [self._packing.within(np.concatenate(of_excess)) for of_excess in sums]
            stages.append([trim(np.unique(of_excess), n_added) for of_excess in within])
        return stages

    def _evenly_spread(self, packed: Offsets, _n_added: int = 0) -> Offsets:
        """Return at most `SearchLimits.kept` totals, at even distances in the ascending list."""
        if len(packed) <= self._effort.kept:
            return packed
        self.complete = False
        return packed[np.linspace(0, len(packed) - 1, self._effort.kept).astype(np.int64)]

    def _nearest_to_budgets(self, parts: list[TotalsByExcess]) -> Trim:
        """Return what keeps at most `SearchLimits.together` totals that can meet the budgets."""
        nothing = np.zeros(len(self._budgets))
        unpacked = [self._packing.unpack(np.concatenate(part)) for part in parts[::-1]]
        # Entry k is for the last k parts: their lowest and their mean totals by class.
        lowest = np.cumsum([nothing, *(totals.min(axis=0) for totals in unpacked)], axis=0)
        usual = np.cumsum([nothing, *(totals.mean(axis=0) for totals in unpacked)], axis=0)

        def trim(packed: Offsets, n_added: int) -> Offsets:
            """Return the totals to keep after so many parts."""
            n_later = len(parts) - n_added
            totals = self._packing.unpack(packed)
            # 1. Later parts add at least their lowest totals, of each class apart. What exceeds a
            #    budget even so is no loss.
            possible = (totals + lowest[n_later] <= self._budgets).all(axis=1)
            packed = packed[possible]
            totals = totals[possible]
            if len(packed) <= self._effort.together:
                return packed
            # 2. If there are too many, those that end nearest to the budgets if later parts have
            #    their mean totals. This may lose a tree.
            self.complete = False
            gap = np.abs(totals + usual[n_later] - self._budgets).sum(axis=1)
            return np.sort(packed[np.argsort(gap, kind="stable")[: self._effort.together]])

        return trim

    def _trace(self, members: Indices, excess: int, entry: int, turn: int) -> None:
        """Write the guesses of a set's tree from its entry: packed totals of an excess."""
        if len(members) <= 2:
            self._guess_of[members.tobytes()] = self._first_of_few(members, entry)
            return
        # The entry is a sum of some option's parts: the first option that has it.
        for option in self._totals[self._key(members, turn)].options:
            if option.excess <= excess:
                after = self._after(members, option, turn)
                excess_of_parts = excess - option.excess
                if holds(after.sums[-1][excess_of_parts], entry):
                    self._guess_of[members.tobytes()] = option.guess
                    self._trace_parts(option.parts, after, excess_of_parts, entry, turn)
                    return

    def _first_of_few(self, members: Indices, entry: int) -> int:
        """Return the first guess at one or two candidates whose packed totals are the entry."""
        one_each = self._packing.of_secret[members]
        # Of two, the one that is guessed second needs one guess more.
        second_first = len(members) == 2 and int(one_each.sum() + one_each[1]) != entry
        return int(self._game.guess_of_secret[members[int(second_first)]])

    def _trace_parts(
        self, parts: list[Indices], after: OptionTotals, excess: int, entry: int, turn: int
    ) -> None:
        """Write the guesses of the trees of a guess's parts, which add up to an entry.

        The guess is made at the turn; the entry is in the last of its sums, at the excess.
        """
        # From the last part back: an entry of the part such that what remains is a sum of the guess
        # and the parts before it. There is one, since `_add_up` made the entry from such a pair.
        for last in range(len(parts) - 1, -1, -1):
            excess_of_part, entry_of_part = next(
                (own_excess, int(own_entry))
                for own_excess in range(excess + 1)
                for own_entry in after.parts[last][own_excess]
                if holds(after.sums[last][excess - own_excess], entry - int(own_entry))
            )
            self._trace(parts[last], excess_of_part, entry_of_part, turn + 1)
            excess -= excess_of_part
            entry -= entry_of_part

    def _guesses(self, frontier: Frontier) -> Indices:
        """Return the traced guess at each node of a frontier, (n_nodes,) int32.

        The second of two candidates isn't traced: it is the only guess left.
        """
        guess_of_secret = self._game.guess_of_secret
        guesses = [
            self._guess_of.get(cell.tobytes(), guess_of_secret[cell[0]]) for cell in frontier.cells
        ]
        return np.array(guesses, dtype=np.int32)
