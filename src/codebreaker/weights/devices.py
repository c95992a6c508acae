"""One CUDA device per job: the one assigned to it, or one that it claims with a lock file."""

import os
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from codebreaker.caches import cache_folder, is_own_folder
from codebreaker.errors import CodebreakerError

_claims: dict[int, FileLock] = {}


def claim(uuids: Sequence[str], folder: Path | None = None) -> int:
    """Return the index of a CUDA device that no other job uses until this process ends.

    `uuids` are those of the visible devices. A single device in CUDA_VISIBLE_DEVICES was assigned
    by a scheduler or the user, and needs no lock. Of several, the first free one is claimed, by its
    UUID: jobs may see the same device under different indices. Locks are kept in the user's cache
    folder unless `folder` is given. Further calls return the same device.

    Raises `CodebreakerError` if other jobs use all devices, or if no lock file can be opened.
    """
    if _claims:
        return next(iter(_claims))
    if len(uuids) == 1 and os.environ.get("CUDA_VISIBLE_DEVICES"):
        return 0
    folder = folder or cache_folder() / "devices"
    failure: Exception | None = None
    for device, uuid in enumerate(uuids):
        lock = FileLock(folder / f"{uuid}.lock")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_own_folder(folder):
                raise PermissionError(f"{folder} is no folder of this user's own")
            lock.acquire(timeout=0)
        except Timeout:
            continue
        except (OSError, NotImplementedError) as why:
            failure = why
            continue
        _claims[device] = lock
        return device
    if failure:
        raise CodebreakerError(
            f"no CUDA device can be locked ({failure}): name one in CUDA_VISIBLE_DEVICES, or a "
            "folder that you can write to in XDG_CACHE_HOME"
        )
    n = len(uuids)
    raise CodebreakerError(
        f"all {n} CUDA devices are used by other jobs: run at most {n} such jobs at a time",
        setting="gpus",
    )
