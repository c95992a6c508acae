"""The standard streams: closed, full, or unable to write a letter."""

import errno
import os
import sys
from contextlib import suppress

from codebreaker.errors import CodebreakerError


def prepare_streams() -> None:
    """Let a command read and write, whatever its streams are.

    Letters that an encoding lacks are written as escapes, and bytes that are no text are read as
    question marks. A closed stdin is empty. Raises `CodebreakerError` if stdout is closed.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 (until the end)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        raise CodebreakerError("standard output is closed: send it to a file, or to /dev/null")
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        with suppress(AttributeError, OSError):
            stream.reconfigure(errors=errors)  # type: ignore[union-attr]


def discard_output() -> None:
    """Discard what is still buffered for an output that can't be written to."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explain(error: OSError) -> str:
    """Return what to do about an error of the operating system."""
    what = error.strerror or str(error) or type(error).__name__
    where = f"{error.filename}: " if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return f"{where}{what}: free disk space, or write elsewhere"
    return f"{where}{what}"
