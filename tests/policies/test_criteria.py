"""Criteria against the papers' formulas, strategies, weights."""

import json
import os
import pickle
import re
import shutil
from collections import defaultdict
from dataclasses import replace
from decimal import Decimal, localcontext
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from conftest import (
    CRITERION_NAMES,
    GAMES,
    ROOT,
    ci_only,
    defined,
    game_called,
    games_with_candidates,
    python,
)
from definitions import SCORES, choose
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.files import read_toml
from codebreaker.games import tables
from codebreaker.games.registry import rules_of
from codebreaker.policies.catalogue import MEANINGS
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import EXACT_BELOW
from codebreaker.policies.families import EXAMPLES, FAMILIES, criterion
from codebreaker.policies.registry import FOUND, STEPS, Policy, policy_names
from codebreaker.policies.strategy import (
    COLUMNS,
    GUESS_POOLS,
    SETTINGS,
    TIE_BREAKS,
    Strategy,
    recorded_strategy,
)
from codebreaker.policies.weights import Weights, published, published_names
from codebreaker.report.names import WORDS
from codebreaker.sets.primitives import Sets
from codebreaker.trees import grow as trees
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow

ROUNDED = [name for name in CRITERION_NAMES if criterion(name).ties != "float"]


def frontier_of(*sets):
    offsets = np.cumsum([0, *map(len, sets)])
    nowhere = np.full(len(sets), -1, dtype=np.int32)
    return Frontier(1, Sets(np.concatenate(sets), offsets), nowhere, nowhere)


def test_every_criterion_has_a_definition_and_a_citation():
    assert set(SCORES) == set(CRITERIA)
    assert all(criterion(name).citation for name in CRITERION_NAMES)


def test_every_criterion_has_a_meaning_and_a_name_for_charts_and_the_page():
    page = read_toml(ROOT / "src/codebreaker/report/page/names.toml")
    for names in (MEANINGS, WORDS, page["names"]):
        assert [name for name in CRITERIA if name not in names] == []


@pytest.mark.parametrize("name", CRITERION_NAMES)
def test_every_criterion_is_that_of_its_definition_if_secrets_have_weights(name):
    strategy = Strategy("drawn", rule=Policy(criterion(name), None))
    definition = defined("mm-2-3", strategy.guess_pool)
    game = game_called("mm-2-3")
    draw = Random(0)
    for _ in range(40):
        weights = [draw.randint(1, 6) for _ in game.secrets]
        left = np.array(sorted(draw.sample(range(game.n_secrets), 6)), dtype=np.int32)
        secrets = [definition.secrets[secret] for secret in left]
        prior = dict(zip(definition.secrets, weights, strict=True))
        expected = choose(name, definition, secrets, tie_break=strategy.tie_break, prior=prior)
        weighted = replace(game, prior=np.array(weights))
        chosen = trees.choose(weighted, strategy, frontier_of(left))[0]
        assert definition.guesses[chosen] == expected, (weights, secrets)


def test_the_config_describes_every_family_by_an_example():
    _, description = SETTINGS["policy"]
    for prefix in FAMILIES:
        assert f"`{prefix}-" in description, prefix


