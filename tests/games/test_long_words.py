"""Words of six to fifteen letters, whose marks are more than a byte can tell apart."""

import random
from itertools import product

import numpy as np
import pytest
from conftest import full_only
from definitions import (
    WORD_GRADES,
    Definition,
    marks,
    minimum_of_all_trees,
    partition,
    play,
    total_after,
)

import codebreaker as cb
from codebreaker.duel.value import find_value
from codebreaker.errors import CodebreakerError
from codebreaker.games.words import by_length, find_words
from codebreaker.optimise.backend import choose_engine
from codebreaker.optimise.fitness import Fitness
from codebreaker.optimise.problem import Problem, with_weights
from codebreaker.optimise.run import HostEngine
from codebreaker.players.devious import DeviousCodemaker
from codebreaker.players.random_consistent import expected_profile
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.registry import JOINED, STEPS
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.search.weighted import WeightedSearch
from codebreaker.trees.grow import grow
from codebreaker.trees.small import MOST_PAIRS
from codebreaker.trees.sweep import sweep

TIES = "consistent then lexicographic"
POLICIES = ("entropy", "worst-case", "most-parts", "expected-size", "renyi-2", *STEPS, *JOINED)


def drawn(letters, seed, alphabet="abcd", secrets=14, words=20):
    """Return a game of drawn words with marks, and its definition."""
    draw = random.Random(seed)
    listed = set()
    while len(listed) < words:
        listed.add("".join(draw.choices(alphabet, k=letters)))
    every = draw.sample(sorted(listed), words)
    game = cb.Game.from_words(every[:secrets], every, alphabet=alphabet)
    return game, Definition(sorted(every), sorted(every[:secrets]), marks)


def literal_labels(letters):
    """Return all rows of marks that a guess can get."""
    every = {"".join(row) for row in product("byg", repeat=letters)}
    return {row for row in every if not (row.count("g") == letters - 1 and "y" in row)}


