"""The configuration: the typed source of all keys, their defaults and the schema."""

from difflib import get_close_matches
from typing import Annotated, Any, get_args

from pydantic import BaseModel, Field, ValidationError

from codebreaker.constants import LARGEST_ENDGAME, LARGEST_GUESS_LIMIT
from codebreaker.errors import CodebreakerError
from codebreaker.policies.registry import policy_names
from codebreaker.study.config.play import Codemaker, Players, Terminals, Words
from codebreaker.study.config.searches import Exact, Guided, Optimise, RolledOut, Sweep, Transfer
from codebreaker.study.config.section import Game, Model, Section
from codebreaker.types import GuessPool, TieBreak


class Strategy(Section):
    """A policy whose game tree is grown, with the settings that differ from the policy's defaults.

    The name of its files consists of the policy and these settings: `entropy`, `entropy_from-1123`,
    `entropy_pool-consistent`, `entropy_tie-lexicographic`.
    """

    policy: str = Field(examples=policy_names())
    """A criterion; an entropy with its order (`renyi-0.5`, `tsallis-2`, `renyi-inf`); a mixture of
    two criteria (`mix-most-parts-entropy-0.4`); or a weighted entropy, whose weights fit one
    game: MM(5,8) for `stage-weighted-179273` and, with endgames, `endgame-weighted-179064`, and
    MM(4,6) for the others."""
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """A forced first guess, such as `"1123"`; by default the criterion chooses."""
    guess_pool: GuessPool | None = None
    """`all` codes, or `consistent` guesses only; by default the policy's: `consistent` for
    `first-consistent`, otherwise `all`."""
    tie_break: TieBreak | None = None
    """Which of the guesses with equal scores is played; by default the policy's: `lexicographic`
    for `first-consistent`, otherwise `consistent then lexicographic`. `first consistent then last`
    is the first candidate among them or, if there is none, the last guess."""
    endgames: int = Field(default=0, ge=0, le=LARGEST_ENDGAME)
    """The size of the candidate sets to play optimally, out of the guess pool, from turn 2 on; 0
    for none. In games without a table a set is left to the criterion if that takes more than a few
    milliseconds."""
    exact_from: int | None = Field(default=None, ge=2, le=LARGEST_GUESS_LIMIT)
    """In games with a table, the turn from which all candidate sets are played optimally, out of
    the guess pool; by default none is. With 2 it takes longest."""


class Scaling(Section):
    """Trees of games of growing size, all grown without a table, with time and memory."""

    games: list[str] = Field(default=[])
    """The games: games of codes."""
    policies: list[str] = Field(
        default=["first-consistent", "worst-case", "expected-size", "entropy", "most-parts"],
        min_length=1,
    )
    """The policies, without weights."""
    threads: int = Field(default=1, ge=1, le=1024)
    """Threads per job."""


class BestKnown(Section):
    """The fewest guesses that we know of, by game, with proven bounds below them."""

    games: list[str] = Field(default=[])
    """Games of codes: each has its least total under `exact.games`, or something under
    `rollout`."""
    first_guesses: list[str] = Field(default=[])
    """Games of codes whose first guesses are compared, one of each kind."""
    policies: list[str] = Field(
        default=["worst-case", "expected-size", "entropy", "most-parts"], min_length=1
    )
    """The policies that go on after these first guesses, without weights."""


class Limits(Section):
    """Limits on memory."""

    table_mib: float = Field(default=64.0, gt=0, le=2**20)
    """The largest feedback table, in MiB. Larger games of codes are played without a table where
    possible; other games are refused before anything is built."""
    memo_mib: float = Field(default=512.0, ge=1, le=2**20)
    """The memo of candidate sets in each search job, in MiB. When it is full, the search for
    weights empties it, and the exact search stores no more."""


class Figures(Section):
    """How charts are drawn."""

    png_scale: float = Field(default=2.0, gt=0, le=8)
    """Pixels per point in PNG files."""


class Config(Section):
    """The configuration of a study."""

    strategies: dict[Game, list[Strategy]] = Field(default={})
    """By game, the strategies whose trees to grow; `mm-4-6` is Mastermind with 4 pegs and 6
    colours."""
    optimise: Optimise = Optimise()
    exact: Exact = Exact()
    guided: Guided = Guided()
    rollout: dict[Game, dict[Model, RolledOut]] = Field(default={})
    """Policies to improve by rollout, by game, then by any name; `rollout-NAME` is the policy, and
    its tree's file."""
    word_lists: dict[Annotated[str, Field(description="list")], Words] = Field(default={})
    """Word lists, by a name of lower-case letters, digits and hyphens; `matches-NAME`, `marks-NAME`
    and `pegs-NAME` are games with them."""
    players: Players = Players()
    terminals: Terminals = Terminals()
    pareto: dict[Game, Sweep] = Field(default={})
    """By game, the families of policies whose mean and maximum are compared."""
    scaling: Scaling = Scaling()
    best_known: BestKnown = BestKnown()
    transfer: Transfer = Transfer()
    codemaker: Codemaker = Codemaker()
    limits: Limits = Limits()
    figures: Figures = Figures()


def read_config(data: dict[str, Any]) -> Config:
    """Check a configuration read from YAML; raise `CodebreakerError` that names a wrong key."""
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise CodebreakerError(_explain(error)) from None


def _explain(error: ValidationError) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] != "extra_forbidden":
        return f"config key {key}: {first['msg']} (found {first['input']!r})"
    known = _known_keys(first["loc"])
    near = get_close_matches(str(first["loc"][-1]), known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
    return f"unknown config key {key}: {hint}"


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    """Return the known keys of the section around a location."""
    here: Any = Config
    for part in location[:-1]:
        if isinstance(here, type) and issubclass(here, BaseModel):
            here = here.model_fields[str(part)].annotation
        else:
            here = get_args(here)[-1]
    return list(here.model_fields)


def schema() -> dict[str, Any]:
    """Return the JSON schema of the configuration."""
    return Config.model_json_schema()
