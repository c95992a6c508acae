"""The configuration: the typed source of all keys, their defaults and the schema."""

from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, Field, ValidationError

from codebreaker.constants import LARGEST_ENDGAME
from codebreaker.errors import CodebreakerError
from codebreaker.study.config.play import Players, Terminals, Words
from codebreaker.study.config.searches import Exact, Guided, Optimise, Sweep
from codebreaker.study.config.section import Section
from codebreaker.types import GuessPool, TieBreak


class Strategy(Section):
    """A policy whose game tree is grown."""

    policy: str
    """A registered policy: any criterion's name, or a weighted entropy such as `stage-weighted`."""
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """A forced first guess, such as "1123"; by default the criterion chooses."""
    guess_pool: GuessPool | None = None
    """`all` codes, or only `consistent` guesses; by default the policy's."""
    tie_break: TieBreak | None = None
    """Which of the tied guesses is played; by default the policy's."""
    endgames: int = Field(default=0, ge=0, le=LARGEST_ENDGAME)
    """The largest candidate set that is played exactly; for games without a table."""


class Scaling(Section):
    """Trees of ever larger games, with time and memory."""

    games: list[str] = Field(default_factory=list)
    """Games of codes; their feedback is computed on demand."""
    policies: list[str] = Field(
        default=["first-consistent", "worst-case", "expected-size", "entropy", "most-parts"],
        min_length=1,
    )
    """Policies without weights."""
    threads: int = Field(default=2, ge=1)
    """Threads per job."""


class Limits(Section):
    """Limits on memory."""

    table_mib: float = Field(default=64.0, gt=0)
    """The largest feedback table, in MiB; a larger game has no table, or is refused."""
    memo_mib: float = Field(default=512.0, gt=0)
    """Memory for memoised candidate sets, in MiB per job."""


class Figures(Section):
    """Charts."""

    png_scale: float = Field(default=2.0, gt=0, le=8)
    """Pixels of PNG files per point of the chart."""


class Config(Section):
    """The configuration of a study."""

    strategies: dict[str, list[Strategy]] = Field(default_factory=dict)
    """The strategies to compare, by the game's name (`mm-4-6`: 4 pegs, 6 colours)."""
    optimise: Optimise = Optimise()
    """The optimisation of weights."""
    exact: Exact = Exact()
    """The exact search."""
    guided: Guided = Guided()
    """The search for weights guided by the exact cost-to-go."""
    word_lists: dict[str, Words] = Field(default_factory=dict)
    """Word lists by name; `matches-NAME` and `marks-NAME` are games with them."""
    players: Players = Players()
    """Players that draw or search for their guesses at random."""
    terminals: Terminals = Terminals()
    """Terminals of Fallout 3."""
    pareto: dict[str, Sweep] = Field(default_factory=dict)
    """The families whose mean and maximum guesses are compared, by game."""
    scaling: Scaling = Scaling()
    """How time, memory and guesses grow with the number of codes."""
    limits: Limits = Limits()
    """Limits on memory."""
    figures: Figures = Figures()
    """Charts."""


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
