"""What all parts of the configuration share."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A part of the configuration; keys that it does not know are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
