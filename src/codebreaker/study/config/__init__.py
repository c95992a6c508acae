"""The configuration: the typed source of all keys, their defaults and the schema."""

from difflib import get_close_matches
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

from pydantic import Field, ValidationError, create_model

from codebreaker.errors import CodebreakerError
from codebreaker.policies.registry import policy_names
from codebreaker.policies.strategy import SETTINGS, Strategy
from codebreaker.study.config import searches
from codebreaker.study.config.play import Codemaker, Players, Terminals, Words
from codebreaker.study.config.searches import Game, Model, Section


def _entry() -> type[Section]:
    more: dict[str, dict[str, Any]] = {
        "policy": {"examples": policy_names()},
        "opening": {"coerce_numbers_to_str": True},
    }
    keys: dict[str, Any] = {}
    for name, (kind, about, *limits) in SETTINGS.items():
        options = more.get(name, {}) | (limits[0] if limits else {})
        keys[name] = kind, Field(getattr(Strategy, name, ...), description=about, **options)
    return create_model("Strategy", __base__=Section, __doc__=ENTRY, **keys)


ENTRY = "A policy with its settings."

if TYPE_CHECKING:
    Entry = Section
else:
    Entry = _entry()


class Scaling(Section):
    """Time and memory of trees by the number of codes, without tables."""

    games: list[str] = Field(default=[])
    """Games of codes."""
    policies: list[str] = Field(
        default=["first-consistent", "worst-case", "expected-size", "entropy", "most-parts"],
        min_length=1,
    )
    """Policies without weights."""


class BestKnown(Section):
    """The lowest totals known, with proven bounds."""

    games: list[str] = Field(default=[])
    """Games of codes, each with `[{}]` in `exact.games` or an entry in `rollout`."""
    first_guesses: list[str] = Field(default=[])
    """Games whose first guesses are compared, one of each class."""
    policies: list[str] = Field(
        default=["worst-case", "expected-size", "entropy", "most-parts"], min_length=1
    )
    """Policies that play on after these guesses, without weights."""


class Limits(Section):
    """Which games have a feedback table."""

    table_mib: float = Field(default=64.0, gt=0, le=2**20)
    """The largest feedback table, in MiB. Larger games of codes are played without one where
    possible; other games are refused."""


class Figures(Section):
    """How charts are drawn."""

    png_scale: float = Field(default=2.0, gt=0, le=8)
    """Pixels per point in PNG files."""


class Config(Section):
    """The configuration of a study."""

    strategies: dict[Game, list[Entry]] = Field(default={})
    """Strategies whose trees are grown: policies with the settings that differ from their defaults.
    These name the files of a tree, as in `entropy_from-1123` and `entropy_pool-consistent`."""
    optimise: searches.Optimise = searches.Optimise()
    exact: searches.Exact = searches.Exact()
    guided: searches.Guided = searches.Guided()
    rollout: dict[Game, dict[Model, searches.RolloutEntry]] = Field(default={})
    """Policies whose best guesses are compared by the totals that follow. The result is the policy
    `rollout-MODEL`."""
    word_lists: dict[Annotated[str, Field(description="list")], Words] = Field(default={})
    """Text files, or names of lists that come with the package. Paths are relative to the working
    folder or, if no such file is there, to the Snakefile's. LIST has lower-case letters, digits and
    hyphens."""
    players: Players = Players()
    terminals: Terminals = Terminals()
    pareto: dict[Game, searches.Sweep] = Field(default={})
    """Families of policies whose mean and maximum are compared. All strategies of the game and
    individuals of its searches are added."""
    scaling: Scaling = Scaling()
    best_known: BestKnown = BestKnown()
    transfer: searches.Transfer = searches.Transfer()
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
    if first["type"] not in ("extra_forbidden", "unexpected_keyword_argument"):
        return f"config key {key}: {first['msg']} (found {first['input']!r:.200})"
    known = _known_keys(first["loc"])
    near = get_close_matches(str(first["loc"][-1]), known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
    return f"unknown config key {key}: {hint}"


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    here: Any = Config
    for part in location[:-1]:
        inner = get_args(here)
        here = inner[-1] if inner else get_type_hints(here)[str(part)]
        if isinstance(here, UnionType):  # a section or None
            here = get_args(here)[0]
    return [name for name in get_type_hints(here) if name.isidentifier()]


def schema() -> dict[str, Any]:
    """Return the JSON schema of the configuration."""
    return Config.model_json_schema()
