"""Fields of records that are sections of the configuration too; pydantic isn't imported here."""

from dataclasses import MISSING, field
from typing import Any

STRICT: Any = {
    "extra": "forbid",
    "frozen": True,
    "use_attribute_docstrings": True,
    "allow_inf_nan": False,
}
"""How pydantic reads a section: unknown keys, infinity and NaN are refused."""


def setting(default: Any = MISSING, **limits: object) -> Any:  # noqa: ANN401 (of any type)
    """Return a field with its default, if it has one, and with limits by pydantic's names."""
    return field(default=default, metadata=limits)
