"""The frame of a step: errors in one line, logs that may fail, and inputs that must not change."""

import errno
import logging
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from codebreaker.errors import CodebreakerError
from codebreaker.study.jobs import are_kept, check_digests, check_place, job, record_digests


@pytest.fixture
def step(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(logging, "raiseExceptions", True)
    (tmp_path / "results").mkdir()
    (tmp_path / "results/in.csv").write_text("a,b\n1,2\n")
    files = {"input": ["results/in.csv"], "output": ["results/sub/out.csv"], "log": ["logs/x.log"]}
    yield SimpleNamespace(**files)
    logging.getLogger("codebreaker").handlers = []


def run(step, error=None):
    try:
        with job(step):
            if error is not None:
                raise error
            for path in step.output:
                folder = path.rpartition("/")[0]
                Path(folder).mkdir(exist_ok=True)
                Path(path).write_text("out\n")
    except SystemExit as stop:
        return stop.code
    return 0


FAILURES = {
    "ours": (CodebreakerError("no such game"), "error: no such game"),
    "disk": (
        OSError(errno.ENOSPC, "No space left on device", "results/a"),
        "error: No space left on device (results/a): free disk space, and run again",
    ),
    "short write": (OSError("100 requested and 10 written"), "written: free disk space, and run"),
    "read-only": (
        OSError(errno.EROFS, "Read-only file system", "results/a"),
        "error: Read-only file system (results/a): let this user write there, and run again",
    ),
    "memory": (MemoryError(), "error: not enough memory: use fewer --cores, or lower config key"),
    "table": (pl.exceptions.NoDataError("empty CSV"), "error: a table can't be read (empty CSV)"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failures_are_one_line(step, capsys, name):
    error, message = FAILURES[name]
    assert run(step, error) == 1
    told = capsys.readouterr().err
    assert message in told
    assert "Traceback" not in told
    assert len(told.splitlines()) == 1
    assert message in Path(step.log[0]).read_text(encoding="utf-8")


def test_places_where_no_study_runs_are_named(tmp_path, monkeypatch):
    for folder, message in (
        (tmp_path / "one", "move it away"),
        (tmp_path / "n\udcff", "not UTF-8"),
    ):
        folder.mkdir()
        monkeypatch.chdir(folder)
        if message == "move it away":
            Path("results").touch()
        with pytest.raises(CodebreakerError, match=message):
            check_place()


def test_a_defect_is_told_with_its_lines(step, capsys):
    assert run(step, ZeroDivisionError()) == 1
    told = capsys.readouterr().err
    assert "this is a bug in codebreaker" in told
    assert "Traceback" in told


@pytest.mark.parametrize("place", ["logs/x.log", "/dev/full"])
def test_a_log_that_cannot_be_written_fails_no_step(step, tmp_path, capsys, place):
    (tmp_path / "logs").write_text("a file")
    step.log = [place]
    assert run(step) == 0
    told = capsys.readouterr().err
    assert "done in" in told
    assert "Traceback" not in told


def test_a_file_that_changed_since_it_was_written_is_refused(step, tmp_path, capsys):
    assert run(step) == 0
    after = SimpleNamespace(**vars(step) | {"input": step.output, "output": ["results/last.csv"]})
    assert run(after) == 0
    (tmp_path / "results/sub/out.csv").write_text("ou\n")
    assert run(after) == 1
    told = capsys.readouterr().err
    assert "results/sub/out.csv is damaged or incomplete (its content has changed): delete" in told
    assert run(step) == 0
    assert run(after) == 0


def test_folders_are_checked_too(step, tmp_path):
    folder = tmp_path / "results/islands"
    folder.mkdir()
    (folder / "one.json").write_text("1")
    record_digests(["results/islands"])
    check_digests(["results/islands"])
    (folder / "one.json").write_text("2")
    with pytest.raises(CodebreakerError, match=r"islands/one\.json is damaged"):
        check_digests(["results/islands"])


def test_files_are_kept_while_their_content_and_origin_are_the_same(step):
    path = Path("results/sub/out.csv")
    assert not are_kept([str(path)], "code", 1)
    assert run(step) == 0
    assert not are_kept([str(path)], "code", 1)
    record_digests([path], "code", 1)
    record_digests([path])
    assert are_kept([str(path)], "code", 1)
    assert not are_kept([str(path)], "code", 2)
    assert not are_kept([str(path), "results/none.csv"], "code", 1)
    path.write_text("changed\n")
    assert not are_kept([str(path)], "code", 1)
    record_digests([path])
    assert not are_kept([str(path)], "code", 1)
