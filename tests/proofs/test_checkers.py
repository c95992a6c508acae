"""Checkers tell faults of a file from those of the machine."""

import gzip
import os
import sys

import numpy as np
import pytest
import strict_json


def said(monkeypatch, capsys, path, shown):
    monkeypatch.setattr(sys, "argv", ["checker", str(path)])
    with pytest.raises(SystemExit) as stopped:
        strict_json.main("Check files.", lambda path, given: shown(path))
    assert capsys.readouterr().out == ""
    return str(stopped.value)


def test_a_pipe_is_refused_at_once(monkeypatch, capsys, tmp_path):
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    line = said(monkeypatch, capsys, path, strict_json.read)
    assert line == f"error: {path} shows nothing: it is not a regular file"


def test_a_small_file_that_unpacks_to_many_numbers_is_refused_before_they_are_read(
    monkeypatch, capsys, tmp_path
):
    path = tmp_path / "many.json.gz"
    path.write_bytes(gzip.compress(b"[" + b"1e99," * (strict_json.MOST_ITEMS + 1) + b"1]"))
    monkeypatch.setattr(strict_json, "_decimal", lambda text: pytest.fail("a number was read"))
    line = said(monkeypatch, capsys, path, strict_json.read)
    assert line == f"error: {path} shows nothing: it has more than 2,000,000 items"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"{", "JSONDecodeError"),
        (b"[NaN]", "a number is NaN"),
        (b"\xff", "UnicodeDecodeError"),
        (b"[" * 10**5, "RecursionError"),
    ],
)
def test_what_is_wrong_in_the_file_is_malformed(monkeypatch, capsys, tmp_path, content, kind):
    path = tmp_path / "file.json"
    path.write_bytes(content)
    line = said(monkeypatch, capsys, path, strict_json.read)
    assert line.startswith(f"error: {path} shows nothing: ")
    assert kind in line


def test_a_cut_archive_is_malformed_and_a_missing_file_cannot_be_read(
    monkeypatch, capsys, tmp_path
):
    path = tmp_path / "cut.json.gz"
    path.write_bytes(gzip.compress(b"[1, 2, 3]" * 50)[:-9])
    assert "it is malformed" in said(monkeypatch, capsys, path, strict_json.read)
    line = said(monkeypatch, capsys, tmp_path / "none.json", strict_json.read)
    assert line.endswith("can't be read or written: No such file or directory")


def test_too_little_memory_and_an_old_numpy_are_the_machines(monkeypatch, capsys, tmp_path):
    def without_memory(path):
        raise MemoryError

    line = said(monkeypatch, capsys, tmp_path / "proof.json", without_memory)
    assert line.startswith("error: this machine has too little memory to check ")
    monkeypatch.setattr(np, "__version__", "1.26.4")
    line = said(monkeypatch, capsys, tmp_path / "proof.json", without_memory)
    assert line == "error: this program needs NumPy 2 or newer, and here is 1.26.4"
