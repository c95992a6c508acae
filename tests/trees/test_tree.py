"""Game trees against literal play and published figures."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import polars as pl
import pytest
from conftest import (
    CRITERION_NAMES,
    GAMES,
    GOLDEN,
    defined,
    game_called,
    games_with_candidates,
    same,
)
from definitions import play, same_by_symmetry
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import read_game, write_game
from codebreaker.games.registry import rules_of
from codebreaker.games.symmetry import representatives_of_guesses
from codebreaker.games.tables import restricted, weighted
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import LARGEST_MEASURED, Criterion
from codebreaker.policies.registry import JOINED, STEPS, Policy
from codebreaker.policies.strategy import GUESS_POOLS, TIE_BREAKS, Strategy
from codebreaker.policies.weights import Weights
from codebreaker.search.endgames import endgames_of
from codebreaker.search.solver import Solver
from codebreaker.search.weighted import WeightedSearch
from codebreaker.sets.partition import count_table, counts, split
from codebreaker.trees.first_guesses import FIRST_GUESS_COLUMNS, compare_first_guesses
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import choose, expected_guesses, grow, guesses_by_secret, levels
from codebreaker.trees.io import strategy_of_tree, transcripts
from codebreaker.trees.metrics import strategies
from codebreaker.trees.sweep import sweep
from codebreaker.trees.tree import follow, is_tree_of

FIGURES = pl.read_csv(GOLDEN / "mm-4-6.csv", infer_schema=False).to_dicts()
PAPERS = [row for row in FIGURES if not row["policy"].startswith("optimal")]


def games_of(game, definition, tree):
    played = [follow(game, tree, secret) for secret in range(game.n_secrets)]
    codes = [[definition.guesses[guess] for guess, _ in moves] for moves in played]
    return dict(zip(definition.secrets, codes, strict=True))


@pytest.mark.parametrize("row", PAPERS, ids=lambda row: f"{row['policy']} {row['opening']}")
@pytest.mark.slow
def test_the_papers_figures_come_out(mm46, row):
    forced = "forced" in row["opening"] or row["policy"] == "first-consistent"
    opening = row["opening"].removeprefix("forced ")
    strategy = Strategy(row["policy"], opening if forced else None, tie_break=row["tie_break"])
    tree = grow(mm46, strategy)
    assert mm46.guesses[tree.guess[0]] == opening
    assert tree.total_guesses == int(row["total_guesses"])
    assert tree.turn.max() == int(row["max_guesses"])
    assert " ".join(map(str, tree.profile)) == row["histogram"]


OTHERS = ("mm-2-4", "mm-3-3", "bc-2-5", "black-2-4", "marks-terminal", "marks-wide")
PLAYED = sorted({*GAMES, *OTHERS})


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.slow
def test_trees_and_their_figures_are_those_of_literal_play(name):
    pairs = [*product(GUESS_POOLS, TIE_BREAKS)]
    definition = defined(name)
    game = game_called(name)
    turns = enumerate(CRITERION_NAMES, PLAYED.index(name))
    cases = [(criterion, *pairs[number % len(pairs)]) for number, criterion in turns]
    if name in OTHERS:
        cases += [(policy, *pair) for policy in (*STEPS, *JOINED) for pair in pairs]
    for policy, pool, tie_break in cases:
        tree = grow(game, Strategy(policy, guess_pool=pool, tie_break=tie_break))
        expected = play(policy, replace(definition, pool=pool), tie_break=tie_break)
        assert games_of(game, definition, tree) == expected, (policy, pool, tie_break)
        tree.check()
        games = transcripts(game, tree)
        assert games == [follow(game, tree, secret) for secret in range(game.n_secrets)]
        assert [moves[-1] for moves in games] == [(g, game.solved) for g in game.guess_of_secret]
        lengths = [len(expected[secret]) for secret in definition.secrets]
        assert (tree.total_guesses, tree.max_guesses) == (sum(lengths), max(lengths))
        assert tree.profile.tolist() == np.bincount(lengths)[1:].tolist()


@given(data=st.data(), name=st.sampled_from(GAMES))
@pytest.mark.slow
def test_stage_weights_and_openings_are_those_of_literal_play(data, name):
    game = game_called(name)
    definition = defined(name)
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
        assert [row["best"] == "yes" for row in rows] == [total == min(totals) for total in totals]


@given(games_with_candidates())
def test_cells_are_disjoint_and_complete(drawn):
    game, candidates = drawn
    table = count_table(game, candidates)
    for guess, row in enumerate(game.table[:, candidates]):
        cells = split(game, guess, candidates)
        sizes = [len(cells.get(feedback, ())) for feedback in range(game.n_feedback)]
        assert table[guess].tolist() == counts(game, guess, candidates).tolist() == sizes
        for feedback, cell in cells.items():
            assert cell.tolist() == candidates[row == feedback].tolist()


SMALL = ["mm-2-3", "mm-3-3", "mm-2-3-distinct", "bc-3-3", "black-3-3", "marks-wide", "matches-wide"]


def with_weights(game, weights):
    return weighted(game, dict(zip(game.secrets, weights, strict=True)))


@st.composite
def games_with_weights(draw):
    game = game_called(draw(st.sampled_from(SMALL)))
    n = game.n_secrets
    return with_weights(game, draw(st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any)))


@pytest.mark.parametrize("weight", [1.0, 2.0**-20, 1e-9, 1e-300])
@pytest.mark.parametrize("fold", ["sum", "min"])
@pytest.mark.parametrize("has_table", [True, False])
def test_a_guess_that_leaves_a_set_whole_is_never_chosen(has_table, fold, weight):
    """Growth would never end otherwise, by a criterion that prefers such guesses."""
    game = game_called("mm-3-4") if has_table else rules_of("mm-3-4").on_demand()
    rule = Criterion("whole", lambda count, total: count**2, "none", fold)
    row = np.full((1, game.n_feedback), weight)
    weights = Weights("drawn", "test", game.feedback_labels, row)
    strategy = Strategy("whole", rule=Policy(rule, weights))
    for level in levels(game, Frontier.initial(game), partial(choose, game, strategy)):
        for guess, cell in zip(level.guesses.tolist(), level.frontier.cells, strict=True):
            assert len(cell) == 1 or len(set(game.feedback(guess, cell).tolist())) > 1


@pytest.mark.parametrize("name", CRITERION_NAMES)
@pytest.mark.parametrize("played", ["mm-3-4", "marks-wide", "bc-3-5"])
def test_equal_weights_change_nothing(name, played):
    game = game_called(played)
    strategy = Strategy(name)
    tree = grow(game, strategy)
    assert with_weights(game, [7] * game.n_secrets).prior is None
    assert same(tree, grow(replace(game, prior=np.ones(game.n_secrets, np.int64)), strategy))
    assert expected_guesses(game, tree) == Fraction(tree.total_guesses, game.n_secrets)


@given(games_with_weights(), st.sampled_from(["entropy", "worst-case", "expected-size"]))
@pytest.mark.slow
def test_expected_guesses_and_tables_are_those_of_games_against_each_secret(game, name):
    strategy = Strategy(name)
    tree = grow(game, strategy)
    tree.check()
    guesses = [len(follow(game, tree, secret)) for secret in range(game.n_secrets)]
    assert guesses_by_secret(game, tree).tolist() == guesses
    played = np.repeat(guesses, 1 if game.prior is None else game.prior)
    assert expected_guesses(game, tree) == Fraction(int(played.sum()), len(played))
    priors = [] if game.prior is None else [game]
    table = strategies([(tree, strategy_of_tree(game, strategy, tree, name))], priors)
    row = table.row(0, named=True)
    assert row["mean_guesses"] == pytest.approx(np.mean(played), abs=1e-6)
    assert row["std_guesses"] == pytest.approx(np.std(played), abs=1e-6)
    assert (row["total_guesses"], row["secrets"]) == (sum(guesses), game.n_secrets)


@given(games_with_weights(), st.integers(2, 9))
@pytest.mark.slow
def test_endgames_are_optimal_by_the_weights(game, largest):
    strategy = Strategy("worst-case", endgames=largest)
    tree = grow(game, strategy, endgames=endgames_of(game, strategy))
    prior = np.ones(game.n_secrets, dtype=np.int64) if game.prior is None else game.prior
    search = WeightedSearch(game, prior, memo_mib=0.1)
    total, opening = search.minimum()
    best = expected_guesses(game, search.tree(opening))
    assert best == Fraction(total, int(prior.sum())) <= expected_guesses(game, tree)
    if game.n_secrets <= largest:
        by_criterion = grow(game, Strategy("worst-case", game.guesses[tree.guess[0]]))
        assert expected_guesses(game, tree) <= expected_guesses(game, by_criterion)


def test_weights_keep_the_symmetries_that_they_have_themselves(mm46):
    colours = [len(set(code)) for code in mm46.secrets]
    alike = with_weights(mm46, [max(0, n - 1) for n in colours])
    assert (alike.n_secrets, alike.name) == (1290, "mm-4-6 with 1290 secrets")
    assert len(np.unique(representatives_of_guesses(alike, []))) == 5
    assert with_weights(mm46, [2, *[1] * 1295]).symmetry is None


def test_a_game_with_a_prior_is_written_and_read(tmp_path):
    game = with_weights(game_called("mm-2-3"), [0, 2, 4, 0, 6, 2, 2, 2, 4])
    write_game(game, tmp_path / "game.npz")
    again = read_game(tmp_path / "game.npz")
    assert again.prior.tolist() == game.prior.tolist() == [1, 2, 3, 1, 1, 1, 2]
    assert again.digest == game.digest != replace(game, prior=None).digest
    assert restricted(game, ["12", "13"]).prior.tolist() == [1, 2]
    assert restricted(game, ["12", "31"]).prior is None


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        pytest.param({"12": 1, "99": 2}, "'99' is not a secret of mm-2-3", id="no secret"),
        pytest.param(
            {"12": 1, "99": 0}, "'99' is not a secret of mm-2-3", id="no secret, weight 0"
        ),
        pytest.param({"12": 0.5, "11": 2}, "the weight 0.5: weights are integers", id="a fraction"),
        pytest.param({"12": 0}, "give at least one secret", id="no weight above 0"),
        pytest.param({"12": 2**56, "11": 1}, "divide them by a common factor", id="too large"),
    ],
)
def test_bad_weights_of_secrets_are_refused(weights, message):
    with pytest.raises(CodebreakerError, match=message):
        weighted(game_called("mm-2-3"), weights)


def test_computations_for_uniform_priors_refuse_others():
    game = weighted(game_called("mm-2-3"), {"12": 1, "13": 2, "33": LARGEST_MEASURED})
    with pytest.raises(CodebreakerError, match=r"add up to 4,194,307: entropy takes at most"):
        grow(game, Strategy("entropy"))
    assert grow(game, Strategy("expected-size")).max_guesses == 2
    heavy = weighted(game_called("mm-2-3"), {"12": 1, "13": 2, "33": 2**53})
    with pytest.raises(CodebreakerError, match="expected-size takes at most 3,002,399,751,580,330"):
        grow(heavy, Strategy("expected-size"))
    assert grow(heavy, Strategy("worst-case")).max_guesses == 2
    for refused in (
        lambda: Solver(game),
        lambda: sweep(game, {"all": [Strategy("worst-case")]}),
        lambda: grow(game, Strategy(next(iter(JOINED)))),
    ):
        with pytest.raises(CodebreakerError, match="equally likely: leave out the prior"):
            refused()


def divides_as_told(game, tree, node, members):
    """By hand, from the game's table: each part is a child of its size, whose parts are, too."""
    parts = {}
    for secret in members:
        parts.setdefault(int(game.table[tree.guess[node], secret]), []).append(secret)
    parts.pop(game.solved, None)
    children = {
        int(tree.feedback[child]): child
        for child in range(len(tree.parent))
        if tree.parent[child] == node
    }
    return (
        tree.n_candidates[node] == len(members)
        and parts.keys() == children.keys()
        and all(
            divides_as_told(game, tree, children[answer], part) for answer, part in parts.items()
        )
    )


