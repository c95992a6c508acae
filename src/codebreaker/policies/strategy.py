"""Strategies: a policy with its settings, in one record."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.games.model import check_marks
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.families import criterion
from codebreaker.policies.registry import (
    ALIASES,
    FOUND,
    Policy,
    aliases_in_words,
    policy_called,
)
from codebreaker.policies.weights import Weights
from codebreaker.types import AnyPool, GuessPool, TieBreak

TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
GUESS_POOLS: tuple[GuessPool, ...] = get_args(GuessPool)
NO_TIES = "none"  # of strategies without a criterion
BETWEEN_GUESSES = ","  # of an opening


@dataclass(frozen=True)
class Strategy:
    """A policy with its settings, which plays a game; None stands for the policy's default.

    `opening` is the first guess, `forced` or the policy's choice; forced ones may be several, with
    commas between them: see `fixed_guesses`. `endgames` is a number of candidates, `exact_from` a
    turn, counted from 1. An exact search has a `guess_limit`, the maximum number of guesses for any
    secret, and may maximise the secrets solved within `rounds` guesses. A tree's record has its
    `game` and file stem, `tree`; its policy need not be registered. With a `rule` the policy's name
    is free; otherwise an alias
    is replaced by the policy that it names. Raises
    `CodebreakerError` for an unknown policy, guess pool or tie-break, and for endgames or a turn
    below their range.

    >>> Strategy("entropy", opening="1123", guess_pool="consistent").slug
    'entropy_from-1123_pool-consistent'
    """

    game: str = field(default="", kw_only=True)
    policy: Annotated[
        str,
        "A criterion; an entropy with its order (`renyi-0.5`, `tsallis-2`, `renyi-inf`); a mixture "
        "of two criteria (`mix-most-parts-entropy-0.4`); or a weighted entropy. Its weights are "
        "for MM(5,8) if the name ends in 179273 or 179064 (with endgames), otherwise for MM(4,6). "
        f"Aliases are {aliases_in_words()}; results have the policy's name.",
    ]
    opening: Annotated[
        str | None,
        "A forced first guess; by default the criterion chooses. Several, with commas between "
        "them, are the first guesses whatever the feedback is, until the secret is known; one that "
        "would tell nothing is left out. Several need the guess pool `all`.",
    ] = None
    forced: bool = field(default=True, kw_only=True)
    guess_pool: Annotated[
        AnyPool | None,
        "`all` codes, `consistent` guesses only, or in games with marks Wordle's `hard` mode; by "
        "default `consistent` for `first-consistent`, otherwise `all`.",
    ] = None
    tie_break: Annotated[
        TieBreak | None,
        "Which of the guesses with equal scores is played; by default `lexicographic` for "
        "`first-consistent`, otherwise `consistent then lexicographic`. `first consistent then "
        "last` plays the first candidate among them or, if none is a candidate, the last guess.",
    ] = None
    endgames: Annotated[
        int,
        "The maximum size of the candidate sets that are played optimally, with guesses from the "
        "pool, from turn 2 on; 0 for none. In games without a table, the criterion plays sets that "
        "take more than a few milliseconds to solve.",
        {"ge": 0, "le": LARGEST_ENDGAME},
    ] = 0
    exact_from: Annotated[
        int | None,
        "In games with a table, the turn from which all candidate sets are played optimally, with "
        "guesses from the pool; by default no turn. Turn 2 takes longest.",
        {"ge": 2, "le": LARGEST_GUESS_LIMIT},
    ] = None
    guess_limit: int | None = field(default=None, kw_only=True)
    tree: str = field(default="", kw_only=True)
    rounds: int | None = field(default=None, kw_only=True)
    rule: Policy | None = field(default=None, kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.guess_pool is not None and self.guess_pool not in get_args(AnyPool):
            raise unknown("guess pool", self.guess_pool, get_args(AnyPool))
        if self.tie_break is not None and self.tie_break not in TIE_BREAKS:
            raise unknown("tie-break", self.tie_break, TIE_BREAKS)
        if self.endgames < 0:
            why = f"endgames can't have {self.endgames} candidates: choose 0 for none, or more"
            raise CodebreakerError(why)
        if self.exact_from is not None and self.exact_from < 1:
            why = f"exact_from can't be turn {self.exact_from}: turns are counted from 1"
            raise CodebreakerError(why)
        if self.tree:
            return
        if self.rule is None:
            object.__setattr__(self, "policy", ALIASES.get(self.policy, self.policy))
        default = self.plays.criterion
        object.__setattr__(self, "guess_pool", self.guess_pool or default.guess_pool)
        object.__setattr__(self, "tie_break", self.tie_break or default.tie_break)

    @cached_property
    def plays(self) -> Policy:
        """Return the given rule, or the named one."""
        return self.rule or policy_called(self.policy)

    @property
    def criterion(self) -> Criterion:
        """Return the criterion; weights may name others for some turns."""
        return self.plays.criterion

    @property
    def weights(self) -> Weights | None:
        """Return the weights of feedback, if any."""
        return self.plays.weights

    @property
    def pool(self) -> GuessPool:
        """Return the guess pool of a search; raise `CodebreakerError` in hard mode."""
        if self.guess_pool == "hard":
            raise CodebreakerError("hard mode has a search of its own: use endgames or exact_from")
        return self.guess_pool or "all"

    def with_weights(self, weights: Weights) -> "Strategy":
        """Return the same strategy with other weights."""
        return replace(self, rule=replace(self.plays, weights=weights))

    @property
    def forced_opening(self) -> str | None:
        """Return the opening if forced."""
        return self.opening if self.forced else None

    @property
    def plays_exactly(self) -> bool:
        """Return whether some sets are played exactly."""
        return self.endgames > 0 or self.exact_from is not None

    @property
    def looks_ahead(self) -> bool:
        """Return whether the policy looks two guesses ahead."""
        return max(self.plays.steps) > 1

    @property
    def is_single_score(self) -> bool:
        """Return whether a guess has one score, from its cells."""
        return not self.looks_ahead and self.plays.joined is None

    def criterion_at(self, turn: int) -> Criterion:
        """Return the criterion at a turn, counted from 1."""
        if self.weights is None or not self.weights.criteria:
            return self.criterion
        names = self.weights.criteria
        return criterion(names[min(turn, len(names)) - 1])

    @property
    def prefers_consistent(self) -> bool:
        """Return whether candidates win ties."""
        return self.tie_break != "lexicographic"

    @property
    def reverses(self) -> bool:
        """Return whether the last tied candidate is played."""
        return self.tie_break == "consistent then reversed lexicographic"

    @property
    def reverses_others(self) -> bool:
        """Return whether the last tied guess is played if none is a candidate."""
        return self.reverses or self.tie_break == "first consistent then last"

    @property
    def slug(self) -> str:
        """Return a short name for files: the policy's and its deviations from the defaults."""
        parts = [f"{self.policy}-endgames-{self.endgames}" if self.endgames else self.policy]
        if self.forced_opening is not None:
            parts.append(f"from-{self.opening}")
        if self.guess_pool is not None and self.guess_pool != self.criterion.guess_pool:
            parts.append(f"pool-{self.guess_pool}")
        if self.tie_break is not None and self.tie_break != self.criterion.tie_break:
            parts.append("tie-" + self.tie_break.removeprefix("consistent then ").replace(" ", "-"))
        if self.exact_from is not None:
            parts.append(f"exact-from-{self.exact_from}")
        return "_".join(parts)

    def grown(self, game: str, opening: str, tree: str) -> "Strategy":
        """Return the record of the strategy's tree; `tree` is the stem of its files."""
        forced = self.forced_opening
        known = opening if forced is None else forced
        return replace(self, game=game, opening=known, forced=forced is not None, tree=tree)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the settings that a study gives, by name: `Strategy(**settings)` is the same."""
        return {name: getattr(self, name) for name in SETTINGS}

    @property
    def row(self) -> dict[str, Any]:
        """Return the columns in tables and in trees' files."""
        columns = {name: getattr(self, name) for name in COLUMNS}
        forced = self.forced_opening is not None
        return columns | {"forced": forced, "tie_break": self.tie_break or NO_TIES}

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> "Strategy":
        """Return a tree's record from its columns, or raise ValueError."""
        if set(row) != set(COLUMNS):
            raise ValueError(f"the columns of a strategy are {', '.join(COLUMNS)}")
        row = row | {"tie_break": None if row["tie_break"] == NO_TIES else row["tie_break"]}
        for name, value in row.items():
            if not _fits(value, COLUMNS[name]):
                raise ValueError(f"the strategy's {name} can't be {value!r}")
        return cls(**row)


