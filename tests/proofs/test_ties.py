"""Weights that decide by ties, which the bounds on weights cover, too."""

import numpy as np
import pytest
from conftest import ROOT, game_called

from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import TIE_TOLERANCE_BITS
from codebreaker.policies.registry import Policy
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights
from codebreaker.proofs import one_row, patterns
from codebreaker.proofs.patterns import CLEAR_LEAD_BITS, ChoiceTable
from codebreaker.proofs.settings import BEHIND_BITS
from codebreaker.report.tables import read_table
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.sets.partition import count_table
from codebreaker.trees.grow import grow, walk

ENTROPY = CRITERIA["entropy"]
BOUNDS = read_table(ROOT / "resources" / "paper-scale" / "checked-bounds.csv")
GRIDS = ((0.5, 1), (0.2, 0.6, 1), (0.25, 0.5, 0.75, 1), np.arange(1, 11) / 10)
"""Weights of coarse grids, under which many guesses tie."""


def weighted(game, opening, rows):
    weights = Weights("drawn", "test", game.feedback_labels, np.array(rows))
    return Strategy("drawn", opening, rule=Policy(ENTROPY, weights))


def choices_of(game, strategy):
    """Yield each set from turn 2 on, how far below the best score its guess is, and the options.

    By the definition of the weighted entropy, in floating-point numbers. An option is the sizes of
    the parts by feedback of guesses that tie with the best one.
    """
    rows = np.array(strategy.weights.values, dtype=float)
    for level, guesses, _ in walk(game, grow(game, strategy)):
        weights = rows[min(level.turn, len(rows)) - 1]
        for members, guess in zip(level.cells, guesses, strict=True):
            if len(members) > 1 and level.turn > 1:
                sizes = count_table(game, members)
                shares = sizes / len(members)
                logs = np.log2(shares, out=np.zeros(shares.shape), where=shares > 0)
                scores = -(weights * shares * logs).sum(axis=1)
                tied = np.flatnonzero(scores > scores.max() - TIE_TOLERANCE_BITS)
                yield scores.max() - scores[guess], np.unique(sizes[tied], axis=0)


def decided_by_ties(game, strategy):
    """Return in how many sets several options tie, and the number of sets."""
    ties = [len(options) > 1 for _, options in choices_of(game, strategy)]
    return sum(ties), len(ties)


@pytest.mark.slow
def test_the_rounded_weights_of_table_3_tie_and_the_others_do_not(mm46):
    assert decided_by_ties(mm46, Strategy("stage-weighted", opening="1123")) == (28, 387)
    for name in ("stage-weighted-unrounded", "fixed-weighted", "stage-weighted-5630"):
        assert decided_by_ties(mm46, Strategy(name, opening="1123"))[0] == 0


@pytest.mark.parametrize("one_row", ["no", "yes"])
@pytest.mark.slow
def test_no_weights_with_ties_beat_the_proven_bound(mm46, one_row):
    (bound,) = BOUNDS.filter(one_row=one_row)["bound"]
    draw = np.random.default_rng(1)
    totals = []
    for grid in GRIDS:
        turns = 1 if one_row == "yes" else 5
        drawn = [draw.choice(grid, (turns, mm46.n_feedback)) for _ in range(60)]
        strategies = [weighted(mm46, "1123", rows) for rows in drawn]
        totals += [grow(mm46, strategy).total_guesses for strategy in strategies]
        assert any(decided_by_ties(mm46, strategy)[0] for strategy in strategies[:3])
    assert min(totals) >= bound


@pytest.mark.parametrize("name", ["mm-3-6", "mm-4-4"])
@pytest.mark.slow
def test_a_guess_is_never_further_behind_than_the_proofs_allow(name):
    game = game_called(name)
    draw = np.random.default_rng(2)
    n = game.n_feedback
    rows = [draw.uniform(0.001, 1, (4, n)) for _ in range(20)]
    rows += [draw.uniform(0.001, 0.002, (4, n)) for _ in range(20)]
    rows += [draw.choice(grid, (4, n)) for grid in GRIDS for _ in range(5)]
    for values in rows:
        strategy = weighted(game, game.guesses[1], values)
        behind = [gap for gap, _ in choices_of(game, strategy)]
        assert max(behind) <= BEHIND_BITS


def test_where_choices_tie_the_bound_is_not_above_the_total(monkeypatch):
    game = game_called("mm-3-3")
    total = grow(game, weighted(game, "112", np.ones((1, game.n_feedback)))).total_guesses
    choices = ChoiceTable(CostToGo(game, memo_mib=4), ENTROPY, 25)
    # So near to uniform weights no option leads one that entropy ties with.
    almost = 1 - 1e-8

    def bound():
        facts, _ = one_row.bound_facts(one_row.OneRowSearch(choices, almost, 1.0), "112", 25)
        return facts["bound"]

    assert bound() <= total
    # If winners have to lead clearly, the proof leaves out the options that entropy ties with.
    monkeypatch.setattr(patterns, "PROOF_MARGIN_BITS", CLEAR_LEAD_BITS)
    assert bound() > total
