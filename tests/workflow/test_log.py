"""The log of a run of the workflow."""

import io
import logging
import re
import sys
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

import snakemake_logger_plugin_lines as lines


class Terminal(io.StringIO):
    """A standard error that may be a terminal."""

    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        """Return whether this is a terminal."""
        return self.is_terminal


@pytest.fixture
def logged(monkeypatch):
    """Start the logger with a terminal or a file as its standard error."""
    handlers = []
    common = SimpleNamespace(
        quiet=set(), show_failed_logs=False, debug_dag=False, verbose=False, dryrun=False,
        printshellcmds=False,
    )  # fmt: skip

    def start(is_terminal):
        shown = Terminal(is_terminal)
        monkeypatch.setattr(sys, "stderr", shown)
        monkeypatch.setattr(lines, "TICK_S", 0.01)
        monkeypatch.setenv(lines.QUIET, "")
        handler = lines.LogHandler.__new__(lines.LogHandler)
        logging.Handler.__init__(handler)
        handler.common_settings = common
        handler.settings = None
        handler.__post_init__()
        handlers.append(handler)
        return handler, shown

    yield start
    for handler in handlers:
        handler.close()


def tell(handler, event=None, message="", level=logging.INFO, **values):
    record = logging.LogRecord("snakemake", level, "", 0, message, (), None)
    vars(record).update(values)
    if event is not None:
        record.event = event
    handler.emit(record)


def begin(handler):
    tell(handler, LogEvent.RUN_INFO, stats={"grow_tree": 2, "compile_kernels": 1, "total": 3})
    tell(
        handler, LogEvent.JOB_INFO, rule_name="compile_kernels", wildcards={"part": "search"},
        jobid=1,
    )  # fmt: skip


def end(handler, job, done):
    tell(handler, LogEvent.JOB_FINISHED, job_id=job)
    tell(handler, LogEvent.PROGRESS, done=done, total=3)


def wait_for(shown, pattern):
    for _ in range(500):
        if re.search(pattern, shown.getvalue()):
            return
        lines.threading.Event().wait(0.01)
    raise AssertionError(f"{pattern!r} is not in {shown.getvalue()!r}")


def test_a_terminal_shows_what_runs_and_how_long_is_left_on_its_last_line(logged):
    handler, shown = logged(True)
    begin(handler)
    wait_for(shown, r"\r\x1b\[Kabout \d+ (s|min) left; running: compile_kernels search \d+ s")
    end(handler, 1, 1)
    assert "\r\x1b[K[1/3] compile_kernels search  " in shown.getvalue()


def test_a_file_gets_a_line_from_time_to_time(logged, monkeypatch):
    handler, shown = logged(False)
    begin(handler)
    assert shown.getvalue() == ""
    monkeypatch.setattr(lines, "EVERY_S", 0.05)
    wait_for(shown, r"^running: compile_kernels search \d+ s; about \d+ (s|min) left\n")
    assert "\r" not in shown.getvalue()


def test_where_the_whole_log_is_written_is_said_after_a_failure_alone(logged):
    handler, shown = logged(False)
    tell(handler, message="Complete log(s): here")
    assert shown.getvalue() == ""
    begin(handler)
    failed = {"rule_name": "compile_kernels", "rule_msg": None, "jobid": 1, "input": "", "log": ""}
    failed |= {"output": "", "conda_env": None, "container_img": None, "aux": {}, "indent": False}
    tell(handler, LogEvent.JOB_ERROR, "Error", logging.ERROR, shellcmd=None, **failed)
    tell(handler, message="Complete log(s): here")
    assert shown.getvalue().endswith("Complete log(s): here\n")


def test_the_time_left_follows_the_pace_of_the_run():
    jobs = {"compile_kernels": 2, "grow_tree": 10}
    usual = sum(lines.usual_seconds(rule) * count for rule, count in jobs.items())
    left = lines.TimeLeft(jobs, 2, 0.0)
    assert left.seconds([], 0.0) == pytest.approx(usual / 2)
    for rule, count in jobs.items():
        for _ in range(count - 1):
            left.start(rule)
            left.end(rule)
    rest = lines.usual_seconds("compile_kernels") + lines.usual_seconds("grow_tree")
    slow = left.seconds([], 10 * usual)
    assert slow > 5 * rest
    assert left.seconds([], usual / 2) < rest
    left.start("grow_tree")
    left.start("compile_kernels")
    assert left.seconds([lines.Running("grow_tree", "", 0.0)], 1e6) == 0.0


def test_times_are_said_in_words():
    words = {0.0: "10 s", 44.0: "40 s", 61.0: "1 min", 200.0: "3 min"}
    assert {seconds: lines.in_words(seconds) for seconds in words} == words


def test_where_no_job_runs_all_is_said_at_the_end(logged):
    handler, shown = logged(False)
    tell(handler, message="Would delete results/a.csv")
    assert shown.getvalue() == ""
    handler.close()
    assert shown.getvalue() == "Would delete results/a.csv\n"


@pytest.mark.parametrize(
    "ran", [begin, lambda handler: tell(handler, message="Nothing to be done")]
)
def test_a_run_hides_what_was_said_before_it(logged, ran):
    handler, shown = logged(False)
    tell(handler, message="Building DAG of jobs...")
    ran(handler)
    handler.close()
    assert "Building" not in shown.getvalue()
