"""Atomic file writes and checked reads."""

import logging
import os
import secrets
import stat
import tomllib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from codebreaker.errors import CodebreakerError, DamagedFileError, shortened
from codebreaker.runtime.forks import check_tables
from codebreaker.runtime.seals import (
    METADATA,
    UNSEALED,
    check_seal,
    check_seal_of_file,
    seal,
    seal_end,
)

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import ArrayLike, NDArray

log = logging.getLogger("codebreaker")

Model = TypeVar("Model")

DATA = Path(__file__).parent / "data"

UNREADABLE: tuple[type[Exception], ...] = (
    OSError, ValueError, LookupError, AttributeError, TypeError, EOFError, RuntimeError,
    MemoryError, OverflowError,
)  # fmt: skip
"""Errors on reading a damaged file."""

OF_POLARS = ("polars.exceptions", "pyo3_runtime")
"""Modules of polars' errors, for readers that don't import polars."""

UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)
"""How a text in UTF-16 begins."""

DENSE = 19  # the zstd level of parquet files, which makes trees a fifth smaller
TEMPORARY = ".temporary-"


@contextmanager
def atomic_write(path: str | Path, durable: bool = True) -> Iterator[Path]:
    """Yield a temporary file that replaces `path` once it is (durably) on disk, or is removed."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{TEMPORARY}{secrets.token_hex(4)}-{path.name}")
    temporary.touch(exist_ok=False)
    try:
        yield temporary
        if durable:
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def remove_temporary_files(folder: str | Path) -> None:
    """Remove temporary files that killed processes left in a folder; nothing may be writing."""
    for temporary in Path(folder).rglob(f"{TEMPORARY}*"):
        temporary.unlink(missing_ok=True)


def write_arrays(path: str | Path, compressed: bool = True, **arrays: "ArrayLike") -> None:
    """Write arrays to a sealed `.npz` file; the same arrays give the same bytes."""
    import zipfile

    import numpy as np

    named: dict[str, Any] = {name: np.asarray(array) for name, array in arrays.items()}
    with atomic_write(path) as temporary:
        (np.savez_compressed if compressed else np.savez)(temporary, **named)
        with zipfile.ZipFile(temporary, "a") as archive:
            archive.comment = UNSEALED  # the comment is the end of the file
        seal_end(temporary)


def read_arrays(path: str | Path) -> "dict[str, NDArray[np.generic]]":
    """Read a file of `write_arrays`; raise `DamagedFileError` if it has changed."""
    import numpy as np

    with checked_read(path):
        check_seal_of_file(Path(path))
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as parts:
            return {name: parts[name] for name in parts.files}


def read_resumed(path: Path, identity: str) -> "dict[str, Any] | None":
    """Return the arrays of a run to resume; None if set aside as damaged or of another one."""
    if not path.exists():
        return None
    why = "it belongs to other settings"
    try:
        parts: dict[str, Any] = read_arrays(path)
        if str(parts.pop("identity", "")) == identity:
            return parts
    except DamagedFileError as error:
        why = f"it is damaged: {error.__cause__}"
    set_aside(path, why)
    return None


def set_aside(path: Path, why: str) -> None:
    """Rename a checkpoint that can't be used, with a warning; replace none set aside before."""
    aside = path.with_name(path.name + ".set-aside")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.set-aside-{number}")
    path.replace(aside)
    log.warning("checkpoint %s is set aside as %s: %s", path, aside.name, why)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file atomically, in UTF-8, ending in one newline."""
    with atomic_write(path) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def write_frame(frame: "pl.DataFrame", path: str | Path) -> None:
    """Write a table atomically, as CSV or as parquet by the file's suffix.

    In CSV texts are quoted and numbers are not, so that readers can tell the code 0123 from 123.
    """
    with atomic_write(path) as temporary:
        if temporary.suffix == ".csv":
            temporary.write_text(frame.write_csv(quote_style="non_numeric"), encoding="utf-8")
        else:
            temporary.write_bytes(frame_to_bytes(frame))


def read_frame(path: str | Path, schema: "Mapping[str, Any] | None" = None) -> "pl.DataFrame":
    """Read a parquet table; raise `DamagedFileError` if it or its schema has changed."""
    import polars as pl

    with checked_read(path):
        frame = pl.read_parquet(BytesIO(read_sealed(path)))
        if schema is not None and frame.schema != pl.Schema(schema):
            raise ValueError(f"its columns are not {', '.join(schema)}")
    return frame


def frame_to_bytes(frame: "pl.DataFrame", **metadata: str) -> bytes:
    """Return a table as sealed parquet with metadata; errors as for `check_tables`."""
    check_tables("a table's file")
    content = BytesIO()
    frame.write_parquet(content, compression_level=DENSE, metadata=METADATA | metadata)
    return seal(content.getvalue())


def read_sealed(path: str | Path) -> bytes:
    """Return a sealed file's bytes; raise `ValueError` if they have changed."""
    content = Path(path).read_bytes()
    check_seal(content)
    return content


