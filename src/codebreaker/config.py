"""The configuration: one typed source of keys, defaults and the schema."""

from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from codebreaker.errors import CodebreakerError
from codebreaker.types import GuessPool, TieBreak


class Section(BaseModel):
    """A part of the configuration; keys that it does not know are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


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


class Limits(Section):
    """What a computation may take."""

    table_mib: float = Field(default=64.0, gt=0)
    """The largest feedback table, in MiB; a game that needs more is refused before it is built."""


class Figures(Section):
    """How charts are drawn."""

    png_scale: float = Field(default=2.0, gt=0, le=8)
    """Pixels of the PNG files for each point of the chart."""


class Config(Section):
    """Everything that a study is made from."""

    strategies: dict[str, list[Strategy]] = Field(default_factory=dict)
    """The strategies to compare, by the game's name (`mm-4-6`: 4 pegs, 6 colours)."""
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
    section: type[BaseModel] = Config
    for part in location[:-1]:
        if part == "strategies":
            section = Strategy
        elif isinstance(part, str) and part in section.model_fields:
            annotation = section.model_fields[part].annotation
            if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                section = annotation
    return list(section.model_fields)


def schema() -> dict[str, Any]:
    """Return the JSON schema of the configuration."""
    return Config.model_json_schema()
