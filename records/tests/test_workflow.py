"""The workflow of a hunt, which uses the study's rules as a module."""

import re

import polars as pl
import pytest
import yaml
from conftest import HERE, ROOT, hunt

from codebreaker.report.tables import read_table
from codebreaker.trees.best_known import BEST_KNOWN_SCHEMA
from codebreaker.trees.io import read_tree

JOB = re.compile(r"^ *(?:local)?rule (\w+):$", re.MULTILINE)


def planned(run):
    assert run.returncode == 0, run.stderr
    return set(JOB.findall(run.stdout + run.stderr))


def test_each_game_gets_its_best_tree_a_bound_and_its_first_guesses(small_hunt):
    folder = small_hunt / "results" / "best-known"
    solved, rolled = (read_table(folder / f"{name}.csv").to_dicts()[0] for name in GAMES)
    assert (solved["total"], solved["proven"], solved["tree"]) == (206, "yes", "optimal")
    assert (rolled["proven"], rolled["tree"]) == ("no", "rollout-entropy")
    assert rolled["method"].startswith("rollout of entropy, 2 guesses")
    assert list(rolled) == list(BEST_KNOWN_SCHEMA)
    tree, strategy = read_tree(small_hunt / "results/rollout/mm-4-7/rollout-entropy.parquet")
    assert tree.total_guesses == rolled["total"] >= 11228  # the minimum: Ville 2013
    assert (strategy.game, strategy.opening) == ("mm-4-7", "1123")
    assert (small_hunt / "results/certificates/mm-4-7/rollout-entropy.json").exists()
    compared = pl.read_csv(folder / "mm-3-4.first-guesses.csv")
    assert compared["total"].min() >= 206


GAMES = ("mm-3-4", "mm-4-7")


def test_bounds_are_raised_to_a_goal(small_hunt):
    bounds = read_table(small_hunt / "results" / "best-known" / "mm-4-7.bounds.csv")
    assert 10_300 <= bounds["bound"].min() <= 11_228


def test_what_is_done_is_not_done_again(small_hunt):
    assert planned(hunt(small_hunt, "--dry-run")) == set()
    forced = ("--dry-run", "--forcerun", "roll_out")
    again = hunt(small_hunt, *forced, "--profile", "records/profile")
    assert {"roll_out", "certify_tree", "select_record"} <= planned(again)
    assert "mem_mb=16384" in again.stdout + again.stderr


def test_all_jobs_of_the_whole_hunt_can_be_planned(tmp_path):
    run = hunt(tmp_path, "--dry-run", config=HERE / "config" / "best-known.yaml")
    assert "WorkflowError" not in run.stdout + run.stderr  # of a file that two rules could write
    config = yaml.safe_load((HERE / "config" / "best-known.yaml").read_text(encoding="utf-8"))
    recorded = pl.read_csv(ROOT / "resources" / "best-known" / "best-known.csv")
    assert sorted(config["games"]) == sorted(recorded["game"])
    assert planned(run) == {
        *("tabulate_game", "compile_kernels", "solve_exactly", "compare_first_guesses"),
        *("roll_out", "certify_tree", "bound_totals", "select_record", "records"),
    }


@pytest.mark.parametrize("name", ["rollout", "games"])
def test_an_error_of_the_configuration_is_one_line(tmp_path, name):
    config = tmp_path / "wrong.yaml"
    config.write_text(f"study: {{strategies: {{mm-2-2: [{{policy: entropy}}]}}}}\n{name}s: 1\n")
    run = hunt(tmp_path / "hunt", "--dry-run", config=config)
    assert run.returncode == 1
    assert f"unknown config key {name}s: did you mean {name!r}?" in run.stdout + run.stderr


def test_another_setting_of_a_rollout_runs_it_again(small_hunt, tmp_path):
    """Each leaf of a rollout's settings is changed: Snakemake would record nothing of a record."""
    config = yaml.safe_load((HERE / "config" / "small.yaml").read_text(encoding="utf-8"))
    entry = config["rollout"]["mm-4-7"]["entropy"]
    for key, value in {"widths": [3], "exact": 12, "ahead": [2], "beam": {"width": 3}}.items():
        changed = config | {"rollout": {"mm-4-7": {"entropy": entry | {key: value}}}}
        path = tmp_path / f"{key}.yaml"
        path.write_text(yaml.safe_dump(changed), encoding="utf-8")
        run = hunt(small_hunt, "--dry-run", config=path)
        assert {"roll_out", "select_record"} <= planned(run), key
