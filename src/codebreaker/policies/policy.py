"""Policies: a criterion with its weights, an opening, a guess pool and a tie-break."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import get_args

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.lookup import ORDERED, criterion
from codebreaker.policies.weights import Weights, published
from codebreaker.types import GuessPool, Joined, TieBreak

TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
GUESS_POOLS: tuple[GuessPool, ...] = get_args(GuessPool)

STEPS = {"most-parts-two-steps": (2,), "most-parts-two-then-one": (2, 1)}
"""Policies that count parts after two guesses; the second one ranks ties by parts after one."""

JOINED: dict[str, Joined] = {"entropy-with-most-parts": "with", "entropy-then-most-parts": "then"}
"""Policies that choose by entropy and by the number of parts, and how they join the two."""

FOUND = "-weighted-found"
"""The suffix of a model's name in the name of the policy with its best weights."""


@dataclass(frozen=True)
class Policy:
    """A deterministic rule that plays a game.

    `opening` is the label of a forced first guess; if None, the criterion chooses. From turn
    `exact_from` on, all candidate sets are played exactly, and at any turn but the first those of
    up to `endgames` secrets, in games without a table if the exact search solves them quickly.
    `steps` are the numbers of guesses after which the criterion looks at the partition: guesses
    with equal scores by the first are ranked by the next. `joined` is how the number of parts
    joins the criterion: `with` prefers guesses that are best by both, and without any takes those
    that are best by either; `then` ranks the criterion's ties by it (Partition_Plus and
    Partition_Plus2 of Merelo's Algorithm::MasterMind).
    """

    name: str
    criterion: Criterion
    weights: Weights | None = None
    opening: str | None = None
    guess_pool: GuessPool = "all"
    tie_break: TieBreak = "consistent then lexicographic"
    endgames: int = 0
    exact_from: int | None = None
    steps: tuple[int, ...] = (1,)
    joined: Joined | None = None

    @property
    def plays_exactly(self) -> bool:
        """Return whether some candidate sets are played exactly."""
        return self.endgames > 0 or self.exact_from is not None

    @property
    def looks_ahead(self) -> bool:
        """Return whether the criterion looks further than the next guess."""
        return max(self.steps) > 1

    @property
    def is_single_score(self) -> bool:
        """Return whether a guess is scored once, by the criterion's cells of its partition."""
        return not self.looks_ahead and self.joined is None

    def criterion_at(self, turn: int) -> Criterion:
        """Return the criterion at a turn, counted from 1."""
        if self.weights is None or not self.weights.criteria:
            return self.criterion
        names = self.weights.criteria
        return criterion(names[min(turn, len(names)) - 1])

    @property
    def prefers_consistent(self) -> bool:
        """Return whether candidates win ties against other guesses."""
        return self.tie_break != "lexicographic"

    @property
    def reverses(self) -> bool:
        """Return whether the last of the tied candidates is played instead of the first."""
        return self.tie_break == "consistent then reversed lexicographic"

    @property
    def reverses_others(self) -> bool:
        """Return whether the last of the tied guesses is played if none of them is a candidate."""
        return self.reverses or self.tie_break == "first consistent then last"

    @property
    def slug(self) -> str:
        """Return a short name for files: the policy's name and all deviations from its defaults."""
        parts = [f"{self.name}-endgames-{self.endgames}" if self.endgames else self.name]
        if self.opening is not None:
            parts.append(f"from-{self.opening}")
        if self.guess_pool != self.criterion.guess_pool:
            parts.append(f"pool-{self.guess_pool}")
        if self.tie_break != self.criterion.tie_break:
            parts.append("tie-" + self.tie_break.removeprefix("consistent then ").replace(" ", "-"))
        if self.exact_from is not None:
            parts.append(f"exact-from-{self.exact_from}")
        return "_".join(parts)


def _unweighted(name: str) -> Policy:
    rule = criterion(name)
    return Policy(name, rule, guess_pool=rule.guess_pool, tie_break=rule.tie_break)


def _repository_stage_weights() -> Weights:
    """Return Gür's stage weights with turn 1 as in the repository: 0B-1C lowered, not 0B-2C."""
    paper = published("gur-2025-stage")
    row = paper.at(1).copy()
    first, second = (paper.feedback_labels.index(label) for label in ("0B-1C", "0B-2C"))
    row[[first, second]] = row[[second, first]]
    return paper.with_turn(1, row)


