"""Registration of the user's own criteria, strategies and families of games."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

import numpy as np

from codebreaker.constants import SAMPLED
from codebreaker.errors import CodebreakerError, shortened, unknown
from codebreaker.games import registry as games
from codebreaker.games.codes import CodeRules
from codebreaker.policies import families
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import FINEST_POWER, Cell, Criterion, scored_set
from codebreaker.policies.families import MIXED, family_of
from codebreaker.policies.registry import ALIASES, TREES, policy_names
from codebreaker.runtime.arguments import explained
from codebreaker.types import Fold

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9.]+)*")
STRATEGIES: dict[str, Callable[..., str]] = {}
OWN: set[tuple[str, str]] = set()
"""The kinds and names of what was registered here, and may be registered again."""

CellFunction = TypeVar("CellFunction", bound=Cell)
Strategy = TypeVar("Strategy", bound=Callable[..., str])
Family = TypeVar("Family", bound=type[CodeRules])


@overload
def criterion(
    name: str, cell: None = None, fold: Fold = "sum", citation: str = "user-defined"
) -> Callable[[CellFunction], CellFunction]: ...
@overload
def criterion(
    name: str, cell: Cell, fold: Fold = "sum", citation: str = "user-defined"
) -> Criterion: ...
@overload
def criterion(name: CellFunction) -> CellFunction: ...
@explained
def criterion(
    name: str | Callable[..., Any],
    cell: Callable[..., Any] | None = None,
    fold: Fold = "sum",
    citation: str = "user-defined",
) -> Any:
    """Register a criterion, which becomes a policy.

    As a decorator it is written with a name, or bare: the name is then that of the function, with
    hyphens. `cell(count, total)` returns a value per cell of `count` of `total` candidates, for
    arrays of counts; the guess with the highest sum, or minimum, is played. Raises
    `CodebreakerError` for a name that is taken, and for a cell that does not return one finite
    number per count, the same ones when it is asked twice.

    >>> import codebreaker as cb
    >>> @cb.criterion
    ... def square_root(count, total):
    ...     return count**0.5
    >>> cb.grow(cb.game("mm-4-6"), "square-root", opening="1123").total
    5688
    >>> @cb.criterion("largest-part", fold="min")
    ... def largest(count, total):
    ...     return -count
    >>> cb.grow("mm-3-4", "largest-part").total == cb.grow("mm-3-4", "worst-case").total
    True
    """
    if not isinstance(name, str):
        if cell is not None or not callable(name):
            raise TypeError(name)  # which `explained` puts in words
        criterion(_name_of(name), name)
        return name
    _check_name("criterion", name, [*policy_names(), *TREES, SAMPLED, *ALIASES])
    if family_of(name) or name in MIXED:
        raise CodebreakerError(
            f"the criterion {name!r} is named like a family: choose another name"
        )
    if fold not in ("sum", "min"):
        raise unknown("fold", fold, ("sum", "min"))
    if cell is None:

        def register(function: CellFunction) -> CellFunction:
            """Register the function as the criterion's cell, and return it unchanged."""
            criterion(name, function, fold, citation)
            return function

        return register
    rule = Criterion(name, cell, citation, fold, ties="rounding", finest=FINEST_POWER)
    counts = np.arange(1.0, 10.0)
    if not np.array_equal(rule.values(counts, 9.0), rule.values(counts, 9.0)):
        raise CodebreakerError(
            f"the cell of criterion {name!r} returns other numbers for the same counts when asked "
            "twice: it can't use random numbers or a memory"
        )
    CRITERIA[name] = rule
    OWN.add(("criterion", name))
    families.criterion.cache_clear()
    scored_set.cache_clear()
    return rule


