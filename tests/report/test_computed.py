"""What the page computes, against Python."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from board import PLAYED, played
from conftest import CRITERION_NAMES, game_called, in_ci
from playwright.sync_api import expect

from codebreaker.advice.cached import RECORDED
from codebreaker.advice.regret import OptimalValues, regret_of
from codebreaker.api.games import Game
from codebreaker.api.states import State
from codebreaker.errors import CodebreakerError
from codebreaker.policies.criterion import Criterion
from codebreaker.policies.families import criterion
from codebreaker.report.explorer import game_data, group_of, recorded_trees, title_of
from codebreaker.report.terms import JAVASCRIPT, term_of
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.sets.partition import all_secrets, split, unsolved
from codebreaker.trees.io import read_tree, transcripts


def test_the_page_chooses_the_guesses_of_the_trees(opened):
    for name in PLAYED:
        ruled, wrong = opened.call("walk", name)
        policies = [played_tree.strategy.policy for played_tree in played(name)[1]]
        by_rule = [policy for policy in policies if policy != "optimal"]
        assert ruled == len(by_rule)
        assert wrong == [], name


def sums_below(tree):
    """Return the total and the maximum at each node, from the nodes below it."""
    totals = tree.n_candidates.tolist()
    deepest = [1] * len(totals)
    for node in range(len(totals) - 1, 0, -1):
        above = tree.parent[node]
        totals[above] += totals[node]
        deepest[above] = max(deepest[above], deepest[node] + 1)
    return totals, deepest


def same_tree(shown, tree):
    for column in ("parent", "feedback", "guess", "n_candidates"):
        assert shown[column] == getattr(tree, column).tolist(), column
    assert [shown["totals"], shown["deepest"]] == [*sums_below(tree)]


def test_trees_and_regrets_of_the_page_are_the_recorded_ones_node_by_node(opened):
    for name in PLAYED:
        shown = opened.call("treesOf", name)
        for one in played(name)[1]:
            same_tree(shown[one.strategy.tree], one.tree)
            regrets = shown[one.strategy.tree]["regrets"]
            assert (regrets is None) == (one.regrets is None)
            if regrets:
                assert regrets == one.regrets.select(*regrets).to_dict(as_series=False)


def test_best_known_trees_of_the_page_are_the_recorded_ones_node_by_node(opened):
    names = recorded_trees(PLAYED)
    assert len(names) > 20
    for name in names:
        tree, _ = read_tree(RECORDED / f"{name}.parquet")
        same_tree(opened.call("treesOf", name)["best-known"], tree)


def test_a_tree_that_does_not_guess_a_single_candidate_is_refused():
    """The page takes for granted that it is guessed."""
    game, (first, *_) = played("bc-3-5")
    tree = first.tree
    last = int(np.flatnonzero(tree.n_candidates == 1)[-1])
    longer = replace(
        tree,
        parent=np.append(tree.parent, np.int32(last)),
        turn=np.append(tree.turn, tree.turn[last] + 1),
        feedback=np.append(tree.feedback, np.int32(0)),
        guess=np.append(tree.guess, tree.guess[last]),
        n_candidates=np.append(tree.n_candidates, np.int32(1)),
    )
    with pytest.raises(ValueError, match="a single candidate is not guessed"):
        game_data(game, [replace(first, tree=longer)])


@pytest.mark.parametrize("name", CRITERION_NAMES)
def test_terms_of_the_page_are_those_of_criteria(name):
    """The expressions are also Python's, but for the names of functions."""
    named = {"max": np.maximum, "min": np.minimum, "abs": np.abs}
    texts = " ".join(JAVASCRIPT.values())
    functions = {
        name: named.get(name) or getattr(np, name) for name in re.findall(r"Math\.(\w+)", texts)
    }
    rule = criterion(name)
    count = np.arange(1.0, 30.0)
    known = {"Math": SimpleNamespace(**functions), "count": count, "total": 30.0}
    term = eval(term_of(rule), known)
    assert np.allclose(np.broadcast_to(term, count.shape), rule.cell(count, 30.0), rtol=1e-12)


def test_a_function_that_the_page_lacks_is_named():
    rule = Criterion("waves", lambda count, total: np.sin(count), "none")
    with pytest.raises(CodebreakerError, match=r"can't compute numpy\.sin: add it to JAVASCRIPT"):
        term_of(rule)
    rule = Criterion("steps", lambda count, total: np.where(total, count, 0), "none")
    with pytest.raises(CodebreakerError, match=r"can't compute numpy\.where: use functions of"):
        term_of(rule)