SLUG_IN_WORDS = {
    "endgames": "sets of up to {} candidates played optimally",
    "exact-from": "played optimally from guess {} on",
    "from": "opening {}",
    "pool": "guess pool {}",
    "tie": "ties {}",
}
"""Each deviation in a slug, by how it begins; the longer one comes first."""


def slug_in_words(slug: str) -> tuple[str, str]:
    """Return the policy of a `Strategy.slug`, and its deviations from the defaults in words.

    >>> slug_in_words("entropy-endgames-12_from-1123")
    ('entropy', 'sets of up to 12 candidates played optimally, opening 1123')
    """
    first, *deviations = slug.split("_")
    policy, separator, size = first.rpartition("-endgames-")
    if separator:
        deviations.insert(0, f"endgames-{size}")
    words = list[str]()
    for deviation in deviations:
        kind = next((kind for kind in SLUG_IN_WORDS if deviation.startswith(f"{kind}-")), None)
        value = deviation if kind is None else deviation.removeprefix(f"{kind}-")
        words.append(deviation if kind is None else SLUG_IN_WORDS[kind].format(value))
    return policy if separator else first, ", ".join(words)


def _fits(value: object, kind: Any) -> bool:  # noqa: ANN401
    """Return whether a value is of a type: of a union's member, or one of a literal's values."""
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    kinds = get_args(kind)
    return any(_fits(value, allowed) for allowed in kinds) if kinds else type(value) is kind


