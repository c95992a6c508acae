"""Choice of the backend."""

import re
from dataclasses import replace

import pytest
from conftest import game_called

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.optimise import backend
from codebreaker.optimise.backend import choose_engine
from codebreaker.optimise.problem import Problem
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import criterion

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


@pytest.mark.parametrize(
    ("has_extra", "has_driver", "lacks"),
    [
        pytest.param(
            False,
            False,
            "the extra cuda \\(make cuda, or pip .*; a driver is missing, too\\)",
            id="neither",
        ),
        pytest.param(
            False,
            True,
            "the extra cuda \\(make cuda, or pip .*; a driver was found\\)",
            id="a driver",
        ),
        pytest.param(
            True, False, "a CUDA device with its driver \\(no driver was found", id="the extra"
        ),
        pytest.param(True, True, "a CUDA device \\(the driver shows none", id="both"),
    ],
)
def test_a_machine_without_cuda_is_told_what_it_lacks(
    monkeypatch, caplog, has_extra, has_driver, lacks
):
    monkeypatch.setattr(backend, "has_extra", lambda _: has_extra)
    monkeypatch.setattr(backend, "has_driver", lambda: has_driver)
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


def test_games_and_criteria_unfit_for_the_device_are_refused():
    from codebreaker.trees.on_demand_cuda import check_supported

    for name, rule, message in (
        ("mm-8-3", "entropy", "mm-8-3 is too large for the backend cuda, which supports"),
        ("mm-2-16", "entropy", "mm-2-16 is too large for the backend cuda"),
        ("mm-3-3", "renyi-20", "criterion renyi-20 has no exact scores"),
    ):
        with pytest.raises(CodebreakerError, match=message):
            check_supported(rules_of(name).on_demand(), criterion(rule))
