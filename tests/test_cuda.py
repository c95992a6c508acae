"""The CUDA backend without a device: simulated, and refused where it can't be had."""

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


def test_simulated_fitness_and_runs_are_those_of_the_cpu():
    run = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "simulate_cuda.py")],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("turns, opening") == 6
    assert run.stdout.count("the same trees without a table") == 4
    assert run.stdout.count("a forest with endgames") == 3
    assert run.stdout.count("3 islands") == 4


def test_cuda_without_a_gpu_is_an_error_that_names_what_is_missing():
    with pytest.raises(CodebreakerError, match=r"optimise\.backend is cuda, .* lacks a GPU"):
        choose_engine("cuda", PROBLEM, 8, 1, gpus=0)
    if missing_for_cuda():
        with pytest.raises(CodebreakerError, match=r"lacks (the package|a CUDA device)"):
            choose_engine("cuda", PROBLEM, 8, 1, gpus=1)


def test_auto_takes_the_cpu_without_a_gpu_and_says_so(caplog):
    from codebreaker.optimise import backend

    backend.log.propagate = True
    backend.log.setLevel("INFO")
    assert choose_engine("auto", PROBLEM, 8, 1, gpus=0).backend == "cpu"
    assert "backend cpu, without a GPU for this job" in caplog.text


def test_jobs_claim_devices_of_their_own(tmp_path):
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
        ("mm-8-3", "entropy", "mm-8-3 is too large for the backend cuda, which takes 7 pegs"),
        ("mm-2-16", "entropy", "mm-2-16 is too large for the backend cuda"),
        ("mm-3-3", "renyi-20", "criterion renyi-20 has no exact scores"),
    ],
)
def test_what_the_device_cannot_grow_is_refused_by_name(name, rule, message):
    from codebreaker.trees.on_demand_cuda import check

    with pytest.raises(CodebreakerError, match=message):
        check(rules_of(name).on_demand(), criterion(rule))
