"""Game trees against literal play, golden figures and invariants."""

import csv

import numpy as np
import pytest
from conftest import GAMES, GOLDEN, defined, game_called
from definitions import play
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.policy import TIE_BREAKS, Policy, make_policy, policy_names
from codebreaker.policies.weights import Weights
from codebreaker.trees.grow import grow, transcripts
from codebreaker.trees.tree import follow


def golden(name):
    """The rows of a golden table."""
    with (GOLDEN / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


DETERMINISTIC = [row for row in golden("mm-4-6.csv") if not row["policy"].startswith("optimal")]


@pytest.mark.parametrize("row", DETERMINISTIC, ids=lambda row: f"{row['policy']} {row['opening']}")
def test_the_papers_figures_come_out(mm46, row):
    forced = "forced" in row["opening"] or row["policy"] == "first-consistent"
    opening = row["opening"].removeprefix("forced ")
    policy = make_policy(row["policy"], opening if forced else None, tie_break=row["tie_break"])
    tree = grow(mm46, policy)
    assert mm46.guesses[tree.guess[0]] == opening
    assert tree.total_guesses == int(row["total_guesses"])
    assert tree.turn.max() == int(row["max_guesses"])
    assert " ".join(map(str, tree.profile)) == row["histogram"]


def test_simple_opens_with_the_first_code_by_itself(mm46):
    assert mm46.guesses[grow(mm46, make_policy("first-consistent")).guess[0]] == "1111"


@pytest.mark.parametrize("pool", ["all", "consistent"])
@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@pytest.mark.parametrize("name", GAMES)
def test_trees_are_those_of_literal_play(name, criterion_name, tie_break, pool):
    game, definition = game_called(name), defined(name)
    policy = make_policy(criterion_name, guess_pool=pool, tie_break=tie_break)
    tree = grow(game, policy)
    expected = play(criterion_name, definition, tie_break=tie_break, pool=pool)
    for secret, code in enumerate(definition.secrets):
        moves = follow(game, tree, secret)
        assert [definition.guesses[guess] for guess, _ in moves] == expected[code]


@given(data=st.data(), name=st.sampled_from(GAMES))
def test_stage_weights_and_openings_are_those_of_literal_play(data, name):
    game, definition = game_called(name), defined(name)
    order = game.feedback_labels
    turns = data.draw(st.integers(1, 4))
    draws = st.lists(st.integers(1, 10), min_size=len(order), max_size=len(order))
    values = np.array([data.draw(draws) for _ in range(turns)]) / 10
    opening = data.draw(st.sampled_from(game.guesses))
    weights = Weights("drawn", "test", game.feedback_labels, values)
    tree = grow(game, Policy("drawn", CRITERIA["entropy"], weights, opening=opening))
    expected = play(
        "entropy",
        definition,
        opening=definition.guesses[game.guesses.index(opening)],
        tie_break="consistent then lexicographic",
        weights=lambda turn, answer: values[min(turn, turns) - 1, order.index(answer)],
    )
    for secret, code in enumerate(definition.secrets):
        moves = follow(game, tree, secret)
        assert [definition.guesses[guess] for guess, _ in moves] == expected[code]


def test_every_secret_is_solved_once(game, criterion_name):
    tree = grow(game, make_policy(criterion_name))
    paths = transcripts(game, tree)
    for secret, moves in enumerate(paths):
        assert moves == follow(game, tree, secret)
        assert [feedback for _, feedback in moves].count(game.solved) == 1
        assert moves[-1] == (game.guess_of_secret[secret], game.solved)


def test_the_sum_of_candidates_is_the_total_of_guesses(game, criterion_name):
    tree = grow(game, make_policy(criterion_name))
    lengths = [len(moves) for moves in transcripts(game, tree)]
    assert tree.total_guesses == sum(lengths)
    assert tree.profile.tolist() == np.bincount(lengths)[1:].tolist()
    assert tree.turn.max() == max(lengths)


def test_no_guess_is_played_that_splits_nothing(game, criterion_name):
    tree = grow(game, make_policy(criterion_name))
    children = np.bincount(tree.parent[1:], minlength=len(tree.parent))
    solved_here = tree.n_candidates - np.bincount(
        tree.parent[1:], weights=tree.n_candidates[1:], minlength=len(tree.parent)
    )
    assert ((children + solved_here) >= np.minimum(tree.n_candidates, 2)).all()


def test_nodes_stand_below_their_parents_a_turn_later(game):
    tree = grow(game, make_policy("entropy"))
    assert tree.parent[0] == tree.feedback[0] == -1
    assert (tree.parent[1:] < np.arange(1, len(tree.parent))).all()
    assert (tree.turn[1:] == tree.turn[tree.parent[1:]] + 1).all()


def test_exact_optima_are_no_higher_than_any_strategy(criterion_name):
    for row in golden("optimal-small.csv"):
        name = f"mm-{row['pegs']}-{row['colours']}"
        if game_called(name).n_secrets <= 300:
            tree = grow(game_called(name), make_policy(criterion_name))
            assert tree.total_guesses >= int(row["optimal_total"])


def test_weights_of_another_game_are_refused():
    with pytest.raises(CodebreakerError, match="weights 14 feedback types, but mm-3-4 has 9"):
        grow(game_called("mm-3-4"), make_policy("stage-weighted"))


def test_bad_policies_are_refused_with_the_nearest():
    with pytest.raises(
        CodebreakerError, match="unknown policy 'worstcase': did you mean 'worst-case'"
    ):
        make_policy("worstcase")
    with pytest.raises(CodebreakerError, match="unknown tie-break 'lexical'"):
        make_policy("entropy", tie_break="lexical")
    with pytest.raises(CodebreakerError, match="unknown guess pool 'al'"):
        make_policy("entropy", guess_pool="al")


def test_slugs_tell_policies_apart():
    policies = [
        make_policy(name, opening, pool, tie)
        for name in policy_names()
        for opening in (None, "1123")
        for pool in ("all", "consistent")
        for tie in TIE_BREAKS
    ]
    assert len({policy.slug for policy in policies}) == len(policies)
