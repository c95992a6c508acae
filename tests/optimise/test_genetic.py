"""The genetic algorithm: operators, ask and tell."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from conftest import game_called, read_yaml
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.optimise.genetic import ask, init, operators_of, tell
from codebreaker.optimise.genetic import kernel as compiled
from codebreaker.optimise.kernels import variation
from codebreaker.optimise.kernels.variation import UNIT
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import Task
from codebreaker.optimise.settings import Params
from codebreaker.policies.families import criterion
from codebreaker.policies.weights import exact_weights
from codebreaker.study.config import read_config

CODE = read_config(read_yaml("config/config.yaml")).optimise.presets["code"]
BOTH = pytest.mark.parametrize("params", [Params(), CODE], ids=["paper", "code"])
N_GENES = 10
N_FEEDBACK = 5


def evolve(params, seed=3, generations=150):
    states = [init(seed, N_GENES, params)]
    for _ in range(generations):
        genes, _ = ask(states[-1], params, N_FEEDBACK)
        distances = (1000 * ((genes / UNIT - 0.2) ** 2).sum(axis=1)).astype(np.int64)
        states.append(tell(states[-1], params, genes, distances))
    return states


@BOTH
def test_it_solves_a_simple_problem_and_keeps_the_best(params):
    bests = [state.best_total for state in evolve(params)[1:]]
    assert bests == sorted(bests, reverse=True)
    assert bests[-1] <= 5 < bests[0]


@BOTH
def test_the_elite_survives_and_genes_stay_within_bounds(params):
    operators = operators_of(params, N_GENES, N_FEEDBACK)
    low = operators.low
    high = operators.high
    for state in evolve(params)[1:60]:
        genes, known = ask(state, params, N_FEEDBACK)
        assert (genes[: params.elite] == state.genes[: params.elite]).all()
        assert (known == state.totals[: params.elite]).all()
        assert low <= genes.min()
        assert genes.max() <= high
        assert (np.diff(state.totals) >= 0).all()


def test_stagnation_restarts_the_population_and_is_counted():
    params = Params(population=8, elite=2, mutation_rate=0.0, restart_after=5)
    state = init(0, N_GENES, params)
    restarts = []
    for _ in range(20):
        genes, _ = ask(state, params, N_FEEDBACK)
        state = tell(state, params, genes, np.full(8, 7, dtype=np.int64))
        restarts.append(state.restarts)
    assert restarts == [0] * 6 + [1] * 6 + [2] * 6 + [3] * 2


def test_a_restart_redraws_the_requested_share_of_genes():
    best = np.full(200, UNIT, dtype=np.int64)
    genes = np.empty((64, 200), dtype=np.int64)
    compiled.restart_population(1, 9, UNIT // 4, operators_of(Params(), 200, 10), best, genes)
    assert (genes != UNIT).mean() == pytest.approx(0.25, abs=0.02)


def test_some_restarts_redraw_all_genes():
    every_third = Params(first_redraw=0.75, restart_redraw=0.5, scratch_every=3)
    for params, expected in (
        (every_third, [0.75, 0.5, 0.5, 1, 0.5, 0.5, 1]),
        (replace(every_third, scratch_every=0), [0.75] + 6 * [0.5]),
    ):
        operators = operators_of(params, 10, 5)
        rates = [variation.redraw_probability(restarts, operators) for restarts in range(-1, 6)]
        assert rates == [UNIT * share for share in expected]


def test_the_published_program_mixes_parents_with_one_share_and_renews_children_by_stagnation():
    """Gür's kernel.cu: 0.15, tripled from 2,500 generations; at each 5,000 three in ten renewed."""
    still = operators_of(replace(CODE, mutation_rate=0.0, stagnant_rate=0.0), N_GENES, N_FEEDBACK)

    def children(parent, stagnant):
        pairs = product(streams(500, 0), range(N_GENES))
        genes = [compiled.child_gene(*pair, parent, UNIT, stagnant, still) for pair in pairs]
        return np.array(genes).reshape(500, N_GENES)

    share = children(0, 4999)
    assert all(max(child) == min(child) or min(child) == still.low for child in share)
    anew = {}
    for stagnant in (0, 4999, 5000, 5001, 10000):
        drawn = children(UNIT, stagnant) <= UNIT // 4
        assert (drawn.all(axis=1) | ~drawn.any(axis=1)).all()
        anew[stagnant] = drawn.any(axis=1).mean()
    assert anew[0] == anew[4999] == anew[5001] == 0
    assert anew[5000] == anew[10000] == pytest.approx(0.3, abs=0.06)
    operators = operators_of(CODE, N_GENES, N_FEEDBACK)
    rates = [compiled.mutation_rate(0, 0, stagnant, operators) / UNIT for stagnant in (2499, 2500)]
    assert rates == pytest.approx([0.15, 0.45], abs=1e-6)


