"""Exact search within pools, limits and openings, and what it may call proven."""

import json
from functools import cache
from itertools import product
from math import inf

import numpy as np
import pytest
from conftest import certified_optimum, defined, game_called, notation_of
from definitions import minimum_of_all_trees
from hypothesis import given
from hypothesis import strategies as st

import codebreaker as cb
from codebreaker.constants import BEST_KNOWN, OPTIMAL
from codebreaker.errors import CodebreakerError
from codebreaker.policies.strategy import Strategy
from codebreaker.proven import UNCHECKED, is_proven
from codebreaker.report.chapters.rounds import optima
from codebreaker.report.site import best_by_game
from codebreaker.search import solver
from codebreaker.search.certificate import Certificate, unproven, write_certificate
from codebreaker.search.lower_bound import LowerBound
from codebreaker.search.optimum import find_optimum, strategy_of_optimum
from codebreaker.search.settings import Target
from codebreaker.search.weighted import WeightedSearch
from codebreaker.sets.partition import all_secrets
from codebreaker.trees.best_known import KnownTree, best_known
from codebreaker.trees.grow import grow
from codebreaker.trees.io import strategy_of_tree
from codebreaker.trees.metrics import strategies
from codebreaker.trees.tree import is_tree_of as is_tree_of_set

ANSWERS = ("a", "b", "c", "won")
NO_TIME = 1e-9
"""Seconds after which a search stops at once."""


@st.composite
def table_games(draw):
    """A game whose first guesses are its secrets, and its table."""
    n_secrets = draw(st.integers(1, 5))
    n_others = draw(st.integers(0, 3))
    answers = st.integers(0, 2)
    table = [
        [3 if guess == secret else draw(answers) for secret in range(n_secrets)]
        for guess in range(n_secrets + n_others)
    ]
    # Other guesses are also in front of the secrets.
    names = draw(st.permutations("klmnopqr"))[: n_secrets + n_others]
    game = cb.Game.from_table(table, names, names[:n_secrets], ANSWERS, "won")
    return game, dict(zip(names, table, strict=True)), names[:n_secrets]


def is_tree_of(game, tree):
    return is_tree_of_set(game, tree, all_secrets(game))


def least(table, secrets, pool, left, opening):
    """The minimum total by trying everything, or inf."""

    @cache
    def of(members, turns):
        if turns == 0:
            return inf
        allowed = table if pool == "all" else [secrets[member] for member in members]
        return min((after(guess, members, turns) for guess in allowed), default=inf)

    def after(guess, members, turns):
        cells = {}
        for member in members:
            cells.setdefault(table[guess][member], []).append(member)
        cells.pop(3, None)
        if [*members] in cells.values():
            return inf if turns > len(secrets) else len(members) + of(members, turns - 1)
        return len(members) + sum(of(tuple(cell), turns - 1) for cell in cells.values())

    everything = tuple(range(len(secrets)))
    turns = len(secrets) + 1 if left is None else left
    if opening is None:
        return of(everything, turns)
    cells = {}
    for member in everything:
        cells.setdefault(table[opening][member], []).append(member)
    cells.pop(3, None)
    return len(secrets) + sum(of(tuple(cell), turns - 1) for cell in cells.values())


@given(table_games(), st.sampled_from(["all", "consistent"]), st.integers(1, 5), st.data())
def test_minima_within_pools_limits_and_openings_are_those_of_all_trees(drawn, pool, limit, data):
    game, table, secrets = drawn
    limit = data.draw(st.sampled_from([None, limit]))
    opening = data.draw(st.sampled_from([None, *table]))
    options = {"guess_pool": pool, "max_guesses": limit, "opening": opening}
    if pool == "consistent" and opening not in (None, *secrets):
        for refused in (
            lambda: cb.solve(game, **options),
            lambda: cb.grow(game, "entropy", opening, guess_pool=pool),
            lambda: cb.suggest(game, "entropy", opening, guess_pool=pool),
        ):
            with pytest.raises(CodebreakerError, match=f"{opening!r} can't be the secret"):
                refused()
        return
    expected = least(table, secrets, pool, limit, opening)
    if expected == inf:
        with pytest.raises(CodebreakerError, match=f"proven that no tree .* within {limit} guess"):
            cb.solve(game, **options)
        return
    solved = cb.solve(game, **options)
    assert (solved.tree.total, solved.bound, solved.is_proven) == (expected, expected, True)
    assert opening in (None, solved.tree.opening)
    assert solved.tree.maximum <= (limit or inf)
    assert is_tree_of(game._model, solved.tree._model)


