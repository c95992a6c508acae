"""Numba's cache on disk, with a digest of each file: a damaged or foreign one is not loaded."""

import hashlib
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from codebreaker.files import is_own

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
