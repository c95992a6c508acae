"""Certificates: a search's tree and proven bounds, for independent checks."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from codebreaker.constants import LARGEST_GUESS_LIMIT, VERSION
from codebreaker.files import write_text
from codebreaker.games.model import GameModel
from codebreaker.search.settings import Objective, Target
from codebreaker.search.size_bounds import size_bounds
from codebreaker.search.solution import Optimum, Solution
from codebreaker.trees.tree import GameTree, nested
from codebreaker.types import GuessPool


@dataclass(frozen=True)
class Certificate:
    """The contents of a certificate file; all trees begin with the `opening`, if any.

    `cost` is `guess_charge` times the total, plus `late_charge` for each secret not solved within
    `rounds`; `won` counts the others. `bound` and `openings` are proven lower bounds on the cost
    within `guess_limit`. `words` are the secrets if the game's name doesn't determine them.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    game: str
    guess_pool: GuessPool
    objective: Objective
    guess_limit: int | None
    opening: str | None
    rounds: int | None
    guess_charge: int
    late_charge: int
    secrets: int
    total_guesses: int
    max_guesses: int
    won: int | None
    cost: int
    bound: int
    proven: bool
    openings: dict[str, int]
    sets_searched: int
    lookups: int
    codebreaker: str
    words: tuple[str, ...] | None
    tree: dict[str, Any]


def unproven(game: GameModel, tree: GameTree, guess_pool: GuessPool) -> Optimum:
    """Return a tree whose only proven bound is the one that follows from the number of secrets."""
    bound = int(size_bounds(game.n_feedback, game.n_secrets, LARGEST_GUESS_LIMIT)[-1, -1])
    return Optimum(Target(guess_pool), None, Solution(tree, tree.total_guesses, bound, {}, 0, 0))


def write_certificate(game: GameModel, optimum: Optimum, path: str | Path) -> None:
    """Write a certificate as JSON; the same search writes the same bytes."""
    solution = optimum.solution
    target = optimum.target
    charges = optimum.charges
    won = None if charges.rounds is None else int(solution.tree.profile[: charges.rounds].sum())
    fields = vars(solution) | {
        "game": game.name,
        "guess_pool": target.guess_pool,
        "objective": target.objective,
        "opening": target.opening,
        "guess_limit": optimum.guess_limit,
        "rounds": charges.rounds,
        "guess_charge": charges.guess,
        "late_charge": charges.late,
        "secrets": game.n_secrets,
        "total_guesses": solution.tree.total_guesses,
        "max_guesses": solution.tree.max_guesses,
        "won": won,
        "proven": solution.proven,
        "codebreaker": VERSION,
        "words": None if game.symmetry else game.secrets,
        "tree": nested(game, solution.tree),
    }
    write_text(path, json.dumps(vars(Certificate(**fields)), indent=0, ensure_ascii=False))
