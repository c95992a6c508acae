"""Criteria: exact terms, and choices held to the papers' formulas."""

import numpy as np
import pytest
from conftest import defined
from definitions import SCORES, choose
from hypothesis import given
from hypothesis import strategies as st
from test_partition import games_with_candidates

from codebreaker import frontier
from codebreaker.criteria import CRITERIA, EXACT_BELOW, criterion
from codebreaker.errors import CodebreakerError
from codebreaker.frontier import Frontier
from codebreaker.kernels.cells import Sets
from codebreaker.policy import TIE_BREAKS, Policy
from codebreaker.weights import Weights


def frontier_of(*sets, turn=1):
    """A frontier with the given candidate sets."""
    offsets = np.cumsum([0, *map(len, sets)])
    nowhere = np.full(len(sets), -1, dtype=np.int32)
    return Frontier(turn, Sets(np.concatenate(sets), offsets), nowhere, nowhere)


def test_every_criterion_has_a_definition_and_a_citation():
    assert set(SCORES) == set(CRITERIA)
    assert all(rule.citation for rule in CRITERIA.values())


@given(
    drawn=games_with_candidates(),
    name=st.sampled_from(list(CRITERIA)),
    tie_break=st.sampled_from(TIE_BREAKS),
    pool=st.sampled_from(["all", "consistent"]),
    tenths=st.lists(st.integers(1, 10), min_size=243, max_size=243),
    weighted=st.booleans(),
)
def test_the_kernel_chooses_as_the_definition(drawn, name, tie_break, pool, tenths, weighted):
    game, candidates = drawn
    definition, order = defined(game.name), game.feedback_labels
    row = np.array(tenths[: game.n_feedback]) / 10 if weighted else np.ones(game.n_feedback)
    weights = Weights("drawn", "test", game.feedback_labels, row[None, :])
    policy = Policy("drawn", CRITERIA[name], weights, guess_pool=pool, tie_break=tie_break)
    expected = choose(
        name,
        definition,
        [definition.secrets[secret] for secret in candidates],
        pool=pool,
        tie_break=tie_break,
        weights=lambda answer: float(row[order.index(answer)]),
    )
    chosen = frontier.choose(game, policy, frontier_of(candidates))[0]
    assert definition.guesses[chosen] == expected


@given(games_with_candidates(), st.data())
def test_nodes_of_a_frontier_do_not_disturb_each_other(drawn, data):
    game, candidates = drawn
    size = data.draw(st.integers(1, len(candidates)))
    sets = [candidates, candidates[:size], candidates[-1:], candidates[::2].copy()]
    policy = Policy("entropy", CRITERIA["entropy"])
    together = frontier.choose(game, policy, frontier_of(*sets))
    alone = [frontier.choose(game, policy, frontier_of(one))[0] for one in sets]
    assert together.tolist() == alone


@pytest.mark.parametrize("total", [1, 2, 3, 14, 90, 1296, 4096, 32768, 531441])
@pytest.mark.parametrize("n_feedback", [2, 14, 90, 255])
@pytest.mark.parametrize("weighted", [True, False])
def test_weighted_sums_of_terms_stay_exact(criterion_name, total, n_feedback, weighted):
    rule = CRITERIA[criterion_name]
    scales = rule.scales(total, n_feedback, weighted)
    assert scales.term * scales.weight * rule.largest_sum(total, n_feedback) < EXACT_BELOW
    terms = rule.terms(total, scales.term)[1:]
    finite = terms[np.isfinite(terms)]
    assert (finite == np.round(finite)).all()


@given(st.lists(st.integers(1, 400), min_size=1, max_size=14), st.sampled_from(list(CRITERIA)))
def test_no_partition_exceeds_the_bound(cells, name):
    rule, total = CRITERIA[name], sum(cells)
    worth = np.abs(rule.cell(np.array(cells, dtype=float), float(total))).sum()
    assert worth <= rule.largest_sum(total, 14) * (1 + 1e-12)


def test_terms_have_the_published_precision_on_the_papers_game():
    assert CRITERIA["entropy"].scales(1296, 14, weighted=True) == (2**20, 2**20)


@pytest.mark.parametrize("weighted", [True, False])
def test_rounded_entropies_that_are_equal_tie(weighted):
    """Check that the roundings of 14 terms never add up to more than the tolerance."""
    rule = CRITERIA["entropy"]
    scales = rule.scales(1296, 14, weighted)
    for total in range(2, 1297):
        worst = 2 * min(total, 14) * 0.5 * scales.weight
        assert worst <= rule.tolerance(total, scales)


def test_an_unknown_criterion_is_refused_with_the_nearest():
    with pytest.raises(
        CodebreakerError, match="unknown criterion 'entropi': did you mean 'entropy'"
    ):
        criterion("entropi")
