"""The tree that minimises the largest mean of a class of secrets (decision 30).

If no class's mean exceeds x, a class of n secrets has a total of at most n · x guesses, rounded
down: its budget. `find_fair` looks for a tree within the budgets of the smallest x that minimum
totals allow, then of the next larger x at which some budget grows, until it finds one.
"""

import logging
from dataclasses import dataclass
from fractions import Fraction

from codebreaker.duel.matrix import Classes, classes_of
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.tables import weighted
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.solver import Solver
from codebreaker.trees.tree import GameTree
from codebreaker_records.exchange import exchange_parts
from codebreaker_records.within_budgets import BudgetSearch, SearchLimits

log = logging.getLogger("codebreaker")

EFFORTS = (SearchLimits(3, 60, 100_000), SearchLimits(12, 300, 300_000))
"""Limits of the search, tried in turn."""

EVERY = SearchLimits(2**31, 20_000, 2_000_000)
"""Limits that are tried last in games of up to LARGEST_SEARCHED secrets, and seldom reached."""

LARGEST_SEARCHED = 256
"""Maximum number of secrets of games in which all trees are tried."""

ALL_SECRETS = ""
"""The label, in minimum totals without a class, that stands for no class."""


@dataclass(frozen=True)
class Fair:
    """A tree whose largest class mean is the smallest that was found, and a bound on it."""

    tree: GameTree
    classes: Classes
    totals: tuple[int, ...]
    """The tree's total by class."""

    worst: Fraction
    """The largest mean of a class in the tree."""

    bound: Fraction
    """No tree has a lower largest mean. It follows from `lowest` alone unless `refuted`."""

    lowest: dict[str, int]
    """The minimum total of all secrets (ALL_SECRETS) and without each class (by its label)."""

    refuted: bool
    """Whether the bound also rests on complete searches that found no tree."""


def find_fair(game: TableGame, guess_limit: int | None = None, memo_mib: float = 256.0) -> Fair:
    """Return the best tree; raise `CodebreakerError` if none exists or classes are too many."""
    classes = classes_of(game)
    lowest = {ALL_SECRETS: _minimum_without(game, classes, ALL_SECRETS, guess_limit)}
    cost = CostToGo(game, guess_limit, memo_mib)
    efforts = (*EFFORTS, EVERY) if game.n_secrets <= LARGEST_SEARCHED else EFFORTS
    # `worst` is the largest class mean that is tried. `bound` is the last one below which no tree
    # exists: the two are equal as long as each failure was a proof.
    worst = _smallest_mean(classes, lowest, Fraction(1))
    bound = worst
    refuted = False
    while True:
        for effort in efforts:
            # 1. A tree within the budgets of this mean ends the search.
            budgets = _budgets(classes, worst)
            search = BudgetSearch(game, classes, cost, lowest[ALL_SECRETS], budgets, effort)
            tree = search.find()
            if tree is not None:
                totals = classes.totals(game, tree)
                mean = max(map(Fraction, totals, classes.sizes))
                return Fair(tree, classes, totals, mean, min(bound, mean), lowest, refuted)
            # 2. Without one, minimum totals without a class may exclude this mean, or the search
            #    was complete. If neither, more effort may find a tree.
            if len(lowest) == 1:
                for label in classes.labels:
                    lowest[label] = _minimum_without(game, classes, label, guess_limit)
            excluded = _smallest_mean(classes, lowest, worst) > worst
            proven = excluded or search.complete
            if proven:
                refuted |= not excluded and bound == worst
                break
        # 3. The next mean at which some class's budget grows: between, nothing changes.
        log.info("%s: no tree with %s was found%s", game.name, worst, ", as proven" * proven)
        following = _smallest_mean(classes, lowest, _next_mean(classes, worst))
        if proven and bound == worst:
            bound = following
        worst = following


def lower_fair(game: TableGame, tree: GameTree, guess_limit: int | None = None) -> Fair:
    """Return a tree whose largest class mean is at most a given tree's; errors are as above.

    For large games: the result need not be the best, and its bound comes from the minimum total.
    """
    classes = classes_of(game)
    lowest = {ALL_SECRETS: _minimum_without(game, classes, ALL_SECRETS, guess_limit)}
    lowered = exchange_parts(game, classes, tree, guess_limit)
    totals = classes.totals(game, lowered)
    worst = max(map(Fraction, totals, classes.sizes))
    bound = _smallest_mean(classes, lowest, Fraction(1))
    return Fair(lowered, classes, totals, worst, bound, lowest, refuted=False)


def _budgets(classes: Classes, mean: Fraction) -> tuple[int, ...]:
    """Return each class's largest total whose mean is at most the given one."""
    return tuple(int(mean * size) for size in classes.sizes)


def _minimum_without(game: TableGame, classes: Classes, label: str, guess_limit: int | None) -> int:
    """Return the minimum total of the secrets outside a class, or of ALL_SECRETS.

    The codes of the class may still be guessed.
    """
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


def _smallest_mean(classes: Classes, lowest: dict[str, int], start: Fraction) -> Fraction:
    """Return the smallest mean from a start on whose budgets reach all minimum totals.

    A tree within budgets has at most their sum as its total, of all classes or without one. If this
    is below the minimum total, there is no such tree.
    """
    mean = start
    while not all(
        _sum_without(classes, _budgets(classes, mean), label) >= total
        for label, total in lowest.items()
    ):
        mean = _next_mean(classes, mean)
    return mean


def _sum_without(classes: Classes, budgets: tuple[int, ...], label: str) -> int:
    """Return the sum of the budgets of all classes but one, or of ALL_SECRETS."""
    by_label = zip(classes.labels, budgets, strict=True)
    return sum(budget for of_class, budget in by_label if of_class != label)


def _next_mean(classes: Classes, mean: Fraction) -> Fraction:
    """Return the next larger mean at which some class's budget grows."""
    budgets = _budgets(classes, mean)
    return min(map(Fraction, (budget + 1 for budget in budgets), classes.sizes))
