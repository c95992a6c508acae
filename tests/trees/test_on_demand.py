"""Games without a table have the same trees."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from conftest import CRITERION_NAMES, LONGEST, ci_only, defined, game_called, grown, same
from definitions import best_by_pairs
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import EXAMPLES, rules_of
from codebreaker.games.symmetry import class_representatives
from codebreaker.optimise import fitness
from codebreaker.optimise.fitness import FitnessOnDemand
from codebreaker.optimise.problem import Problem, with_weights
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import GUESS_POOLS, TIE_BREAKS, Strategy
from codebreaker.policies.weights import Weights
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.endgames import UNSOLVED, Endgames, endgames_of
from codebreaker.search.kernels.frames import shortcut
from codebreaker.sets import codes
from codebreaker.sets.partition import count_table
from codebreaker.sets.primitives import Sets
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import choose, grow
from codebreaker.trees.io import transcripts
from codebreaker.trees.kernels import on_demand as demand
from codebreaker.trees.kernels import table
from codebreaker.trees.tree import follow

ENTROPY = (criterion("entropy"),)


@cache
def without_table(name):
    return rules_of(name).on_demand()


PAIRS = [*product(GUESS_POOLS, TIE_BREAKS)]
LARGER = [(name,) for name in (*CRITERIA, "renyi-0.5", "renyi-20", "mix-entropy-most-parts-0.3")]
WEIGHTED = ("context-weighted-5625", "stage-weighted", "fixed-weighted")
LARGER_GAMES = ("mm-4-6", "mm-5-4", "mm-3-10", "bc-4-7", "black-4-5")


def in_turn(number):
    turns = enumerate(CRITERION_NAMES, number)
    return [(name, None, *PAIRS[turn % len(PAIRS)]) for turn, name in turns]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *((name, in_turn(number)) for number, name in enumerate(EXAMPLES)),
        *product(LARGER_GAMES, [LARGER]),
        ("mm-4-6", [(name, "1123") for name in WEIGHTED]),
    ],
)
@pytest.mark.slow
def test_trees_are_those_of_the_table(name, settings):
    for how in settings:
        strategy = Strategy(*how)
        tree = grow(without_table(name), strategy, threads=2)
        assert same(tree, grow(game_called(name), strategy)), how


@ci_only
def test_more_colours_than_a_byte_has_values_are_searched_one_by_one():
    game = without_table("mm-1-300")
    assert game.codes.max() == 299
    tree = grow(game, Strategy("entropy"))
    assert (tree.total_guesses, tree.max_guesses) == (300 * 301 // 2, 300)


def test_a_set_whose_sums_of_squares_exceed_32_bits_is_divided_best():
    game = without_table("mm-4-17")
    members = np.flatnonzero((game.codes > 0).all(axis=1)).astype(np.int32)
    assert len(members) == 2**16
    (chosen,) = choose(game, Strategy("expected-size"), Frontier.of_set(members, 2, 0))
    cells = [
        np.bincount(game.feedback(k, members)) for k in [chosen, *class_representatives(game, [0])]
    ]
    squares = [(sizes**2).sum() for sizes in cells]
    assert squares[0] == min(squares)


def test_the_known_totals_of_five_pegs_and_eight_colours_come_out(table):
    game = without_table("mm-5-8")
    trees = [grow(game, Strategy("entropy", "11223"), threads) for threads in (1, 2)]
    assert trees[0].total_guesses == 179_704
    assert same(*trees)
    for name, total in (("stage-weighted-179273", 179_273), (LONGEST.policy, 179_064)):
        assert table.filter(game="mm-5-8", policy=name)["total_guesses"].to_list() == [total]


def test_weights_that_leave_endgames_to_a_search_take_as_many_guesses_as_before():
    """After one answer: the whole tree, which `make` and CI grow, takes ten times as long."""
    game = without_table("mm-5-8")
    answers = game.feedback(game.guesses.index("11223"), np.arange(game.n_secrets, dtype=np.int32))
    answer = game.feedback_labels.index("0B-3C")
    members = np.flatnonzero(answers == answer).astype(np.int32)
    start = Frontier.of_set(members, 2, answer)
    tree = grow(game, LONGEST, endgames=endgames_of(game, LONGEST), start=start)
    assert (len(members), tree.total_guesses) == (1450, 6055)


@pytest.mark.parametrize("name", ["mm-8-3", "mm-12-2", "mm-16-2", "black-16-2", "mm-2-300"])
@pytest.mark.slow
def test_cells_of_codes_with_many_pegs_or_colours_are_counted(name):
    game = without_table(name)
    rng = np.random.default_rng(1)
    grid = codes.grid_of(game)
    pool = np.sort(rng.choice(game.n_guesses, codes.TILE + 5, False)).astype(np.int32)
    planes = codes.unfold(grid, pool)
    tile = codes.make_tile(grid)
    for size in (7, 300):
        members = np.sort(rng.choice(game.n_secrets, size, False)).astype(np.int32)
        for start in (0, codes.TILE):
            codes.count_tile(grid, planes, members, start, tile)
            counts = tile.byte_counts if size <= codes.LARGEST_IN_BYTES else tile.counts
            for at, guess in enumerate(pool[start : start + codes.TILE]):
                answers = game.feedback(int(guess), members)
                expected = np.bincount(answers, minlength=game.n_feedback)
                assert (counts[:, at] == expected).all()
    grade = defined(name).grade
    for guess, secret in rng.choice(game.n_secrets, (300, 2)).tolist():
        label = grade(*(tuple(game.codes[code].tolist()) for code in (guess, secret)))
        (answer,) = game.feedback(guess, np.array([secret]))
        assert game.feedback_labels[answer] == label


def test_a_candidate_that_separates_others_by_late_feedback_ids_is_found():
    game = without_table("mm-12-2")
    grid = codes.grid_of(game)
    rng = np.random.default_rng(2)
    late = 0
    for _ in range(300):
        guess = int(rng.integers(game.n_guesses))
        answers = game.feedback(guess, np.arange(game.n_secrets, dtype=np.int32)).astype(int)
        kinds, first = np.unique(answers, return_index=True)
        pairs = [(a, b) for a in kinds for b in kinds if b - a == 64]
        for a, b in pairs:
            members = np.sort([guess, *first[(kinds == a) | (kinds == b)]]).astype(np.int32)
            sizes = [len(set(game.feedback(int(code), members).tolist())) for code in members]
            expected = (members[sizes.index(3)], 5) if 3 in sizes else (members[sizes.index(2)], 6)
            assert shortcut(grid, members) == expected
            late += 1
    assert late > 50


@settings(deadline=None)
@given(data=st.data(), name=st.sampled_from(["mm-3-4", "mm-2-6", "bc-3-5", "black-3-3"]))
def test_every_guess_has_an_equal_in_the_pool_that_comes_no_later(data, name):
    game = without_table(name)
    table = game_called(name)
    drawn = data.draw(st.sets(st.integers(0, game.n_secrets - 1), min_size=1, max_size=9))
    reverses = data.draw(st.booleans())
    members = np.array(sorted(drawn), dtype=np.int32)
    grid = codes.grid_of(game)
    node_of = np.full(game.n_secrets, -1, np.int32)
    node_of[members] = 0
    representatives = np.zeros((1, grid.n_colours), np.uint8)
    sets = Sets(members, np.array([0, len(members)]))
    codes.find_representatives(grid, sets, np.array([0]), node_of, reverses, representatives)
    pool = codes.list_pool(grid, representatives[0], reverses)
    counts = count_table(table, members)
    order = pool[::-1] if reverses else pool
    assert (np.diff(order) > 0).all()
    for guess in range(game.n_guesses):
        equal = (counts[pool] == counts[guess]).all(axis=1)
        consistent = np.isin(pool, members) == (guess in drawn)
        before = pool >= guess if reverses else pool <= guess
        assert (equal & consistent & before).any()


@pytest.mark.parametrize("name", ["entropy", "expected-size", "worst-case", "most-parts"])
def test_no_partition_beats_the_bound_by_its_pairs(name):
    rule = criterion(name)
    for n in range(2, 9):
        terms = rule.terms(n, rule.finest)
        expected = best_by_pairs(terms, n, min if rule.fold == "min" else sum)
        best = table.best_by_pairs(terms, rule.fold == "min")
        assert {e: best[e] for e in range(len(best)) if best[e] > -np.inf} == expected


@pytest.mark.parametrize("pool", ["all", "consistent"])
@pytest.mark.parametrize("name", ["mm-2-6", "mm-3-3", "bc-3-4", "mm-3-4", "black-3-3", "black-2-6"])
def test_endgames_take_the_minimum_total(name, pool):
    game = without_table(name)
    table = game_called(name)
    cost = CostToGo(table, guess_pool=pool)
    exact = Endgames(game, 62, pool)
    rng = np.random.default_rng(1)
    for size in (2, 3, 5, 8, 13, 24):
        drawn = rng.choice(game.n_secrets, min(size, game.n_secrets), replace=False)
        members = np.sort(drawn).astype(np.int32)
        guess, total = exact.solve(members)
        assert total == cost.of(members, 2)
        assert cost.after(guess, members, 2, total + 1) == total
        assert pool == "all" or guess in members


def test_endgames_that_take_too_long_are_left_to_the_policy(monkeypatch):
    monkeypatch.setattr("codebreaker.search.endgames.LOOKUPS", 10)
    members = np.arange(40, dtype=np.int32)
    assert Endgames(without_table("mm-3-8"), 62).solve(members) == (UNSOLVED, UNSOLVED)


def test_trees_with_exact_endgames_solve_every_secret_and_take_no_more():
    game = without_table("mm-4-5")
    plain_tree = grow(game, Strategy("entropy"))
    tree, _ = grown(game, Strategy("entropy", endgames=62))
    assert tree.total_guesses < plain_tree.total_guesses
    assert sorted(moves[-1][0] for moves in transcripts(game, tree)) == list(range(625))
    assert follow(game, tree, 7)[-1] == (7, game.solved)
    with pytest.raises(CodebreakerError, match="mm-4-5 has no table: use endgames"):
        grown(game, Strategy("entropy", exact_from=3))
    with pytest.raises(CodebreakerError, match="at most 62"):
        grown(game, Strategy("entropy", endgames=63))


def test_problems_that_need_a_table_are_refused():
    problem = Problem(without_table("mm-3-5"), (criterion("tsallis-2"), *ENTROPY), 3, "112")
    with pytest.raises(CodebreakerError, match="mm-3-5 has no table"):
        _ = problem.table
    with pytest.raises(CodebreakerError, match="only weights can be optimised there"):
        FitnessOnDemand(problem)


def test_known_sets_are_not_searched_again(monkeypatch):
    problem = Problem(without_table("mm-3-5"), ENTROPY, 3, "112")
    weights = np.random.default_rng(2).uniform(0.3, 1, (3, 3, 9))
    weights[1, 1] = weights[0, 1]
    weights[2] = weights[0]
    searched = []
    choose = demand.choose_nodes

    def note(grid, sets, nodes, pool, rule, *rest):
        ends = zip(sets.offsets[nodes], sets.offsets[nodes + 1], strict=True)
        chosen = [sets.members[start:stop].tobytes() for start, stop in ends]
        searched.extend(members + rule.weights.tobytes() for members in chosen)
        choose(grid, sets, nodes, pool, rule, *rest)

    monkeypatch.setattr(demand, "choose_nodes", note)
    fitness = FitnessOnDemand(problem)
    expected = fitness(with_weights(weights))
    assert searched
    assert len(searched) == len(set(searched))
    monkeypatch.setattr(demand, "choose_nodes", None)
    assert np.array_equal(fitness(with_weights(weights)), expected)


def test_a_forest_has_the_totals_of_its_trees(monkeypatch):
    game = without_table("mm-3-5")
    weights = np.random.default_rng(2).uniform(0.3, 1, (5, 2, 9))
    weights[1, 1] = weights[0, 1]
    weights[2] = weights[0]
    for opening, endgames in ((None, 0), ("112", 0), ("112", 20)):
        problem = Problem(game, ENTROPY, 2, opening, endgames=endgames)
        strategy = Strategy("entropy", opening, endgames=endgames)
        every = [Weights("", "", game.feedback_labels, rows) for rows in weights]
        expected = [grown(game, strategy.with_weights(vector))[0] for vector in every]
        for mib in (1024, 0):
            monkeypatch.setattr(fitness, "FOREST_MIB", mib)
            on_demand = FitnessOnDemand(problem, 1.0, threads=2)
            for _ in range(2):  # the second time with a filled memo
                totals = on_demand(with_weights(weights)).tolist()
                assert totals == [tree.total_guesses for tree in expected]