@overload
def player(name: str) -> Callable[[Strategy], Strategy]: ...
@overload
def player(name: Strategy) -> Strategy: ...
@explained
def player(name: str | Callable[..., str]) -> Any:
    """Register a strategy, which `evaluate` and `compare` then know by name; use it as a decorator.

    Bare, the name is that of the function, with hyphens. Raises `CodebreakerError` for a name that
    is taken or not possible.

    >>> import codebreaker as cb
    >>> @cb.player("last-candidate")
    ... def last(state):
    ...     return state.candidates[-1]
    >>> cb.compare("mm-3-4", ["last-candidate", "entropy"])
    last-candidate  3.9062 guesses, at most 6, exact
    entropy         3.2500 guesses, at most 4, exact
    last-candidate minus entropy: +0.6562 exactly, different beyond the margin
    """
    from codebreaker.players.registry import PLAYERS  # imports kernels that criteria don't need

    if not isinstance(name, str):
        if not callable(name):
            raise TypeError(name)  # which `explained` puts in words
        return player(_name_of(name))(name)
    _check_name("player", name, [*policy_names(), *TREES, *ALIASES, *PLAYERS])

    def register(strategy: Strategy) -> Strategy:
        """Register a strategy under the name, and return it unchanged."""
        STRATEGIES[name] = strategy
        return strategy

    return register


def refuse_player(name: object) -> None:
    """Raise `CodebreakerError` for the name of a strategy or contest player that is no policy."""
    if not isinstance(name, str) or name in [*policy_names(), *TREES, SAMPLED, *ALIASES]:
        return
    if name in STRATEGIES:
        raise CodebreakerError(
            f"{name!r} is a strategy of your own, which evaluate and compare play: name a policy"
        )
    from codebreaker.players.registry import PLAYERS  # slow to import

    if name in PLAYERS:
        raise CodebreakerError(
            f"{name!r} is a player of contests, which evaluate and compare play: name a policy"
        )


def refuse_criterion(strategy: object) -> None:
    """Raise `CodebreakerError` for a criterion, or its function, where its name belongs."""
    known = [rule.name for rule in CRITERIA.values() if strategy in (rule, rule.cell)]
    if known:
        raise CodebreakerError(f"a criterion is given by its name: here it is {known[0]!r}")


def refuse_moves(policy: object) -> None:
    """Raise `CodebreakerError` for moves where the name of a policy belongs."""
    if isinstance(policy, list | tuple):
        raise CodebreakerError(
            "a policy is given by its name; moves belong to a state, as in "
            "cb.State('mm-4-6', ['1123:1,1'])"
        )


def refuse_function(policy: object) -> None:
    """Raise `CodebreakerError` for a function, or moves, where the name of a policy belongs."""
    refuse_moves(policy)
    if not callable(policy) and not isinstance(policy, Criterion):
        return
    refuse_criterion(policy)
    if not isinstance(policy, Criterion):
        called = getattr(policy, "__name__", type(policy).__name__)
        raise CodebreakerError(
            f"{called} is a function, and a policy is given by its name: register a criterion with "
            "cb.criterion; cb.evaluate and cb.compare play functions of a state"
        )


@explained
def rules(family: Family) -> Family:
    """Register a subclass of `CodeRules`, whose games then have names; use it as a decorator.

    Raises `CodebreakerError` if the name of the family is taken, or if the class has a method
    `feedback`, which nothing would call: see `Game.from_table` for feedback of your own.

    >>> import codebreaker as cb
    >>> from codebreaker.games.codes import Mastermind
    >>> @cb.rules
    ... class Letters(Mastermind):
    ...     family = "letters"
    ...     ordered_symbols = "abcdef"
    >>> game = cb.game("letters-4-6")
    >>> game.feedback("aabc", "abcd")
    '1,2'
    >>> cb.grow(game, "entropy").total == cb.grow("mm-4-6", "entropy").total
    True
    """
    if not (isinstance(family, type) and issubclass(family, CodeRules)):
        raise CodebreakerError(
            f"{shortened(repr(family))} is no family of games: derive a class from "
            "codebreaker.games.codes.CodeRules"
        )
    if hasattr(family, "feedback"):
        raise CodebreakerError(
            f"{family.__name__} has a method 'feedback', which no game of codes calls: feedback of "
            "your own is given to cb.Game.from_table"
        )
    _check_name("family of games", family.family, games.FAMILIES)
    games.CODES[family.family] = games.FAMILIES[family.family] = family
    OWN.add(("family of games", family.family))
    return family


def _name_of(function: Callable[..., Any]) -> str:
    """Return the name under which a bare decorator registers a function."""
    return str(getattr(function, "__name__", type(function).__name__)).lower().replace("_", "-")


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
