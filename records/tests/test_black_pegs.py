"""Lowest maxima of the black-peg game against all strategies of small games."""

from functools import cache
from itertools import product

import numpy as np
import polars as pl
import pytest
from conftest import ROOT, full_only
from definitions import matches

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import make_game
from codebreaker.trees.grow import guesses_by_secret
from codebreaker_records.black_pegs import (
    BlackPegSearch,
    largest_sets,
    lowest_maximum_bound,
    lowest_maximum_bound_of,
    with_blanks,
)

LOWEST = pl.read_csv(ROOT / "resources" / "best-known" / "lowest-maximum.csv")
BLANK = "-"


def codes_of(pegs, colours):
    return list(product(range(colours), repeat=pegs))


def guesses_of(pegs, colours, has_blanks):
    return list(product([*range(colours), *([BLANK] if has_blanks else [])], repeat=pegs))


def literal_search(guesses):
    """Return a function that says whether a set can be solved within r of these guesses."""

    @cache
    def solves(candidates, left):
        """Try every guess: one is good if all its parts can be solved within one guess less."""
        if left == 0 or len(candidates) <= 1:
            return len(candidates) <= left
        for guess in guesses:
            parts = {}
            for secret in candidates:
                if secret != guess:
                    parts.setdefault(matches(guess, secret), set()).add(secret)
            if all(len(part) < len(candidates) for part in parts.values()) and all(
                solves(frozenset(part), left - 1) for part in parts.values()
            ):
                return True
        return False

    return solves


@pytest.mark.parametrize("has_blanks", [False, True])
@pytest.mark.parametrize(
    ("pegs", "colours"), [(1, 2), (1, 5), (2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (4, 2), (3, 3)]
)
def test_the_lowest_maximum_is_that_of_all_strategies(pegs, colours, has_blanks):
    search = BlackPegSearch(pegs, colours, has_blanks, memo_mib=1)
    literal = literal_search(guesses_of(pegs, colours, has_blanks))
    every = frozenset(codes_of(pegs, colours))
    lowest = search.lowest_maximum()
    assert literal(every, lowest)
    assert not literal(every, lowest - 1)
    assert [search.solves(r) for r in range(1, 9)] == [r >= lowest for r in range(1, 9)]


@pytest.mark.parametrize(
    ("pegs", "colours", "has_blanks"),
    [
        (2, 5, False),
        (3, 3, False),
        (4, 2, False),
        (5, 2, False),
        (2, 5, True),
        (3, 3, True),
        (4, 2, True),
        (5, 2, True),
        pytest.param(3, 4, False, marks=full_only),
        pytest.param(4, 3, False, marks=full_only),
        pytest.param(3, 4, True, marks=full_only),
        pytest.param(4, 3, True, marks=full_only),
    ],
)
def test_sets_are_solved_if_some_strategy_solves_them(pegs, colours, has_blanks):
    search = BlackPegSearch(pegs, colours, has_blanks, memo_mib=4)
    literal = literal_search(guesses_of(pegs, colours, has_blanks))
    codes = codes_of(pegs, colours)
    random = np.random.default_rng(pegs * 10 + colours)
    answers = set()
    for trial in range(60):
        # Any codes; or codes with p − 1 pegs of one code, whose sets are bounded apart.
        pool = np.arange(len(codes))
        if trial % 3 == 0:
            centre = codes[random.integers(len(codes))]
            pool = [k for k, code in enumerate(codes) if matches(code, centre) == pegs - 1]
        size = min(int(random.integers(2, 13)), len(pool))
        members = np.sort(random.choice(pool, size, replace=False))
        candidates = frozenset(codes[k] for k in members)
        for left in range(1, 5):
            solved = search.solves(left, members)
            assert solved == literal(candidates, left), (members, left)
            answers.add((left, solved))
    assert {(2, True), (2, False), (3, True)} <= answers
    assert (3, False) in answers or pegs > 3


def test_the_maximum_size_of_solved_sets_is_not_exceeded():
    """With two pegs and two guesses, all sets are tried."""
    codes = codes_of(2, 3)
    literal = literal_search(guesses_of(2, 3, has_blanks=True))
    most = {1: 0, 2: 0}
    for chosen in product([False, True], repeat=len(codes)):
        candidates = frozenset(code for code, is_in in zip(codes, chosen, strict=True) if is_in)
        for left in most:
            if len(candidates) > most[left] and literal(candidates, left):
                most[left] = len(candidates)
    largest, _ = largest_sets(2)
    assert [most[1], most[2]] == largest[1:3].tolist() == [1, 3]


@pytest.mark.parametrize(("pegs", "colours", "r"), [(3, 3, 4), (4, 5, 7), (5, 5, 7)])
def test_games_with_blanks_need_more_guesses(pegs, colours, r):
    """The values that the bounds of all games of as many pegs rest on."""
    search = BlackPegSearch(pegs, colours, has_blanks=True)
    assert not search.solves(r)
    assert search.solves(r + 1)
    assert with_blanks(pegs, colours) == r + 1
    assert lowest_maximum_bound(pegs, 10) == 10 - colours + r + 1


def test_blanks_and_fewer_colours_bound_the_lowest_maximum():
    """The proof's inequalities, where both sides are found by trying all strategies."""
    lowest = {}
    for pegs, colours in [*product([1, 2], [1, 2, 3, 4]), *product([3], [1, 2, 3])]:
        every = frozenset(codes_of(pegs, colours))
        for has_blanks in (False, True):
            literal = literal_search(guesses_of(pegs, colours, has_blanks))
            within = (r for r in range(1, 9) if literal(every, r))
            lowest[pegs, colours, has_blanks] = next(within)
    for pegs, colours, has_blanks in lowest:
        for k in range(1, colours):
            smaller = lowest[pegs, colours - k, True]
            assert lowest[pegs, colours, has_blanks] >= k + smaller
        assert lowest[pegs, colours, True] <= lowest[pegs, colours, False]
        bound = lowest_maximum_bound(pegs, colours, most_codes=4)
        assert bound <= lowest[pegs, colours, False]


@pytest.mark.parametrize("game", LOWEST["game"].to_list())
def test_the_recorded_bounds_are_those_of_the_search(game):
    row = LOWEST.row(by_predicate=pl.col("game") == game, named=True)
    bound = lowest_maximum_bound_of(make_game(game, 0).on_demand())
    assert bound <= row["max_bound"]
    if game.startswith("black-"):
        assert bound == row["max_bound"]
        pegs, colours = map(int, game.split("-")[1:])
        if colours >= {3: 3, 4: 5, 5: 5}[pegs]:
            assert bound == colours + {3: 2, 4: 3, 5: 3}[pegs]
    else:
        assert bound == 0


@pytest.mark.parametrize("game", ["black-2-3", "black-3-4", "black-4-4", "black-4-6"])
def test_a_tree_within_the_lowest_maximum(game):
    pegs, colours = map(int, game.split("-")[1:])
    search = BlackPegSearch(pegs, colours)
    lowest = search.lowest_maximum()
    tree = search.tree(lowest)
    tree.check()
    assert tree.max_guesses == lowest
    assert guesses_by_secret(make_game(game), tree).max() == lowest
    assert search.tree(lowest - 1) is None
    assert search.sets_searched > 0


def test_a_search_gives_up_and_refuses_large_games():
    with pytest.raises(CodebreakerError, match="gave up: allow more comparisons"):
        BlackPegSearch(4, 5, comparisons=10**4).solves(8)
    with pytest.raises(CodebreakerError, match="at most 64 pegs times colours"):
        BlackPegSearch(5, 13)
