"""Registration of the user's own criteria, strategies and families of games."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from codebreaker.errors import CodebreakerError, shortened, unknown
from codebreaker.games import registry as games
from codebreaker.games.codes import CodeRules
from codebreaker.policies import families
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import FINEST_POWER, Cell, Criterion, scored_set
from codebreaker.policies.families import MIXED, family_of
from codebreaker.policies.registry import ALIASES, TREES, policy_names
from codebreaker.types import Fold

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9.]+)*")
STRATEGIES: dict[str, Callable[..., str]] = {}
OWN: set[tuple[str, str]] = set()
"""The kinds and names of what was registered here, and may be registered again."""

Strategy = TypeVar("Strategy", bound=Callable[..., str])
Family = TypeVar("Family", bound=type[CodeRules])


def criterion(
    name: str, cell: Cell | None = None, fold: Fold = "sum", citation: str = "user-defined"
) -> Any:  # noqa: ANN401 (the criterion, or a decorator for its cell)
    """Register a criterion, which becomes a policy; without `cell`, return a decorator for it.

    `cell(count, total)` returns a value per cell of `count` of `total` candidates, for arrays of
    counts; the guess with the highest sum, or minimum, is played. Raises `CodebreakerError` for a
    name that is taken, and for a cell that does not return one finite number per count, the same
    ones when it is asked twice.

    >>> import codebreaker as cb
    >>> @cb.criterion("root")
    ... def root(count, total):
    ...     return count**0.5
    >>> cb.grow(cb.game("mm-4-6"), "root", opening="1123").total
    5688
    """
    _check_name("criterion", name, [*policy_names(), *TREES, *ALIASES])
    if family_of(name) or name in MIXED:
        raise CodebreakerError(
            f"the criterion {name!r} is named like a family: choose another name"
        )
    if fold not in ("sum", "min"):
        raise unknown("fold", fold, ("sum", "min"))
    if cell is None:
        return lambda function: criterion(name, function, fold, citation) and function
    counts = np.arange(1.0, 10.0)
    try:
        values, again = (np.asarray(cell(counts, 9.0), dtype=np.float64) for _ in range(2))
    except Exception as why:
        raise CodebreakerError(
            f"the cell of criterion {name!r} fails for an array of counts and their total "
            f"({shortened(str(why))}): it takes both, and returns a number for each count"
        ) from why
    if values.shape != counts.shape or not np.isfinite(values).all():
        raise CodebreakerError(
            f"the cell of criterion {name!r} must return one finite number for each count"
        )
    if not np.array_equal(values, again):
        raise CodebreakerError(
            f"the cell of criterion {name!r} returns other numbers for the same counts when asked "
            "twice: it can't use random numbers or a memory"
        )
    rule = Criterion(name, cell, citation, fold, ties="rounding", finest=FINEST_POWER)
    CRITERIA[name] = rule
    OWN.add(("criterion", name))
    families.criterion.cache_clear()
    scored_set.cache_clear()
    return rule


def player(name: str) -> Callable[[Strategy], Strategy]:
    """Register a strategy; raise `CodebreakerError` for a name that is taken or not possible."""
    from codebreaker.players.registry import PLAYERS  # imports kernels that criteria don't need

    _check_name("player", name, [*policy_names(), *TREES, *ALIASES, *PLAYERS])

    def register(strategy: Strategy) -> Strategy:
        """Register a strategy under the name, and return it unchanged."""
        STRATEGIES[name] = strategy
        return strategy

    return register


def rules(family: Family) -> Family:
    """Register a subclass of `CodeRules`; raise `CodebreakerError` if its name is taken."""
    _check_name("family of games", family.family, games.FAMILIES)
    games.CODES[family.family] = games.FAMILIES[family.family] = family
    OWN.add(("family of games", family.family))
    return family


def _check_name(kind: str, name: str, taken: Iterable[str]) -> None:
    """Raise `CodebreakerError` for a name with other characters, or one that the package has.

    A name that a user registered before may be registered again, as in a notebook.
    """
    if not NAME.fullmatch(name):
        raise CodebreakerError(
            f"the {kind} {name!r} can't have this name: use letters, digits and hyphens, in lower "
            "case, as in 'my-rule-2'"
        )
    if name in taken and (kind, name) not in OWN:
        raise CodebreakerError(f"there is a {kind} called {name!r} already: choose another name")
