"""Progress of long computations: a bar on a terminal, otherwise lines in the log."""

import atexit
import logging
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

tell_of_compiling: Callable[[bool], None] | None = None
"""Called when compilation begins (True) and ends (False)."""

QUIET = "CODEBREAKER_QUIET"
"""The environment variable that keeps jobs of the workflow from writing to the terminal."""

log = logging.getLogger("codebreaker")


def report_progress(line: str, done: int, total: int) -> None:
    """Show a bar on a terminal with rich, or log a line with the attribute `progress`."""
    log.info(line, extra={"progress": True})
    if sys.stderr.isatty() and QUIET not in os.environ and find_spec("rich"):
        bar = _bar()
        bar.start()
        bar.update(bar.task_ids[0], description=line, completed=done, total=total, refresh=True)
        if done >= total:
            bar.stop()


@cache
def _bar() -> "Progress":
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
