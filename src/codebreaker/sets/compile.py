"""The CPU compiler; machine code is cached on disk until any kernel changes.

Numba's cache notices changes only in a function's own file, not in the files of the functions it
calls, so the cache folder is named by a hash of all kernel sources. A function may call itself; but
where compiled functions call each other in a cycle, a cached one lacks the others and crashes: all
but one of the cycle must be inlined (`inline="always"`).

A call with a constant, or a variable that starts as one, compiles a version of its own for it:
`np.int64(0)` as the start avoids this where the function is large.
"""

import hashlib
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba.core.event import Event, Listener, register

from codebreaker import progress
from codebreaker.files import cache_folder
from codebreaker.sets.cache import enable_cache


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