@ci_only
@pytest.mark.slow
def test_the_criterion_that_contributing_adds_passes_the_tests_of_all(tmp_path):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipe = text.split("## A new criterion")[1].split("\n## ")[0]
    blocks = re.findall(r"   ```python\n(.*?)   ```", recipe, re.DOTALL)
    functions, entry, formula, names = (re.sub("^   ", "", block, flags=re.M) for block in blocks)
    ignored = shutil.ignore_patterns("data", "__pycache__")
    for folder in ("src", "tests", "workflow/checkers"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    data = Path("src", "codebreaker", "data")
    (tmp_path / data).symlink_to(ROOT / data)

    def edit(file, old, new):
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")

    families = tmp_path / "src" / "codebreaker" / "policies" / "families.py"
    edit(families, "FAMILIES = {\n", f"{functions}\n\nFAMILIES = {{\n{entry}")
    definitions = tmp_path / "tests" / "definitions.py"
    edit(definitions, "def score_of(", f"{formula}\n\ndef score_of(")
    last = '    family, order = criterion.split("-")\n'
    edit(definitions, last, names + last)
    strategy = tmp_path / "src" / "codebreaker" / "policies" / "strategy.py"
    edit(strategy, "`renyi-inf`)", "`renyi-inf`, `blend-0.4-2`)")
    path = os.pathsep.join(str(tmp_path / name) for name in ("src", "workflow/checkers"))
    files = ("tests/policies/test_criteria.py", "tests/trees/test_tree.py")
    tests = "literal_play or stay_exact or exceeds_the_bound or describes_every_family"
    command = ["-m", "pytest", "-q", "-n", "0", *files, "-k", tests]
    run = python(*command, environment={"PYTHONPATH": path}, cwd=tmp_path)
    assert run.returncode == 0, run.stdout
    plays = "import codebreaker as cb; print(cb.grow('mm-3-4', 'blend-0.4-2'))"
    writes = "from codebreaker.report.terms import *; from codebreaker.policies.families import *"
    lines = f"{plays}\n{writes}\nprint(term_of(criterion('blend-0.4-2')))"
    run = python("-c", lines, environment={"PYTHONPATH": path}, check=True)
    assert "'mm-3-4', 'blend-0.4-2'" in run.stdout
    assert "Math.log((total / count))" in run.stdout


@settings(max_examples=120)
@given(
    drawn=games_with_candidates(),
    name=st.sampled_from(CRITERION_NAMES),
    tie_break=st.sampled_from(TIE_BREAKS),
    pool=st.sampled_from(GUESS_POOLS),
    tenths=st.lists(st.integers(1, 10), min_size=243, max_size=243),
    weighted=st.booleans(),
    odds=st.none() | st.randoms(use_true_random=False),
)
@pytest.mark.slow
def test_guesses_are_those_of_the_definition(drawn, name, tie_break, pool, tenths, weighted, odds):
    game, candidates = drawn
    definition = defined(game.name, pool)
    order = game.feedback_labels
    row = np.array(tenths[: game.n_feedback]) / 10 if weighted else np.ones(game.n_feedback)
    weights = Weights("drawn", "test", game.feedback_labels, row[None, :])
    strategy = Strategy("drawn", None, pool, tie_break, rule=Policy(criterion(name), weights))
    options = {"tie_break": tie_break, "weights": lambda answer: float(row[order.index(answer)])}
    secrets = [definition.secrets[secret] for secret in candidates]
    if odds is not None:
        prior = [odds.randint(1, 6) for _ in game.secrets]
        game = replace(game, prior=np.array(prior))
        options["prior"] = dict(zip(definition.secrets, prior, strict=True))
    expected = choose(name, definition, secrets, **options)
    chosen = trees.choose(game, strategy, frontier_of(candidates))[0]
    assert definition.guesses[chosen] == expected


@pytest.mark.parametrize("name", ["worst-case", "expected-size", "entropy", "most-parts"])
def test_a_cell_of_256_candidates_is_no_empty_one(name):
    """Guess x leaves 256 of 300 candidates together; y leaves 150, and its other half in two."""
    secrets = [f"{number:03}" for number in range(300)]
    own = [[0 if guess == secret else 1 for secret in range(300)] for guess in range(300)]
    table = [*own, [1] * 256 + [2] * 44, [1] * 150 + [2] * 75 + [3] * 75]
    labels = ["won", "one", "two", "three"]
    game = tables.table_game(table, [*secrets, "x", "y"], secrets, labels, "won")
    every = np.arange(300, dtype=np.int32)
    assert game.guesses[trees.choose(game, Strategy(name), frontier_of(every))[0]] == "y"


def test_weights_decide_what_the_worst_case_is():
    """Guess x has five light candidates and a heavy one; y has three of each, and is the worse."""
    secrets = [*"abcdef"]
    own = [[0 if guess == secret else 2 for secret in range(6)] for guess in range(6)]
    table = [*own, [1, 1, 1, 1, 1, 2], [1, 1, 1, 2, 2, 2]]
    labels = ["won", "light", "heavy"]
    game = tables.table_game(table, [*secrets, "x", "y"], secrets, labels, "won")
    for light, best in ((0.1, "x"), (1.0, "y")):
        weights = Weights("drawn", "test", game.feedback_labels, np.array([[1.0, light, 1.0]]))
        strategy = Strategy("drawn", rule=Policy(criterion("worst-case"), weights))
        assert game.guesses[grow(game, strategy).guess[0]] == best


@given(
    drawn=games_with_candidates(("mm-2-3", "mm-3-3", "mm-2-3-distinct", "bc-3-3", "marks-wide")),
    name=st.sampled_from([*STEPS]),
    tie_break=st.sampled_from(TIE_BREAKS),
    pool=st.sampled_from(GUESS_POOLS),
    odds=st.none() | st.randoms(use_true_random=False),
)
def test_two_guesses_ahead_are_chosen_as_defined(drawn, name, tie_break, pool, odds):
    game, candidates = drawn
    definition = defined(game.name, pool)
    options = {"tie_break": tie_break}
    if odds is not None:
        prior = [odds.randint(1, 6) for _ in game.secrets]
        game = replace(game, prior=np.array(prior), symmetry=None)
        options["prior"] = dict(zip(definition.secrets, prior, strict=True))
    secrets = [definition.secrets[secret] for secret in candidates]
    strategy = Strategy(name, None, pool, tie_break)
    chosen = trees.choose(game, strategy, frontier_of(candidates))[0]
    assert definition.guesses[chosen] == choose(name, definition, secrets, **options)


@pytest.mark.parametrize("name", [*policy_names(), *EXAMPLES])
@pytest.mark.parametrize("likely", range(4))
def test_the_likeliest_of_tied_candidates_is_played(name, likely):
    """Every guess splits four secrets alike, so that the prior alone decides."""
    weights = dict(
        zip("abcd", [97 if position == likely else 1 for position in range(4)], strict=True)
    )
    table = np.eye(4, dtype=int)
    game = tables.weighted(
        tables.table_game(table, [*"abcd"], [*"abcd"], ["no", "yes"], "yes"), weights
    )
    for tie_break in TIE_BREAKS:
        strategy = Strategy(name, tie_break=tie_break)
        try:
            (chosen,) = trees.choose(game, strategy, Frontier.initial(game))
        except CodebreakerError:
            assert strategy.weights is not None or strategy.plays.joined is not None
            continue
        # Where the weights enter the score, even `lexicographic` plays the likeliest.
        assert chosen in ({0, likely} if tie_break == "lexicographic" else {likely})


@given(games_with_candidates(), st.data())
@pytest.mark.slow
def test_nodes_of_a_frontier_do_not_disturb_each_other(drawn, data):
    game, candidates = drawn
    size = data.draw(st.integers(1, len(candidates)))
    sets = [candidates, candidates[:size], candidates[-1:], candidates[::2].copy()]
    strategy = Strategy("entropy")
    together = trees.choose(game, strategy, frontier_of(*sets))
    alone = [trees.choose(game, strategy, frontier_of(members))[0] for members in sets]
    assert together.tolist() == alone


@pytest.mark.parametrize("name", ROUNDED)
def test_weighted_sums_of_terms_stay_exact(name):
    assert CRITERIA["entropy"].scales(1296, 14, weighted=True) == (2**20, 2**20)
    rule = criterion(name)
    totals = (1, 2, 3, 14, 90, 1296, 4096, 32768, 531441)
    for total, n_feedback, weighted in product(totals, (2, 14, 90, 255), (True, False)):
        scales = rule.scales(total, n_feedback, weighted)
        largest = scales.term * scales.weight * rule.largest_sum(total, n_feedback)
        assert largest < EXACT_BELOW, (total, n_feedback, weighted)
        terms = rule.terms(total, scales.term)[1:]
        finite = terms[np.isfinite(terms)]
        assert (finite == np.round(finite)).all(), (total, n_feedback, weighted)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=14), st.sampled_from(CRITERION_NAMES))