@contextmanager
def checked_read(path: str | Path) -> Iterator[None]:
    """Raise `DamagedFileError` with the file's name if the block can't read it."""
    try:
        yield
    except BaseException as why:
        if isinstance(why, UNREADABLE) or type(why).__module__ in OF_POLARS:
            raise DamagedFileError(path, why) from why
        raise


@contextmanager
def open_given(
    path: str | Path, kind: str = "", remedy: str = "name a file"
) -> Iterator[IO[bytes]]:
    """Yield a user's file; raise `CodebreakerError` if it can't be read.

    A pipe that a program writes to is read to its end; one that nothing writes to is refused.
    """

    def open_at_once(name: str, flags: int) -> int:
        # Without this flag, opening a named pipe waits for a writer, perhaps forever.
        descriptor = os.open(name, flags | getattr(os, "O_NONBLOCK", 0))
        os.set_blocking(descriptor, True)
        return descriptor

    try:
        # A number would be taken for a descriptor, and closed: a path refuses it.
        with open(Path(path), "rb", opener=open_at_once) as file:
            if stat.S_ISFIFO(os.fstat(file.fileno()).st_mode) and not file.peek(1):
                why = f"{kind}{path} is a pipe, and nothing writes to it: {remedy}"
                raise CodebreakerError(why)
            yield file
    except OSError as why:
        reason = why.strerror or type(why).__name__
        name = shortened(str(path))
        raise CodebreakerError(f"{kind}{name} can't be read ({reason}): {remedy}") from None


def read_given(
    path: str | Path, most_mib: int, kind: str = "", remedy: str = "name a file"
) -> bytes:
    """Return a user's file; raise `CodebreakerError` if it can't be read or is too large."""
    with open_given(path, kind, remedy) as file:
        content = file.read(most_mib * 2**20 + 1)
    if len(content) > most_mib * 2**20:
        raise CodebreakerError(f"{kind}{path} is larger than {most_mib} MiB: name a smaller file")
    return content


def in_utf8(content: bytes) -> bytes:
    """Return a text in UTF-8 if it is in UTF-16, as Windows programs save it; others as they are.

    A text in UTF-16 is recognised by its byte order mark.
    """
    if not content.startswith(UTF_16):
        return content
    try:
        return content.decode("utf-16").encode()
    except UnicodeDecodeError:
        return content


def read_toml(path: Path) -> dict[str, Any]:
    """Read TOML that comes with the package."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def read_json(path: str | Path, model: type[Model]) -> Model:
    """Read JSON as a type, such as a pydantic model; raise `DamagedFileError` if it is invalid."""
    from pydantic import TypeAdapter  # slow to import, and few commands read JSON

    with checked_read(path):
        return TypeAdapter(model).validate_json(Path(path).read_bytes())