@given(st.sampled_from(SMALL), st.sampled_from(["entropy", "first-consistent"]), st.data())
def test_a_tree_of_another_game_or_set_is_recognised(name, policy, data):
    game = game_called(name)
    tree = grow(game, Strategy(policy))
    guess = None
    if data.draw(st.booleans()):
        guess = tree.guess.copy()
        node = data.draw(st.integers(0, len(guess) - 1))
        guess[node] = data.draw(st.integers(0, game.n_guesses - 1))
        tree = replace(tree, guess=guess)
    members = np.arange(game.n_secrets, dtype=np.int32)
    if data.draw(st.booleans()):
        members = np.delete(members, data.draw(st.integers(0, len(members) - 1)))
    divides = divides_as_told(game, tree, 0, members.tolist())
    assert is_tree_of(game, tree, members) == divides
    assert divides or guess is not None or len(members) < game.n_secrets


@pytest.mark.parametrize("endgames", [0, 5])
@pytest.mark.parametrize(("name", "opening"), [("mm-3-4", "112,334,112,234"), ("bc-2-5", "01,23")])
def test_fixed_guesses_are_played_until_the_secret_is_known_unless_they_tell_nothing(
    name, opening, endgames
):
    game = game_called(name)
    strategy = Strategy("most-parts", opening, endgames=endgames)
    free = replace(strategy, opening=None)
    tree = grow(game, strategy, endgames=endgames_of(game, strategy))
    fixed = opening.split(",")
    left_out = 0
    for secret in range(game.n_secrets):
        left = np.arange(game.n_secrets, dtype=np.int32)
        last = -1
        moves = follow(game, tree, secret)
        for turn, (guess, feedback) in enumerate(moves, start=1):
            tells = False
            if turn <= len(fixed):
                planned = game.guesses.index(fixed[turn - 1])
                tells = len({*game.feedback(planned, left).tolist()}) > 1
            if tells:
                assert guess == planned
            else:
                left_out += turn <= len(fixed) and len(left) > 1
                start = Frontier.of_set(left, turn, last)
                rest = grow(game, free, start=start, endgames=endgames_of(game, free))
                assert guess == rest.guess[0]
            left = left[game.feedback(guess, left) == feedback]
            last = feedback
        assert moves[-1][1] == game.solved
    assert left_out or name == "bc-2-5"
    record = strategy_of_tree(game, strategy, tree, "a")
    assert (record.opening, record.forced) == (opening, True)
    assert Strategy.of_row(record.row).slug == strategy.slug


@pytest.mark.parametrize("pool", ["consistent", "hard"])
def test_several_fixed_guesses_need_all_guesses(pool):
    game = game_called("marks-short" if pool == "hard" else "mm-3-4")
    opening = ",".join(game.guesses[:2])
    with pytest.raises(CodebreakerError, match=f"the guess pool {pool} depends on it"):
        grow(game, Strategy("most-parts", opening, guess_pool=pool))