def test_no_partition_exceeds_the_bound(cells, name):
    rule = criterion(name)
    total = sum(cells)
    worth = np.abs(rule.cell(np.array(cells, dtype=float), float(total))).sum()
    assert worth <= rule.largest_sum(total, 14) * (1 + 1e-12)


EXACT_CELLS = {
    "entropy": lambda count, total: count * ((total / count).ln() / Decimal(2).ln()),
    "renyi-0.5": lambda count, total: count.sqrt(),
    "tsallis-0.5": lambda count, total: (count * total).sqrt() - count,
}
ROWS = ((1, 1, 1, 1), (1, 1, 0.5, 0.5), (1, 0.5, 0.25, 0.75))


@pytest.mark.parametrize("name", EXACT_CELLS)
def test_partitions_of_equal_entropy_tie(name):
    rule = criterion(name)
    different = 0
    for total, row in product(range(4, 15), ROWS):
        scales = rule.scales(total, len(row), row != ROWS[0])
        terms = rule.terms(total, scales.term)
        weights = [w * scales.weight for w in row]
        scores = defaultdict(set)
        with localcontext(prec=50):
            sized = [(Decimal(size), Decimal(total)) for size in range(1, total)]
            exact = [Decimal(0), *(EXACT_CELLS[name](*sizes) for sizes in sized)]
            for sizes in product(range(total), repeat=len(row)):
                if sum(sizes) == total:
                    true = sum(Decimal(w) * exact[size] for w, size in zip(row, sizes, strict=True))
                    rounded = sum(w * terms[size] for w, size in zip(weights, sizes, strict=True))
                    scores[true.quantize(Decimal("1e-40"))].add(float(rounded))
        tolerance = rule.tolerance(total, len(row), scales)
        for rounded in scores.values():
            assert max(rounded) - min(rounded) <= tolerance, (total, row)
            different += max(rounded) > min(rounded)
    assert different > 0


