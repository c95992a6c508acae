"""The maximum number of secrets solved within r guesses, and its total."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codebreaker.constants import LARGEST_GUESS_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import is_countable
from codebreaker.search.settings import Charges
from codebreaker.search.solver import Solver
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import GameTree

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Point:
    """A tree that minimises a sum of total guesses and late secrets; `won` are solved in time."""

    rounds: int
    tree: GameTree
    won: int
    total: int
    proven: bool


def most_solved_first(game: TableGame, rounds: int) -> Charges:
    """Return charges that maximise the secrets solved in time, then minimise the total.

    Raises `CodebreakerError` if costs would exceed what the search can count.
    """
    # One late secret has to cost more than any difference of totals. Of the trees that solve the
    # most secrets in time, the best has a total of at most n · (rounds + depth): after the rounds
    # it may start the tree of a policy, which takes `depth` guesses at most. Totals are positive,
    # so a tree with one late secret more costs more.
    depth = grow(game, Strategy("most-parts")).max_guesses
    late = game.n_secrets * (rounds + depth)
    # The best tree costs at most n late secrets and a total of at most `late`.
    if not is_countable(2 * late * game.n_secrets):
        raise CodebreakerError(
            f"game {game.name} is too large to count what can be solved in some rounds: "
            "choose a smaller game"
        )
    return Charges(1, late, rounds)


def supported_points(game: TableGame, rounds: int, memo_mib: float) -> list[Point]:
    """Return the corners of the frontier of total guesses and secrets solved, most solved first."""
    most = _solve(game, most_solved_first(game, rounds), memo_mib)
    # One guess costs more than all late secrets: the total comes first.
    lowest = _solve(game, Charges(game.n_secrets + 1, 1, rounds), memo_mib)
    if most.total == lowest.total:
        return [most]
    return [most, *_between(game, most, lowest, memo_mib), lowest]


def _between(game: TableGame, most: Point, lowest: Point, memo_mib: float) -> list[Point]:
    """Return the corners between two, by charges under which both cost the same.

    A tree that costs less is a corner, and there may be others on either side of it. If no tree
    costs less, nothing lies beyond the line through both.
    """
    charges = Charges(most.won - lowest.won, most.total - lowest.total, most.rounds)
    point = _solve(game, charges, memo_mib)
    if charges.cost(point.tree.profile.tolist()) == charges.cost(most.tree.profile.tolist()):
        return []
    before = _between(game, most, point, memo_mib)
    return [*before, point, *_between(game, point, lowest, memo_mib)]


def _solve(game: TableGame, charges: Charges, memo_mib: float) -> Point:
    """Return the point of a tree with the minimum cost by the charges, which have rounds."""
    solution = Solver(game, memo_mib=memo_mib, charges=charges).solve()
    rounds = charges.rounds
    assert solution is not None
    assert rounds is not None
    tree = solution.tree
    won = int(tree.profile[:rounds].sum())
    return Point(rounds, tree, won, tree.total_guesses, solution.proven)


def count_rounds(game: TableGame, frontier: bool, memo_mib: float) -> "pl.DataFrame":
    """Return `points_frame` of 1, 2, ... rounds until all are solved; `frontier` adds corners."""
    points: list[Point] = []
    for rounds in range(1, LARGEST_GUESS_LIMIT + 1):
        if frontier and rounds > 1:
            points += supported_points(game, rounds, memo_mib)
        else:
            points.append(_solve(game, most_solved_first(game, rounds), memo_mib))
        if max(point.won for point in points) == game.n_secrets:
            break
    return points_frame(game, points)


def points_frame(game: TableGame, points: list[Point]) -> "pl.DataFrame":
    """Return one row per point: game, rounds, secrets, won, total, proven, opening, profile."""
    import polars as pl  # slow to import

    return pl.DataFrame(
        {
            "game": game.name,
            "rounds": point.rounds,
            "secrets": game.n_secrets,
            "won": point.won,
            "total": point.total,
            "proven": "yes" if point.proven else "no",
            "opening": game.guesses[point.tree.guess[0]],
            "profile": " ".join(map(str, point.tree.profile.tolist())),
        }
        for point in points
    )
