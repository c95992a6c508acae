"""The CUDA backend without a device: simulated, and refused with the reason."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT, game_called

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.optimise.backend import choose_engine, missing_for_cuda
from codebreaker.optimise.devices import claim
from codebreaker.optimise.problem import Problem
from codebreaker.policies.criteria import CRITERIA, criterion

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
    assert simulation.stdout.count("turns, opening") == 6
    assert simulation.stdout.count("the same trees without a table") == 4
    assert simulation.stdout.count("a forest with endgames") == 3
    assert simulation.stdout.count("3 islands") == 4


def test_cuda_without_a_gpu_is_an_error_that_names_what_is_missing():
    with pytest.raises(CodebreakerError, match="backend cuda needs a GPU") as refused:
        choose_engine("cuda", PROBLEM, 8, 1, gpus=0)
    assert refused.value.setting == "gpus"
    if missing_for_cuda():
        with pytest.raises(CodebreakerError, match=r"needs (the package|a CUDA device)") as refused:
            choose_engine("cuda", PROBLEM, 8, 1, gpus=1)
        assert refused.value.setting == "backend"


def test_auto_takes_the_cpu_without_a_gpu_and_logs_it(caplog):
    from codebreaker.optimise import backend

    backend.log.propagate = True
    backend.log.setLevel("INFO")
    assert choose_engine("auto", PROBLEM, 8, 1, gpus=0).backend == "cpu"
    assert "backend cpu, without a GPU for this job" in caplog.text


def test_each_job_claims_a_device_of_its_own(tmp_path):
    code = (
        "import sys; from pathlib import Path; from codebreaker.optimise.devices import claim; "
        "first, again = claim(2, Path(sys.argv[1])), claim(2, Path(sys.argv[1])); "
        "assert first == again; print(first, flush=True); sys.stdin.read()"
    )
    jobs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    try:
        assert sorted(job.stdout.readline().strip() for job in jobs) == ["0", "1", "None"]
    finally:
        for job in jobs:
            job.communicate("")
    assert claim(2, tmp_path) == 0


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
