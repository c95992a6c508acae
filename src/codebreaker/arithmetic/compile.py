"""The CPU's compiler: what it makes is kept for other processes, as long as no kernel changes.

Numba notices changes of a function's own file alone, and not of the files of functions that it
calls; so the folder is named by the text of all kernels. A function may call itself; where
compiled functions call each other in a circle, what is kept lacks one of them and crashes: all
but one of these have to be put into the others, `inline="always"`.
"""

import hashlib
import os
from functools import partial
from pathlib import Path

import numba

from codebreaker.files import cache_folder


def _folder() -> Path:
    """Return where machine code is kept: in NUMBA_CACHE_DIR, or among the user's caches."""
    package = Path(__file__).parent.parent
    sources = [*package.glob("arithmetic/*.py"), *package.rglob("kernels/*.py")]
    text = b"".join(path.read_bytes() for path in sorted(sources)) + numba.__version__.encode()
    base = os.environ.get("NUMBA_CACHE_DIR") or cache_folder()
    return Path(os.path.expanduser(base)) / hashlib.sha256(text).hexdigest()[:16]  # noqa: PTH111


numba.config.CACHE_DIR = str(_folder())
njit = partial(numba.njit, cache=True)
