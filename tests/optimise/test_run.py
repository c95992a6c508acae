"""Runs: checkpoints, kills, and byte-identical results."""

from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest
from conftest import ROOT, game_called

from codebreaker.games.registry import make_game
from codebreaker.games.words import BUNDLED, Matches, Word
from codebreaker.optimise import run as runs
from codebreaker.optimise.effects import read_runs, replay_table
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import HostEngine, Task, load_checkpoint, run_tasks, write_run
from codebreaker.optimise.settings import Params
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.weights import read_weights, select_best

RECORDED = read_runs(ROOT / "resources" / "paper-scale" / "runs.jsonl")


def make_task(generations=40, seed=1):
    problem = Problem(game_called("mm-3-4"), (CRITERIA["entropy"],), 3, "112")
    return Task(problem, Params(population=16, elite=4, restart_after=9), seed, generations)


def complete(task, checkpoint):
    return run_tasks([task], HostEngine(Fitness(task.problem, 8)), [checkpoint])[0]


def results(task, run, folder):
    write_run(task, run, "stage", "cpu", folder)
    names = ("json", "history.parquet", "population.npz")
    return [(folder / f"seed-{task.seed}.{name}").read_bytes() for name in names]


def is_uninterrupted(task, run, folder):
    whole = complete(task, folder / "uninterrupted.npz")
    return results(task, run, folder) == results(task, whole, folder)


@pytest.mark.parametrize("stop", [1, 7, 10, 39])
def test_a_run_resumed_from_a_checkpoint_gives_the_same_bytes(tmp_path, stop):
    checkpoint = tmp_path / "checkpoint.npz"
    complete(make_task(generations=stop), checkpoint)
    run = complete(make_task(), checkpoint)
    assert is_uninterrupted(make_task(), run, tmp_path)


def test_a_checkpoint_of_another_game_or_of_other_code_is_not_resumed(tmp_path, caplog):
    words = [["dog", "dig", "cat", "cot", "cut"], ["abc", "abd", "bcd", "cda", "dab"]]
    game, other = (
        Matches.of("matches-list", [Word(word, "list", 1) for word in chosen], []).build()
        for chosen in words
    )
    assert game.name == other.name
    first = replace(
        make_task(generations=3), problem=Problem(game, (CRITERIA["entropy"],), 2, None)
    )
    second = replace(first, problem=replace(first.problem, game=other))
    complete(first, tmp_path / "checkpoint.npz")
    for changed in (second, replace(first, code="edited")):
        assert load_checkpoint(changed, tmp_path / "checkpoint.npz") is None
        (tmp_path / "checkpoint.npz.set-aside").replace(tmp_path / "checkpoint.npz")
    assert load_checkpoint(first, tmp_path / "checkpoint.npz").state.generation == 3


class Batched(Fitness):
    """All runs in one call."""

    batches_runs = True


def test_batched_runs_give_the_same_bytes_as_separate_ones(tmp_path):
    tasks = [make_task(generations, seed) for seed, generations in enumerate((40, 25, 33))]
    paths = [tmp_path / f"{task.seed}.npz" for task in tasks]
    engine = HostEngine(Batched(tasks[0].problem, 8))
    run_tasks([replace(task, generations=10) for task in tasks[:2]], engine, paths[:2])
    for task, run in zip(tasks, run_tasks(tasks, engine, paths), strict=True):
        assert is_uninterrupted(task, run, tmp_path)


def test_history_has_every_generation(tmp_path):
    task = make_task()
    run = complete(task, tmp_path / "checkpoint.npz")
    frame = runs.history_frame(run)
    assert frame["generation"].to_list() == list(range(1, 41))
    assert frame["best"].to_list() == sorted(frame["best"], reverse=True)
    assert frame["best"][-1] == run.state.best_total
    assert frame["restarts"][-1] >= 1
    assert len(run.seconds) == 40


def search(checkpoint, saved):
    save = runs.save_checkpoint
    runs.CHECKPOINT_EVERY_S = 0.0
    runs.save_checkpoint = lambda *run: (save(*run), saved.release())
    complete(make_task(generations=10**6), checkpoint)


@pytest.mark.slow
def test_a_run_survives_kill_9(tmp_path):
    spawned = get_context("spawn")
    checkpoint = tmp_path / "checkpoint.npz"
    saved = spawned.Semaphore(0)
    child = spawned.Process(target=search, args=(checkpoint, saved))
    child.start()
    for _ in range(20):
        assert saved.acquire(timeout=120)
    child.kill()
    child.join()
    reached = load_checkpoint(make_task(generations=10**6), checkpoint).state.generation
    longer = make_task(generations=reached + 30)
    assert is_uninterrupted(longer, complete(longer, checkpoint), tmp_path)


def test_the_best_of_the_seeds_is_selected(tmp_path):
    weights = []
    for seed in (1, 2, 3):
        task = make_task(seed=seed)
        run = complete(task, tmp_path / f"{seed}.npz")
        write_run(task, run, "stage", "cpu", tmp_path)
        weights.append(read_weights(tmp_path / f"seed-{seed}.json"))
        assert (weights[-1].values == task.decode(run.state.best_genes[None]).weights[0]).all()
    best = select_best(weights)
    totals = [recorded.provenance["total_guesses"] for recorded in weights]
    assert best.provenance["total_guesses"] == min(totals)
    assert list(best.provenance["total_guesses_by_seed"].values()) == totals


@pytest.mark.parametrize("game", sorted({recorded.provenance["game"] for recorded in RECORDED}))
@pytest.mark.slow
def test_recorded_weights_grow_trees_of_their_totals_and_others_do_not(game):
    runs = [recorded for recorded in RECORDED if recorded.provenance["game"] == game]
    values = runs[0].values
    worse = replace(runs[0], values=np.where(values == values.max(axis=1, keepdims=True), 1, 0.001))
    agree = replay_table(make_game(game, word_lists=BUNDLED), [*runs, worse])["agrees"]
    assert agree.to_list() == [True] * len(runs) + [False]


def test_recorded_histories_fall_to_the_recorded_totals():
    for recorded in RECORDED:
        generations, best = map(list, zip(*recorded.provenance["history"], strict=True))
        assert generations == sorted({*generations})
        assert best == sorted({*best}, reverse=True)
        assert best[-1] == recorded.provenance["total_guesses"]
