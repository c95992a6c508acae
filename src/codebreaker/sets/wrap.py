"""One arithmetic for all backends: plain functions, compiled by any given compiler."""

from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any


def compiled(module: ModuleType, compiler: Callable[[Any], Any]) -> SimpleNamespace:
    """Compile a module's functions so that they call each other's compiled form.

    A function may call those defined above it in the module.
    """
    scope = dict(vars(module))
    names = [
        name
        for name, value in scope.items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]
    for name in names:
        plain = scope[name]
        scope[name] = compiler(FunctionType(plain.__code__, scope, name, plain.__defaults__))
    return SimpleNamespace(**{name: scope[name] for name in names})
