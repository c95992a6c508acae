"""The registered policies by name, and each game's default."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from codebreaker.constants import BEST_KNOWN, OPTIMAL, PAPERS_GAME, SAMPLED
from codebreaker.errors import CodebreakerError, nearest, quoted
from codebreaker.games.model import GameModel
from codebreaker.games.registry import is_as_named
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.families import EXAMPLES, FAMILIES, criterion, family_of
from codebreaker.policies.weights import Weights, published
from codebreaker.types import Joined

STEPS = {"most-parts-two-steps": (2,), "most-parts-two-then-one": (2, 1)}
"""Policies that count parts after two guesses; the second breaks ties by parts after one."""

JOINED: dict[str, Joined] = {"entropy-with-most-parts": "with", "entropy-then-most-parts": "then"}

ALIASES = {
    "knuth": "worst-case",
    "minimax": "worst-case",
    "irving": "expected-size",
    "min-expected-size": "expected-size",
    "neuwirth": "entropy",
    "shannon": "entropy",
    "max-entropy": "entropy",
    "kooi": "most-parts",
    "max-parts": "most-parts",
    "shapiro": "first-consistent",
    "simple": "first-consistent",
}
"""Other names of policies: of their authors, and of what they minimise or maximise."""


def aliases_in_words() -> str:
    """Return which policies the aliases name, as Markdown.

    >>> aliases_in_words().split("; ")[0]
    '`knuth` and `minimax` for `worst-case`'
    """
    texts = []
    for policy in dict.fromkeys(ALIASES.values()):
        *others, last = [f"`{alias}`" for alias, name in ALIASES.items() if name == policy]
        texts.append(" and ".join([*filter(None, [", ".join(others)]), f"{last} for `{policy}`"]))
    return "; ".join(texts)


TREES = (BEST_KNOWN, OPTIMAL)
"""Policies that play a tree, and not by a rule; `Strategy` doesn't have them."""

FOUND = "-weighted-found"


@dataclass(frozen=True)
class Policy:
    """A rule that chooses guesses.

    `steps` are numbers of guesses after which parts are counted. The number of parts may be
    `joined` to the criterion: `with` it, for guesses best by both, or else by either; or `then`, to
    break its ties (Partition_Plus and Partition_Plus2 of Algorithm::MasterMind).
    """

    criterion: Criterion
    weights: Weights | None = None
    steps: tuple[int, ...] = (1,)
    joined: Joined | None = None


def _repository_stage_weights() -> Weights:
    """Return the paper's weights with two of turn 1 exchanged, as in its repository's program."""
    paper = published("gur-2025-stage")
    row = paper.at(1).copy()
    first, second = (paper.feedback_labels.index(label) for label in ("0B-1C", "0B-2C"))
    row[[first, second]] = row[[second, first]]
    return paper.with_turn(1, row)


WEIGHTED: dict[str, Callable[[], Weights]] = {
    "fixed-weighted": partial(published, "gur-2025-fixed"),
    "stage-weighted": partial(published, "gur-2025-stage"),
    "stage-weighted-unrounded": partial(published, "gur-2025-stage-unrounded"),
    "stage-weighted-turns-4-6-uniform": lambda: published("gur-2025-stage").uniform_from(4),
    "stage-weighted-repository": _repository_stage_weights,
    "stage-weighted-5630": partial(published, "stage-5630"),
    "context-weighted-5625": partial(published, "context-5625"),
    "context-weighted-5626": partial(published, "context-5626"),
    "stage-weighted-179273": partial(published, "stage-179273"),
    "endgame-weighted-179064": partial(published, "endgame-179064"),
}


def policy_names() -> list[str]:
    """Return the registered policies, without members of families, trees and other names."""
    return [*CRITERIA, *STEPS, *JOINED, *WEIGHTED]


def policy_called(name: str) -> Policy:
    """Return the policy of that name or alias, or raise `CodebreakerError`."""
    name = ALIASES.get(name, name)
    if name in WEIGHTED:
        return Policy(CRITERIA["entropy"], WEIGHTED[name]())
    if name in STEPS:
        return Policy(CRITERIA["most-parts"], steps=STEPS[name])
    if name in JOINED:
        return Policy(CRITERIA["entropy"], joined=JOINED[name])
    if name in CRITERIA or family_of(name):
        return Policy(criterion(name))
    raise unknown_policy("policy", name)


def unknown_policy(
    kind: str, name: str, others: Iterable[str] = (), trees: Iterable[str] = (*TREES, SAMPLED)
) -> CodebreakerError:
    """Return the error for an unknown name, with the nearest one or else all of them.

    `others` are names that are allowed besides policies, `trees` what doesn't play by a rule.
    """
    known = [*trees, *policy_names(), *others]
    near = nearest(name, [*known, *ALIASES, *EXAMPLES])
    if near is not None:
        return CodebreakerError(f"unknown {kind} {quoted(name)}: did you mean {near!r}?")
    families = ", ".join(family.form for family in FAMILIES.values())
    return CodebreakerError(
        f"unknown {kind} {quoted(name)}: known are {', '.join(known)}; the families {families}; "
        f"and the aliases {', '.join(ALIASES)}"
    )


class Default(NamedTuple):
    """A policy and its opening; without one the policy chooses it."""

    policy: str
    opening: str | None = None


DEFAULTS = {
    PAPERS_GAME: Default("context-weighted-5625", "1123"),
    "mm-5-8": Default("stage-weighted-179273", "11223"),
}
"""The best known policies that can continue after any guesses. The first attains the minimum total
(but from 1234 it needs 37 guesses more than `stage-weighted-5630`); exact endgames would improve
the second, but are slow."""


def default_of(game: GameModel) -> Default:
    """Return the default policy and opening of a game.

    >>> from codebreaker.games.registry import make_game
    >>> default_of(make_game("mm-4-6"))
    Default(policy='context-weighted-5625', opening='1123')
    """
    named = DEFAULTS.get(game.name)
    return named if named is not None and is_as_named(game) else Default("entropy")
