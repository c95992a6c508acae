"""The tree whose worst class of secrets takes the least mean.

A codebreaker who plays one tree, after a random symmetry, takes all secrets of a class their mean,
and a codemaker who knows the tree draws from the class with the largest. How small that can be is
bounded by whole numbers: if no class has a mean above x, its total is at most its size times x,
rounded down, and these totals together are no less than the least total of any tree.
"""

import logging
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from codebreaker.duel.class_totals import Effort, TreeSearch
from codebreaker.duel.value import Classes, classes_of
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.tables import weighted
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.solver import Solver
from codebreaker.trees.tree import GameTree

log = logging.getLogger("codebreaker")

EFFORTS = (Effort(3, 60, 100_000), Effort(12, 300, 300_000))

EVERY = Effort(2**31, 20_000, 2_000_000)
"""All guesses of a set, and as good as all totals."""

LARGEST_SEARCHED = 256
"""The largest number of secrets with which every guess is tried."""


@dataclass(frozen=True)
class Fair:
    """A tree with its total guesses by class, the worst mean of a class, and a bound of any tree's.

    The tree is proven to be best if the two are equal. `least` are the least totals that were
    needed, over all secrets but those of a class, by the first of the class; "" is none. The bound
    follows from them alone unless the search `refuted` lower means.
    """

    tree: GameTree
    classes: Classes
    totals: tuple[int, ...]
    worst: Fraction
    bound: Fraction
    least: dict[str, int]
    refuted: bool


def find_fair(game: TableGame, guess_limit: int | None = None, memo_mib: float = 256.0) -> Fair:
    """Return a tree whose worst class takes the least mean that was found, and a bound.

    No secret takes more than `guess_limit` guesses. Raises `CodebreakerError` if there is no such
    tree, and if the game has too many classes.
    """
    classes = classes_of(game)
    known = [_least_without(game, classes, None, guess_limit)]
    cost = CostToGo(game, guess_limit, memo_mib)
    efforts = (*EFFORTS, EVERY) if game.n_secrets <= LARGEST_SEARCHED else EFFORTS
    bound = worst = _least_worst(classes, known, Fraction(0))
    refuted = False
    while True:
        for effort in efforts:
            budgets = tuple(int(worst * size) for size in classes.sizes)
            search = TreeSearch(game, classes, cost, known[0].least, budgets, effort)
            tree = search.tree()
            if tree is not None:
                totals = classes.totals(game, tree)
                means = [Fraction(*pair) for pair in zip(totals, classes.sizes, strict=True)]
                least = {
                    "" if one.without is None else classes.labels[one.without]: one.least
                    for one in known
                }
                reached = min(bound, max(means))
                return Fair(tree, classes, totals, max(means), reached, least, refuted)
            if len(known) == 1:
                known += [
                    _least_without(game, classes, at, guess_limit)
                    for at in range(len(classes.sizes))
                ]
            excluded = _least_worst(classes, known, worst) > worst
            proven = excluded or search.complete
            if proven:
                refuted |= not excluded and bound == worst
                break
        log.info("%s: %s was not found%s", game.name, worst, ": there is none" * proven)
        following = _least_worst(classes, known, _after(classes, worst))
        bound = following if proven and bound == worst else bound
        worst = following


class _Least(NamedTuple):
    """The least total over all classes but one; None stands for no class."""

    without: int | None
    least: int


def _least_without(
    game: TableGame, classes: Classes, at: int | None, guess_limit: int | None
) -> _Least:
    kept = {
        secret: int(own != at)
        for secret, own in zip(game.secrets, classes.of_secret.tolist(), strict=True)
    }
    if not any(kept.values()):
        return _Least(at, 0)
    solution = Solver(weighted(game, kept), guess_limit=guess_limit).solve()
    if solution is None:
        raise CodebreakerError(f"no tree of {game.name} takes at most {guess_limit} guesses")
    return _Least(at, solution.cost)


def _least_worst(classes: Classes, known: list[_Least], start: Fraction) -> Fraction:
    """Return the least mean from a start on that least totals don't exclude."""
    worst = max(start, Fraction(1))
    while any(
        sum(int(worst * size) for at, size in enumerate(classes.sizes) if at != one.without)
        < one.least
        for one in known
    ):
        worst = _after(classes, worst)
    return worst


def _after(classes: Classes, worst: Fraction) -> Fraction:
    """Return the next larger mean that a class may have."""
    return min(Fraction(int(worst * size) + 1, size) for size in classes.sizes)
