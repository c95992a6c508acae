"""The optimisation problem, and its parts in the kernels' form."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel, TableGame
from codebreaker.optimise.kernels.fitness import Phenotypes
from codebreaker.policies.criterion import Criterion, term_tables
from codebreaker.policies.weights import exact_weights, first_turn
from codebreaker.sets.option_memo import ScoredGame, make_scored_game, padded
from codebreaker.sets.partition import all_secrets, counts, unsolved
from codebreaker.types import Indices, Scores


@dataclass(frozen=True)
class Problem:
    """A game, and what the rows of genes encode; the last row serves later turns.

    A row encodes an index into `criteria` if there are several, and weights by feedback id if
    `weighted`; a forced `opening` leaves row 1 unused. Sets of up to `endgames` are played exactly.
    """

    game: GameModel
    criteria: tuple[Criterion, ...]
    n_turns: int
    opening: str | None = None
    weighted: bool = True
    endgames: int = 0

    @property
    def table(self) -> TableGame:
        """Return the game with its table; raise `CodebreakerError` if it has none."""
        return self.game.with_table()

    @property
    def first_turn(self) -> int:
        """Return the first turn that has genes, counted from 1."""
        return first_turn(self.n_turns, self.opening)

    @property
    def start_turn(self) -> int:
        """Return the turn of the start sets."""
        return 1 if self.opening is None else 2

    @property
    def ordered(self) -> bool:
        """Return whether rows encode an order."""
        return len(self.criteria) > 1

    @property
    def genes_of_row(self) -> int:
        """Return the number of genes per row."""
        return self.ordered + self.weighted * self.game.n_feedback

    @property
    def n_genes(self) -> int:
        """Return the number of genes of an individual."""
        return (self.n_turns - self.first_turn + 1) * self.genes_of_row

    @property
    def weight_scale(self) -> float:
        """Return the factor that turns weights into exact integers."""
        game = self.game
        return min(
            criterion.scales(game.n_secrets, game.n_feedback, weighted=True).weight
            for criterion in self.criteria
        )


def with_integer_weights(problem: Problem, phenotypes: Phenotypes) -> Phenotypes:
    """Return phenotypes with exact integers for weights, padded for the kernels."""
    n, n_turns, n_feedback = phenotypes.weights.shape
    padded_weights = np.zeros((n, n_turns, padded(n_feedback)))
    padded_weights[:, :, :n_feedback] = exact_weights(phenotypes.weights, problem.weight_scale)
    return Phenotypes(padded_weights, np.ascontiguousarray(phenotypes.orders, dtype=np.int32))


def with_weights(weights: Scores) -> Phenotypes:
    """Return phenotypes with (n, n_turns, n_feedback) weights and the first criterion."""
    return Phenotypes(weights, np.zeros(weights.shape[:2], dtype=np.int32))


def start_sets(problem: Problem) -> tuple[int, list[Indices]]:
    """Return the guesses spent before the first weighted turn, and its sets of two or more."""
    game = problem.game
    if problem.opening is None:
        return 0, [all_secrets(game)]
    opening = game.guesses.index(problem.opening)
    cells = unsolved(game, opening, all_secrets(game)).values()
    singles = sum(len(cell) == 1 for cell in cells)
    return game.n_secrets + singles, [cell for cell in cells if len(cell) > 1]


def scored_game(problem: Problem) -> ScoredGame:
    """Return the kernels' game; raise `CodebreakerError` if a criterion has no exact sums."""
    game = problem.table
    for criterion in problem.criteria:
        if criterion.fold != "sum" or criterion.per_log_parts or criterion.ties == "float":
            raise CodebreakerError(
                f"{criterion.name} can't be optimised: its score is not a sum of exact terms"
            )
    _, sets = start_sets(problem)
    sizes = {
        len(members) for members in sets
    }  # and those of at least two that their cells can have
    for members in sets:
        largest = (int(counts(game, guess, members).max()) for guess in range(game.n_guesses))
        sizes |= set(range(2, max((s for s in largest if s < len(members)), default=1) + 1))
    scaled = [(criterion, problem.weight_scale) for criterion in problem.criteria]
    tables = term_tables(game, scaled, product(range(len(scaled)), sorted(sizes)))
    return make_scored_game(game, problem.n_turns, *tables)
