"""The base class of all sections of the configuration."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A section of the configuration; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
