"""A quiet logger for Snakemake: a line for each job that has ended or would run, and errors.

    [12/98] play_games four-six  13.6 s

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

QUIET = "CODEBREAKER_QUIET"  # set for the jobs, which then write to their logs alone

FAILURES = {LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR, LogEvent.ERROR}
SHOWN = ("left out:", "Nothing to be done", "Complete log")  # beginnings of messages that are shown


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
        common = self.common_settings
        self._all = DefaultFormatter(common.quiet, common.show_failed_logs)
        self._filter = DefaultFilter(
            common.quiet, common.debug_dag, common.verbose, common.dryrun, common.printshellcmds
        )
        self._full = isinstance(self.settings, LogHandlerSettings) and self.settings.full
        self._started: dict[int, tuple[str, float]] = {}
        self._ended: list[int] = []
        if not (common.dryrun or self._full):
            os.environ[QUIET] = "1"

    def emit(self, record: logging.LogRecord) -> None:
        """Write what a record says."""
        try:
            if self._filter.filter(record) and (text := self._text(record)):
                sys.stderr.write(f"{text}\n")
                sys.stderr.flush()
        except Exception:  # a logger must not end the run
            self.handleError(record)

    def _text(self, record: logging.LogRecord) -> str:
        event = getattr(record, "event", None)
        dryrun = self.common_settings.dryrun
        if self._full or event in FAILURES or (event == LogEvent.RUN_INFO and dryrun):
            return str(self._all.format(record))
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
            return str(self._all.format(record))
        elif event is None and str(record.msg).startswith(SHOWN):
            return str(record.msg)
        return ""

    def _progress(self, done: int, total: int) -> str:
        now = time.monotonic()
        width = len(str(total))
        lines = []
        for number, job in enumerate(self._ended, start=done - len(self._ended) + 1):
            name, started = self._started.pop(job, (f"job {job}", now))
            lines.append(f"[{number:>{width}}/{total}] {name}  {now - started:.1f} s")
        self._ended = []
        return "\n".join(lines)
