"""Atomic file writes, checked reads, and the user's cache folder."""

import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import platformdirs

from codebreaker.errors import DamagedFileError

if TYPE_CHECKING:
    import polars as pl

Model = TypeVar("Model")

DATA = Path(__file__).parent / "data"
"""The folder of the package's data."""

UNREADABLE: tuple[type[Exception], ...] = (
    OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""Errors on reading a damaged file; pydantic's are ValueErrors."""


@contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path, which replaces `path` at the end or is removed on failure."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        draft.chmod(0o644)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file atomically, in UTF-8, ending in one newline."""
    with atomic_write(path) as draft:
        draft.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def write_frame(frame: "pl.DataFrame", path: str | Path) -> None:
    """Write a table atomically, as CSV or as parquet by the file's suffix."""
    with atomic_write(path) as draft:
        if draft.suffix == ".csv":
            frame.write_csv(draft)
        else:
            frame.write_parquet(draft)


@contextmanager
def checked_read(path: str | Path, *others: type[Exception]) -> Iterator[None]:
    """Raise `DamagedFileError` with the file's name if the block can't read it.

    `others` are errors of the reading library, such as polars' `PolarsError`.
    """
    try:
        yield
    except UNREADABLE + others as why:
        raise DamagedFileError(path, why) from why


def read_json(path: str | Path, model: type[Model]) -> Model:
    """Read JSON as a pydantic model or another type; raise `DamagedFileError` if it is invalid."""
    from pydantic import TypeAdapter  # slow to import, and few commands read JSON

    with checked_read(path):
        return TypeAdapter(model).validate_json(Path(path).read_bytes())


def cache_folder() -> Path:
    """Return the user's cache folder; its files may be deleted at any time."""
    return platformdirs.user_cache_path("codebreaker", appauthor=False)