CLASSIC = {"0": "most-parts", "1": "entropy", "2": "expected-size", "inf": "worst-case"}


@pytest.mark.parametrize("order", [*CLASSIC, "0.2", "0.95", "1.05", "1.7", "3", "5.5", "40"])
def test_both_families_order_guesses_equally_and_the_classic_orders_as_their_criteria(order):
    names = [f"{family}-{order}" for family in ("renyi", "tsallis")]
    names += [CLASSIC[order]] if order in CLASSIC else []
    for game, pool in product((*GAMES, "mm-4-6"), GUESS_POOLS):
        compared = [Strategy(name, guess_pool=pool) for name in names]
        first, *others = (grow(game_called(game), strategy).guess for strategy in compared)
        assert all((guesses == first).all() for guesses in others), (game, pool)


def test_weighted_tsallis_joins_weighted_entropy_without_a_break(mm46):
    weights = published("gur-2025-stage")
    for name in ("tsallis-0.99999", "tsallis-1", "tsallis-1.00001", "entropy"):
        near = Strategy("near", rule=Policy(criterion(name), weights))
        assert grow(mm46, near).total_guesses == 5636, name


def test_the_order_may_differ_by_turn(mm46):
    criteria = ("renyi-inf", "most-parts", "tsallis-1")
    weights = Weights("flat", "test", mm46.feedback_labels, np.ones((1, 14)), criteria=criteria)
    staged = grow(mm46, Strategy("staged", rule=Policy(CRITERIA["entropy"], weights)))
    assert mm46.guesses[staged.guess[0]] == "1122"
    second = staged.guess[staged.turn == 2]
    parts = grow(mm46, Strategy("most-parts", opening="1122"))
    assert (second == parts.guess[parts.turn == 2]).all()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("renyi-", "write renyi-ORDER, as in 'renyi-0.5'"),
        ("renyi--1", "write renyi-ORDER"),
        ("tsallis-two", "write tsallis-ORDER"),
        ("renyi-201", "too high: use at most 200, or inf"),
        ("mix-entropy-worst-case-0.5", "write mix-FIRST-SECOND-SHARE, as in 'mix-most"),
        ("mix-entropy-most-parts-1.5", "the second's share, 0 to 1"),
        ("entropi", "unknown criterion 'entropi': did you mean 'entropy'"),
    ],
)
def test_unknown_criteria_are_refused(name, message):
    with pytest.raises(CodebreakerError, match=message):
        criterion(name)


