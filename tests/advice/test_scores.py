"""Scores of games against definitions."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT, defined, game_called, grown, notation_of
from definitions import minimum_of_all_trees, total_after
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.advice.cached import UNKNOWN, TotalsCache
from codebreaker.advice.pools import breach_of
from codebreaker.advice.regret import OptimalValues, PolicyValues, regret_of
from codebreaker.advice.score import canonical, reference_policy, score_games, values_of
from codebreaker.errors import CodebreakerError
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.sets.primitives import Sets
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.io import transcripts

pytestmark = pytest.mark.usefixtures("caches")

TINY = ("mm-2-3", "bc-2-4", "black-2-3", "mm-2-3-distinct", "matches-short")
SMALL = (*TINY, "mm-3-4", "bc-3-5", "mm-3-4-distinct", "marks-wide")


@cache
def judge_of(name, kind):
    if kind == "optimal":
        return OptimalValues(game_called(name))
    notation = notation_of(name, 0 if kind == "without a table" else 64)
    return PolicyValues(notation.game, reference_policy(notation, "entropy"))


def played(draw, game, most=6):
    secret = draw(st.integers(0, game.n_secrets - 1))
    moves = []
    while len(moves) < most:
        guess = draw(st.integers(0, game.n_guesses - 1))
        feedback = int(game.feedback(guess, np.array([secret], dtype=np.int32))[0])
        moves.append((guess, feedback))
        if feedback == game.solved:
            break
    return moves


def scores(values, games):
    """Return the judged moves of each game, with their figures as fractions."""
    scored, _ = score_games(values, games)
    by_game = [[] for _ in games]
    for row in scored.to_dicts():
        move = SimpleNamespace(**row)
        move.expected = Fraction(move.minimum, move.candidates)
        move.expected_with_guess = Fraction(move.with_guess, move.candidates)
        left = move.candidates_after
        move.expected_after = Fraction(move.minimum_after, left) if left else 0
        move.regret = move.expected_with_guess - move.expected
        move.luck = move.expected_with_guess - 1 - move.expected_after
        by_game[move.game].append(move)
    return by_game


@pytest.mark.parametrize("kind", ["optimal", "policy", "without a table"])
@given(data=st.data())
@pytest.mark.slow
def test_the_guesses_are_the_baseline_plus_regret_minus_luck(kind, data):
    names = ("mm-2-3", "mm-3-4", "bc-3-5") if kind == "without a table" else SMALL
    values = judge_of(data.draw(st.sampled_from(names)), kind)
    games = [played(data.draw, values.game) for _ in range(3)]
    start = Fraction(values.root(), values.game.n_secrets)
    for moves, scored in zip(games, scores(values, games), strict=True):
        gained = sum(move.regret - move.luck for move in scored)
        assert start + gained == len(moves) + scored[-1].expected_after
        assert (scored[-1].candidates_after == 0) == (moves[-1][1] == values.game.solved)
        assert kind != "optimal" or all(move.regret >= 0 for move in scored)
        for move, following in pairwise(scored):
            assert move.candidates_after == following.candidates
            assert move.minimum_after == following.minimum


KNOWN = defaultdict(dict)


@given(name=st.sampled_from(TINY), data=st.data())
@pytest.mark.slow
def test_values_are_those_of_the_definition(name, data):
    values = judge_of(name, "optimal")
    game = defined(name)
    secrets = list(game.secrets)
    totals = KNOWN[name]
    moves = played(data.draw, values.game)
    (scored,) = scores(values, [moves])
    for (index, feedback), move in zip(moves, scored, strict=True):
        guess = game.guesses[index]
        n_secrets = len(secrets)
        least = Fraction(minimum_of_all_trees(game, secrets, totals), n_secrets)
        assert (move.candidates, move.consistent) == (len(secrets), guess in secrets)
        assert move.expected == least
        with_guess = Fraction(total_after(game, guess, secrets, totals), n_secrets)
        assert move.expected_with_guess == with_guess
        label = values.game.feedback_labels[feedback]
        left = [secret for secret in secrets if game.grade(guess, secret) == label]
        secrets = [] if feedback == values.game.solved else left
        assert move.candidates_after == len(secrets)
        after = secrets and Fraction(minimum_of_all_trees(game, secrets, totals), len(secrets))
        assert move.luck == with_guess - 1 - (after or 0)


POOLED = [
    *((name, "consistent") for name in (*TINY, "marks-wide")),
    *((name, "hard") for name in ("marks-wide", "marks-short", "marks-terminal")),
]


@pytest.mark.parametrize(("name", "pool"), POOLED)
@settings(max_examples=10)
@given(draw=st.randoms(use_true_random=False))
def test_values_with_a_guess_pool_are_those_of_the_definition(name, pool, draw):
    game = game_called(name)
    definition = defined(name, pool)
    known = KNOWN[name, pool]
    values = OptimalValues(game, cache=TotalsCache(game, pool), guess_pool=pool)
    secret = draw.choice(definition.secrets)
    left = [*definition.secrets]
    moves = []
    history = []
    while len(history) < 5 and (not history or history[-1][0] != secret):
        guess = draw.choice(definition.allowed(left, history))
        least = minimum_of_all_trees(definition, left, known, moves=tuple(history))
        after = total_after(definition, guess, left, known, moves=tuple(history))
        members = np.array([definition.secrets.index(secret) for secret in left])
        index = definition.guesses.index(guess)
        regret = regret_of(values, moves, members, index)
        assert regret.minimum * len(left) == least
        assert regret.with_guess * len(left) == after
        means = dict(values.leading(members, moves, len(definition.guesses)))
        assert min(means.values()) == regret.minimum
        assert means.get(index, regret.with_guess) == regret.with_guess
        label = definition.grade(guess, secret)
        history.append((guess, label))
        moves.append((index, game.feedback_labels.index(label)))
        left = [candidate for candidate in left if definition.grade(guess, candidate) == label]
    assert breach_of(game, pool, moves) is None
    (scored,) = scores(values, [moves])
    assert values.root() == minimum_of_all_trees(definition, definition.secrets, known)
    for number, move in enumerate(scored):
        before = tuple(history[:number])
        guess = history[number][0]
        left = [
            candidate
            for candidate in definition.secrets
            if all(definition.grade(earlier, candidate) == label for earlier, label in before)
        ]
        least = minimum_of_all_trees(definition, left, known, moves=before)
        after = total_after(definition, guess, left, known, moves=before)
        assert (move.minimum, move.with_guess) == (least, after)


@pytest.mark.parametrize(("name", "pool"), POOLED)
@given(data=st.data())
@pytest.mark.slow
def test_breaches_of_a_guess_pool_are_those_of_the_definition(name, pool, data):
    game = game_called(name)
    definition = defined(name, pool)
    moves = played(data.draw, game, most=3)
    history = [(definition.guesses[guess], game.feedback_labels[answer]) for guess, answer in moves]
    first = None
    for number, (guess, _) in enumerate(history):
        left = [
            candidate
            for candidate in definition.secrets
            if all(
                definition.grade(before, candidate) == label for before, label in history[:number]
            )
        ]
        if first is None and guess not in definition.allowed(left, history[:number]):
            first = number + 1
    breach = breach_of(game, pool, moves)
    assert (breach or "move 0:").startswith(f"move {first or 0}:")


@pytest.mark.parametrize("pool", [None, "consistent", "hard"])
@pytest.mark.parametrize("name", ["mm-3-4", "bc-3-5", "marks-wide"])
def test_a_policy_has_no_regret_by_its_own_values(name, pool):
    notation = notation_of(name)
    if pool == "hard" and not name.startswith("marks"):
        with pytest.raises(CodebreakerError, match="has no hard mode"):
            reference_policy(notation, "entropy", pool)
        return
    values = PolicyValues(notation.game, reference_policy(notation, "entropy", pool))
    tree, _ = grown(values.game, values.strategy)
    scored = scores(values, transcripts(values.game, tree))
    assert {move.regret for moves in scored for move in moves} == {0}
    assert sum(move.luck for moves in scored for move in moves) == 0
    assert values.root() == tree.total_guesses


@given(name=st.sampled_from(["mm-2-3", "mm-3-4", "bc-3-5", "mm-3-4-distinct"]), data=st.data())
@pytest.mark.slow
def test_images_of_a_game_are_judged_alike(name, data):
    values = judge_of(name, "optimal")
    game = judge_of(name, "optimal").game
    moves = played(data.draw, game)
    symmetry = game.symmetry
    places = data.draw(st.permutations(range(symmetry.codes.shape[1])))
    names = np.array(data.draw(st.permutations(range(symmetry.n_colours))))
    codes = [tuple(row) for row in symmetry.codes.tolist()]
    images = names[symmetry.codes[:, places]].tolist()
    image = [(codes.index(tuple(images[guess])), feedback) for guess, feedback in moves]
    first, other = (np.array([[guess for guess, _ in game]]) for game in (moves, image))
    assert (canonical(game, first) == canonical(game, other)).all()
    openings = [canonical(game, guesses, only_opening=True)[0, 0] for guesses in (first, other)]
    assert openings[0] == openings[1]
    scored, _ = score_games(values, [moves, image])
    first, other = (scored.filter(game=number).drop("game") for number in (0, 1))
    assert first.equals(other)


def test_feedback_that_no_secret_gives_is_found():
    game = game_called("mm-3-4")
    none, all_white = (game.feedback_labels.index(label) for label in ("0B-0C", "0B-3C"))
    first, second = (game.guesses.index(label) for label in ("112", "334"))
    games = [[(first, none), (second, none)], [(first, game.solved)], [(first, all_white)]]
    scored, faults = score_games(judge_of("mm-3-4", "optimal"), games)
    assert scored["game"].to_list() == [1]
    assert faults == {0: 1, 2: 0}


def test_lowest_totals_are_kept_for_the_next_run(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = game_called("mm-3-4")
    every = Frontier.initial(game).sets
    part = Sets(every.members[10:30], np.array([0, 20]))
    total = TotalsCache(game).find(part)
    assert total.tolist() == [UNKNOWN]
    values = OptimalValues(game, cache=TotalsCache(game))
    least = values.root()
    values.save()
    again = TotalsCache(game)
    assert again.find(every).tolist() == [least]
    assert again.find(part).tolist() == [UNKNOWN]
    (path,) = (tmp_path / "codebreaker" / "totals").iterdir()
    path.write_bytes(path.read_bytes()[:40])
    assert TotalsCache(game).find(every).tolist() == [UNKNOWN]
    assert OptimalValues(game, cache=TotalsCache(game)).root() == least


def test_who_judges_is_chosen_by_the_size_of_the_game():
    assert values_of(notation_of("mm-3-4")).is_exact
    assert not values_of(notation_of("mm-3-4", 0)).is_exact
    assert values_of(notation_of("mm-3-4"), "worst-case").name == "worst-case-endgames-12"
    large = SimpleNamespace(game=notation_of("mm-2-3", 0).game)
    with pytest.raises(Exception, match="judge it by a policy"):
        values_of(large, exact=True)


LEAST = [("mm-2-4-distinct", 12, 30), ("mm-3-5-distinct", 60, 196), ("mm-4-6-distinct", 360, 1435)]
PAGE = (ROOT / "docs" / "transcripts.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "secrets", "total"), LEAST)
def test_lowest_totals_without_repeated_colours(name, secrets, total):
    game = game_called(name)
    solution = find_optimum(game, Target(), 64.0, 60.0).solution
    assert (game.n_secrets, solution.cost, solution.proven) == (secrets, total, True)
    profile = " ".join(map(str, solution.tree.profile))
    cells = [name, f"{game.n_guesses:,}", f"{secrets}", f"{total:,}", f"{total / secrets:.4f}"]
    assert f"| {' | '.join(cells)} | {profile} |" in PAGE
    played = [len(moves) for moves in transcripts(game, solution.tree)]
    assert sum(played) == total