SETTINGS = MappingProxyType(
    {
        name: get_args(kind)
        for name, kind in get_type_hints(Strategy, include_extras=True).items()
        if get_origin(kind) is Annotated
    }
)

COLUMNS = MappingProxyType(
    {name: kind for name, kind in get_type_hints(Strategy).items() if name != "rule"}
)


def found_strategy(
    model: str, weights: Weights, opening: str | None, endgames: int = 0
) -> Strategy:
    """Return the strategy with a search's best weights for a model."""
    rule = Policy(criterion("entropy"), weights)
    return Strategy(f"{model}{FOUND}", opening, endgames=endgames, rule=rule)


def recorded_strategy(model: str, weights: Weights) -> Strategy:
    """Return the strategy of a model's weights and provenance, or raise `CodebreakerError`."""
    record = weights.provenance
    if "opening" not in record:
        raise CodebreakerError(f"weights {weights.name!r} have no provenance: find them again")
    return found_strategy(model, weights, record["opening"], record.get("endgames", 0))


def check_fits(strategy: Strategy, game_name: str, feedback_labels: tuple[str, ...]) -> None:
    """Raise `CodebreakerError` for another game's weights, or hard mode without marks."""
    if strategy.guess_pool == "hard":
        check_marks(game_name, feedback_labels)
    weights = strategy.weights
    if weights is None or weights.feedback_labels == feedback_labels:
        return
    raise CodebreakerError(
        f"policy {strategy.policy!r} has weights for {len(weights.feedback_labels)} different "
        f"answers, but {game_name} has {len(feedback_labels)}: choose a policy without weights"
    )


def check_has_choice(strategy: Strategy) -> None:
    """Raise `CodebreakerError` for a criterion without scores that isn't given candidates.

    Of all guesses it would play the first one again and again.
    """
    has_scores = strategy.weights is not None or not strategy.criterion.scores_are_equal
    if not has_scores and strategy.guess_pool != "consistent" and not strategy.prefers_consistent:
        raise CodebreakerError(
            f"policy {strategy.policy!r} plays the first candidate, and of the guess pool "
            f"{strategy.guess_pool} it would play the first guess, whatever the feedback: leave "
            "out the guess pool"
        )


def fixed_guesses(opening: str, guesses: Container[str]) -> list[str]:
    """Return the guesses of an opening: one of a game's `guesses`, or several between commas.

    The second of them is the second guess, and so on, whatever the feedback is, until the secret is
    known; one that would tell nothing is left out.
    """
    return [opening] if opening in guesses else opening.split(BETWEEN_GUESSES)


def several_refused(opening: str, who: str) -> CodebreakerError:
    """Return the error for several fixed guesses where there can be one."""
    return CodebreakerError(f"{who} takes one opening guess, not {opening!r}")


def check_one_guess(opening: str, check_guess: Callable[[str], None], who: str) -> None:
    """Raise `CodebreakerError` unless an opening is one guess, as `check_guess` does."""
    try:
        check_guess(opening)
    except CodebreakerError:
        parts = opening.split(BETWEEN_GUESSES)
        if len(parts) == 1:
            raise
        for part in parts:
            check_guess(part)
        raise several_refused(opening, who) from None


def check_fixed(opening: str, guess_pool: AnyPool | None) -> None:
    """Raise `CodebreakerError` for several fixed guesses that the guess pool may forbid."""
    if guess_pool not in (None, "all"):
        raise CodebreakerError(
            f"the opening {opening!r} is played whatever the feedback is, and the guess pool "
            f"{guess_pool} depends on it: force one guess, or choose the guess pool all"
        )


def check_opening(
    opening: str, guess_pool: AnyPool | None, game_name: str, is_secret: bool
) -> None:
    """Raise `CodebreakerError` for a forced opening that the guess pool forbids."""
    if guess_pool == "consistent" and not is_secret:
        raise CodebreakerError(
            f"{opening!r} can't be the secret of {game_name}, and the guess pool consistent allows "
            "only guesses that can: choose another opening, or the guess pool all"
        )


def check_without_table(strategy: Strategy, game_name: str) -> None:
    """Raise `CodebreakerError` if the strategy needs a table."""
    lacking = f"policy {strategy.slug} {{}}, and game {game_name} has no table: {{}}"
    if strategy.exact_from is not None:
        all_sets = f"plays all sets exactly from turn {strategy.exact_from}"
        raise CodebreakerError(lacking.format(all_sets, "use endgames"))
    if strategy.looks_ahead:
        raise CodebreakerError(lacking.format("looks two guesses ahead", "choose most-parts"))
    if strategy.plays.joined is not None:
        raise CodebreakerError(lacking.format("chooses by two criteria", "choose entropy"))
