"""Secrets solved within some guesses."""

import json
from itertools import count, product
from types import SimpleNamespace

import check_certificates
import polars as pl
import pytest
from conftest import certified_optimum, defined, game_called
from definitions import attainable, most_parts_after, profiles
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.report.chapters.rounds import most_won, pareto_points
from codebreaker.search import solver
from codebreaker.search.optimum import find_optimum
from codebreaker.search.rounds import count_rounds, most_solved_first, supported_points
from codebreaker.search.settings import Charges, Target
from codebreaker.search.solver import Solver

TINY = ["bc-2-3", "black-2-2", "mm-2-2", "mm-2-3", "mm-3-2", "matches-terminal", "marks-terminal"]
SMALL = [*TINY, "matches-short", "marks-wide", "mm-2-4", "bc-2-4"]


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_most_secrets_won_are_kooi_s_number_of_parts(name, rounds):
    game = game_called(name)
    literal = defined(name)
    tree = Solver(game, memo_mib=1, charges=most_solved_first(game, rounds)).solve().tree
    parts = most_parts_after(literal, literal.secrets, rounds - 1)
    assert tree.profile[:rounds].sum() == parts


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_frontier_is_the_hull_of_all_trees(name, rounds):
    game = game_called(name)
    literal = defined(name)
    pairs = attainable(literal, rounds)
    points = [(point.won, point.total) for point in supported_points(game, rounds, 1)]
    assert set(points) <= pairs
    most = max(won for won, _ in pairs)
    assert points[0] == (most, min(total for won, total in pairs if won == most))
    lowest = min(total for _, total in pairs)
    assert points[-1] == (max(won for won, total in pairs if total == lowest), lowest)
    # A lower hull has the lowest weighted sum for all weights of the total and of secrets won.
    for of_total, of_won in product(range(6), range(1, 12)):
        lowest_on_hull = min(of_total * total - of_won * won for won, total in points)
        assert lowest_on_hull == min(of_total * total - of_won * won for won, total in pairs)


@pytest.mark.parametrize(
    ("rounds", "won", "total"),
    # 132 is the total of Kooi 2005, Table 12; 1296 within five is Knuth 1977.
    [(2, 14, 5642), (3, 132, 5653), (4, 768, 5630), (5, 1296, 5626)],
)
def test_the_most_secrets_of_the_papers_game(mm46, tmp_path, rounds, won, total):
    optimum = certified_optimum(mm46, Target(objective="rounds", rounds=rounds), tmp_path, 64)
    tree = optimum.solution.tree
    assert optimum.solution.proven
    assert (int(tree.profile[:rounds].sum()), tree.total_guesses) == (won, total)
    certificate = json.loads((tmp_path / "certificate.json").read_text(encoding="utf-8"))
    check = check_certificates.check
    assert certificate["won"] == won
    for changed, wrong in (
        ({"won": won - 1}, f"^{won} secrets within {rounds} guesses$"),
        ({"rounds": rounds - 1}, "secrets within|a cost of"),
        ({"cost": certificate["cost"] + 1}, "^a cost of"),
    ):
        with pytest.raises(ValueError, match=wrong):
            check(certificate | changed)


def lexicographic_key(profile):
    return sum(t * n for t, n in enumerate(profile, start=1)), len(profile), profile[-1]


@pytest.mark.parametrize("pool", ["all", "consistent"])
@pytest.mark.parametrize("name", [*TINY, "bc-1-3", "black-1-4", "marks-wide", "matches-wide"])
def test_the_lexicographic_optimum_is_that_of_all_trees(name, pool, tmp_path):
    game = game_called(name)
    literal = defined(name, pool)
    trees = profiles(literal, literal.secrets)
    optimum = certified_optimum(game, Target(pool, objective="lexicographic"), tmp_path)
    tree = optimum.solution.tree
    assert lexicographic_key(tree.profile.tolist()) == min(map(lexicographic_key, trees))
    assert optimum.solution.proven
    assert optimum.guess_limit == tree.max_guesses


@given(
    name=st.sampled_from(TINY),
    guess=st.integers(1, 5),
    late=st.integers(1, 40),
    rounds=st.integers(0, 5),
    after=st.integers(1, 3) | st.none(),
)
@pytest.mark.slow
def test_the_search_finds_the_minimum_cost_of_any_charges_within_a_limit(
    name, guess, late, rounds, after
):
    game = defined(name)
    limit = None if after is None else rounds + after
    charges = Charges(guess, late, rounds)
    solution = Solver(game_called(name), guess_limit=limit, memo_mib=1, charges=charges).solve()

    def cost(profile):
        turns = enumerate(profile, start=1)
        return sum((guess * turn + late * (turn > rounds)) * solved for turn, solved in turns)

    trees = [
        profile
        for profile in profiles(game, game.secrets)
        if limit is None or len(profile) <= limit
    ]
    lowest = min(map(cost, trees), default=None)
    assert (None if solution is None else solution.cost) == lowest
    assert solution is None or solution.bound == cost(solution.tree.profile.tolist()) == lowest


def test_a_lexicographic_search_out_of_time_claims_only_what_it_knows(monkeypatch, tmp_path):
    game = game_called("mm-4-3")
    target = Target(objective="lexicographic")
    unproven = 0
    best = find_optimum(game, target, 1, 1e9).solution.cost
    for ticks in (0, 5, 20, 80, 150, 300, 600):
        monkeypatch.setattr(solver, "time", SimpleNamespace(monotonic=count().__next__))
        optimum = certified_optimum(game, target, tmp_path, 1, ticks)
        assert optimum.solution.bound <= best <= optimum.solution.cost
        unproven += not optimum.solution.proven
    assert 0 < unproven < 7


def test_too_large_games_are_refused(monkeypatch):
    with pytest.raises(CodebreakerError, match="mm-4-9 is too large to count"):
        most_solved_first(game_called("mm-4-9"), 4)
    monkeypatch.setattr("codebreaker.search.optimum.is_countable", lambda cost: cost < 200)
    with pytest.raises(CodebreakerError, match="mm-2-3 is too large for the objective"):
        find_optimum(game_called("mm-2-3"), Target(objective="lexicographic"), 1, 60)


def test_the_tables(table, mm46):
    small = count_rounds(game_called("mm-2-3"), False, 1)
    counted = pl.concat([count_rounds(mm46, True, 32), small])
    won = most_won(counted, table)
    frontier = pareto_points(counted)
    assert frontier["game"].unique().to_list() == ["mm-4-6"]
    rows = won.filter(pl.col("game") == "mm-4-6")
    assert rows["most won"].to_list() == [1, 14, 132, 768, 1296]
    row = rows.row(2, named=True)
    # Kooi 2005, Table 7: most parts wins 1 + 12 + 72 within three, and takes 5668 guesses.
    assert (row["best classic policy"], row["won by it"]) == ("most-parts", 85)
    assert row["its total"] == 5668
    assert won.filter(pl.col("game") == "mm-2-3")["best classic policy"].null_count() == 3
