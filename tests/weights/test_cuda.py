"""Choice of the backend, and claims of devices."""

import re
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import game_called, rows

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import criterion
from codebreaker.weights import backend
from codebreaker.weights.backend import choose_engine
from codebreaker.weights.problem import Problem

PROBLEM = Problem(game_called("mm-2-3"), (CRITERIA["entropy"],), 2, "12")
ORDERS = replace(PROBLEM, criteria=tuple(criterion(f"tsallis-{order}") for order in (1, 2)))


@pytest.mark.parametrize(
    ("problem", "gpus", "message", "setting", "why"),
    [
        (PROBLEM, 0, "cuda needs a GPU for this job", "gpus", "without a GPU for this job"),
        (ORDERS, 1, "can't search for orders", "backend", "as only it searches for orders of"),
    ],
)
def test_cuda_that_cannot_serve_is_refused_and_auto_takes_the_cpu(
    monkeypatch, caplog, problem, gpus, message, setting, why
):
    monkeypatch.setattr(backend, "missing_for_cuda", lambda: None)
    caplog.set_level("INFO", backend.log.name)
    with pytest.raises(CodebreakerError, match=message) as refused:
        choose_engine("cuda", problem, 8, 1, gpus)
    assert refused.value.setting == setting
    assert choose_engine("auto", problem, 8, 1, gpus).backend == "cpu"
    assert f"backend cpu, {why}" in caplog.text


@rows("tests/weights/lacks.yaml")
def test_a_machine_without_cuda_is_told_what_it_lacks(monkeypatch, caplog, row):
    extra, driver, lacks = row
    monkeypatch.setattr(backend, "has_extra", lambda _: extra)
    monkeypatch.setattr(backend, "has_driver", lambda: driver)
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)
    caplog.set_level("INFO", backend.log.name)
    for gpus in (0, 1):
        with pytest.raises(CodebreakerError, match=f"the backend cuda needs {lacks}") as refused:
            choose_engine("cuda", PROBLEM, 8, 1, gpus)
        assert refused.value.setting == "backend"
        caplog.clear()
        assert choose_engine("auto", PROBLEM, 8, 1, gpus).backend == "cpu"
        assert re.search(f"backend cpu, without {lacks}", caplog.text)
    choose_engine("cpu", PROBLEM, 8, 1, 0)
    assert "backend cpu, as requested" in caplog.text


JOBS = """
import os
import signal
import sys
from pathlib import Path
from codebreaker.errors import CodebreakerError
from codebreaker.weights.backend import claim

for line in sys.stdin:
    visible, folder, *uuids = line.rstrip("\\n").split("\\t")
    job = int(visible) if folder == "kill" else os.fork()
    if folder == "kill":
        os.kill(job, signal.SIGKILL)
        os.waitpid(job, 0)
        print("killed", flush=True)
    elif job == 0:
        os.environ["CUDA_VISIBLE_DEVICES"] = visible
        try:
            told = claim(uuids, Path(folder))
            assert claim(uuids, Path(folder)) == told
        except Exception as why:
            told = why if isinstance(why, CodebreakerError) else repr(why)
        print(f"{os.getpid()}\\t{told}", flush=True)
        signal.pause()
os.killpg(0, signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def jobs():
    command = [sys.executable, "-c", JOBS]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, start_new_session=True, **streams) as process:
        yield process


@pytest.fixture
def ask(jobs, tmp_path):
    def tell(*uuids, visible="", folder=tmp_path / "locks"):
        print(visible, folder, *uuids, sep="\t", file=jobs.stdin, flush=True)
        return jobs.stdout.readline().rstrip("\n").split("\t")

    return tell


@pytest.mark.parametrize("visible", ["", "0,1"])
def test_each_job_claims_a_device_that_a_killed_job_gives_back(ask, visible):
    first, device = ask("GPU-a", "GPU-b", visible=visible)
    assert device == "0"
    assert ask("GPU-a", "GPU-b", visible=visible)[1] == "1"
    told = "all 2 CUDA devices are used by other jobs: run at most 2 such jobs at a time"
    assert ask("GPU-a", "GPU-b", visible=visible)[1] == told
    assert ask(visible=first, folder="kill") == ["killed"]
    assert ask("GPU-a", "GPU-b", visible=visible)[1] == "0"


def test_a_device_is_claimed_whatever_its_index(ask):
    assert ask("GPU-a")[1] == "0"
    assert ask("GPU-b")[1] == "0"
    assert ask("GPU-b", "GPU-a")[1].startswith("all 2 CUDA devices are used")
    assert ask("GPU-b", "GPU-c", "GPU-a")[1] == "1"


def test_the_one_device_of_cuda_visible_devices_needs_no_lock(ask, tmp_path):
    (tmp_path / "locks").touch()
    for visible in ("0", "3", "GPU-a", "MIG-a"):
        assert ask("GPU-a", visible=visible)[1] == "0"
    for visible in ("", "0,1"):
        message = ask("GPU-a", "GPU-b", visible=visible)[1]
        assert message.startswith("no CUDA device can be locked (")
        assert "CUDA_VISIBLE_DEVICES" in message


def test_a_lock_file_that_cannot_be_opened_leaves_the_other_devices(ask, tmp_path):
    (tmp_path / "locks" / "GPU-a.lock").mkdir(parents=True)
    assert ask("GPU-a", "GPU-b")[1] == "1"
    assert ask("GPU-a", "GPU-b")[1].startswith("no CUDA device can be locked (")


def test_games_and_criteria_unfit_for_the_device_are_refused():
    from codebreaker.trees.on_demand_cuda import check

    for name, rule, message in (
        ("mm-8-3", "entropy", "mm-8-3 is too large for the backend cuda, which supports"),
        ("mm-2-16", "entropy", "mm-2-16 is too large for the backend cuda"),
        ("mm-3-3", "renyi-20", "criterion renyi-20 has no exact scores"),
    ):
        with pytest.raises(CodebreakerError, match=message):
            check(rules_of(name).on_demand(), criterion(rule))
