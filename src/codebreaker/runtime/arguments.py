"""Arguments of the library's functions: a wrong one is explained in one line."""

import os
import re
from collections.abc import Callable, Iterator
from functools import wraps
from inspect import Signature, formatannotation, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

import numpy as np

from codebreaker.errors import CodebreakerError, nearest, shortened

Function = TypeVar("Function", bound=Callable[..., Any])
MODULE = re.compile(r"\b([a-z_]+\.)+(?=[A-Z])")
LONGEST_VALUE = 80
LIKE_A_PARAMETER = 0.7
"""Minimum likeness of an unknown argument and the one that it is taken for, from 0 to 1."""

PLAIN = {bool, int, float, str, NoneType}
"""Types that are checked at each call; others are checked if the function fails."""


def explained(function: Function) -> Function:
    """Return a function that raises `CodebreakerError` for a wrong argument.

    Numbers, truth values and texts are checked at each call, whether or not the function would read
    them, and NumPy's become Python's. Other types are checked where the function fails. Other
    errors, such as a user's own, are left as they are.
    """
    parameters = signature(function).parameters
    plain = {name: _plain_types(item.annotation) for name, item in parameters.items()}
    several = [name for name, item in parameters.items() if item.kind is item.VAR_POSITIONAL]

    def checked(name: str, value: Any) -> Any:  # noqa: ANN401
        """Return an argument as Python's own type, or raise for a wrong one."""
        if not plain.get(name):
            return value
        # Compiled code is specialised to types, and a cached specialisation to int8 crashes.
        value = value.item() if isinstance(value, np.generic) else value
        if not _is_of(value, plain[name]):
            raise _wrong_type(function, name, value)
        return value

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401
        names = [*parameters, *several * (len(given) - len(parameters))]
        given = *map(checked, names, given), *given[len(names) :]
        named = {name: checked(name, value) for name, value in named.items()}
        try:
            return function(*given, **named)
        except CodebreakerError:
            raise
        except Exception:
            _check_types(function, given, named)
            raise

    return cast("Function", call)


def _plain_types(annotation: Any) -> set[type]:  # noqa: ANN401
    """Return the types that an annotation allows, none unless all are plain."""
    alternatives = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    types = set[type]()
    for kind in alternatives:
        is_literal = get_origin(kind) is Literal
        types |= {type(value) for value in get_args(kind)} if is_literal else {kind}
    return types if types <= PLAIN else set()


def _is_of(value: object, types: set[type]) -> bool:
    """Return whether a value is of one of the types; integers that fit may stand for floats."""
    if isinstance(value, bool):
        return bool in types
    if isinstance(value, int) and int not in types and float in types:
        try:
            float(value)
        except OverflowError:
            return False
        return True
    return isinstance(value, tuple(types))


def _check_types(
    function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Raise `CodebreakerError` for the first argument of another type than annotated, if any.

    So does a text that can't be the name of a file.
    """
    from pydantic import ConfigDict, TypeAdapter, ValidationError  # slow to import

    called = function.__qualname__.removesuffix(".__init__")
    kinds = signature(function)
    config = ConfigDict(arbitrary_types_allowed=True, strict=True)
    try:
        arguments = kinds.bind(*given, **named).arguments
    except TypeError as why:
        unknown = [name for name in named if name not in kinds.parameters]
        near = nearest(unknown[0], kinds.parameters, LIKE_A_PARAMETER) if unknown else None
        hint = f": did you mean {near!r}?" if near else ""
        if not unknown and str(why).startswith("too many"):
            hint = f": they are {_positional(kinds)}"
        raise CodebreakerError(f"{called}: {why}{hint}") from None
    for name, value in arguments.items():
        parameter = kinds.parameters[name]
        kind = parameter.annotation
        if kind is kinds.empty or parameter.kind is parameter.VAR_POSITIONAL:
            kind = Any  # self has none; the latter are plain and were checked
        plain = value.item() if isinstance(value, np.generic) else value
        try:
            checked = TypeAdapter(kind, config=config).validate_python(plain)
            if isinstance(checked, Iterator):
                list(checked)
        except ValidationError as why:
            raise _wrong_type(function, name, why.errors()[0]["input"]) from None
        if isinstance(plain, str | Path) and not _can_name_a_file(plain):
            text = shortened(ascii(str(plain)), LONGEST_VALUE)
            raise CodebreakerError(f"{called}: {name} can't be {text}: no file has such a name")


def _positional(kinds: Signature) -> str:
    """Return the names of the arguments that need no name."""
    names = [
        name
        for name, parameter in kinds.parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and name != "self"
    ]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _can_name_a_file(text: str | Path) -> bool:
    """Return whether a file may have a text as its name: without zeros and halves of characters."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _wrong_type(function: Callable[..., Any], name: str, value: object) -> CodebreakerError:
    """Return the error for an argument of another type than the annotated one."""
    called = function.__qualname__.removesuffix(".__init__")
    wanted = MODULE.sub("", formatannotation(signature(function).parameters[name].annotation))
    wrong = shortened(_text_of(value), LONGEST_VALUE)
    return CodebreakerError(
        shortened(f"{called}: {name} can't be {wrong}, as its type is {wanted}")
    )


def _text_of(value: object) -> str:
    """Return a value as text, for a message."""
    try:
        return repr(value)
    except ValueError:  # an integer of too many digits
        return f"a {type(value).__name__} that can't be written"
