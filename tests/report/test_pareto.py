"""Sweeps of policies, and frontiers."""

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest
from conftest import CRITERION_NAMES, game_called, grown
from definitions import undominated
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.games.registry import EXAMPLES as GAMES
from codebreaker.optimise import run
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.settings import Params
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import criterion
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights
from codebreaker.report.chapters import pareto
from codebreaker.trees.grow import grow
from codebreaker.trees.metrics import strategies
from codebreaker.trees.sweep import sweep
from codebreaker.trees.swept_families import family_policies

NAMES = sorted({*CRITERION_NAMES} - {"first-consistent", "entropy-base-parts"})


def drawn_strategies(game, seed):
    draw = np.random.default_rng(seed)
    openings = [None, *draw.choice(game.guesses, 2)]
    strategies = [
        Strategy(*settings) for settings in product(NAMES, openings, ("all", "consistent"))
    ]
    for i in range(12):
        values = np.maximum(draw.uniform(0, 1, (3, game.n_feedback)).round(1), 0.1)
        names = tuple(draw.choice(["tsallis-0.5", "renyi-3", "worst-case"], 2)) if i % 2 else ()
        weights = Weights("drawn", "test", game.feedback_labels, values, criteria=names)
        pool = "consistent" if i > 8 else "all"
        rule = Policy(CRITERIA["entropy"], weights)
        strategies.append(Strategy("drawn", openings[i % 3], pool, rule=rule))
    return strategies


@pytest.mark.parametrize("name", [*GAMES, "mm-4-6"])
@pytest.mark.slow
def test_a_sweep_has_the_trees_of_its_policies(name):
    game = game_called(name)
    drawn = drawn_strategies(game, 4)[:: 3 if name == "mm-4-6" else 1]
    keys = {}
    for strategy, row in zip(drawn, sweep(game, {"drawn": drawn}).to_dicts(), strict=True):
        tree = grow(game, strategy)
        assert row["profile"] == " ".join(map(str, tree.profile.tolist()))
        assert (row["total_guesses"], row["max_guesses"]) == (tree.total_guesses, tree.max_guesses)
        nodes = (tree.guess.tobytes(), tree.parent.tobytes(), tree.feedback.tobytes())
        assert keys.setdefault(row["tree"], nodes) == nodes
    assert len(set(keys.values())) == len(keys)


def test_families_hold_every_order_share_opening_and_pool():
    families = family_policies([0, 1.5], [0.25], ["112", "123"])
    assert [len(family) for family in families.values()] == [3 * 4, 3 * 4]
    names = {strategy.policy for family in families.values() for strategy in family}
    assert {"renyi-0", "renyi-1.5", "renyi-inf", "mix-most-parts-entropy-0.25"} <= names
    assert len({strategy.slug for family in families.values() for strategy in family}) == 24


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), min_size=1, max_size=40))
def test_the_frontier_is_what_none_dominates(points):
    """'No strategy is best', section 5."""
    means = [mean / 4 for mean, _ in points]
    maxima = [most for _, most in points]
    best = undominated(set(points))
    assert pareto.pareto_optimal(means, maxima).tolist() == [point in best for point in points]


RANDOM = {"player": "random-consistent", "mean_guesses": 3.5, "max_guesses": 7}


@pytest.fixture(scope="module")
def small():
    game = game_called("mm-3-4")
    families = family_policies([0, 0.5, 1], [0.5], ["112", "123"])
    swept = sweep(game, families)
    played = Strategy("entropy"), Strategy("worst-case", opening="111")
    trees = [grown(game, strategy) for strategy in played]
    optimal = replace(trees[0][1], policy="optimal", tree="optimal")
    table = strategies([*trees, (trees[0][0], optimal)])
    return swept, pareto.name_points(pareto.all_strategies(swept, table, [RANDOM], "mm-3-4"))


def test_points_are_all_strategies_and_their_frontier(small):
    _, table = small
    assert table.height == 3 + 28 + 1
    others = {pareto.OPTIMA, pareto.REGISTERED, pareto.PLAYERS}
    assert set(table["family"]) == others | {"entropies by order", "mixtures of two"}
    rows = table.select((pl.col("mean_guesses") * 162).round().cast(int), "max_guesses").rows()
    best = undominated(set(rows))
    assert table["frontier"].to_list() == [point in best for point in rows]


def test_tables_and_charts_tell_the_frontier(small):
    _, table = small
    assert pareto.family_table(table)["policies"].sum() == table.height
    assert "32 strategies" in pareto.pareto_page(table, "mm-3-4")
    assert pareto.pareto_table(table).height == table.filter("frontier").height
    chart = pareto.pareto_chart(table, "mm-3-4").to_dict()
    assert "32 strategies" in chart["title"]["subtitle"]
    marks = max(chart["datasets"].values(), key=len)
    trees = {(row["family"], row["tree"] or row["strategy"]) for row in table.to_dicts()}
    assert sum(row["trees"] for row in marks) == len(trees)
    places = [(row["family"], row["mean_guesses"], row["max_guesses"]) for row in marks]
    assert len(set(places)) == len(places)


def test_each_maximum_has_a_panel_with_the_frontier(small):
    _, table = small
    chart = pareto.pareto_chart(table, "mm-3-4").to_dict()
    (marks,) = chart["datasets"].values()
    maxima = sorted(set(table["max_guesses"]))
    assert chart["facet"]["sort"] == [f"maximum: {most} guesses" for most in maxima]
    lowest = min(table["mean_guesses"])
    for row in marks:
        within = table.filter(pl.col("max_guesses") <= row["max_guesses"])
        assert row["edge"] == pytest.approx(min(within["mean_guesses"]) - lowest, abs=1e-6)
    points = {(row["above"], row["max_guesses"]) for row in marks if row["frontier"]}
    labelled = [(row["above"], row["max_guesses"]) for row in marks if row["is_labelled"]]
    assert sorted(labelled) == sorted(points)


def test_a_tree_of_several_families_counts_once_among_all():
    shared = ["1 2", "1 2", "1 3"]
    points = pl.DataFrame(
        {
            "family": ["a", "b", "b"], "strategy": ["x", "y", "z"], "tree": shared,
            "mean_guesses": [4.5, 4.5, 4.6], "max_guesses": [5, 5, 6],
        }
    )  # fmt: skip
    counted = pareto.counted_families(points)
    assert counted["policies"].to_list() == [1, 2, 3]
    assert counted["different trees"].to_list() == [1, 2, 2]
    assert counted["family"][-1] == "all"


@pytest.mark.slow
def test_populations_come_back_as_policies(tmp_path):
    game = game_called("mm-3-4")
    orders = tuple(criterion(f"tsallis-{order}") for order in (0, 0.5, 1, 2))
    problem = Problem(game, orders, 3, "112")
    task = run.Task(problem, Params(population=8, elite=2), 1, run.SNAPSHOT_EVERY + 3)
    engine = run.HostEngine(Fitness(problem, 8))
    (progress,) = run.run_tasks([task], engine, [tmp_path / "checkpoint.npz"])
    assert len(progress.snapshots) == 1
    run.write_population(task, progress, tmp_path / "population.npz")
    individuals = run.read_population("met", tmp_path / "population.npz")
    swept = sweep(game, {"met": individuals})["total_guesses"]
    totals = Fitness(problem, 8)(task.decode(progress.state.genes))
    assert swept.min() == totals.min() == progress.state.best_total
    assert set(totals) <= set(swept)
    assert any(individual.weights.criteria for individual in individuals)
