"""A quiet logger for Snakemake: a line for each job that has ended, and errors.

    [12/98] play_games four-six  13.6 s
    running: compile_kernels search 21 s, grow_tree mm-4-6 entropy 2 s; about 3 min left

The last line says what is running. On a terminal it is rewritten each second; a file gets such a
line from time to time. The default profile chooses this logger;
`--logger-lines-full`, as in `make VERBOSE=1`, shows all. With Snakemake's own settings a job has
seven lines, or failures are hidden (docs/decisions/0020). Where no job runs, as in a dry run or a
report, all is shown as Snakemake words it.
"""

import json
import logging
import os
import shutil
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from snakemake.logging import DefaultFilter, DefaultFormatter
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

QUIET = "CODEBREAKER_QUIET"
"""The variable that is set for jobs, which then write to their logs alone."""

FAILURES = {LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR, LogEvent.ERROR}
"""Events that are shown as Snakemake words them."""

NOTHING = "Nothing to be done"
"""The beginning of the message of a run without jobs."""

SHOWN = ("left out:", NOTHING)
"""Beginnings of the messages without an event that are shown."""

SHOWN_AFTER_FAILURE = "Complete log"
"""The beginning of a message that is shown if a job has failed."""

EVERY_S = 20.0
"""Seconds between lines in a file that say what is running, and how long is left."""

TICK_S = 1.0
"""Seconds between looks at what is running."""

USUAL_S = json.loads(Path(__file__).with_name("seconds.json").read_text(encoding="utf-8"))
"""Mean seconds of a rule's jobs in the default study, by rule (benchmarks/time_runs.py)."""

OTHER_S = 1.0
"""Seconds of a job whose rule is not in `USUAL_S`."""

TRUSTED_S = 20.0
"""Seconds of usual work after which a run's own pace counts as much as the number of its cores."""


@dataclass
class Running:
    """A job that runs: its rule, its name for readers, and when it started, in seconds."""

    rule: str
    name: str
    started: float


class TimeLeft:
    """An estimate of a run's remaining time, from its rules' usual seconds and its pace so far."""

    def __init__(self, jobs: dict[str, int], cores: int, began: float) -> None:
        """Start at the time `began` with the number of jobs to run, by rule."""
        self._waiting = dict(jobs)
        self._cores = cores
        self._began = began
        # Usual seconds of the jobs that have ended.
        self._ended_s = 0.0

    def start(self, rule: str) -> None:
        """Note that a job of a rule runs."""
        self._waiting[rule] = self._waiting.get(rule, 1) - 1

    def end(self, rule: str) -> None:
        """Note that a job of a rule has ended."""
        self._ended_s += usual_seconds(rule)

    def seconds(self, running: list[Running], now: float) -> float:
        """Return about how many seconds of the run remain."""
        waiting_s = sum(usual_seconds(rule) * jobs for rule, jobs in self._waiting.items())
        running_s = sum(usual_seconds(job.rule) for job in running)
        done_s = sum(min(now - job.started, usual_seconds(job.rule)) for job in running)
        # Seconds of this run for a second of usual work: at first by its cores, then by its pace.
        spent = now - self._began + TRUSTED_S / self._cores
        pace = spent / (self._ended_s + done_s + TRUSTED_S)
        return pace * (waiting_s + running_s - done_s)


def usual_seconds(rule: str) -> float:
    """Return the usual seconds of a rule's job; a module's rules have names with a prefix."""
    return float(USUAL_S.get(rule, OTHER_S))


def in_words(seconds: float) -> str:
    """Return a time for readers."""
    if seconds < 60:
        return f"{max(10 * round(seconds / 10), 10)} s"
    return f"{round(seconds / 60)} min"


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """The options of this logger."""

    full: bool = field(default=False, metadata={"help": "Show all that Snakemake says."})