@pytest.mark.parametrize("name", ["mm-2-3-distinct", "mm-3-4-distinct", "marks-wide", "pegs-wide"])
def test_consistent_play_starts_with_a_candidate(name, tmp_path):
    game = game_called(name)
    rules = defined(name, "consistent")
    solution = certified_optimum(game, Target("consistent"), tmp_path).solution
    assert solution.cost == minimum_of_all_trees(rules, rules.secrets, {})
    assert solution.proven
    assert game.guesses[solution.tree.guess[0]] in game.secrets


def test_games_with_guesses_that_are_no_secrets():
    # Secrets that differ in the first letter only: candidates exclude one another one by one.
    words = cb.Game.from_words(["bumpy", "dumpy", "jumpy", "lumpy"], ["bejld"])
    assert cb.solve(words, guess_pool="consistent").tree.total == 1 + 2 + 3 + 4
    assert cb.solve(words).tree.total == 4 * 2
    assert cb.solve("mm-4-6-distinct", guess_pool="consistent").tree.total == 1453
    with pytest.raises(CodebreakerError, match="not every guess of mm-2-3-distinct"):
        LowerBound(game_called("mm-2-3-distinct"), "consistent")


def test_an_opening_that_tells_nothing_may_be_forced():
    game = cb.game("mm-2-3").restricted(["11", "12"])
    solved = cb.solve(game, opening="33")
    assert (solved.tree.total, solved.is_proven, solved.tree.opening) == (2 + 1 + 2, True, "33")
    with pytest.raises(CodebreakerError, match=r"that begins with 33 .* within 2 guesses"):
        cb.solve(game, opening="33", max_guesses=2)
    weights = np.array([1, 2])
    members = np.arange(2, dtype=np.int32)
    after = WeightedSearch(game._table_game, weights).after(game._guess_index("33"), members, 1, 99)
    assert after == 3 + 2 * 1 + 1 * 2


def test_hard_mode_names_its_opening_and_its_limit():
    game = cb.Game.from_words(["abcde", "fghij", "fghik"])
    with pytest.raises(CodebreakerError, match=r"begins with abcde solves .* within 2 guesses"):
        cb.solve(game, opening="abcde", guess_pool="hard", max_guesses=2)
    free = cb.solve(game, guess_pool="hard", max_guesses=2)
    assert (free.tree.total, free.tree.opening[:4], free.is_proven) == (5, "fghi", True)
    forced = cb.solve(game, opening="abcde", guess_pool="hard", max_guesses=3)
    assert forced.tree.name == "optimal_max-3_pool-hard_from-abcde"
    assert (forced.tree.total, forced.bound) == (1 + 2 + 3, 6)


@pytest.fixture
def stopped(monkeypatch):
    """A search that stops at once."""
    monkeypatch.setattr(solver, "SLICE", 1)
    monkeypatch.setattr(solver, "MOST_GROWN", 0)


GREEDY = ("entropy", "most-parts", "expected-size", "worst-case")


@pytest.mark.parametrize("name", ["mm-3-4", "black-3-4", "mm-3-4-distinct", "marks-wide"])
def test_a_stopped_search_is_no_worse_than_known_trees(name, stopped):
    game = cb.Game(notation_of(name).rules, game_called(name))
    openings = [None, game.secrets[0]]
    for pool, opening, limit in product(["all", "consistent"], openings, [None, 7]):
        options = {"guess_pool": pool, "opening": opening}
        solved = cb.solve(game, max_guesses=limit, time_limit_s=NO_TIME, **options)
        greedy = [cb.grow(game, policy, **options) for policy in GREEDY]
        fitting = [tree.total for tree in greedy if tree.maximum <= (limit or inf)]
        assert solved.tree.total <= min(fitting)
        assert solved.bound <= solved.tree.total
        assert solved.tree.maximum <= (limit or inf)
        assert opening in (None, solved.tree.opening)
        assert solved.tree.name.startswith("optimal" if solved.is_proven else "best-found")
        if pool == "consistent":
            for secret in game.secrets:
                moves = solved.tree.play(secret)
                for turn, (guess, _) in enumerate(moves):
                    assert cb.State(game, moves[:turn]).is_consistent(guess)


