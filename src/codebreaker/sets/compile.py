"""The CPU compiler; machine code is cached on disk until a source that it depends on changes.

Numba's cache notices changes only in a function's own file, so folders are named by a digest of the
module, its imports and the functions given.

Of functions that call each other in a cycle, all but one must be inlined (`inline="always"`), as a
cached one would crash. A constant argument compiles a version for it; `np.int64(0)` avoids this.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba.core import caching
from numba.core.dispatcher import Dispatcher
from numba.core.event import Event, Listener, register
from numba.core.runtime import rtsys

from codebreaker.runtime import progress
from codebreaker.runtime.caches import Cache, cache_folder, warn_once
from codebreaker.runtime.sources import digest_of


class _Compilation(Listener):  # type: ignore[misc]
    """Notifies the listener when code is compiled rather than loaded from the cache."""

    depth = 0

    def on_start(self, event: Event) -> None:
        """Notify of the start."""
        if progress.tell_of_compiling is not None and self.depth == 0:
            progress.tell_of_compiling(True)
        self.depth += 1

    def on_end(self, event: Event) -> None:
        """Notify of the end."""
        self.depth -= 1
        if progress.tell_of_compiling is not None and self.depth == 0:
            progress.tell_of_compiling(False)


register("numba:compile", _Compilation())

_in_python = ContextVar("in_python", default=False)


@contextmanager
def uncompiled() -> Iterator[None]:
    """Run functions in Python if their machine code isn't cached: for little work."""
    token = _in_python.set(True)
    try:
        with np.errstate(over="ignore"):  # as in machine code
            yield
    finally:
        _in_python.reset(token)


def _first_call(function: Any, prepare: Callable[..., Any], *args: Any) -> Any:  # noqa: ANN401
    if _in_python.get() and not _is_cached(function):
        return function.py_func
    return prepare(*args)


@cache
def _is_cached(function: Any) -> bool:  # noqa: ANN401
    return bool(function._cache._cache_file._load_index())


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:  # noqa: ANN401
    """Compile a function, or return a decorator; the function can't be passed as a value."""
    if function is None:
        return partial(njit, **options)
    compiled = numba.njit(no_cfunc_wrapper=True, **options)(function)
    if hasattr(compiled, "enable_caching"):  # which it lacks where compilation is turned off
        with suppress(OSError):  # no file has its source
            compiled._cache = _MachineCode(function)
        # Numba calls this for new types of arguments, and then calls its result.
        compiled._compile_for_args = partial(_first_call, compiled, compiled._compile_for_args)
    return compiled


inner = partial(njit, nogil=True, no_cpython_wrapper=True)
"""Compile faster, without a wrapper for Python: a call from it crashes, so names begin with _."""


def compiled(module: ModuleType, compiler: Callable[[Any], Any]) -> SimpleNamespace:
    """Compile a module's functions; each calls the compiled form of earlier ones."""
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


def specialised(name: str, functions: Sequence[Any], own: dict[str, Any]) -> SimpleNamespace:
    """Compile functions that call a module's `own` ones of equal names, cached under the name."""
    scope = functions[0].py_func.__globals__.copy()
    mine = {k: f for k, f in own.items() if isinstance(f, Dispatcher)}
    replaced = {k: f for k, f in mine.items() if f is not scope.get(k, f)}
    scope |= replaced
    for function in functions:
        plain = function.py_func
        again = FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__)
        again.__qualname__ = f"{plain.__qualname__}_{name}"
        again.__dict__["replaced"] = tuple(replaced.values())
        ours = {"nopython", "no_cfunc_wrapper"}
        options = {k: v for k, v in function.targetoptions.items() if k not in ours}
        scope[plain.__name__] = njit(again, **options)
    return SimpleNamespace(**{f.py_func.__name__: scope[f.py_func.__name__] for f in functions})


class _Place(caching._CacheLocator):  # type: ignore[misc]
    """The place of a function's code: in NUMBA_CACHE_DIR or the user's cache folder."""

    def __init__(self, function: Callable[..., Any]) -> None:
        base = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder() / "code").expanduser()
        own = Path(function.__code__.co_filename)
        self._folder = base / f"{own.stem}-{digest_of(*_files_of(function))}"
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> "_Place":
        """Return a function's place."""
        return cls(function)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Make the folder, writable only for this user."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().ensure_cache_path()

    def get_source_stamp(self) -> str:
        """Return the sources' name."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """Return the line, as names may repeat."""
        return str(self._line)


class _Reduced(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Place]  # noqa: RUF012


class _SealedFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
    """A function's index and machine code; pickles ignore the digest at the end."""

    def __init__(self, folder: str, name: str, stamp: str) -> None:
        super().__init__(folder, name, stamp)
        self._files = Cache(Path(folder))

    def _load_index(self) -> Any:  # noqa: ANN401
        return super()._load_index() if self._has(self._index_name) else {}

    def _load_data(self, name: str) -> Any:  # noqa: ANN401
        if not self._has(name):
            raise FileNotFoundError(name)  # counts as not cached
        return super()._load_data(name)

    def _has(self, name: str) -> bool:
        return self._files.read(name) is not None

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BytesIO]:
        buffer = BytesIO()
        yield buffer
        self._files.write(Path(filepath).name, buffer.getvalue())


class _MachineCode(caching.FunctionCache):  # type: ignore[misc]
    """A function's cache; if it can't be written, each process compiles the function."""

    _impl_class = _Reduced

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _SealedFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401
        """Load a compiled function, or None, without Numba's slow preparation for compiling."""
        rtsys.initialize(target_context)  # all that loaded code needs
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401
        """Save a function if possible."""
        try:
            super().save_overload(sig, data)
        except OSError as why:
            message = f"compiled code can't be cached ({why}): it is compiled again each time"
            warn_once(Path(self._cache_path).parent, message)


def _files_of(function: Callable[..., Any]) -> list[Path]:
    seen, pending = list[Any](), [function]
    while pending:
        one = pending.pop()
        one = getattr(one, "py_func", one)
        if isinstance(one, FunctionType) and one not in seen:
            seen.append(one)
            pending += getattr(one, "replaced", ())
            for cell in one.__closure__ or ():
                with suppress(ValueError):  # a cell may still be empty
                    pending.append(cell.cell_contents)
    return sorted({Path(one.__code__.co_filename) for one in seen})
