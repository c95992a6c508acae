"""From a game and a model to weights, with what is proven of them."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from codebreaker import __version__
from codebreaker.errors import CodebreakerError
from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.exact.kernels.search import INFEASIBLE
from codebreaker.games.model import TableGame
from codebreaker.guided.choices import Choice, ChoiceTable
from codebreaker.guided.context import ContextSearch
from codebreaker.guided.patterns import Node
from codebreaker.guided.programme import MARGIN_BITS
from codebreaker.guided.stage import GuidedSettings, find_stage_weights
from codebreaker.policies.criteria import Criterion
from codebreaker.policies.policy import found_policy
from codebreaker.policies.weights import Weights
from codebreaker.trees.grow import grow
from codebreaker.trees.partition import all_secrets, split
from codebreaker.types import Scores

Proof = tuple[list[Choice], Node] | None

MOST_DIGITS = 6
REGRET_KNOWN = 6
"""Regrets of single choices are told apart up to this."""


@dataclass(frozen=True)
class GuidedModel:
    """What is sought: rows by turn, or by turn and feedback, after a forced opening."""

    name: str
    opening: str
    by_context: bool
    max_guesses: int | None


def find_weights(
    game: TableGame,
    criterion: Criterion,
    model: GuidedModel,
    settings: GuidedSettings,
    memo_mib: float,
) -> tuple[Weights, Proof]:
    """Return the best weights that are found, with the fewest digits that keep their total.

    The provenance tells the total, the maximum, and the proven bound, for which the proof is
    None where it is the optimum of the opening. Raises `CodebreakerError`
    where no tree from the opening is so shallow.
    """
    cost = CostToGo(game, model.max_guesses, memo_mib)
    opening, secrets = game.guesses.index(model.opening), all_secrets(game)
    optimum = cost.after(opening, secrets, 1, INFEASIBLE)
    if optimum >= INFEASIBLE:
        raise CodebreakerError(
            f"no tree of {game.name} from {model.opening} solves every secret within "
            f"{model.max_guesses} guesses: raise max_guesses"
        )
    budget = max(settings.budget, REGRET_KNOWN)
    choices = ChoiceTable(cost, criterion, budget)
    cells = split(game, opening, secrets)
    cells.pop(game.solved, None)
    sets = {feedback: [cell] for feedback, cell in cells.items() if len(cell) > 1}
    proof: Proof = None
    if model.by_context:
        rows = ContextSearch(choices, settings).find(sets, 2)
        values: Scores = np.ones((max(turn for turn, _ in rows), game.n_feedback, game.n_feedback))
        for (turn, feedback), row in rows.items():
            values[turn - 1, feedback] = row
        told: dict[str, Any] = {
            "bound": optimum,
            "vectors": len({row.tobytes() for row in rows.values()}),
        }
    else:
        found = find_stage_weights(
            choices, [cell for (cell,) in sets.values()], 2, optimum, settings
        )
        values = np.ones((1 + len(found.rows), game.n_feedback))
        values[1:] = found.rows
        proof = found.proof
        told = {
            "bound": found.bound,
            "vectors": len(found.rows),
            "nodes": found.effort.nodes,
            "programmes": found.effort.programmes,
        }
    weights = _rounded(game, model, values)
    tree = grow(game, found_policy(model.name, weights, model.opening))
    if model.max_guesses is not None and tree.turn.max() > model.max_guesses:
        raise CodebreakerError(
            f"no weights with at most {model.max_guesses} guesses were found for {model.name}: "
            "raise its walks or its budget"
        )
    provenance = {
        "game": game.name,
        "criterion": criterion.name,
        "opening": model.opening,
        "total_guesses": tree.total_guesses,
        "max_guesses": int(tree.turn.max()),
        "most_allowed": model.max_guesses,
        "secrets": game.n_secrets,
        "optimum": optimum,
        **told,
        "margin_bits": MARGIN_BITS,
        "settings": asdict(settings),
        "codebreaker": __version__,
    }
    return replace(weights, provenance=provenance), proof


def _rounded(game: TableGame, model: GuidedModel, values: Scores) -> Weights:
    """Return weights with the fewest digits that keep the tree's total and maximum."""
    exact = Weights(model.name, "found by the exact cost-to-go", game.feedback_labels, values)
    best = grow(game, found_policy(model.name, exact, model.opening))
    for digits in range(1, MOST_DIGITS + 1):
        rounded = exact.rounded(digits)
        tree = grow(game, found_policy(model.name, rounded, model.opening))
        if tree.total_guesses <= best.total_guesses and tree.turn.max() <= best.turn.max():
            return rounded
    return exact
