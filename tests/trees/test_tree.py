"""Game trees against literal play, golden figures and invariants."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from conftest import CRITERION_NAMES, GAMES, GOLDEN, defined, game_called, games_with_candidates
from definitions import play, same_by_symmetry
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.registry import JOINED, STEPS, Policy
from codebreaker.policies.strategy import GUESS_POOLS, TIE_BREAKS, Strategy
from codebreaker.policies.weights import Weights
from codebreaker.sets.partition import count_table, counts, split
from codebreaker.trees.best_known import FIRST_GUESS_COLUMNS, compare_first_guesses
from codebreaker.trees.grow import grow
from codebreaker.trees.io import transcripts
from codebreaker.trees.tree import follow

PAPERS = [
    row
    for row in pl.read_csv(GOLDEN / "mm-4-6.csv", infer_schema=False).iter_rows(named=True)
    if not row["policy"].startswith("optimal")
]


def games_of(game, definition, tree):
    return {
        code: [definition.guesses[guess] for guess, _ in follow(game, tree, secret)]
        for secret, code in enumerate(definition.secrets)
    }


@pytest.mark.parametrize("row", PAPERS, ids=lambda row: f"{row['policy']} {row['opening']}")
def test_the_papers_figures_come_out(mm46, row):
    forced = "forced" in row["opening"] or row["policy"] == "first-consistent"
    opening = row["opening"].removeprefix("forced ")
    policy = Strategy(row["policy"], opening if forced else None, tie_break=row["tie_break"])
    tree = grow(mm46, policy)
    assert mm46.guesses[tree.guess[0]] == opening
    assert tree.total_guesses == int(row["total_guesses"])
    assert tree.turn.max() == int(row["max_guesses"])
    assert " ".join(map(str, tree.profile)) == row["histogram"]


OTHERS = ("mm-2-4", "mm-3-3", "bc-2-5", "black-2-4", "marks-terminal", "marks-wide")
PLAYED = sorted({*GAMES, *OTHERS})


@pytest.mark.parametrize("name", PLAYED)
def test_trees_are_those_of_literal_play(name):
    pairs, definition, game = [*product(GUESS_POOLS, TIE_BREAKS)], defined(name), game_called(name)
    turns = enumerate(CRITERION_NAMES, PLAYED.index(name))
    cases = [(criterion, *pairs[number % len(pairs)]) for number, criterion in turns]
    if name in OTHERS:
        cases += [(policy, *pair) for policy in (*STEPS, *JOINED) for pair in pairs]
    for policy, pool, tie_break in cases:
        tree = grow(game, Strategy(policy, guess_pool=pool, tie_break=tie_break))
        expected = play(policy, definition, tie_break=tie_break, pool=pool)
        assert games_of(game, definition, tree) == expected, (policy, pool, tie_break)


def test_two_steps_open_as_kooi_says_after_table_12(mm46):
    for policy, total in (("most-parts-two-steps", 5936), ("most-parts-two-then-one", 5645)):
        tree = grow(mm46, Strategy(policy))
        assert (mm46.guesses[tree.guess[0]], tree.total_guesses) == ("1123", total)


@given(data=st.data(), name=st.sampled_from(GAMES))
def test_stage_weights_and_openings_are_those_of_literal_play(data, name):
    game, definition = game_called(name), defined(name)
    order = game.feedback_labels
    turns = data.draw(st.integers(1, 4))
    draws = st.lists(st.integers(1, 10), min_size=len(order), max_size=len(order))
    values = np.array([data.draw(draws) for _ in range(turns)]) / 10
    opening = data.draw(st.sampled_from(game.guesses))
    weights = Weights("drawn", "test", game.feedback_labels, values)
    tree = grow(game, Strategy("drawn", opening, rule=Policy(CRITERIA["entropy"], weights)))
    expected = play(
        "entropy",
        definition,
        opening=definition.guesses[game.guesses.index(opening)],
        tie_break="consistent then lexicographic",
        weights=lambda turn, answer: values[min(turn, turns) - 1, order.index(answer)],
    )
    assert games_of(game, definition, tree) == expected


def test_every_secret_is_solved_once_and_its_guesses_are_counted(game):
    for name in CRITERION_NAMES:
        tree = grow(game, Strategy(name))
        tree.check()
        assert tree.parent[0] == tree.feedback[0] == -1
        games = transcripts(game, tree)
        for secret, moves in enumerate(games):
            assert moves == follow(game, tree, secret), name
            assert [feedback for _, feedback in moves].count(game.solved) == 1, name
            assert moves[-1] == (game.guess_of_secret[secret], game.solved), name
        lengths = [len(moves) for moves in games]
        assert tree.total_guesses == sum(lengths), name
        assert tree.profile.tolist() == np.bincount(lengths)[1:].tolist(), name
        assert tree.max_guesses == tree.turn.max() == max(lengths), name


@pytest.mark.parametrize(("pegs", "colours"), [(2, 3), (3, 3), (2, 4)])
def test_every_class_of_first_guesses_is_played(pegs, colours):
    name = f"mm-{pegs}-{colours}"
    policies = ("worst-case", "expected-size", "entropy", "most-parts")
    game = defined(name)
    compared = compare_first_guesses(game_called(name), policies)
    assert compared.columns == list(FIRST_GUESS_COLUMNS)
    kinds = sorted({same_by_symmetry(code, [], pegs, colours) for code in game.guesses})
    for policy in policies:
        rows = [row for row in compared.iter_rows(named=True) if row["policy"] == policy]
        assert [row["opening"] for row in rows] == ["".join(map(str, code)) for code in kinds]
        totals = []
        for row, code in zip(rows, kinds, strict=True):
            games = play(policy, game, opening=code, tie_break="consistent then lexicographic")
            lengths = [len(guesses) for guesses in games.values()]
            totals.append(sum(lengths))
            assert (row["total"], row["max"]) == (sum(lengths), max(lengths))
            assert row["mean"] == round(sum(lengths) / len(game.secrets), 4)
        assert [row["best"] == "yes" for row in rows] == [one == min(totals) for one in totals]


@given(games_with_candidates())
def test_cells_are_disjoint_and_complete(drawn):
    game, candidates = drawn
    table = count_table(game, candidates)
    for guess in range(game.n_guesses):
        cells = split(game, guess, candidates)
        assert sorted(np.concatenate(list(cells.values()))) == candidates.tolist()
        sizes = counts(game, guess, candidates)
        assert (table[guess] == sizes).all()
        assert sum(sizes) == len(candidates)
        for feedback, cell in cells.items():
            assert (game.table[guess, cell] == feedback).all()
            assert len(cell) == sizes[feedback]
