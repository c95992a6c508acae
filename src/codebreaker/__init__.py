"""Strategies for Mastermind and other deduction games, recomputed from their definitions.

>>> import codebreaker as cb
>>> game = cb.game("mm-4-6")
>>> cb.grow(game, "entropy", opening="1123")
Tree('mm-4-6', 'entropy_from-1123': 5,680 guesses, 4.3827 on average, at most 6)
>>> cb.suggest(cb.State(game, ["1123:1,1"])).guess
'1415'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from codebreaker.constants import VERSION
from codebreaker.runtime import forks as _forks  # noqa: F401 (notes whether Polars works after a fork)

if TYPE_CHECKING:
    from codebreaker.advice.verdict import Verdict
    from codebreaker.api.advice import Regret, Suggestion, regret, suggest
    from codebreaker.api.evaluation import Comparison, Evaluation, compare, evaluate, score
    from codebreaker.api.games import Game, game
    from codebreaker.api.listing import list_games, list_policies
    from codebreaker.api.numbers import Exact
    from codebreaker.api.registering import criterion, player, rules
    from codebreaker.api.states import Sizes, State
    from codebreaker.api.trees import Solved, Tree, grow, read_tree, solve
    from codebreaker.errors import CodebreakerError

__version__ = VERSION

_HOMES = {
    "errors": ("CodebreakerError",),
    "api.advice": ("Regret", "Suggestion", "regret", "suggest"),
    "api.evaluation": ("Comparison", "Evaluation", "compare", "evaluate", "score"),
    "api.games": ("Game", "game"),
    "api.listing": ("list_games", "list_policies"),
    "api.numbers": ("Exact",),
    "api.registering": ("criterion", "player", "rules"),
    "advice.verdict": ("Verdict",),
    "api.states": ("Sizes", "State"),
    "api.trees": ("Solved", "Tree", "grow", "read_tree", "solve"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022 (in the order of a reader's first use)
    "game", "Game", "State", "Sizes", "suggest", "Suggestion", "regret", "Regret",
    "grow", "solve", "Tree", "Solved", "read_tree", "evaluate", "Evaluation", "compare",
    "Comparison", "score", "Verdict", "criterion", "player", "rules", "list_games",
    "list_policies", "Exact", "CodebreakerError",
]  # fmt: skip


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import a name on first use: Numba alone takes longer to import than the rest."""
    if name in _HOME_OF:
        from codebreaker.errors import check_environment

        check_environment()
        offered = getattr(import_module(f"codebreaker.{_HOME_OF[name]}"), name)
        return globals().setdefault(name, offered)
    raise AttributeError(f"module 'codebreaker' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the offered names."""
    return sorted([*__all__, "__version__"])