def test_feedback_is_the_same_as_in_python(engine):
    sizes = [(*size, "anywhere") for size in ((2, 4), (3, 3), (5, 3), (4, 6), (1, 2))]
    sizes += [(2, 3, "guesses"), (3, 4, "guesses"), (2, 2, "nowhere"), (3, 5, "nowhere")]
    for size in sizes:
        name, title, guesses, labels, rows = engine.call("feedbackOf", list(size))
        game = game_called(name)
        assert title in (title_of(name), title_of(name).replace("1 pegs", "1 peg"))
        assert (guesses, labels) == (list(game.guesses), list(game.feedback_labels))
        for row, texts in zip(game.table, rows, strict=True):
            counts = np.bincount(row, minlength=len(labels)).tolist()
            numbers = [[*map(int, text.split())] for text in texts]
            assert numbers == [row.tolist(), counts, counts], size


@pytest.mark.parametrize("letters", [40, 256, 257, 2000])
@pytest.mark.parametrize("first", "a𠀀", ids=["Latin", "rare Chinese"])
@pytest.mark.slow
def test_marks_of_own_words_are_those_of_python(engine, letters, first):
    known = map(chr, range(ord(first), ord(first) + 5 * letters))
    alphabet = [
        letter
        for letter in known
        if letter.isalpha() and letter == letter.lower() == letter.upper().lower()
    ]
    draw = np.random.default_rng(letters)
    rows = draw.permuted(np.resize(alphabet[:letters], (3, letters)), axis=1).T
    words = sorted({"".join(row) for row in rows.tolist()} | {alphabet[i] * 3 for i in (0, 5)})
    guesses, marks, rows = engine.call("marksOf", words[:600])
    assert rows == marks
    game = Game.from_words(guesses)
    assert sorted(guesses) == words[:600]
    for guess, row in zip(guesses, marks, strict=True):
        assert row.split() == game.feedback(guess, guesses), guess


@pytest.mark.parametrize("letters", [6, 7, 8])
def test_marks_of_long_words_with_digits_and_accents_are_those_of_python(engine, letters):
    draw = np.random.default_rng(letters)
    alphabet = "0123é"
    words = sorted({"".join(draw.choice([*alphabet], letters)) for _ in range(120)})
    guesses, marks, rows = engine.call("marksOf", words)
    assert rows == marks
    game = Game.from_words(guesses, alphabet=alphabet)
    assert sorted(guesses) == words
    for guess, row in zip(guesses, marks, strict=True):
        assert row.split() == game.feedback(guess, guesses), guess


@pytest.mark.slow
def test_hard_mode_allows_the_guesses_that_python_allows(engine):
    words = ["".join(letters) for letters in product("abc", repeat=4)]
    game = Game.from_words(words)
    rows = engine.call("hardAfter", words)
    assert len({marks for _, marks, _ in rows}) > 60
    for guess, marks, allowed in rows:
        state = State(game, [(guess, marks)])
        assert sorted(allowed) == [*state.allowed_in_hard_mode], (guess, marks)


def test_the_page_finds_minimum_totals(opened):
    for name in ("mm-4-6", "bc-3-5", "black-3-3", "marks-wide", "pegs-wide"):
        game = game_called(name)
        draw = np.random.default_rng(19)
        cost = CostToGo(game)
        sets = []
        for _ in range(30):
            size = int(draw.integers(1, min(40, game.n_secrets) + 1))
            sets.append(np.sort(draw.choice(game.n_secrets, size, replace=False)).astype(np.int32))
        if name == "mm-4-6":
            cells = split(game, game.guesses.index("1123"), all_secrets(game)).values()
            sets += [cell for cell in cells if len(cell) <= 50]
        codes = [game.guess_of_secret[members].tolist() for members in sets]
        for members, solution in zip(sets, opened.call("solve", [name, codes]), strict=True):
            cells = unsolved(game, solution["best"], members).values()
            after = sum(cost.of(cell, 1) for cell in cells)
            assert solution["total"] == cost.of(members, 1) == len(members) + after, name


def finished(game, secret, draw, opening=None):
    left = all_secrets(game)
    moves = []
    while not moves or moves[-1][1] != game.solved:
        candidates = game.guess_of_secret[left]
        pool = candidates if len(moves) > 1 or draw.random() < 0.7 else np.arange(game.n_guesses)
        guess = int(draw.choice(pool)) if opening is None or moves else opening
        moves.append((guess, int(game.feedback(guess, np.array([secret]))[0])))
        left = left[game.feedback(guess, left) == moves[-1][1]]
    return moves


