"""The base class of all sections of the configuration."""

from typing import Annotated

from pydantic import BaseModel, Field

from codebreaker.settings import STRICT

Game = Annotated[str, Field(description="game")]
"""A game's name as a key, `{game}` in the table of keys in config/README.md."""

Model = Annotated[str, Field(description="model")]
"""A model's name as a key."""


Count = Annotated[int, Field(ge=1, le=10**6)]
"""How often something is done."""

Width = Annotated[int, Field(ge=1, le=1000)]
"""How many of a set's guesses are compared."""

Seed = Annotated[int, Field(ge=0, lt=2**63)]

Seconds = Annotated[float, Field(gt=0, le=10**7)]


class Section(BaseModel):
    """A section of the configuration; unknown keys, infinity and NaN are refused."""

    model_config = STRICT