def test_among_equal_totals_children_rank_first():
    state = evolve(Params(), generations=1)[-1]
    genes, _ = ask(state, Params(), N_FEEDBACK)
    after = tell(state, Params(), genes, np.full(64, 5, dtype=np.int64))
    assert (after.genes == genes[::-1]).all()


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_share_of_the_children_mutates_in_one_row_with_as_many_mutations(share):
    operators = operators_of(Params(row_share=share), N_GENES, N_FEEDBACK)
    drawn = streams(600, 0)
    genes = range(N_GENES)
    rates = [[compiled.mutation_rate(stream, g, 0, operators) for g in genes] for stream in drawn]
    rates = np.array(rates)
    assert (rates.sum(axis=1) == N_GENES * operators.mutation_rate).all()
    in_one_row = (rates.reshape(-1, 2, N_FEEDBACK).sum(axis=2) == 0).any(axis=1)
    assert in_one_row.mean() == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize("scales", [1, 3])
def test_a_step_has_each_of_its_scales_equally_often(scales):
    params = Params(mutation_rate=1, reset_rate=0, mutation_scales=scales, row_share=0)
    operators = operators_of(params, N_GENES, N_FEEDBACK)
    middle = UNIT // 2
    steps = [
        compiled.child_gene(stream, gene, middle, middle, 0, operators) - middle
        for stream in streams(600, 0)
        for gene in range(N_GENES)
    ]
    # The mean square of a normal step is the mean of the squared deviations.
    deviations = [params.mutation_step / 2**scale for scale in range(scales)]
    expected = np.mean(np.square(deviations))
    assert np.mean(np.square(np.array(steps) / UNIT)) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("opening", ["12", None])
def test_genes_decode_to_weights_and_orders(opening):
    game = game_called("mm-2-3")
    orders = tuple(criterion(f"tsallis-{order}") for order in range(4))
    problem = Problem(game, orders, 3, opening)
    task = Task(problem, Params(), 0, 1)
    n_rows = 3 if opening is None else 2
    assert problem.n_genes == n_rows * (1 + game.n_feedback)
    low = UNIT // 10 + 1
    high = UNIT
    genes = np.full((4, n_rows, 1 + game.n_feedback), UNIT // 2)
    genes[:, -1, 0] = [low, low + (high - low) // 4 - 1, low + (high - low) // 2 + 1, high]
    genes[:, -1, 2] = UNIT // 4
    phenotypes = task.decode(genes.reshape(4, -1))
    assert phenotypes.orders[:, -1].tolist() == [0, 0, 2, 3]
    assert (phenotypes.weights[:, -1, [0, 2]] == 0.5).all()
    assert (phenotypes.weights[:, -1, 1] == 0.25).all()
    if opening is not None:
        assert (phenotypes.weights[:, 0] == 1).all()
        assert (phenotypes.orders[:, 0] == 0).all()
    plain = Task(replace(problem, weighted=False), Params(), 0, 1).decode(genes[:, :, 0])
    assert (plain.weights == 1).all()
    assert (plain.orders == phenotypes.orders).all()


@given(st.integers(0, 2**31), st.integers(0, 10**6), st.integers(0, 1023))
def test_interpreted_and_compiled_arithmetic_agree(seed, generation, individual):
    stream = variation.stream_of(seed, generation, individual)
    assert stream == compiled.stream_of(seed, generation, individual)
    assert 0 <= stream < 2**32
    for params in (Params(), CODE):
        operators = operators_of(params, 70, 14)
        for gene in (0, 69):
            plain = variation.child_gene(stream, gene, UNIT // 3, UNIT, 5, operators)
            assert plain == compiled.child_gene(stream, gene, UNIT // 3, UNIT, 5, operators)
        ranks = [module.select_parent(stream, 0, 64, operators) for module in (variation, compiled)]
        assert ranks[0] == ranks[1] < 64


@given(gene=st.integers(0, UNIT), bits=st.integers(0, 30))
def test_integer_and_float_weights_round_alike(gene, bits):
    exact = exact_weights(np.array([gene / UNIT]), 2.0**bits)
    assert exact == variation.exact_weight(gene, 1 << bits) >= 1


def streams(count, seed):
    return [compiled.stream_of(seed, i // 64, i % 64) for i in range(count)]


def test_draws_are_uniform_and_neighbouring_ones_not_correlated():
    drawn = [compiled.draw(stream, i % 50, 20) for i, stream in enumerate(streams(40000, 5))]
    counts = np.bincount(drawn, minlength=20)
    assert ((counts - 2000) ** 2 / 2000).sum() < 43.8  # 0.1 % of chi-squared, 19 degrees
    fine = [compiled.draw(stream, i % 50, UNIT) for i, stream in enumerate(streams(20000, 5))]
    assert abs(np.corrcoef(fine[:-1], fine[1:])[0, 1]) < 0.03


def test_steps_are_approximately_normal():
    steps = np.array([compiled.normal_step(stream, 64, UNIT // 10) for stream in streams(20000, 1)])
    assert steps.mean() / UNIT == pytest.approx(0, abs=0.003)
    assert steps.std() / UNIT == pytest.approx(0.1, rel=0.03)


def test_tournaments_prefer_better_ranks():
    operators = operators_of(Params(), 70, 14)
    ranks = [compiled.select_parent(stream, 0, 64, operators) for stream in streams(5000, 2)]
    assert np.mean(ranks) == pytest.approx(64 / 3, rel=0.1)
