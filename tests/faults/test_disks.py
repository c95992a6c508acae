"""Disks that are full, folders that can't be written to, and caches on them."""

from types import SimpleNamespace

import pytest
from kinds import READERS, write_results
from outcomes import REFUSED, SAME, SILENT, command, file_system, full_only, make_room, times, tried

from codebreaker.files import TEMPORARY
from codebreaker.study.jobs import job

FAULTS = {"read-only folder": ("ro", "let this user write there")}
FAULTS |= {
    f"full disk, {kib} KiB": (f"size={kib}k", "free disk space")
    for kib in range(8, times(168, 48), 8)
}
"""Options of a file system that a job writes to, and the remedy; in the largest all files fit."""


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def job_in(folder):
    """Run a job that writes all kinds of files; return its exit code and what it says."""
    files = [folder / name for name in READERS if "/" not in name]
    log = folder.parent / "logs" / "job.log"
    code = 0
    try:
        with job(SimpleNamespace(input=[], output=files, log=[log])):
            write_results(folder)
    except SystemExit as stop:
        code = stop.code
    return code, log.read_text()


@pytest.mark.parametrize("case", FAULTS)
def test_a_disk_with_a_fault(tmp_path, case):
    whole, small, (options, remedy) = tmp_path / "whole", tmp_path / "small", FAULTS[case]
    write_results(whole)
    whole = content_of(whole)
    with file_system(small, options), tried("disks and folders", case) as outcomes:
        code, said = job_in(small)
        left = content_of(small)
        good = left.items() <= whole.items() and not any(
            name.startswith(TEMPORARY) for name in left
        )
        good &= code == 0 or (remedy in said and "Traceback" not in said)
        outcomes.add("written" if code == 0 else REFUSED, good, said, list(left))
        make_room(small)
        code, said = job_in(small)
        outcomes.add(
            "same bytes once there is room", content_of(small) == whole, said, wrong=SILENT
        )


@full_only
@pytest.mark.parametrize("options", ["nr_inodes=1", "ro"], ids=["full", "read-only"])
def test_a_cache_that_is_full_or_read_only(tmp_path, options):
    kind = "read-only" if options == "ro" else "full"
    with (
        file_system(tmp_path, options),
        tried("disks and folders", f"a cache that is {kind}") as outcomes,
    ):
        expected = command("codebreaker", "suggest").stdout
        run = command("codebreaker", "suggest", environment={"XDG_CACHE_HOME": str(tmp_path)})
        good = run.stdout == expected and "Traceback" not in run.stderr
        outcomes.add(SAME, good, run.stderr)
