"""Progress of long computations: a bar on a terminal, otherwise lines in the log."""

import atexit
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

QUIET = "CODEBREAKER_QUIET"
"""The environment variable that keeps jobs of the workflow from writing to the terminal."""

log = logging.getLogger("codebreaker")

_is_shown = ContextVar("is_shown", default=True)


@contextmanager
def without_progress() -> Iterator[None]:
    """Report no progress within: a learner asks for thousands of values."""
    before = _is_shown.set(False)
    try:
        yield
    finally:
        _is_shown.reset(before)


def report_progress(line: str, done: int, total: int) -> None:
    """Log a line, and show it with a bar of `done` of `total` on a terminal.

    The log's record has the attribute `progress`, by which handlers leave it out. The bar needs
    rich, and is not shown if the variable QUIET is set.
    """
    if not _is_shown.get():
        return
    log.info(line, extra={"progress": True})
    if sys.stderr.isatty() and QUIET not in os.environ and find_spec("rich"):
        bar = _bar()
        bar.start()  # does nothing if it has started
        bar.update(bar.task_ids[0], description=line, completed=done, total=total, refresh=True)
        if done >= total:
            bar.stop()


@cache
def _bar() -> "Progress":
    """Return the process's only bar, with one task; it is stopped when Python exits."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    bar = Progress(
        BarColumn(bar_width=20),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
        auto_refresh=False,
    )
    bar.add_task("")
    atexit.register(bar.stop)
    return bar
