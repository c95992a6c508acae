"""What the sections of a configuration share: strictness, numbers, names, and where an error is."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from codebreaker.constants import STRICT
from codebreaker.errors import CodebreakerError

REFUSED = "refused_by_codebreaker"
"""Pydantic's type for the errors that `at_key` makes."""


class Section(BaseModel):
    """A section of the configuration; unknown keys, infinity and NaN are refused."""

    model_config = STRICT


@contextmanager
def at_key(*keys: str | int) -> Iterator[None]:
    """Within a validator, say where a `CodebreakerError` belongs.

    Pydantic collects the errors of validators if they are its own, and puts the keys that lead to
    the validated value before `keys`, which lead on from there.

    Raises:
        ValidationError: The block raised a `CodebreakerError`; it has the same message and setting.
    """
    try:
        yield
    except CodebreakerError as error:
        context = {"message": str(error), "setting": error.setting}
        refusal = PydanticCustomError(REFUSED, "{message}", context)
        details = InitErrorDetails(type=refusal, loc=keys, input=None)
        raise ValidationError.from_exception_data("configuration", [details]) from None


Count = Annotated[int, Field(ge=1, le=10**6)]

Seed = Annotated[int, Field(ge=0, lt=2**63)]

Seconds = Annotated[float, Field(gt=0, le=10**7)]

Opening = Annotated[str, Field(coerce_numbers_to_str=True)]
"""A code or word; YAML reads a code without quotes as a number."""


def _check_name(name: str) -> str:
    """Return a name that can be part of file names and rule names; raise `ValidationError`."""
    with at_key():
        if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            raise CodebreakerError("a name consists of lower-case letters, digits and hyphens")
    return name


Name = Annotated[str, AfterValidator(_check_name)]
"""A name that is part of file names."""

Model = Annotated[Name, Field(description="model")]


class Steps(Section):
    """Equally spaced numbers."""

    low: float = Field(default=0.0, ge=0, le=8)
    high: float = Field(default=4.0, ge=0, le=8)
    step: float = Field(default=0.1, ge=0.001, le=8)

    @model_validator(mode="after")
    def _ascend(self) -> Self:
        """Raise ValueError if `low` is above `high`."""
        if self.low > self.high:
            raise ValueError(f"low {self.low:g} must not be above high {self.high:g}")
        return self

    @property
    def numbers(self) -> list[float]:
        """Return the numbers in ascending order."""
        steps = int((self.high - self.low) / self.step + 1e-9)
        return [round(self.low + i * self.step, 6) for i in range(steps + 1)]
