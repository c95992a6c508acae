"""Disks that are full, folders that can't be written to, and caches on them."""

import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import game_called, grown
from manifest import differences
from outcomes import full_only, times, tried
from test_kills import ended, put_an_end_to, started

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


@contextmanager
def file_system(folder: Path, kib: int, *options):
    """A small file system of its own in a folder; skipped where it can't be mounted."""
    folder.mkdir(parents=True, exist_ok=True)
    told = ",".join([f"size={kib}k", *options])
    command = ["mount", "-t", "tmpfs", "-o", told, "codebreaker-faults", folder]
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
def content():
    """A game, its tree with the key, and its optimum."""
    game = game_called("mm-3-4")
    return game, *grown(game, Strategy("entropy")), find_optimum(game, Target(), 1, 60)


def write(folder, content):
    """Write what several jobs write."""
    game, tree, key, optimum = content
    write_game(game, folder / "game.npz")
    write_tree(tree, key, folder / "tree.parquet")
    write_tree_text(game, tree, key, folder / "tree.txt")
    write_certificate(game, optimum, folder / "certificate.json")
    write_text(folder / "long.txt", "line\n" * 8000)


def job_in(folder, content, capsys):
    """Run a job that writes into a folder; return its exit code and what it says."""
    capsys.readouterr()
    files = [folder / name for name in ("game.npz", "tree.parquet", "tree.txt", "long.txt")]
    step = SimpleNamespace(input=[], output=files, log=[folder.parent / "logs" / "job.log"])
    try:
        with job(step):
            write(folder, content)
        code = 0
    except SystemExit as stop:
        code = stop.code
    return code, (folder.parent / "logs" / "job.log").read_text()


@pytest.mark.parametrize("size", SIZES)
def test_a_full_disk(tmp_path, content, capsys, size):
    write(tmp_path / "whole", content)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    with file_system(tmp_path / "small", size), tried("disks", f"full at {size} KiB") as outcomes:
        code, said = job_in(tmp_path / "small", content, capsys)
        left = [path for path in (tmp_path / "small").iterdir() if path.is_file()]
        good = all(path.read_bytes() == whole[path.name] for path in left)
        good &= not any(path.name.startswith(DRAFT) for path in left)
        told = code == 0 or ("free disk space" in said and "Traceback" not in said)
        name = "written" if code == 0 else "refused in one line"
        outcomes[name if good and told else "traceback"] += 1
        outcomes.details += [said, left]
        change(tmp_path / "small", "size=9999k")
        code, said = job_in(tmp_path / "small", content, capsys)
        found = {
            one.name: one.read_bytes() for one in (tmp_path / "small").iterdir() if one.is_file()
        }
        outcomes["same bytes once there is room" if found == whole else "silently wrong"] += 1
        outcomes.details += [said, sorted(found)]


def test_a_folder_that_cannot_be_written_to(tmp_path, content, capsys):
    place = tmp_path / "place"
    with file_system(place, 999), tried("disks", "read-only folder") as outcomes:
        change(place, "ro")
        code, said = job_in(place, content, capsys)
        good = code == 1 and "let this user write there" in said and "Traceback" not in said
        outcomes["refused in one line" if good else "traceback"] += 1
        outcomes.details.append(said)


def test_a_log_that_cannot_be_written(tmp_path, content, capsys):
    logs = tmp_path / "logs"
    with file_system(logs, 4), tried("disks", "full disk below the logs") as outcomes:
        (logs / "filler").write_bytes(b"x" * 4096)
        step = SimpleNamespace(input=[], output=[], log=[logs / "job.log"])
        with job(step) as log:
            log.info("a line that does not fit %s", "x" * 9000)
            write(tmp_path / "results", content)
        outcomes["written"] += len(list((tmp_path / "results").iterdir())) == 5


@pytest.mark.parametrize("options", ["rw", "ro"])
def test_a_cache_that_is_full_or_read_only(tmp_path, options):
    rules = rules_of("mm-3-4")
    notation, policy = Notation(rules, build_game(rules)), Strategy("entropy")
    expected = Assistant(
        notation, policy, TreeCache(notation.game, policy, tmp_path / "a")
    ).suggest([])
    place = tmp_path / "small"
    case = f"a cache that is {'full' if options == 'rw' else 'read-only'}"
    with file_system(place, 4), tried("disks", case) as outcomes:
        if options == "rw":
            (place / "filler").write_bytes(b"x" * 4096)
        change(place, options)
        for _ in range(3):
            cache = TreeCache(notation.game, policy, place / "trees")
            found = Assistant(notation, policy, cache).suggest([])
            same = found.guess == expected.guess and found.most_guesses == expected.most_guesses
            outcomes["same content" if same else "silently wrong"] += 1


@full_only
@pytest.mark.parametrize("kib", [16, 40, 96])
def test_a_full_disk_below_a_workflow(tmp_path, kib):
    whole, small = tmp_path / "whole", tmp_path / "small"
    code, output = ended(started(whole))
    assert code == 0, output
    with (
        file_system(small / "results", kib),
        tried("disks", f"workflow, full at {kib} KiB") as outcomes,
    ):
        first = started(small)
        code, output = ended(first)
        put_an_end_to(first)
        bug = "this is a bug" in output
        outcomes["traceback" if bug else "written" if code == 0 else "refused in one line"] += 1
        outcomes.details.append(output[-2000:])
        change(small / "results", "size=99999k")
        ended(started(small, "--unlock"))
        code, output = ended(started(small))
        found = differences(whole / "results", small / "results") if code == 0 else ["failed"]
        outcomes["same bytes once there is room" if not found else "silently wrong"] += 1
        outcomes.details += [found, output[-2000:]]
