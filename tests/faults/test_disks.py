"""Disks that are full, folders that can't be written to, and caches on them."""

import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import game_called, grown
from outcomes import REFUSED, SILENT, full_only, times, tried
from runs import ended, put_an_end_to, same_bytes, started

from codebreaker.advice.assistant import Assistant
from codebreaker.advice.cached import TreeCache
from codebreaker.files import DRAFT, write_text
from codebreaker.games.model import write_game
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of
from codebreaker.policies.strategy import Strategy
from codebreaker.search.certificate import find_optimum, write_certificate
from codebreaker.search.settings import Target
from codebreaker.study.jobs import job
from codebreaker.trees.io import write_tree, write_tree_text

SIZES = [4 * number for number in range(1, times(20, 5) + 1)]
"""KiB of the file system that a job writes to; with the last one all files fit."""

ROOM = "same bytes once there is room"


@contextmanager
def file_system(folder: Path, kib: int):
    """A small file system of its own in a folder; skipped where it can't be mounted."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "codebreaker-faults", folder]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no file system can be mounted: only root may, and not in every container")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def change(folder, options):
    """Change the options of a mounted file system."""
    subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)


@pytest.fixture(scope="module")
def write():
    """A function that writes what several jobs write."""
    game = game_called("mm-3-4")
    (tree, key), optimum = grown(game, Strategy("entropy")), find_optimum(game, Target(), 1, 60)

    def written(folder):
        write_game(game, folder / "game.npz")
        write_tree(tree, key, folder / "tree.parquet")
        write_tree_text(game, tree, key, folder / "tree.txt")
        write_certificate(game, optimum, folder / "certificate.json")
        write_text(folder / "long.txt", "line\n" * 8000)

    return written


def content_of(folder):
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def job_in(folder, write):
    """Run a job that writes into a folder; return its exit code and what it says."""
    files = [folder / name for name in ("game.npz", "tree.parquet", "tree.txt", "long.txt")]
    log = folder.parent / "logs" / "job.log"
    code = 0
    try:
        with job(SimpleNamespace(input=[], output=files, log=[log])):
            write(folder)
    except SystemExit as stop:
        code = stop.code
    return code, log.read_text()


@pytest.mark.parametrize("size", SIZES)
def test_a_full_disk(tmp_path, write, size):
    small = tmp_path / "small"
    write(tmp_path / "whole")
    whole = content_of(tmp_path / "whole")
    with file_system(small, size), tried("disks", f"full at {size} KiB") as outcomes:
        code, said = job_in(small, write)
        left = content_of(small)
        good = left.items() <= whole.items() and not any(name.startswith(DRAFT) for name in left)
        good &= code == 0 or ("free disk space" in said and "Traceback" not in said)
        outcomes.add("written" if code == 0 else REFUSED, good, said, list(left))
        change(small, "size=9999k")
        code, said = job_in(small, write)
        outcomes.add(ROOM, content_of(small) == whole, said, wrong=SILENT)


def test_a_folder_that_cannot_be_written_to(tmp_path, write):
    place = tmp_path / "place"
    with file_system(place, 999), tried("disks", "read-only folder") as outcomes:
        change(place, "ro")
        code, said = job_in(place, write)
        good = code == 1 and "let this user write there" in said and "Traceback" not in said
        outcomes.add(REFUSED, good, said)


def test_a_log_that_cannot_be_written(tmp_path, write):
    logs = tmp_path / "logs"
    with file_system(logs, 4), tried("disks", "full disk below the logs") as outcomes:
        (logs / "filler").write_bytes(b"x" * 4096)
        with job(SimpleNamespace(input=[], output=[], log=[logs / "job.log"])) as log:
            log.info("a line that does not fit %s", "x" * 9000)
            write(tmp_path / "results")
        outcomes.add("written", len(content_of(tmp_path / "results")) == 5)


@pytest.mark.parametrize("options", ["rw", "ro"])
def test_a_cache_that_is_full_or_read_only(tmp_path, options):
    rules = rules_of("mm-3-4")
    notation, policy = Notation(rules, build_game(rules)), Strategy("entropy")

    def suggested(folder):
        found = Assistant(notation, policy, TreeCache(notation.game, policy, folder)).suggest([])
        return found.guess, found.most_guesses

    expected, place = suggested(tmp_path / "whole"), tmp_path / "small"
    case = f"a cache that is {'full' if options == 'rw' else 'read-only'}"
    with file_system(place, 4), tried("disks", case) as outcomes:
        if options == "rw":
            (place / "filler").write_bytes(b"x" * 4096)
        change(place, options)
        for _ in range(3):
            outcomes.read(lambda: suggested(place / "trees"), expected)


@full_only
@pytest.mark.parametrize("kib", [16, 40, 96])
def test_a_full_disk_below_a_workflow(tmp_path, kib):
    whole, small = tmp_path / "whole", tmp_path / "small"
    code, output = ended(started(whole))
    assert code == 0, output
    place = small / "results"
    with file_system(place, kib), tried("disks", f"workflow, full at {kib} KiB") as outcomes:
        first = started(small)
        code, output = ended(first)
        put_an_end_to(first)
        name = "written" if code == 0 else REFUSED
        outcomes.add(name, "this is a bug" not in output, output)
        change(place, "size=99999k")
        ended(started(small, "--unlock"))
        same_bytes(outcomes, whole / "results", started(small), name=ROOM)
