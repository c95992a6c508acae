"""What is optimised, in the form that the kernels take."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Game, TableGame
from codebreaker.optimise.kernels.fitness import Individuals
from codebreaker.policies.criteria import Criterion, scored_set
from codebreaker.policies.weights import first_turn
from codebreaker.trees.kernels.memo import ScoredGame
from codebreaker.trees.memo import make_scored_game, padded
from codebreaker.trees.partition import all_secrets, counts, split
from codebreaker.types import Indices, Offsets, Scores


@dataclass(frozen=True)
class Problem:
    """What is optimised: a game, what a row of genes stands for, and how many rows there are.

    `n_turns` rows are used, the last one for all later turns; with an `opening` the first guess is
    forced and row 1 is not used. A row holds an order, a position in `criteria` where there are
    several, and a weight of each feedback where it is `weighted` (else all are 1). In games without
    a table sets of up to `endgames` candidates are played exactly.
    """

    game: Game
    criteria: tuple[Criterion, ...]
    n_turns: int
    opening: str | None = None
    weighted: bool = True
    endgames: int = 0

    @property
    def table(self) -> TableGame:
        """Return the game for engines that need its table; raise `CodebreakerError` without one."""
        if isinstance(self.game, TableGame):
            return self.game
        raise CodebreakerError(
            f"game {self.game.name} has no table, which this backend needs: take the backend cpu"
        )

    @property
    def first_turn(self) -> int:
        """Return the first turn whose genes matter, from 1."""
        return first_turn(self.n_turns, self.opening)

    @property
    def ordered(self) -> bool:
        """Return whether rows hold an order."""
        return len(self.criteria) > 1

    @property
    def genes_of_row(self) -> int:
        """Return how many genes a row has."""
        return self.ordered + self.weighted * self.game.n_feedback

    @property
    def n_genes(self) -> int:
        """Return how many genes an individual has."""
        return (self.n_turns - self.first_turn + 1) * self.genes_of_row

    @property
    def weight_scale(self) -> float:
        """Return what weights are multiplied by to be exact integers."""
        game = self.game
        return min(
            one.scales(game.n_secrets, game.n_feedback, weighted=True).weight
            for one in self.criteria
        )


class Vectors(NamedTuple):
    """What individuals' genes stand for.

    `weights` (n, n_turns, n_feedback) float64; `orders` (n, n_turns) int32, the position in
    `Problem.criteria` of each turn's.
    """

    weights: Scores
    orders: Indices


def individuals(problem: Problem, vectors: Vectors) -> Individuals:
    """Return individuals with exact integers for weights, padded for the kernels."""
    n, n_turns, n_feedback = vectors.weights.shape
    scaled = np.zeros((n, n_turns, padded(n_feedback)))
    scaled[:, :, :n_feedback] = np.round(problem.weight_scale * vectors.weights)
    return Individuals(scaled, np.ascontiguousarray(vectors.orders, dtype=np.int32))


def plain(weights: Scores) -> Vectors:
    """Return individuals of (n, n_turns, n_feedback) weights, and no orders."""
    return Vectors(weights, np.zeros(weights.shape[:2], dtype=np.int32))


def start_sets(problem: Problem) -> tuple[int, list[Indices]]:
    """Return the guesses that are spent before weights matter, and the sets left then."""
    game = problem.game
    if problem.opening is None:
        return 0, [all_secrets(game)]
    cells = split(game, game.guesses.index(problem.opening), all_secrets(game))
    cells.pop(game.solved, None)
    singles = sum(len(cell) == 1 for cell in cells.values())
    return game.n_secrets + singles, [cell for cell in cells.values() if len(cell) > 1]


def rules_of(problem: Problem) -> ScoredGame:
    """Return the kernels' rules; raise `CodebreakerError` where the criterion doesn't fit."""
    game = problem.table
    for criterion in problem.criteria:
        if criterion.fold != "sum" or criterion.per_log_parts or criterion.ties == "float":
            raise CodebreakerError(
                f"{criterion.name} can't be optimised: its score is no sum of exact terms"
            )
    terms, terms_at, tolerances = _terms(problem)
    return make_scored_game(game, problem.n_turns, terms, terms_at, tolerances)


def _terms(problem: Problem) -> tuple[Scores, Offsets, Scores]:
    """Return the terms of all criteria and set sizes, where they start, and the tolerances.

    Only sizes of two and more that sets can have get terms.
    """
    game, weight = problem.table, problem.weight_scale
    _, sets = start_sets(problem)
    below = max((_largest_cell(game, one) for one in sets), default=1)
    sizes = sorted({len(one) for one in sets} | set(range(2, below + 1)))
    shape = (len(problem.criteria), game.n_secrets + 1)
    terms_at, tolerances = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    rows, filled = [np.zeros(1)], 1
    for order, criterion in enumerate(problem.criteria):
        for size in sizes:
            row, tolerances[order, size] = scored_set(criterion, size, game.n_feedback, weight)
            terms_at[order, size] = filled
            rows.append(row)
            filled += len(row)
    return np.concatenate(rows), terms_at, tolerances


def _largest_cell(game: TableGame, members: Indices) -> int:
    """Return the size of the largest cell of any guess that splits a set."""
    largest = (int(counts(game, guess, members).max()) for guess in range(game.n_guesses))
    return max((size for size in largest if size < len(members)), default=1)
