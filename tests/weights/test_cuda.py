"""The CUDA backend without a device: simulated, and refused with the reason."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import ROOT, game_called

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import criterion
from codebreaker.weights.backend import choose_engine, missing_for_cuda
from codebreaker.weights.problem import Problem

PROBLEM = Problem(game_called("mm-2-3"), (CRITERIA["entropy"],), 2, "12")


def test_simulated_fitness_and_runs_equal_the_cpus():
    simulation = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "simulate_cuda.py")],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert simulation.returncode == 0, simulation.stderr
    assert simulation.stdout.count("the same feedback of") == 3
    assert simulation.stdout.count("turns, opening") == 4
    assert simulation.stdout.count("the same trees without a table") == 4
    assert simulation.stdout.count("a forest with endgames") == 3
    assert simulation.stdout.count("2 islands") == 2


FAULTY_CHECK = """
import runpy
import sys
from codebreaker.weights.cuda import CudaFitness

right = CudaFitness.__call__
CudaFitness.__call__ = lambda fitness, individuals: right(fitness, individuals) + 1
sys.setswitchinterval(0.0005)  # the simulator's threads wait in loops
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_the_check_of_a_device_finds_what_is_wrong_and_does_all_the_rest(tmp_path):
    """In the simulator, with totals that are one too high."""
    script = ROOT / "benchmarks" / "check_device.py"
    checked = subprocess.run(
        [sys.executable, "-c", FAULTY_CHECK, script, "--folder", tmp_path],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 1
    report = json.loads((tmp_path / "numba-s-simulator.json").read_text(encoding="utf-8"))
    outcomes = {row["what"]: row["outcome"] for row in report["checks"] + report["measurements"]}
    wrong = {what for what in outcomes if ": totals of individuals" in what}
    assert {what for what, outcome in outcomes.items() if outcome == "failed"} == wrong
    assert len(wrong) == 2
    assert len(outcomes) > 15
    assert set(outcomes.values()) == {"done", "failed"}
    assert "2 totals differ" in (tmp_path / "numba-s-simulator.md").read_text(encoding="utf-8")


def test_cuda_without_a_gpu_is_an_error_that_names_what_is_missing():
    with pytest.raises(CodebreakerError, match="backend cuda needs a GPU") as refused:
        choose_engine("cuda", PROBLEM, 8, 1, gpus=0)
    assert refused.value.setting == "gpus"
    if missing_for_cuda():
        with pytest.raises(
            CodebreakerError, match=r"needs (the extra cuda|a CUDA device)"
        ) as refused:
            choose_engine("cuda", PROBLEM, 8, 1, gpus=1)
        assert refused.value.setting == "backend"


def test_genes_for_orders_are_searched_for_on_the_cpu_alone(monkeypatch, caplog):
    from codebreaker.weights import backend

    monkeypatch.setattr(backend, "missing_for_cuda", lambda: None)
    backend.log.propagate = True
    backend.log.setLevel("INFO")
    orders = tuple(criterion(f"tsallis-{order}") for order in (1, 2))
    problem = replace(PROBLEM, criteria=orders)
    with pytest.raises(CodebreakerError, match="cuda can't search for orders") as refused:
        choose_engine("cuda", problem, 8, 1, gpus=1)
    assert refused.value.setting == "backend"
    assert choose_engine("auto", problem, 8, 1, gpus=1).backend == "cpu"
    assert "backend cpu, as only it searches for orders of entropies" in caplog.text


def test_auto_takes_the_cpu_without_a_gpu_and_logs_it(caplog):
    from codebreaker.weights import backend

    backend.log.propagate = True
    backend.log.setLevel("INFO")
    assert choose_engine("auto", PROBLEM, 8, 1, gpus=0).backend == "cpu"
    assert "backend cpu, without a GPU for this job" in caplog.text


JOB = """
import sys
from pathlib import Path
from codebreaker.errors import CodebreakerError
from codebreaker.weights.backend import claim

folder, *uuids = sys.argv[1:]
try:
    device = claim(uuids, Path(folder))
    assert claim(uuids, Path(folder)) == device
    print(device, flush=True)
except CodebreakerError as why:
    print(why, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def start_job(tmp_path):
    """Start a job that sees some devices; return it, and the device that it got or its error."""
    jobs = []

    def start(*uuids, visible=None):
        env = {name: value for name, value in os.environ.items() if name != "CUDA_VISIBLE_DEVICES"}
        job = subprocess.Popen(
            [sys.executable, "-c", JOB, str(tmp_path / "locks"), *uuids],
            env=env if visible is None else env | {"CUDA_VISIBLE_DEVICES": visible},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        jobs.append(job)
        return job, job.stdout.readline().strip()

    yield start
    for job in jobs:
        job.communicate("")


@pytest.mark.parametrize("visible", [None, "0,1"])
def test_each_job_claims_a_device_that_a_killed_job_gives_back(start_job, visible):
    first, device = start_job("GPU-a", "GPU-b", visible=visible)
    assert device == "0"
    assert start_job("GPU-a", "GPU-b", visible=visible)[1] == "1"
    assert start_job("GPU-a", "GPU-b", visible=visible)[1] == (
        "all 2 CUDA devices are used by other jobs: run at most 2 such jobs at a time"
    )
    first.kill()
    first.wait()
    assert start_job("GPU-a", "GPU-b", visible=visible)[1] == "0"


def test_a_device_is_claimed_whatever_its_index(start_job):
    assert start_job("GPU-a")[1] == "0"
    assert start_job("GPU-b")[1] == "0"
    assert start_job("GPU-b", "GPU-a")[1].startswith("all 2 CUDA devices are used")
    assert start_job("GPU-b", "GPU-c", "GPU-a")[1] == "1"


def test_the_one_device_of_cuda_visible_devices_needs_no_lock(start_job, tmp_path):
    (tmp_path / "locks").touch()
    for visible in ("0", "3", "GPU-a", "MIG-a"):
        assert start_job("GPU-a", visible=visible)[1] == "0"
    for visible in (None, "0,1"):
        message = start_job("GPU-a", "GPU-b", visible=visible)[1]
        assert message.startswith("no CUDA device can be locked (")
        assert "CUDA_VISIBLE_DEVICES" in message


def test_a_lock_file_that_cannot_be_opened_leaves_the_other_devices(start_job, tmp_path):
    (tmp_path / "locks" / "GPU-a.lock").mkdir(parents=True)
    assert start_job("GPU-a", "GPU-b")[1] == "1"
    assert start_job("GPU-a", "GPU-b")[1].startswith("no CUDA device can be locked (")


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
