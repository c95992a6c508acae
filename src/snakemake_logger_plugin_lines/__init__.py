"""A quiet logger for Snakemake: a line for each job that has ended or would run, and errors.

    [12/98] grow_tree mm-4-6 entropy  1.3 s

The default profile chooses it; `--logger-lines-full`, as in `make VERBOSE=1`, shows all.
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
"""Set for the jobs, which then write to their logs alone."""

FAILURES = {LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR, LogEvent.ERROR}
SHOWN = ("left out:", "Nothing to be done", "Complete log")
"""How messages begin that are shown beside failures and warnings."""


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """The options of this logger."""

    full: bool = field(default=False, metadata={"help": "Show all that Snakemake says."})


class LogHandler(LogHandlerBase):
    """Writes a line for each job, and what went wrong."""

    writes_to_stream, writes_to_file = True, False
    has_filter, has_formatter, needs_rulegraph = True, True, False

    def __post_init__(self) -> None:
        """Prepare the formatter of errors; hush the jobs."""
        common = self.common_settings
        self._all = DefaultFormatter(common.quiet, common.show_failed_logs)
        self._filter = DefaultFilter(
            common.quiet, common.debug_dag, common.verbose, common.dryrun, common.printshellcmds
        )
        self._full = isinstance(self.settings, LogHandlerSettings) and self.settings.full
        self._names: dict[int, str] = {}
        self._started: dict[int, float] = {}
        self._ended: list[int] = []
        if not (common.dryrun or self._full):
            os.environ[QUIET] = "1"

    def emit(self, record: logging.LogRecord) -> None:
        """Write what a record says, if anything."""
        try:
            if not self._filter.filter(record):
                return
            if self._full:
                self._write(self._all.format(record))
            else:
                self._emit(record)
        except Exception:  # a logger must not end the run
            self.handleError(record)

    def _emit(self, record: logging.LogRecord) -> None:
        event = getattr(record, "event", None)
        if event == LogEvent.JOB_INFO:
            wildcards = " ".join(dict(record.wildcards or {}).values())
            self._names[record.jobid] = f"{record.rule_name} {wildcards}".strip()
            self._started[record.jobid] = time.monotonic()
            if self.common_settings.dryrun:
                self._write(self._names[record.jobid])
        elif event == LogEvent.JOB_FINISHED:
            self._ended.append(record.job_id)
        elif event == LogEvent.PROGRESS:
            self._write_ended(record.done, record.total)
        elif event in FAILURES or record.levelno >= logging.WARNING:
            self._write(self._all.format(record))
        elif event is None and str(record.msg).startswith(SHOWN):
            self._write(str(record.msg))
        elif event == LogEvent.RUN_INFO and self.common_settings.dryrun:
            self._write(self._all.format(record))

    def _write_ended(self, done: int, total: int) -> None:
        """Write a line for each job that has ended since the last time."""
        now, width = time.monotonic(), len(str(total))
        for number, job in enumerate(self._ended, start=done - len(self._ended) + 1):
            name = self._names.pop(job, f"job {job}")
            seconds = now - self._started.pop(job, now)
            self._write(f"[{number:>{width}}/{total}] {name}  {seconds:.1f} s")
        self._ended = []

    def _write(self, text: str) -> None:
        if text:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
