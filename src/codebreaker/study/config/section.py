"""The base class of all sections of the configuration."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Game = Annotated[str, Field(description="game")]
"""A game's name as a key, `{game}` in the table of keys in config/README.md."""

Model = Annotated[str, Field(description="model")]
"""A model's name as a key."""


class Section(BaseModel):
    """A section of the configuration; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
