"""Certificates: what a search found and proved, with the tree, for others to check."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codebreaker import __version__
from codebreaker.errors import CodebreakerError, DamagedFileError
from codebreaker.exact.bounds import MOST_GUESSES, size_bounds
from codebreaker.exact.solver import Solution, Solver
from codebreaker.exact.target import Target
from codebreaker.files import write_text
from codebreaker.games.model import Game, TableGame
from codebreaker.trees.text import nested
from codebreaker.trees.tree import GameTree
from codebreaker.types import GuessPool

FIELDS = {
    "game", "guess_pool", "objective", "max_guesses", "secrets", "total_guesses", "maximum",
    "bound", "proven", "openings", "sets_searched", "lookups", "codebreaker", "words", "tree",
}  # fmt: skip


@dataclass(frozen=True)
class Optimum:
    """A target with its solution; `max_guesses` is the limit that held, by the target or found."""

    target: Target
    max_guesses: int | None
    solution: Solution

    @property
    def title(self) -> str:
        """Return what the tree is, for readers."""
        title = "optimal" if self.solution.proven else "best known"
        return title if self.max_guesses is None else f"{title}, at most {self.max_guesses}"


def find_optimum(game: TableGame, target: Target, memo_mib: float, time_limit_s: float) -> Optimum:
    """Solve a target; raise `CodebreakerError` where no tree is so shallow."""
    limits: Iterable[int | None] = [target.max_guesses]
    if target.objective == "maximum":
        limits = range(1, MOST_GUESSES + 1)
    for limit in limits:
        solution = Solver(game, target.guess_pool, limit, memo_mib).solve(time_limit_s)
        if solution is not None:
            return Optimum(target, limit, solution)
    raise CodebreakerError(
        f"no tree of {game.name} solves every secret within {limit} guesses, as is proven: "
        f"raise max_guesses under exact.games.{game.name}"
    )


def claim(game: Game, tree: GameTree, guess_pool: GuessPool) -> Optimum:
    """Return a tree of which nothing is proven, with the bound by the number of secrets."""
    bound = int(size_bounds(game.n_feedback, game.n_secrets, MOST_GUESSES)[-1, -1])
    return Optimum(Target(guess_pool), None, Solution(tree, bound, {}, 0, 0))


def write_certificate(game: Game, optimum: Optimum, path: str | Path) -> None:
    """Write a certificate as JSON; the same search gives the same bytes.

    `words` are the secrets of a game whose name doesn't tell them, else null.
    """
    solution, target = optimum.solution, optimum.target
    data = {
        "game": game.name,
        "guess_pool": target.guess_pool,
        "objective": target.objective,
        "max_guesses": optimum.max_guesses,
        "secrets": game.n_secrets,
        "total_guesses": solution.tree.total_guesses,
        "maximum": int(solution.tree.turn.max()),
        "bound": solution.bound,
        "proven": solution.proven,
        "openings": solution.openings,
        "sets_searched": solution.sets_searched,
        "lookups": solution.lookups,
        "codebreaker": __version__,
        "words": game.secrets if isinstance(game, TableGame) and not game.symmetry else None,
        "tree": nested(game, solution.tree),
    }
    write_text(path, json.dumps(data, indent=0, ensure_ascii=False))


def read_certificate(path: str | Path) -> dict[str, Any]:
    """Read a certificate; raise `DamagedFileError` where it is not a whole one."""
    try:
        data: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise DamagedFileError(path, why) from why
    if set(data) != FIELDS:
        raise DamagedFileError(path, "its fields are not those of a certificate")
    return data