_WEIGHTED: dict[str, Callable[[], Weights]] = {
    "fixed-weighted": partial(published, "gur-2025-fixed"),
    "stage-weighted": partial(published, "gur-2025-stage"),
    "stage-weighted-turns-4-6-uniform": lambda: published("gur-2025-stage").uniform_from(4),
    "stage-weighted-repository": _repository_stage_weights,
    "stage-weighted-5630": partial(published, "stage-5630"),
    "context-weighted-5625": partial(published, "context-5625"),
    "context-weighted-5626": partial(published, "context-5626"),
    "stage-weighted-179273": partial(published, "stage-179273"),
    "endgame-weighted-179064": partial(published, "endgame-179064"),
}


def policy_names() -> list[str]:
    """Return the names of all registered policies: criteria, two of them, and weighted entropies.

    Members of the families, such as `renyi-0.5`, are policies too.
    """
    return [*CRITERIA, *STEPS, *JOINED, *_WEIGHTED]


def weighted_names() -> list[str]:
    """Return the names of the policies with weights that come with the package."""
    return [*_WEIGHTED]


def make_policy(
    policy: str,
    opening: str | None = None,
    guess_pool: GuessPool | None = None,
    tie_break: TieBreak | None = None,
    endgames: int = 0,
    exact_from: int | None = None,
) -> Policy:
    """Return the policy of that name; None stands for the policy's default.

    Raises `CodebreakerError` for an unknown policy, guess pool or tie-break.

    >>> make_policy("entropy", opening="1123", guess_pool="consistent").slug
    'entropy_from-1123_pool-consistent'
    """
    if policy in _WEIGHTED:
        default = replace(_unweighted("entropy"), name=policy, weights=_WEIGHTED[policy]())
    elif policy in STEPS:
        default = replace(_unweighted("most-parts"), name=policy, steps=STEPS[policy])
    elif policy in JOINED:
        default = replace(_unweighted("entropy"), name=policy, joined=JOINED[policy])
    elif policy in CRITERIA or policy.startswith((*ORDERED, "mix")):
        default = _unweighted(policy)
    else:
        raise unknown("policy", policy, policy_names())
    if guess_pool is not None and guess_pool not in GUESS_POOLS:
        raise unknown("guess pool", guess_pool, GUESS_POOLS)
    if tie_break is not None and tie_break not in TIE_BREAKS:
        raise unknown("tie-break", tie_break, TIE_BREAKS)
    return replace(
        default,
        opening=opening,
        guess_pool=guess_pool or default.guess_pool,
        tie_break=tie_break or default.tie_break,
        endgames=endgames,
        exact_from=exact_from,
    )


def found_policy(model: str, weights: Weights, opening: str | None, endgames: int = 0) -> Policy:
    """Return the policy with the weights that a search found for a model."""
    return replace(
        _unweighted("entropy"),
        name=f"{model}{FOUND}",
        weights=weights,
        opening=opening,
        endgames=endgames,
    )


def recorded_policy(model: str, weights: Weights) -> Policy:
    """Return the policy with a model's best weights, as set up in their provenance."""
    record = weights.provenance
    if "opening" not in record:
        raise CodebreakerError(f"weights {weights.name!r} have no provenance: find them again")
    return found_policy(model, weights, record["opening"], record.get("endgames", 0))


def check_fits(policy: Policy, game_name: str, feedback_labels: tuple[str, ...]) -> None:
    """Raise `CodebreakerError` if the policy's weights are for another game's feedback."""
    if policy.weights is None or policy.weights.feedback_labels == feedback_labels:
        return
    raise CodebreakerError(
        f"policy {policy.name!r} has weights for {len(policy.weights.feedback_labels)} feedback "
        f"types, but {game_name} has {len(feedback_labels)}: choose an unweighted policy"
    )


def check_without_table(policy: Policy, game_name: str) -> None:
    """Raise `CodebreakerError` if the policy can't play a game without a table."""
    if policy.exact_from is not None:
        raise CodebreakerError(
            f"policy {policy.slug} plays all sets exactly from turn {policy.exact_from}, and game "
            f"{game_name} has no table: use endgames"
        )
    if policy.looks_ahead:
        raise CodebreakerError(
            f"policy {policy.slug} looks two guesses ahead, and game {game_name} has no table: "
            "choose most-parts"
        )
    if policy.joined is not None:
        raise CodebreakerError(
            f"policy {policy.slug} chooses by two criteria, and game {game_name} has no table: "
            "choose entropy"
        )
