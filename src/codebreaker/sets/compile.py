"""The CPU compiler; machine code is cached on disk until any kernel changes.

Numba's cache notices changes only in a function's own file, not in the files of the functions it
calls, so the cache folder is named by a hash of all kernel sources. Each file ends in a digest: a
damaged or foreign one is not loaded. A function may call itself; but where compiled functions call
each other in a cycle, a cached one lacks the others and crashes: all but one of the cycle must be
inlined (`inline="always"`).

A call with a constant, or a variable that starts as one, compiles a version of its own for it:
`np.int64(0)` as the start avoids this where the function is large.
"""

import hashlib
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.event import Event, Listener, register

from codebreaker import progress
from codebreaker.files import cache_folder, is_own

log = logging.getLogger("codebreaker")

DIGEST_SIZE = 32

_told: set[str] = set()


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """A function's index and machine code; pickles ignore the digest that follows them."""

    def _load_index(self) -> Any:  # noqa: ANN401
        return super()._load_index() if _is_whole(Path(self._index_path)) else {}

    def _load_data(self, name: str) -> Any:  # noqa: ANN401
        if not _is_whole(Path(self._data_path(name))):
            raise FileNotFoundError(name)  # counts as not cached
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BytesIO]:
        buffer = BytesIO()
        yield buffer
        content = buffer.getvalue()
        with super()._open_for_write(filepath) as file:
            file.write(content + hashlib.sha256(content).digest())


class KernelCache(FunctionCache):  # type: ignore[misc]
    """A function's cache; if it can't be written to, each process compiles the function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = SealedFiles(self._cache_path, self._impl.filename_base, stamp)

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401
        """Save a compiled function if that is possible."""
        try:
            super().save_overload(sig, data)
        except OSError as why:
            _tell("compiled code can't be kept (%s): it is compiled again each time", why)


def enable_cache(function: Any, python: Callable[..., Any]) -> Any:  # noqa: ANN401
    """Let a compiled function use the cache, if there is a folder for it; return the function."""
    if hasattr(function, "enable_caching"):
        with suppress(RuntimeError, OSError):  # no folder can be written to
            function._cache = KernelCache(python)
    return function


def _is_whole(path: Path) -> bool:
    """Return whether a file is of this user and ends in its digest; remove one that is not."""
    try:
        with path.open("rb") as file:
            status, content = os.fstat(file.fileno()), file.read()
    except OSError:
        return False
    digest = hashlib.sha256(content[:-DIGEST_SIZE]).digest()
    if is_own(status) and content[-DIGEST_SIZE:] == digest:
        return True
    _tell("%s is damaged or of another user: it is compiled again", path)
    with suppress(OSError):
        path.unlink()
    return False


def _tell(message: str, detail: object) -> None:
    """Warn once of each kind of trouble."""
    if message not in _told:
        _told.add(message)
        log.warning(message, detail)


def _folder() -> Path:
    """Return the folder of cached machine code, in NUMBA_CACHE_DIR or the user's cache folder."""
    package = Path(__file__).parent.parent
    sources = [*package.glob("sets/*.py"), *package.rglob("kernels/*.py")]
    text = b"".join(path.read_bytes() for path in sorted(sources)) + numba.__version__.encode()
    base = os.environ.get("NUMBA_CACHE_DIR") or cache_folder()
    return Path(os.path.expanduser(base)) / hashlib.sha256(text).hexdigest()[:16]  # noqa: PTH111


class _FirstCompilation(Listener):  # type: ignore[misc]
    """Tells that code is compiled, once; code from the cache isn't."""

    told = False

    def on_start(self, event: Event) -> None:
        """Tell it, if anyone listens."""
        if progress.tell_of_compiling is not None and not self.told:
            self.told = True
            progress.tell_of_compiling()

    def on_end(self, event: Event) -> None:
        """Do nothing."""


register("numba:compile", _FirstCompilation())
numba.config.CACHE_DIR = str(_folder())


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:  # noqa: ANN401
    """Compile a function, or return a decorator with options; machine code is cached.

    It can't be passed to another compiled function as a value, for which no wrapper is made.
    """
    if function is None:
        return partial(njit, **options)
    return enable_cache(numba.njit(no_cfunc_wrapper=True, **options)(function), function)


inner = partial(njit, nogil=True, no_cpython_wrapper=True)
"""Compile a function that compiled functions alone may call, without the wrapper for Python.

This takes less time. A call from Python would crash, so its name begins with an underscore, and a
test looks for uses outside kernels.
"""


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
