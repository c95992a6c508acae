"""The configuration: one typed source of keys, defaults and the schema."""

from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, Field, ValidationError

from codebreaker.errors import CodebreakerError
from codebreaker.policies.policy import LARGEST_ENDGAME
from codebreaker.study.config.play import Players, Terminals, Words
from codebreaker.study.config.searches import Exact, Guided, Optimise, Sweep
from codebreaker.study.config.section import Section
from codebreaker.types import GuessPool, TieBreak


class Strategy(Section):
    """A policy to grow a game tree of."""

    policy: str
    """A registered policy: any criterion's name, or a weighted entropy such as `stage-weighted`."""
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """The first guess, such as "1123"; without it the criterion chooses."""
    guess_pool: GuessPool | None = None
    """`all` codes, or `consistent` guesses only; without it the policy's default."""
    tie_break: TieBreak | None = None
    """Which of the guesses with equal scores is played; without it the policy's default."""
    endgames: int = Field(default=0, ge=0, le=LARGEST_ENDGAME)
    """Sets of up to so many candidates are played exactly; for games without a table."""


class Scaling(Section):
    """Trees of bigger and bigger games, with time and memory."""

    games: list[str] = Field(default_factory=list)
    """Games of codes; feedback is computed on demand."""
    policies: list[str] = Field(
        default=["first-consistent", "worst-case", "expected-size", "entropy", "most-parts"],
        min_length=1,
    )
    """Policies without weights."""
    threads: int = Field(default=2, ge=1)
    """Threads of each job."""


class Limits(Section):
    """What a computation may take."""

    table_mib: float = Field(default=64.0, gt=0)
    """The largest feedback table, in MiB; a game that needs more is refused before it is built."""
    memo_mib: float = Field(default=512.0, gt=0)
    """Memory for remembered candidate sets in each job that searches, in MiB."""


class Figures(Section):
    """How charts are drawn."""

    png_scale: float = Field(default=2.0, gt=0, le=8)
    """Pixels of the PNG files for each point of the chart."""


class Config(Section):
    """Everything that a study is made from."""

    strategies: dict[str, list[Strategy]] = Field(default_factory=dict)
    """The strategies to compare, by the game's name (`mm-4-6`: 4 pegs, 6 colours)."""
    optimise: Optimise = Optimise()
    """The search for weights."""
    exact: Exact = Exact()
    """The exact search."""
    guided: Guided = Guided()
    """The search for weights by the exact cost-to-go."""
    word_lists: dict[str, Words] = Field(default_factory=dict)
    """Word lists by name; `matches-NAME` and `marks-NAME` are games with them."""
    players: Players = Players()
    """Players that draw their guesses at random."""
    terminals: Terminals = Terminals()
    """Terminals of Fallout 3."""
    pareto: dict[str, Sweep] = Field(default_factory=dict)
    """The families whose means and maxima are compared, by game."""
    scaling: Scaling = Scaling()
    """How time, memory and guesses grow with the number of codes."""
    limits: Limits = Limits()
    """What a computation may take."""
    figures: Figures = Figures()
    """How charts are drawn."""


def read_config(data: dict[str, Any]) -> Config:
    """Check a configuration as read from YAML; raise `CodebreakerError` naming a bad key."""
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise CodebreakerError(_explain(error)) from None


def _explain(error: ValidationError) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] != "extra_forbidden":
        return f"config key {key}: {first['msg']} (found {first['input']!r})"
    known = _keys_beside(first["loc"])
    near = get_close_matches(str(first["loc"][-1]), known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
    return f"unknown config key {key}: {hint}"


def _keys_beside(location: tuple[int | str, ...]) -> list[str]:
    """Return the keys that the section around a location knows."""
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