@pytest.mark.parametrize("letters", [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
def test_marks_and_their_ids_are_those_of_the_definition(letters):
    game, definition = drawn(letters, letters, "0123456789+-*/=é"[: 3 + 2 * letters], 60, 90)
    every = [
        [marks(guess, secret) for secret in definition.secrets] for guess in definition.guesses
    ]
    if letters > 10:
        labels = {row for rows in every for row in rows}
    else:
        labels = literal_labels(letters)
        assert len(labels) == 3**letters - letters
    assert list(game.feedback_labels) == sorted(
        labels, key=lambda row: ["byg".index(m) for m in row]
    )
    assert game._model.table.dtype == (np.uint8 if letters == 5 else np.uint16)
    assert game.solved == "g" * letters
    for guess, expected in zip(definition.guesses, every, strict=True):
        assert game.feedback(guess, definition.secrets) == expected
        assert {answer: list(part) for answer, part in game.partition(guess).items()} == partition(
            guess, definition.secrets, marks
        )
    counts, guesses, feedback = cb.State(game).sizes()
    for row, guess in zip(counts, guesses, strict=True):
        sizes = {feedback[column]: int(row[column]) for column in np.flatnonzero(row)}
        parts = partition(guess, definition.secrets, marks)
        assert sizes == {answer: len(part) for answer, part in parts.items()}


@pytest.mark.parametrize("letters", [6, 8, 11, 15])
@pytest.mark.parametrize("pool", ["all", "consistent", "hard"])
@pytest.mark.slow
def test_policies_play_as_literally(letters, pool):
    game, rules = drawn(letters, 10 * letters, "abc")
    definition = Definition(rules.guesses, rules.secrets, marks, pool)
    for policy in POLICIES:
        tree = cb.grow(game, policy, guess_pool=pool, tie_break=TIES)
        guesses = {secret: [guess for guess, _ in tree.play(secret)] for secret in game.secrets}
        assert guesses == play(policy, definition, tie_break=TIES), policy


@pytest.mark.parametrize("letters", [6, 7, 8, 10, 15])
@pytest.mark.parametrize("pool", ["all", pytest.param("consistent", marks=full_only), "hard"])
def test_minimum_totals_and_regrets_are_those_of_all_trees(letters, pool):
    game, rules = drawn(letters, 20 * letters, "ab")
    definition = Definition(rules.guesses, rules.secrets, marks, pool)
    known = {}
    total = minimum_of_all_trees(definition, definition.secrets, known)
    assert cb.solve(game, guess_pool=pool).tree.total == total
    if pool == "all":
        assert cb.suggest(game, "optimal").expected.exact * 14 == total
    for guess in definition.allowed(definition.secrets):
        lost = cb.regret(game, guess, guess_pool=pool)
        with_guess = total_after(definition, guess, definition.secrets, known)
        assert lost.mean.exact * 14 == with_guess - total, guess


@full_only
def test_a_prior_counts_for_long_words():
    game, definition = drawn(7, 3, "abc")
    prior = {secret: 1 + index % 5 for index, secret in enumerate(definition.secrets)}
    weighted = game.weighted(prior)
    total = minimum_of_all_trees(definition, definition.secrets, {}, prior)
    weights = np.array([*prior.values()])
    assert WeightedSearch(game._table_game, weights).minimum()[0] == total
    assert cb.solve(weighted).tree.mean.exact * sum(prior.values()) == total
    for policy in ("entropy", "worst-case", "most-parts"):
        tree = cb.grow(weighted, policy, tie_break=TIES)
        guesses = {secret: [guess for guess, _ in tree.play(secret)] for secret in game.secrets}
        assert guesses == play(policy, definition, tie_break=TIES, prior=prior), policy


@pytest.mark.slow
def test_compiled_loops_and_plain_ones_agree_on_english_words():
    words = by_length(find_words("english"))[8]
    game = cb.Game.from_words(words)
    assert len(words) ** 2 < MOST_PAIRS  # grown without compiled code from the first guess on
    suggested = cb.suggest(game, "entropy")
    tree = cb.grow(game, "entropy")
    assert suggested.guess == tree.opening
    assert suggested.expected == tree.mean
    played = [[*tree.play(secret)] for secret in words]
    for secret, moves in zip(words, played, strict=True):
        assert all(answer == marks(guess, secret) for guess, answer in moves)
        assert moves[-1][0] == secret
    assert tree.total == sum(map(len, played))
    draw = np.random.default_rng(8)
    search = CostToGo(game._table_game)
    for _ in range(5):
        members = np.sort(draw.choice(len(words), 7, replace=False)).astype(np.int32)
        definition = Definition(list(words), [words[member] for member in members], marks)
        total, guess = search.best(members)
        assert total == minimum_of_all_trees(definition, definition.secrets, {})
        assert total == total_after(definition, words[guess], definition.secrets, {})


@pytest.mark.parametrize("letters", [8, 15])
def test_finished_games_of_long_words_are_scored(letters):
    game, definition = drawn(letters, 5, "ab")
    secret = definition.secrets[3]
    guesses = [definition.guesses[0], definition.guesses[5], secret]
    moves = [f"{guess}:{marks(guess, secret)}" for guess in guesses]
    assert cb.State(game, moves).candidates == (secret,)
    known = {}
    candidates = definition.secrets
    state = cb.State(game)
    for guess, move in zip(guesses, moves, strict=True):
        lost = cb.regret(state, guess)
        best = minimum_of_all_trees(definition, candidates, known)
        played = total_after(definition, guess, candidates, known)
        assert lost.mean.exact * len(candidates) == played - best
        candidates = partition(guess, candidates, marks)[marks(guess, secret)]
        state.push(*move.split(":"))


def test_a_table_may_have_more_than_256_kinds_of_feedback():
    words, definition = drawn(6, 9, "abc")
    ids = [words._feedback_ids(guess).tolist() for guess in words.guesses]
    same = cb.Game.from_table(
        ids, words.guesses, words.secrets, words.feedback_labels, words.solved, "marked"
    )
    assert same._model.table.dtype == np.uint16
    assert cb.grow(same, "entropy").profile == cb.grow(words, "entropy").profile
    total = minimum_of_all_trees(definition, definition.secrets, {})
    assert cb.solve(same).tree.total == total
    few = [[0, 1], [1, 0]]
    too_many = [*words.feedback_labels, *map(str, range(2**16))]
    with pytest.raises(CodebreakerError, match="66,259 feedback labels, at most 65,536"):
        cb.Game.from_table(few, ["a", "b"], ["a", "b"], too_many, too_many[0])


@pytest.mark.parametrize("family", ["matches", "pegs"])
def test_other_feedback_of_long_words_needs_a_byte(family):
    words = sorted({"".join(word) for word in product("ab", repeat=8)})[::7]
    game = cb.Game.from_words(words, feedback=family)
    assert game._model.table.dtype == np.uint8
    labels = game._model.feedback_labels
    for guess in words:
        expected = [WORD_GRADES[family](guess, secret) for secret in words]
        assert [labels[answer] for answer in game._feedback_ids(guess)] == expected


def test_words_whose_table_would_be_too_large_are_refused_before_it_is_built():
    words = ["".join(word) for word in product("abcd", repeat=8)][:23_171]
    with pytest.raises(CodebreakerError, match=r"1,02\d\.\d MiB .* limit of 1,024 MiB: use fewer"):
        cb.Game.from_words(words)


def test_sixteen_letters_are_refused():
    with pytest.raises(CodebreakerError, match="'abcdabcdabcdabcd' has 16 letters: marks games"):
        cb.Game.from_words(["abcdabcdabcdabcd"])


def random_words(letters, number):
    """Return drawn words of the first ten letters."""
    draw = random.Random(letters)
    return sorted({"".join(draw.choices("abcdefghij", k=letters)) for _ in range(number)})


def test_too_many_different_marks_are_refused_with_the_limit():
    words = random_words(15, 1000)
    assert len({marks(words[0], secret) for secret in words}) > 900  # a million pairs are too many
    limit = (
        r"its 1,000 words of 15 letters have more than 65,536 different rows of marks, which is "
        "the limit: use fewer words, or at most 10 letters"
    )
    with pytest.raises(CodebreakerError, match=limit):
        cb.Game.from_words(words)
    # Ten letters have at most 59,039 rows, and any number of words.
    assert cb.Game.from_words(random_words(10, 1000))._model.n_feedback == 59_039


def test_marks_that_no_word_gets_are_said_to_be_so():
    game = cb.Game.from_words(["abcdefghijk", "kjihgfedcba", "abcdefghikj"])
    with pytest.raises(CodebreakerError, match="marks bbbbbbbbbbb doesn't occur in marks-wo"):
        cb.State(game).push("abcdefghijk", "bbbbbbbbbbb")
    with pytest.raises(CodebreakerError, match="marks ggggggggggy can't be given to a word of 11"):
        cb.State(game).push("abcdefghijk", "ggggggggggy")
    with pytest.raises(CodebreakerError, match="marks bbb can't be given to a word of 11 letters"):
        cb.State(game).push("abcdefghijk", "bbb")


def test_sizes_of_over_a_gib_are_refused():
    game = cb.Game.from_words(random_words(10, 2400))
    with pytest.raises(CodebreakerError, match=r"need 1,081 MiB .* limit of 1,024 MiB: use part"):
        cb.State(game).sizes()


def test_sizes_that_would_take_hours_are_refused():
    with pytest.raises(
        CodebreakerError, match=r"531,441 guesses to 531,441 candidates, and it has"
    ):
        cb.State("mm-6-9").sizes()


def twins(letters, seed):
    """Return a game whose ids need two bytes, and the same with one byte for the ids that occur."""
    words, _ = drawn(letters, seed, "abc", 12, 20)
    wide = words._table_game
    occurring = np.unique(wide.table)
    labels = [words.feedback_labels[number] for number in occurring]
    assert len(labels) <= 256 < wide.n_feedback
    ids = np.searchsorted(occurring, wide.table)
    narrow = cb.Game.from_table(
        ids, wide.guesses, wide.secrets, labels, words.solved, words.name
    )._table_game
    assert (wide.table.dtype, narrow.table.dtype) == (np.uint16, np.uint8)
    return wide, narrow


@full_only
@pytest.mark.parametrize("letters", [6, 8])
def test_all_that_plays_a_table_takes_ids_of_two_bytes(letters):
    wide, narrow = twins(letters, letters)
    assert np.allclose(expected_profile(wide), expected_profile(narrow))
    assert find_value(wide).value == find_value(narrow).value
    devious = [DeviousCodemaker(game).expected_guesses() for game in (wide, narrow)]
    assert devious[0] == pytest.approx(devious[1])
    strategies = [Strategy(policy) for policy in ("entropy", "worst-case", "expected-size")]
    assert sweep(wide, {"all": strategies}).equals(sweep(narrow, {"all": strategies}))
    optima = [find_optimum(game, Target(), 16.0, 60.0) for game in (wide, narrow)]
    assert optima[0].solution.bound == optima[1].solution.bound
    totals = []
    for game in (wide, narrow):
        problem = Problem(game, (CRITERIA["entropy"],), 3)
        ones = with_weights(np.ones((1, 3, game.n_feedback)))
        totals.append(int(Fitness(problem, 8)(ones)[0]))
    assert totals[0] == totals[1] == grow(wide, Strategy("entropy")).total_guesses


@pytest.mark.slow
def test_cuda_is_refused_for_ids_of_two_bytes():
    wide, _ = twins(6, 1)
    problem = Problem(wide, (CRITERIA["entropy"],), 3)
    with pytest.raises(CodebreakerError, match=r"at most 256 kinds of feedback.* has 723: use the"):
        choose_engine("cuda", problem, 8.0, 1, 1)
    assert isinstance(choose_engine("auto", problem, 8.0, 1, 0), HostEngine)
