"""Arguments of the library's functions: a wrong one is explained in one line."""

import re
from collections.abc import Callable, Iterator
from functools import wraps
from inspect import formatannotation, signature
from typing import Any, TypeVar, cast

import numpy as np

from codebreaker.errors import CodebreakerError, shortened

Function = TypeVar("Function", bound=Callable[..., Any])
MODULE = re.compile(r"\b([a-z_]+\.)+(?=[A-Z])")
LONGEST_VALUE = 80


def explained(function: Function) -> Function:
    """Return a function that raises `CodebreakerError` where it fails for a wrong argument.

    Other errors, such as a user's own, are left as they are.
    """

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401
        try:
            return function(*given, **named)
        except CodebreakerError:
            raise
        except Exception:
            _check_types(function, given, named)
            raise

    return cast("Function", call)


def _check_types(
    function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    from pydantic import ConfigDict, TypeAdapter, ValidationError  # slow to import

    called = function.__qualname__.removesuffix(".__init__")
    kinds, config = signature(function), ConfigDict(arbitrary_types_allowed=True, strict=True)
    try:
        arguments = kinds.bind(*given, **named).arguments
    except TypeError as why:
        raise CodebreakerError(f"{called}: {why}") from None
    for name, value in arguments.items():
        kind = kinds.parameters[name].annotation
        kind = Any if kind is kinds.empty else kind  # self has none
        plain = value.item() if isinstance(value, np.generic) else value
        try:
            checked = TypeAdapter(kind, config=config).validate_python(plain)
            if isinstance(checked, Iterator):
                list(checked)
        except ValidationError as why:
            wrong = shortened(repr(why.errors()[0]["input"]), LONGEST_VALUE)
            wanted = MODULE.sub("", formatannotation(kind))
            message = f"{called}: {name} can't be {wrong}, as its type is {wanted}"
            raise CodebreakerError(shortened(message)) from None
