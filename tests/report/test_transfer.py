"""Weights on other games."""

import numpy as np
import polars as pl
import pytest

from codebreaker.games.registry import make_game
from codebreaker.optimise.fitness import UNITS, JointFitness
from codebreaker.optimise.problem import Problem, with_weights
from codebreaker.optimise.run import find_joint_weights
from codebreaker.optimise.settings import Params
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters import transfer
from tests import definitions

PUBLISHED = {"mm-4-5": (2476, 2480, 2486, 2487, 2500), "mm-4-6": (5680, 5646, 5636, 5630, 5625)}
"""Totals from 1123, first computed elsewhere."""


@pytest.fixture(scope="module")
def table():
    games = map(make_game, PUBLISHED)
    compared = transfer.compared_strategies([])
    return pl.concat(transfer.transfer_rows(game, compared, ["1123"]) for game in games)


@pytest.mark.parametrize("game", PUBLISHED)
def test_totals_are_those_computed_before(table, game):
    rows = {row["policy"]: row for row in table.filter(game=game).to_dicts()}
    names = ("entropy", "fixed-weighted", "stage-weighted", "stage-weighted-5630")
    totals = [rows[name]["total_guesses"] for name in (*names, "context-weighted-5625")]
    assert tuple(totals) == PUBLISHED[game]
    for row in rows.values():
        assert row["difference"] == row["total_guesses"] - PUBLISHED[game][0]
        share = 1000 * row["difference"] / row["secrets"]
        assert row["per_thousand"] == pytest.approx(share, abs=1e-3)


def test_parameters_are_counted_once_and_only_where_they_are_used(table):
    counted = dict(zip(table["policy"], table["parameters"], strict=True))
    rows = {"entropy": 0, "fixed-weighted": 1, "stage-weighted": 5, "stage-weighted-5630": 3}
    assert {name: counted[name] for name in rows} == {name: 14 * n for name, n in rows.items()}
    for total in (5625, 5626):
        strategy = Strategy(f"context-weighted-{total}", "1123")
        assert transfer.parameters(strategy) == 14 * strategy.weights.provenance["vectors"]


def test_the_games_that_weights_were_found_for_are_marked(table):
    joint = table.filter(policy="stage-weighted").with_columns(found_for=pl.lit("mm-4-4, mm-4-5"))
    chart = transfer.transfer_chart(pl.concat([table, joint])).to_dict()
    (rows,) = chart["datasets"].values()
    games = {(row["weights"].replace("\n", " "), row["size"], row["is"]) for row in rows}
    single = "weights by turn (Gür)"
    several = "weights by turn (Gür) for MM(4,4), MM(4,5)"
    marked = {
        (single, "MM(4,5)", transfer.ELSEWHERE),
        (single, "MM(4,6)", transfer.FOUND_HERE),
        (several, "MM(4,5)", transfer.FOUND_HERE),
        (several, "MM(4,6)", transfer.ELSEWHERE),
    }
    assert marked <= games
    assert len(games) == 2 * (len(transfer.REGISTERED) + 1)
    finding = (
        "On other games, weights beat entropy in 1 of 6 cases; on a game that they were found for"
    )
    assert chart["title"]["subtitle"].startswith(finding)


def literal_total(name, weights):
    game = definitions.definition_of(name, {})
    ties = "consistent then lexicographic"
    opening = next(guess for guess in game.guesses if "".join(map(str, guess)) in ("12", "01"))
    played = definitions.play("entropy", game, opening=opening, weights=weights, tie_break=ties)
    return sum(map(len, played.values()))


def test_joint_fitness_is_the_sum_of_literal_relative_totals():
    names = ("mm-2-3", "mm-2-4")
    games = [make_game(name) for name in names]
    order = games[0].feedback_labels
    values = np.random.default_rng(1).uniform(0.1, 1, (3, 2, len(order)))
    problems = [Problem(game, (criterion("entropy"),), 2, "12") for game in games]
    totals = JointFitness(problems, 8.0)(with_weights(values))
    for vector, fitness in zip(values, totals, strict=True):

        def weight(turn, answer, vector=vector):
            return vector[min(turn, 2) - 1, order.index(answer)]

        parts = [literal_total(name, weight) / literal_total(name, lambda *_: 1) for name in names]
        assert fitness == sum(round(UNITS * part) for part in parts)


def test_joint_weights_depend_on_the_seed_alone_and_name_their_games():
    games = [make_game("mm-2-3"), make_game("mm-2-4")]
    params = Params(population=6, elite=2)
    first, other = (find_joint_weights(games, 1, "12", params, 3, 4, 8.0) for _ in range(2))
    assert (first.values == other.values).all()
    assert first.provenance["games"] == ["mm-2-3", "mm-2-4"]
    problems = [Problem(game, (criterion("entropy"),), 1, "12") for game in games]
    again = JointFitness(problems, 8.0)(with_weights(first.values[None]))
    assert first.provenance["fitness"] == again[0]
