"""One job a device: jobs that share a machine each claim a CUDA device of their own."""

import fcntl
import tempfile
from pathlib import Path
from typing import IO

FOLDER = Path(tempfile.gettempdir())

_claims: dict[int, IO[str]] = {}


def claim(n_devices: int, folder: Path = FOLDER) -> int | None:
    """Return the first device that no living job has claimed, claimed until this process ends.

    The same device each time in one process; None where all are claimed.
    """
    if _claims:
        return next(iter(_claims))
    for device in range(n_devices):
        lock = (folder / f"codebreaker-cuda-{device}.lock").open("w", encoding="utf-8")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        _claims[device] = lock
        return device
    return None
