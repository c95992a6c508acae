"""User caches, which may be deleted at any time; damaged or foreign files count as missing."""

import logging
import os
import stat
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codebreaker.errors import shortened
from codebreaker.files import UNREADABLE, atomic_write
from codebreaker.runtime.seals import UNSEALED, check_seal, seal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

ROOT_USER = 0
"""The user id of root."""

log = logging.getLogger("codebreaker")

_warned: set[Path] = set()
"""Folders that a warning was logged about."""


class Cache:
    """A cache folder of up to `most_files` files; the least recently used ones are deleted.

    A file is its name, its content, and a seal. Without the seal, a file that a crash cut short
    would count as complete; without the name, one that was copied over another. Without the test of
    who owns the folder, other users of the computer could put results, or compiled code, in its
    place.
    """

    def __init__(self, folder: Path, most_files: int | None = None) -> None:
        self.folder = folder
        self._most_files = most_files

    def read(self, name: str) -> bytes | None:
        """Return a file's content, or None if it is missing or can't be trusted."""
        path = self.folder / name
        if not self.folder.exists() or not self._is_private():
            return None
        try:
            with path.open("rb") as file:
                status = os.fstat(file.fileno())
                sealed = file.read()
        except OSError:
            return None
        content = self._content_of(name, sealed)
        if not _is_own(status) or content is None:
            warn_once(self.folder, f"{path} is damaged or of another user: it is made again")
            with suppress(OSError):
                path.unlink()
            return None
        if self._most_files is not None:
            with suppress(OSError):
                path.touch()  # the time of the last use
        return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file, or raise `OSError`; one that a crash cuts short is made again."""
        make_private(self.folder)
        if not self._is_private():
            raise PermissionError(f"{self.folder} or a folder above it belongs to another user")
        with atomic_write(self.folder / name, durable=False) as temporary:
            temporary.chmod(0o600)  # others may not write it, whatever the umask
            temporary.write_bytes(seal(self._head(name) + content + UNSEALED))
        # Other processes may delete files at the same time.
        if self._most_files is not None:
            files = [path for path in self.folder.iterdir() if path.is_file()]
            for path in sorted(files, key=_last_use)[: -self._most_files]:
                path.unlink(missing_ok=True)

    def _head(self, name: str) -> bytes:
        """Return what a file begins with: the names of its folder and of itself."""
        return f"{self.folder.name}/{name}\0".encode()

    def _content_of(self, name: str, sealed: bytes) -> bytes | None:
        """Return the content of a file's bytes, or None if they changed or are another file's."""
        head = self._head(name)
        try:
            check_seal(sealed)
        except ValueError:
            return None
        if not sealed.startswith(head):
            return None
        return sealed[len(head) : -len(UNSEALED)]

    def _is_private(self) -> bool:
        """Return whether the folder can be trusted, and warn of one that can't."""
        private = is_private(self.folder)
        if not private:
            warn_once(
                self.folder,
                f"{self.folder} is not used as a cache, as others could change it: set "
                "XDG_CACHE_HOME to a folder of your own",
            )
        return private

    def read_arrays(self, name: str) -> "dict[str, NDArray[np.generic]] | None":
        """Return a file's arrays, or None as `read`."""
        import numpy as np

        content = self.read(name)
        try:
            with np.load(BytesIO(content or b""), allow_pickle=False) as parts:
                return {name: parts[name] for name in parts.files}
        except UNREADABLE:
            return None

    def write_arrays(self, name: str, **arrays: "ArrayLike") -> None:
        """Write arrays, or raise `OSError`."""
        import numpy as np

        content = BytesIO()
        named: Any = {name: np.asarray(array) for name, array in arrays.items()}
        np.savez(content, **named)
        self.write(name, content.getvalue())


def cache_folder() -> Path:
    """Return the user's cache folder, created for this user alone if possible."""
    try:
        from platformdirs import user_cache_path
    except ModuleNotFoundError:  # benchmarks/check_device.py runs without most requirements
        path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "codebreaker"
    else:
        path = user_cache_path("codebreaker", appauthor=False)
    with suppress(OSError):
        make_private(path)
    return path


def make_private(folder: Path) -> None:
    """Make a folder and its missing parents for this user alone, or raise `OSError`."""
    if not folder.exists():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def is_private(folder: Path) -> bool:
    """Return whether only this user and root can choose what a folder's files contain.

    The folder has to be the user's and not a link. So do its parents, up to the first one that is
    root's: who can rename a parent can put another folder in its place.
    """
    if not hasattr(os, "getuid"):  # Windows protects a user's folders itself
        return folder.is_dir()
    path = folder.absolute()
    try:
        if not _is_own(path.lstat()) or not stat.S_ISDIR(path.lstat().st_mode):
            return False
        # A link among the parents is as safe as the folder that it is in and the one it leads to.
        return _are_private(path) and _are_private(path.resolve(strict=True))
    except OSError:
        return False


def _are_private(path: Path) -> bool:
    """Return whether the parents of a path are the user's, up to the first one of root's."""
    user = os.getuid()
    for parent in path.parents:
        status = parent.lstat()
        if status.st_uid not in (user, ROOT_USER):
            return False
        if stat.S_ISLNK(status.st_mode):
            continue  # its mode says nothing, and its target is checked as part of the real path
        # In a sticky folder, such as /tmp, others can't rename what isn't theirs.
        if status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX:
            return False
        if status.st_uid == ROOT_USER and user != ROOT_USER:
            return True
    return True


def _is_own(status: os.stat_result) -> bool:
    """Return whether a file is the user's, and not writable for everybody."""
    is_users = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return is_users and not status.st_mode & stat.S_IWOTH


def warn_once(folder: Path, message: str) -> None:
    """Warn about a folder, once per process."""
    if folder not in _warned:
        _warned.add(folder)
        log.warning("%s", shortened(message))


def _last_use(path: Path) -> float:
    """Return when a file was last used, in seconds; 0 if another process deleted it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
