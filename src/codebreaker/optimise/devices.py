"""One CUDA device per job: jobs on the same machine claim devices by lock files."""

import platform
from pathlib import Path

from filelock import FileLock, Timeout

from codebreaker.files import cache_folder

_claims: dict[int, FileLock] = {}


def claim(n_devices: int, folder: Path | None = None) -> int | None:
    """Claim the first free device until this process ends, and return it; None if all are taken.

    Further calls return the same device. A lock names the machine, because machines may share the
    user's cache folder, where locks are kept unless `folder` is given.
    """
    if _claims:
        return next(iter(_claims))
    folder = folder or cache_folder() / "devices"
    folder.mkdir(parents=True, exist_ok=True)
    for device in range(n_devices):
        lock = FileLock(folder / f"{platform.node()}-cuda-{device}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        _claims[device] = lock
        return device
    return None
