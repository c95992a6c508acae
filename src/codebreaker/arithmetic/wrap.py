"""One arithmetic for every backend: plain functions, compiled by whichever compiler is given."""

from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any


def compiled(module: ModuleType, compiler: Callable[[Any], Any]) -> SimpleNamespace:
    """Return a module's functions, compiled, and calling each other's compiled form.

    A function may call those that stand above it in the module.
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
