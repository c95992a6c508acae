"""Digests of the workflow's files: a file that has changed since its job wrote it is refused.

They lie beside the results, those of `results/a/b.csv` in `results/.digests/a/b.csv`. Files without
a digest, such as configuration and word lists, are not checked.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from codebreaker.errors import DamagedFileError
from codebreaker.files import CHANGED, checked_read, write_text

FOLDER = ".digests"


def check_digests(paths: Iterable[str | Path]) -> None:
    """Raise `DamagedFileError` for a file that is not as its job wrote it."""
    for path in _files(paths):
        with suppress(OSError):
            recorded = record_of(path).read_text(encoding="utf-8", errors="replace").strip()
            if recorded != _digest(path):
                raise DamagedFileError(path, CHANGED)


def record_digests(paths: Iterable[str | Path]) -> None:
    """Record what a job has written."""
    for path in _files(paths):
        write_text(record_of(path), _digest(path))


def record_of(path: Path) -> Path:
    """Return the file that holds a file's digest."""
    if path.is_absolute():
        return path.parent / FOLDER / path.name
    return Path(path.parts[0], FOLDER, *path.parts[1:])


def _files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """Yield the files among paths and in folders among them, each of them sorted."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(one for one in path.rglob("*") if one.is_file())
        elif path.is_file() and len(path.parts) > 1:
            yield path


def _digest(path: Path) -> str:
    with checked_read(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
