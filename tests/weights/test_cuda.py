"""The CUDA backend without a device: simulated, and refused with the reason."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import ROOT, game_called, python

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import criterion
from codebreaker.weights import backend
from codebreaker.weights.backend import choose_engine, missing_for_cuda
from codebreaker.weights.problem import Problem

PROBLEM = Problem(game_called("mm-2-3"), (CRITERIA["entropy"],), 2, "12")


@pytest.fixture(scope="module")
def simulation(tmp_path_factory):
    folder = tmp_path_factory.mktemp("device")
    script = (ROOT / "tests" / "simulate_cuda.py", "--folder", folder)
    run = python(*script, environment={"NUMBA_ENABLE_CUDASIM": "1"})
    assert run.returncode == 0, run.stderr
    return run.stdout, folder


def test_simulated_fitness_and_runs_equal_the_cpus(simulation):
    for line, times in (
        ("the same feedback of", 3),
        ("turns, opening", 3),
        ("the same trees without a table", 3),
        ("a forest with endgames", 2),
        ("2 islands", 2),
    ):
        assert simulation[0].count(line) == times


def test_the_check_of_a_device_finds_what_is_wrong_and_does_all_the_rest(simulation):
    said, folder = simulation
    assert "the faulty check exits with True" in said
    report = json.loads((folder / "numba-s-simulator.json").read_text(encoding="utf-8"))
    outcomes = {row["what"]: row["outcome"] for row in report["checks"] + report["measurements"]}
    wrong = {what for what in outcomes if ": totals of individuals" in what}
    assert {what for what, outcome in outcomes.items() if outcome == "failed"} == wrong
    assert len(wrong) == 2
    assert len(outcomes) > 15
    assert set(outcomes.values()) == {"done", "failed"}
    assert "2 totals differ" in (folder / "numba-s-simulator.md").read_text(encoding="utf-8")


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
    monkeypatch.setattr(backend.log, "propagate", True)
    caplog.set_level("INFO", backend.log.name)
    with pytest.raises(CodebreakerError, match=message) as refused:
        choose_engine("cuda", problem, 8, 1, gpus)
    assert refused.value.setting == setting
    assert choose_engine("auto", problem, 8, 1, gpus).backend == "cpu"
    assert f"backend cpu, {why}" in caplog.text


def test_a_machine_without_cuda_is_told_what_it_lacks():
    if missing_for_cuda():
        with pytest.raises(
            CodebreakerError, match=r"needs (the extra cuda|a CUDA device)"
        ) as refused:
            choose_engine("cuda", PROBLEM, 8, 1, gpus=1)
        assert refused.value.setting == "backend"


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
    assert ask("GPU-a", "GPU-b", visible=visible)[1] == (
        "all 2 CUDA devices are used by other jobs: run at most 2 such jobs at a time"
    )
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


@pytest.mark.parametrize(
    ("name", "rule", "message"),
    [
        ("mm-8-3", "entropy", "mm-8-3 is too large for the backend cuda, which supports"),
        ("mm-2-16", "entropy", "mm-2-16 is too large for the backend cuda"),
        ("mm-3-3", "renyi-20", "criterion renyi-20 has no exact scores"),
    ],
)
def test_games_and_criteria_unfit_for_the_device_are_refused(name, rule, message):
    from codebreaker.trees.on_demand_cuda import check

    with pytest.raises(CodebreakerError, match=message):
        check(rules_of(name).on_demand(), criterion(rule))


@pytest.mark.parametrize(
    ("limit", "what"), [("MOST_FEEDBACK", "5 feedback"), ("MOST_SECRETS", "9")]
)
def test_tables_too_large_for_the_device_are_refused(monkeypatch, limit, what):
    from codebreaker.weights.cuda import CudaFitness
    from codebreaker.weights.kernels import fitness_cuda

    monkeypatch.setattr(fitness_cuda, limit, 4)
    with pytest.raises(CodebreakerError, match=f"mm-2-3 has {what}.*, more than the 4 of the"):
        CudaFitness(PROBLEM)
