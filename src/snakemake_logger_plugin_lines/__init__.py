"""A quiet logger for Snakemake: a line for each job that has ended or would run, and errors.

    [12/98] play_games four-six  13.6 s

The default profile chooses it; `--logger-lines-full`, as in `make VERBOSE=1`, shows all. With
Snakemake's own settings a job has seven lines, or failures are hidden (docs/decisions/0020).
"""

import logging
import os
import sys
import time
from dataclasses import dataclass, field

from snakemake.logging import DefaultFilter, DefaultFormatter
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

QUIET = "CODEBREAKER_QUIET"
"""The variable that is set for jobs, which then write to their logs alone."""

FAILURES = {LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR, LogEvent.ERROR}
"""Events that are shown as Snakemake words them."""

SHOWN = ("left out:", "Nothing to be done", "Complete log")
"""Beginnings of the messages without an event that are shown."""


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """The options of this logger."""

    full: bool = field(default=False, metadata={"help": "Show all that Snakemake says."})


class LogHandler(LogHandlerBase):
    """Writes a line for each job, and what went wrong."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        """Prepare the formatter, and make jobs quiet unless all is shown or nothing runs."""
        common = self.common_settings
        self._formatter = DefaultFormatter(common.quiet, common.show_failed_logs)
        self._filter = DefaultFilter(
            common.quiet, common.debug_dag, common.verbose, common.dryrun, common.printshellcmds
        )
        self._full = isinstance(self.settings, LogHandlerSettings) and self.settings.full
        # Names of the jobs that run and their start times in seconds, by the jobs' ids.
        self._started: dict[int, tuple[str, float]] = {}
        # Ids of the jobs that ended since the last line.
        self._ended: list[int] = []
        if not (common.dryrun or self._full):
            os.environ[QUIET] = "1"

    def emit(self, record: logging.LogRecord) -> None:
        """Write what a record says to the standard error, if it is shown."""
        try:
            if self._filter.filter(record) and (text := self._text(record)):
                sys.stderr.write(f"{text}\n")
                sys.stderr.flush()
        except Exception:  # a logger must not end the run
            self.handleError(record)

    def _text(self, record: logging.LogRecord) -> str:
        """Return what is shown of a record, or an empty text; note which jobs start and end.

        A job's end is shown by the record of progress that follows, which has the counts.
        """
        event = getattr(record, "event", None)
        dryrun = self.common_settings.dryrun
        if self._full or event in FAILURES or (event == LogEvent.RUN_INFO and dryrun):
            return str(self._formatter.format(record))
        if event == LogEvent.JOB_INFO:
            wildcards = " ".join(dict(record.wildcards or {}).values())
            name = f"{record.rule_name} {wildcards}".strip()
            self._started[record.jobid] = name, time.monotonic()
            return name if dryrun else ""
        if event == LogEvent.JOB_FINISHED:
            self._ended.append(record.job_id)
        elif event == LogEvent.PROGRESS:
            return self._progress(record.done, record.total)
        elif record.levelno >= logging.WARNING:
            return str(self._formatter.format(record))
        elif event is None and str(record.msg).startswith(SHOWN):
            return str(record.msg)
        return ""

    def _progress(self, done: int, total: int) -> str:
        """Return a line for each job that ended since the last record of progress.

        `done` of `total` jobs have ended, with the jobs of these lines.
        """
        now = time.monotonic()
        width = len(str(total))
        lines = []
        for number, job in enumerate(self._ended, start=done - len(self._ended) + 1):
            name, started = self._started.pop(job, (f"job {job}", now))
            lines.append(f"[{number:>{width}}/{total}] {name}  {now - started:.1f} s")
        self._ended = []
        return "\n".join(lines)