class LogHandler(LogHandlerBase):
    """Writes a line for each job, what is running, and what went wrong."""

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
        wants_all = isinstance(self.settings, LogHandlerSettings) and self.settings.full
        self._full = wants_all or common.dryrun
        # What was said before the first job; shown after all if no job runs.
        self._before: list[str] = []
        self._has_run = False
        self._on_terminal = sys.stderr.isatty()
        # Jobs that run, by their ids.
        self._running: dict[int, Running] = {}
        # Ids of the jobs that ended since the last line.
        self._ended: list[int] = []
        self._left: TimeLeft | None = None
        self._has_failed = False
        self._told = time.monotonic()
        # The ticker and Snakemake's thread write by turns.
        self._turn = threading.Lock()
        self._stopped = threading.Event()
        if not self._full:
            os.environ[QUIET] = "1"
            threading.Thread(target=self._tick, daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Write what a record says to the standard error, if it is shown."""
        try:
            with self._turn:
                if self._filter.filter(record) and (text := self._text(record)):
                    self._write(f"{text}\n")
        except Exception:  # a logger must not end the run
            self.handleError(record)

    def close(self) -> None:
        """Stop the ticker, and clear the line of what is running."""
        self._stopped.set()
        with self._turn:
            self._running.clear()
            is_other_mode = not (self._has_run or self._has_failed)
            self._write("".join(self._before) if is_other_mode else "")
            self._before = []
        super().close()

    def _write(self, text: str) -> None:
        """Write a text in place of the line of what is running."""
        clear = "\r\x1b[K" if self._on_terminal and not self._full else ""
        sys.stderr.write(f"{clear}{text}")
        sys.stderr.flush()

    def _tick(self) -> None:
        """Say what is running, until the run ends."""
        while not self._stopped.wait(TICK_S):
            with self._turn:
                now = time.monotonic()
                if self._running and self._on_terminal:
                    width = shutil.get_terminal_size().columns - 1
                    self._write(self._status()[:width])
                elif self._running and now - self._told >= EVERY_S:
                    self._write(f"{self._status()}\n")
                    self._told = now

    def _status(self) -> str:
        """Return what is running, the longest first, and about how long is left."""
        now = time.monotonic()
        jobs = sorted(self._running.values(), key=lambda job: job.started)
        running = ", ".join(f"{job.name} {now - job.started:.0f} s" for job in jobs)
        left = "" if self._left is None else f"about {in_words(self._left.seconds(jobs, now))} left"
        if self._on_terminal:  # a line that is too long is cut at its end
            return f"{left}; running: {running}" if left else f"running: {running}"
        return f"running: {running}; {left}" if left else f"running: {running}"

    def _text(self, record: logging.LogRecord) -> str:
        """Return what is shown of a record, or an empty text; note which jobs start and end.

        A job's end is shown by the record of progress that follows, which has the counts.
        """
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self._has_run = True
            jobs = {rule: count for rule, count in record.stats.items() if rule != "total"}
            self._left = TimeLeft(jobs, os.cpu_count() or 1, time.monotonic())
        if event in FAILURES:
            self._has_failed = True
            self._running.pop(getattr(record, "jobid", -1), None)
        if self._full or event in FAILURES:
            return str(self._formatter.format(record))
        if event == LogEvent.JOB_INFO:
            wildcards = " ".join(dict(record.wildcards or {}).values())
            name = f"{record.rule_name} {wildcards}".strip()
            self._running[record.jobid] = Running(record.rule_name, name, time.monotonic())
            if self._left is not None:
                self._left.start(record.rule_name)
            return ""
        if event == LogEvent.JOB_FINISHED:
            self._ended.append(record.job_id)
        elif event == LogEvent.PROGRESS:
            return self._progress(record.done, record.total)
        elif record.levelno >= logging.WARNING:
            return str(self._formatter.format(record))
        elif event is None and self._is_shown(str(record.msg)):
            self._has_run |= str(record.msg).startswith(NOTHING)
            return str(record.msg)
        elif not self._has_run:
            self._before.append(f"{self._formatter.format(record)}\n")
        return ""

    def _is_shown(self, message: str) -> bool:
        """Return whether a message without an event is shown."""
        return message.startswith(SHOWN) or (
            self._has_failed and message.startswith(SHOWN_AFTER_FAILURE)
        )

    def _progress(self, done: int, total: int) -> str:
        """Return a line for each job that ended since the last record of progress.

        `done` of `total` jobs have ended, with the jobs of these lines.
        """
        now = time.monotonic()
        width = len(str(total))
        lines = []
        for number, job_id in enumerate(self._ended, start=done - len(self._ended) + 1):
            job = self._running.pop(job_id, Running("", f"job {job_id}", now))
            if self._left is not None:
                self._left.end(job.rule)
            lines.append(f"[{number:>{width}}/{total}] {job.name}  {now - job.started:.1f} s")
        self._ended = []
        return "\n".join(lines)
