"""Trees of smaller games, played in larger ones, against literal sets of codes."""

from dataclasses import replace
from itertools import permutations, product

import pytest
from conftest import ROOT, defined, game_called, same

from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.policies.strategy import Strategy
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.trees.grow import grow, walk
from codebreaker.trees.io import read_tree
from codebreaker_records.revise import below
from codebreaker_records.rollout import LARGE, roll_out
from codebreaker_records.settings import Rollout
from codebreaker_records.smaller_games import code_game, embed, plays_like, smaller_game


def is_whole(family, codes):
    """Whether codes are all codes over equally many colours at each peg; the same unless black."""
    colours = [sorted({code[peg] for code in codes}) for peg in range(len(codes[0]))]
    every = permutations(colours[0], len(colours)) if family == "bc" else product(*colours)
    alike = {len(code) for code in colours} if family == "black" else set(map(tuple, colours))
    return len(alike) == 1 and sorted(every) == sorted(codes)


@pytest.mark.parametrize("name", ["mm-2-6", "mm-3-5", "bc-3-7", "black-3-4"])
def test_each_set_that_is_a_smaller_game_takes_at_most_its_minimum(name):
    game = code_game(name)
    family = name.split("-")[0]
    tree = grown = grow(game, Strategy("first-consistent"))

    def optimum(smaller):
        return [find_optimum(game_called(smaller), Target(), 16, 600).solution.tree]

    for turn in range(2, tree.max_guesses):
        tree = embed(game, tree, turn, None, optimum)
    tree.check()
    assert tree.total_guesses < grown.total_guesses
    totals = below(tree)[0]
    node = 0
    n_compared = 0
    for level in walk(game, tree):
        for members in level.frontier.cells:
            codes = [defined(name).secrets[member] for member in members]
            smaller = smaller_game(game, members)
            assert (smaller is not None) == is_whole(family, codes)
            if smaller is not None and 1 < len(codes) < game.n_secrets:
                assert totals[node] <= optimum(smaller)[0].total_guesses
                n_compared += 1
            node += 1
    assert n_compared


@pytest.mark.parametrize(("limit", "total"), [(None, 5625), (7, 5625), (6, 5626)])
def test_a_limit_prefers_more_guesses_in_fewer_turns(limit, total):
    game = code_game("mm-4-8")
    tree = grow(game, Strategy("entropy", "1122"))  # 0B-0C leaves MM(4,6)
    files = DATA / "trees", ROOT / "resources" / "best-known" / "lowest-maximum"
    trees = [read_tree(folder / "mm-4-6.parquet")[0] for folder in files]
    tree = embed(game, tree, 2, limit, lambda name: trees if name == "mm-4-6" else [])
    assert below(tree)[0][(tree.turn == 2) & (tree.n_candidates == 6**4)].tolist() == [total]


@pytest.mark.parametrize(("name", "other"), [("mm-2-5", "mm-2-7"), ("bc-3-4", "bc-3-5")])
def test_large_sets_are_played_as_after_the_same_moves(name, other):
    small = code_game(name)
    game = code_game(other)
    large = defined(other)
    tree = grow(small, Strategy("entropy"))
    expected = set()
    moves = [[]]
    for node in range(len(tree.guess)):
        if node:
            parent = tree.parent[node]
            label = small.feedback_labels[tree.feedback[node]]
            guess = tuple(map(int, small.guesses[tree.guess[parent]]))
            moves.append([*moves[parent], (guess, label)])
        left = tuple(
            member
            for member, secret in enumerate(large.secrets)
            if all(large.grade(guess, secret) == label for guess, label in moves[node])
        )
        if len(left) >= 3:
            expected.add((len(moves[node]) + 1, left, small.guesses[tree.guess[node]]))
    plays = plays_like(game, name, tree, 3)
    assert {(turn, (*some,), game.guesses[guess]) for turn, some, guess in plays} == expected


def test_a_rollout_plays_large_sets_like_a_recorded_tree():
    game = code_game("mm-3-8")
    known, record = read_tree(DATA / "trees" / "mm-3-7.parquet")
    base = Strategy("entropy", record.opening, endgames=4)
    tree = roll_out(game, Rollout(base, (3,), exact=4, like_smaller=True))
    tree.check()
    plays_of_known = plays_like(game, "mm-3-7", known, LARGE)
    plays = {(turn, some.tobytes()): guess for turn, some, guess in plays_of_known}
    assert len(plays) > 3
    for level in walk(game, tree):
        for members, guess in zip(level.frontier.cells, level.guesses.tolist(), strict=True):
            assert plays.pop((level.frontier.turn, members.tobytes()), guess) == guess
    assert not plays
    small = Rollout(Strategy("entropy", "12", endgames=4), (2,), exact=4, like_smaller=True)
    assert same(
        *(
            roll_out(code_game("mm-2-5"), rollout)
            for rollout in (small, replace(small, like_smaller=False))
        )
    )
    with pytest.raises(CodebreakerError, match="mm-3-7 begins with 123: give this opening"):
        roll_out(
            game, Rollout(Strategy("entropy", "112", endgames=4), (1,), exact=4, like_smaller=True)
        )