def test_a_stopped_search_has_the_recorded_tree_of_this_game_alone(stopped):
    plain = cb.game("mm-4-4")
    solved = cb.solve(plain, time_limit_s=NO_TIME)
    assert (solved.tree.total, solved.is_proven, solved.tree.name) == (905, False, "best-found")
    # The same labels, sizes and name, but secrets 1111 and 1112 have exchanged their feedback.
    table = np.array([plain._feedback_ids(guess) for guess in plain.guesses])
    table[2:, [0, 1]] = table[2:, [1, 0]]
    labels = plain.guesses, plain.secrets, plain.feedback_labels, plain.feedback_labels[-1]
    other = cb.Game.from_table(table, *labels, "mm-4-4")
    assert not is_tree_of(other._model, solved.tree._model)
    tree = cb.solve(other, time_limit_s=NO_TIME).tree
    assert is_tree_of(other._model, tree._model)
    assert {tree.play(secret)[-1][0] == secret for secret in other.secrets} == {True}


def test_a_tree_of_another_game_is_recognised():
    game = game_called("mm-3-4")
    tree = cb.grow("mm-3-4", "entropy")._model
    assert is_tree_of(game, tree)
    for name in ("mm-3-3", "mm-3-5", "bc-3-4", "mm-3-4-distinct"):
        assert not is_tree_of(game_called(name) if "5" not in name else cb.game(name)._model, tree)


def test_only_a_bound_that_reaches_the_cost_proves_it():
    assert is_proven(5, 5)
    assert not is_proven(5, 4)
    assert not is_proven(5, None)
    with pytest.raises(ValueError, match="refutes the bound 6"):
        is_proven(5, 6)


def where_proven(game, optimum, folder):
    """Return what the search, the certificate, the tables, and the policy's name say of a proof."""
    path = folder / "certificate.json"
    write_certificate(game, optimum, path)
    certificate = json.loads(path.read_text(encoding="utf-8"))
    (row,) = optima([Certificate(**certificate)], UNCHECKED).to_dicts()
    strategy = strategy_of_optimum(game, optimum)
    tree = optimum.solution.tree
    record = strategy_of_tree(game, strategy, tree, "tree")
    (known,) = best_known(
        [KnownTree(tree, record, "search", None)], [optimum.solution.bound]
    ).to_dicts()
    return [
        optimum.solution.proven,
        certificate["proven"],
        row["proven"],
        strategy.policy,
        known["proven"],
    ]


def test_nothing_calls_a_stopped_or_sampled_search_proven(tmp_path, monkeypatch):
    game = game_called("mm-3-4")
    complete = find_optimum(game, Target(), 4, 60)
    assert where_proven(game, complete, tmp_path) == [True, True, "yes", OPTIMAL, "yes"]
    # An optimal tree that was found by sampling has only the bound by the number of secrets.
    sampled = unproven(game, complete.solution.tree, "all")
    assert where_proven(game, sampled, tmp_path) == [False, False, "no", BEST_KNOWN, "no"]
    monkeypatch.setattr(solver, "SLICE", 1)
    later = complete.solution.tree
    stopped = find_optimum(game, Target(), 4, 0, later=lambda: later)
    assert stopped.solution.cost == complete.solution.cost
    assert where_proven(game, stopped, tmp_path) == [False, False, "no", BEST_KNOWN, "no"]
    solved = cb.solve("mm-3-4", time_limit_s=NO_TIME)
    assert not solved.is_proven
    assert json.loads(solved.certificate())["proven"] is False


@pytest.mark.parametrize(
    ("target", "minimum"),
    [
        (Target(), 206),
        (Target(objective="lexicographic"), 206),
        (Target(opening="111"), None),
        (Target(objective="maximum"), None),
        (Target("consistent"), None),
        (Target(objective="rounds", rounds=2), None),
    ],
    ids=str,
)
def test_only_optima_over_all_trees_are_the_minimum_on_the_page(target, minimum):
    game = game_called("mm-3-4")
    optimum = find_optimum(game, target, 4, 60)
    assert optimum.solution.proven
    optimal = optimum.solution.tree, strategy_of_optimum(game, optimum)
    greedy = Strategy("entropy")
    tree = grow(game, greedy)
    table = strategies([optimal, (tree, strategy_of_tree(game, greedy, tree, greedy.slug))])
    (row,) = best_by_game(table)
    assert row["lowest"] == minimum
