"""Files that are whole or not there."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path that becomes `path` at the end, or vanishes if the block fails."""
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


def cache_folder() -> Path:
    """Return the folder among the user's caches for what may be deleted at any time."""
    caches = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(caches)) / "codebreaker"  # noqa: PTH111


def write_text(path: str | Path, text: str) -> None:
    """Write a text file whole, in UTF-8, ended by one newline."""
    with atomic_write(path) as draft:
        draft.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