@pytest.mark.parametrize("settings", [{"endgames": -1}, {"exact_from": 0}, {"exact_from": -2}])
def test_settings_below_their_range_are_refused(settings):
    with pytest.raises(CodebreakerError, match=r"endgames can't have -1|exact_from can't be turn"):
        Strategy("entropy", **settings)


strategies = st.builds(
    Strategy,
    st.sampled_from([*policy_names(), *CRITERION_NAMES]),
    st.sampled_from([None, "1123"]),
    st.sampled_from([None, *GUESS_POOLS]),
    st.sampled_from([None, *TIE_BREAKS]),
    st.integers(0, 62),
    st.none() | st.integers(2, 20),
)


@given(strategies)
def test_jobs_and_files_of_trees_get_the_strategy_that_the_workflow_has(strategy):
    again = pickle.loads(pickle.dumps(strategy))
    assert (again, repr(again), again.slug) == (strategy, repr(strategy), strategy.slug)
    assert again.criterion.terms(20, 1.0).tolist() == strategy.criterion.terms(20, 1.0).tolist()
    made = strategy.grown("mm-4-6", "1122", "tree")
    row = json.loads(json.dumps(made.row))
    assert list(row) == list(COLUMNS)
    assert row["opening"] == (strategy.opening or "1122")
    assert row["forced"] == (strategy.opening is not None)
    assert Strategy.of_row(row) == made


def test_names_of_files_tell_strategies_apart():
    options = ((None, "1123"), GUESS_POOLS, TIE_BREAKS, (0, 8), (None, 3))
    made = [Strategy(*settings) for settings in product(policy_names(), *options)]
    assert len({strategy.slug for strategy in made}) == len(made)


def test_an_opening_that_was_chosen_is_not_forced():
    chosen = Strategy("entropy").grown("mm-4-6", "1234", "entropy")
    assert (chosen.opening, chosen.forced_opening, chosen.slug) == ("1234", None, "entropy")
    assert replace(chosen, forced=True).slug == "entropy_from-1234"


def test_found_weights_play_under_the_name_of_their_model():
    weights = published("stage-5630")
    strategy = recorded_strategy("my-model", weights)
    assert (strategy.policy, strategy.opening) == (
        f"my-model{FOUND}",
        weights.provenance["opening"],
    )
    assert strategy.weights is weights


def odd(*values):
    return Weights("odd", "test", ("0B-0C", "1B-0C"), np.array([values]))


def test_what_are_no_weights_is_refused():
    for make, message in (
        *((lambda bad=bad: odd(0.5, bad), r"lie in \(0, 1\]") for bad in (0, -0.1, 1.01, np.nan)),
        (lambda: odd(1, 1, 1), "each turn needs 2"),
        (lambda: published("gur-2025-stages"), r"unknown weights 'gur.*'gur-2025-stage'"),
    ):
        with pytest.raises(CodebreakerError, match=message):
            make()


def test_a_malformed_row_is_refused():
    row = Strategy("entropy").grown("mm-4-6", "1234", "entropy").row
    for change in {"game": 5}, {"endgames": "3"}, {"forced": 1}, {"tie_break": "last"}, {"x": 1}:
        with pytest.raises(ValueError, match="strategy"):
            Strategy.of_row(row | change)


@pytest.mark.parametrize("name", published_names())
def test_registered_weights_fit_their_game(name):
    weights = published(name)
    game = weights.provenance.get("game", "mm-4-6")
    assert weights.feedback_labels == rules_of(game).feedback_labels()


def test_the_last_turn_serves_all_later_ones():
    weights = published("gur-2025-stage")
    assert (weights.at(6) == weights.at(9)).all()
    assert (weights.at(2) == weights.values[1]).all()
    uniform = weights.uniform_from(4).values
    assert (uniform == [*weights.values[:3], *np.ones_like(uniform[3:])]).all()
