"""Runs: checkpoints, kills, and results that are the same bytes."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace

import pytest
from conftest import game_called
from test_genetic import PAPER

from codebreaker.optimise.checkpoint import load_checkpoint, save_checkpoint
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.genetic_host import HostEngine
from codebreaker.optimise.io import best_of, history_frame, weights_found, write_frame
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import run
from codebreaker.optimise.task import Task
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.weights import read_weights, write_weights
from codebreaker.progress import log as progress_log


def task(generations=40, seed=1):
    """A small run."""
    problem = Problem(game_called("mm-3-4"), (CRITERIA["entropy"],), 3, "112")
    return Task(problem, replace(PAPER, population=16, elite=4, restart_after=9), seed, generations)


def go(one, checkpoint):
    """Run it to its end."""
    return run([one], HostEngine(Fitness(one.problem, 8)), [checkpoint])[0]


def results(one, progress, folder):
    """The bytes of a run's weights and history."""
    write_weights(weights_found(one, progress, "stage", "cpu"), folder / "weights.json")
    write_frame(history_frame(progress), folder / "history.parquet")
    return [(folder / name).read_bytes() for name in ("weights.json", "history.parquet")]


def straight(one, folder):
    """The results of a run that is not stopped."""
    return results(one, go(one, folder / "straight.npz"), folder)


@pytest.mark.parametrize("stop", [1, 7, 10, 39])
def test_a_run_goes_on_from_a_checkpoint_to_the_same_bytes(tmp_path, stop):
    checkpoint = tmp_path / "checkpoint.npz"
    go(task(generations=stop), checkpoint)
    progress = go(task(), checkpoint)
    assert results(task(), progress, tmp_path) == straight(task(), tmp_path)


class Together(Fitness):
    """Fitness that asks for the individuals of all runs at once."""

    side_by_side = True


def test_islands_give_the_same_bytes_as_runs_one_after_the_other(tmp_path):
    tasks = [task(generations, seed) for seed, generations in enumerate((40, 25, 33))]
    paths = [tmp_path / f"{one.seed}.npz" for one in tasks]
    engine = HostEngine(Together(tasks[0].problem, 8))
    run([replace(one, generations=10) for one in tasks[:2]], engine, paths[:2])
    for one, progress in zip(tasks, run(tasks, engine, paths), strict=True):
        assert results(one, progress, tmp_path) == straight(one, tmp_path)


def test_history_tells_every_generation(tmp_path):
    one = task()
    progress = go(one, tmp_path / "checkpoint.npz")
    frame = history_frame(progress)
    assert frame["generation"].to_list() == list(range(1, 41))
    assert frame["best"].to_list() == sorted(frame["best"], reverse=True)
    assert frame["best"][-1] == progress.state.best_total
    assert frame["restarts"][-1] >= 1
    assert len(progress.seconds) == 40


CHILD = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from test_run import go, task
    from codebreaker.optimise import run as runs
    runs.CHECKPOINT_EVERY_S = 0.0
    go(task(generations=10**6), Path({checkpoint!r}))
    """
)


def test_a_run_survives_kill_9(tmp_path):
    checkpoint = tmp_path / "checkpoint.npz"
    code = CHILD.format(tests=os.path.dirname(__file__), checkpoint=str(checkpoint))  # noqa: PTH120
    child = subprocess.Popen([sys.executable, "-c", code])
    began = time.monotonic()
    while not checkpoint.exists() and time.monotonic() - began < 60:
        time.sleep(0.05)
    time.sleep(0.2)
    child.send_signal(signal.SIGKILL)
    child.wait()
    reached = load_checkpoint(task(generations=10**6), checkpoint).state.generation
    assert reached > 0
    longer = task(generations=reached + 30)
    progress = go(longer, checkpoint)
    assert results(longer, progress, tmp_path) == straight(longer, tmp_path)


@pytest.mark.parametrize("damage", ["cut", "other seed"])
def test_a_checkpoint_of_no_use_is_named_and_set_aside(tmp_path, caplog, damage):
    checkpoint = tmp_path / "checkpoint.npz"
    if damage == "cut":
        go(task(generations=5), checkpoint)
        checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    else:
        go(task(generations=5, seed=2), checkpoint)
    progress_log.propagate = True
    progress = go(task(), checkpoint)
    assert str(checkpoint) in caplog.text
    assert "set aside" in caplog.text
    assert (tmp_path / "checkpoint.npz.set-aside").exists()
    assert results(task(), progress, tmp_path) == straight(task(), tmp_path)


def test_a_checkpoint_comes_back_as_it_was(tmp_path):
    one = task(generations=12)
    progress = go(one, tmp_path / "a.npz")
    save_checkpoint(one, progress, tmp_path / "b.npz")
    found = load_checkpoint(one, tmp_path / "b.npz")
    assert found.history == progress.history
    for name, value in vars(progress.state).items():
        assert (
            (getattr(found.state, name) == value).all()
            if hasattr(value, "all")
            else (getattr(found.state, name) == value)
        )


def test_the_best_of_the_seeds_is_taken(tmp_path):
    found = []
    for seed in (1, 2, 3):
        one = task(seed=seed)
        progress = go(one, tmp_path / f"{seed}.npz")
        weights = weights_found(one, progress, "stage", "cpu")
        write_weights(weights, tmp_path / f"{seed}.json")
        found.append(read_weights(tmp_path / f"{seed}.json"))
        assert (found[-1].values == weights.values).all()
    best = best_of(found)
    totals = [one.provenance["total_guesses"] for one in found]
    assert best.provenance["total_guesses"] == min(totals)
    assert list(best.provenance["total_guesses_by_seed"].values()) == totals
