"""Progress of long work: a bar on a terminal, a line in the log."""

import logging
import sys

log = logging.getLogger("codebreaker")

BAR = 20
"""How many characters a bar has."""


def report_progress(line: str, done: int, total: int) -> None:
    """Tell how far some work is; its line is marked, so that a terminal shows the bar instead."""
    if sys.stderr.isatty():
        bar = "█" * round(BAR * done / max(total, 1))
        sys.stderr.write(f"\r{bar:░<{BAR}} {line} ")
    log.info(line, extra={"progress": True})