@pytest.mark.parametrize(
    "name", ["bc-3-5", *(in_ci(name) for name in ("mm-4-6", "black-3-3", "marks-wide"))]
)
def test_an_analysis_agrees_with_regret(opened, name):
    game = game_called(name)
    draw = np.random.default_rng(7)
    values = OptimalValues(game)
    exactly = []
    openings = ("1123", "4456", "1234", "2545") if name == "mm-4-6" else (None,) * 4
    for opening in openings:
        secret = int(draw.integers(game.n_secrets))
        first = None if opening is None else game.guesses.index(opening)
        moves = finished(game, secret, draw, first)
        rows = opened.call("review", [name, moves])
        members = all_secrets(game)
        history = []
        for (guess, id_), row in zip(moves, rows, strict=True):
            assert row["before"] == len(members)
            left = members[game.feedback(guess, members) == id_]
            exactly.append(row["exact"])
            if row["exact"]:
                exact = regret_of(values, history, members, guess)
                n = len(members)
                assert row["totals"] == [exact.minimum * n, exact.with_guess * n]
                after = 0 if id_ == game.solved else Fraction(values.total(left), len(left))
                luck = exact.with_guess - 1 - after
                assert row["regret"] == pytest.approx(float(exact.mean), abs=1e-12)
                assert row["luck"] == pytest.approx(float(luck), abs=1e-12)
            members = left
            history = [*history, (guess, id_)]
        assert all(row["regret"] is not None and row["regret"] >= 0 for row in rows)
        total = rows[0]["minimum"] + sum(row["regret"] - row["luck"] for row in rows)
        assert total == pytest.approx(len(moves), abs=1e-9)
    assert np.mean(exactly) > 0.7


def test_a_finished_game_is_scored_and_explained(opened):
    """It loses 77/1296, 25/256 and 5/56 of a guess."""
    opened.lose_some()
    opened.tells("#review-score", "50 of 100", "all secrets: Entropy 77, First candidate 15")
    verdict = "Guess 1, 1122, came closest to the best; guess 2, 3345, lost most: 0.10 of a guess."
    opened.tells("#review-told", verdict, "Compared with optimal play, exactly.")
    first = "#review-moves li:first-child"
    opened.tells(first, "0.059 guesses lost", "inaccurate", "256 candidates")
    opened.tells(first, "unlucky: the answer cost")
    opened.tells("#review-sum", "Best play needs 4.3403 guesses")
    opened.tells("#review-best", re.compile("The best tree here finds it in [1-6] guesses"))
    assert opened.locator("#review-best li").count() <= 6
    opened.press("Share as text")
    text = opened.get_by_label("To share").input_value()
    assert "🔵🔵🟠🟠 ⚫\n🟢🟢🔴🟣 ⚫⚪\n🟡🔵🔴🟢 ⚫⚫⚫⚫" in text
    opened.press("Share as a link")
    assert "moves=1122*1B-0C_3345*1B-1C" in opened.get_by_label("To share").input_value()


@pytest.mark.parametrize("name", PLAYED)
def test_every_strategy_has_a_name_in_words_and_a_group(name):
    game, played_trees = played(name)
    data = game_data(game, played_trees)["strategies"]
    labels = [entry["label"] for entry in data]
    assert len(set(labels)) == len(labels)
    assert not [label for label in labels if re.search(r"[a-z]-[a-z]+-[a-z]", label)]
    first = {entry["place"]: entry["total"] for entry in data if entry["place"]}
    assert first[1] == min(entry["total"] for entry in data)
    assert sorted(first) == list(range(1, len(first) + 1))
    assert name != "mm-4-6" or group_of(played_trees[-1].strategy) == "Optimal play"


@pytest.mark.slow
def test_the_explorer_walks_a_tree(opened, mm46):
    tree = next(
        played_tree.tree
        for played_tree in played("mm-4-6")[1]
        if played_tree.strategy.tree == "entropy"
    )
    moves = transcripts(mm46, tree)[mm46.secrets.index("5245")]
    opened.select_option("#explorer-strategy", "entropy")
    opened.tells("#explorer-facts", "4.4151 expected, at most 6")
    opened.tells("#explorer-facts", "48 guesses over the 1,296 candidates")
    status = opened.locator("#explorer-status")
    left = all_secrets(mm46)
    for number, (guess, feedback) in enumerate(moves, start=1):
        candidates = "1 candidate" if len(left) == 1 else f"{len(left):,} candidates"
        expected = f"Guess {number}: {mm46.guesses[guess]}, with {candidates} left."
        expect(status).to_have_text(expected)
        expect(opened.locator("#explorer-codes .code")).to_have_count(min(len(left), 60))
        label = mm46.feedback_labels[feedback]
        opened.click(f'#explorer-pad button[data-feedback="{label}"]')
        left = left[mm46.feedback(guess, left) == feedback]
    expect(status).to_contain_text("5245 is the secret: solved")
    for _ in moves[1:]:
        opened.click("#explorer-back")
    expect(opened.locator("#explorer-back")).to_be_disabled()
    expect(status).to_have_text("Guess 1: 1234, with 1,296 candidates left.")


def test_what_a_guess_is_worth_has_all_its_fields_from_the_start(engine):
    fields = engine.call("fieldsOfWorths")
    assert len(fields) > 10
    assert {*map(tuple, fields)} == {tuple(fields[0])}
    assert {"parts", "bits", "mean", "isExact"} <= {*fields[0]}
