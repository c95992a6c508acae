"""Search for the weights of a model, with a proven bound on their total."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from codebreaker import __version__
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.strategy import found_strategy
from codebreaker.policies.weights import Weights
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.kernels.cost_bounds import INFEASIBLE
from codebreaker.sets.partition import all_secrets, split
from codebreaker.trees.grow import grow
from codebreaker.types import Indices, Scores
from codebreaker.weights.context import ContextSearch
from codebreaker.weights.guided_choices import Choice, ChoiceTable
from codebreaker.weights.patterns import ProofNode
from codebreaker.weights.programme import MARGIN_BITS
from codebreaker.weights.stage import GuidedSettings, find_stage_weights

Proof = tuple[list[Choice], ProofNode] | None

MOST_DIGITS = 6
"""Weights that need more digits than this are not rounded."""

LEAST_BUDGET = 6
"""Regrets of single choices are exact up to this, or up to the budget if that is larger."""


@dataclass(frozen=True)
class GuidedModel:
    """The weights to find: one row per turn, or per turn and previous feedback, after an opening.

    Trees may take at most `guess_limit` guesses for any secret; None means no limit.
    """

    name: str
    opening: str
    by_context: bool
    guess_limit: int | None


def find_weights(
    game: TableGame,
    criterion: Criterion,
    model: GuidedModel,
    settings: GuidedSettings,
    memo_mib: float,
) -> tuple[Weights, Proof]:
    """Return the best weights of a model, rounded to the fewest digits that keep their total.

    The provenance holds the total, the maximum and the proven bound; the proof is None if the bound
    is the optimum of the opening. Raises `CodebreakerError` if no tree from the opening, or none
    that the search found, is within the guess limit.
    """
    cost = CostToGo(game, model.guess_limit, memo_mib)
    opening, secrets = game.guesses.index(model.opening), all_secrets(game)
    optimum = cost.after(opening, secrets, 1, INFEASIBLE)
    if optimum >= INFEASIBLE:
        raise CodebreakerError(
            f"no tree of {game.name} from {model.opening} solves every secret within "
            f"{model.guess_limit} guesses: raise the guess limit"
        )
    choices = ChoiceTable(cost, criterion, max(settings.budget, LEAST_BUDGET))
    cells = {f: cell for f, cell in split(game, opening, secrets).items() if len(cell) > 1}
    search = _by_context if model.by_context else _by_turn
    values, bound, proof = search(choices, cells, optimum, settings)
    weights = _rounded(game, model, values)
    tree = grow(game, found_strategy(model.name, weights, model.opening))
    if model.guess_limit is not None and tree.turn.max() > model.guess_limit:
        raise CodebreakerError(
            f"no weights of {model.name} with at most {model.guess_limit} guesses were found: "
            "raise its walks or its budget"
        )
    provenance = {
        "game": game.name,
        "criterion": criterion.name,
        "opening": model.opening,
        "total_guesses": tree.total_guesses,
        "max_guesses": int(tree.turn.max()),
        "guess_limit": model.guess_limit,
        "secrets": game.n_secrets,
        "optimum": optimum,
        **bound,
        "margin_bits": MARGIN_BITS,
        "settings": asdict(settings),
        "codebreaker": __version__,
    }
    return replace(weights, provenance=provenance), proof


def _by_turn(
    choices: ChoiceTable, cells: dict[int, Indices], optimum: int, settings: GuidedSettings
) -> tuple[Scores, dict[str, Any], Proof]:
    """Return (n_turns, n_feedback) weights, the bound's provenance, and its proof."""
    result = find_stage_weights(choices, list(cells.values()), 2, optimum, settings)
    provenance = {
        "bound": result.bound,
        "vectors": len(result.rows),
        "nodes": result.effort.nodes,
        "programmes": result.effort.programmes,
    }
    turn_1 = np.ones(choices.cost.game.n_feedback)
    return np.stack([turn_1, *result.rows]), provenance, result.proof


def _by_context(
    choices: ChoiceTable, cells: dict[int, Indices], optimum: int, settings: GuidedSettings
) -> tuple[Scores, dict[str, Any], Proof]:
    """Return (n_turns, n_feedback, n_feedback) weights and the bound's provenance; no proof."""
    groups = {feedback: [cell] for feedback, cell in cells.items()}
    rows = ContextSearch(choices, settings).find(groups, 2)
    n_feedback = choices.cost.game.n_feedback
    values = np.ones((max(turn for turn, _ in rows), n_feedback, n_feedback))
    for (turn, feedback), row in rows.items():
        values[turn - 1, feedback] = row
    distinct = len({row.tobytes() for row in rows.values()})
    return values, {"bound": optimum, "vectors": distinct}, None


def _rounded(game: TableGame, model: GuidedModel, values: Scores) -> Weights:
    """Round weights to the fewest digits that keep the tree's total and maximum."""
    exact = Weights(model.name, "found by the exact cost-to-go", game.feedback_labels, values)
    best = grow(game, found_strategy(model.name, exact, model.opening))
    for digits in range(1, MOST_DIGITS + 1):
        rounded = exact.rounded(digits)
        tree = grow(game, found_strategy(model.name, rounded, model.opening))
        if tree.total_guesses <= best.total_guesses and tree.turn.max() <= best.turn.max():
            return rounded
    return exact
