"""The library against definitions and strategies."""

import json
import pickle
import random
import runpy
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, cycle
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from conftest import ROOT, WORD_LISTS, defined, game_called
from definitions import (
    WORD_GRADES,
    Definition,
    all_codes,
    grade,
    marks,
    minimum_of_all_trees,
    total_after,
)
from hypothesis import assume, given
from hypothesis import strategies as st

import codebreaker as cb
from codebreaker.errors import has_extra
from codebreaker.games.codes import COLOURS, BullsAndCows, Mastermind
from codebreaker.games.registry import FAMILIES as GAME_FAMILIES
from codebreaker.games.registry import rules_of
from codebreaker.policies.families import FAMILIES
from codebreaker.policies.registry import ALIASES, policy_names
from codebreaker.sets import partition

pytestmark = pytest.mark.usefixtures("registries")

KNOWN = {}


def text(code):
    return "".join(map(str, code))


@pytest.mark.parametrize(
    "name", ["check_a_tree", "my_strategy", "score_my_games", "value_criterion"]
)
@pytest.mark.slow
def test_examples_print_what_is_kept_beside_them(name, capsys):
    script = ROOT / "examples" / f"{name}.py"
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out == script.with_suffix(".txt").read_text(encoding="utf-8")


def test_everything_that_is_offered_exists_and_is_documented():
    for name in cb.__all__:
        assert getattr(cb, name).__doc__
    assert {*cb.__all__} <= {*dir(cb)}
    with pytest.raises(AttributeError, match="no attribute 'guess'"):
        cb.guess  # noqa: B018


@given(st.integers(0, 80), st.lists(st.integers(0, 80), min_size=1, unique=True))
def test_feedback_and_partitions_are_those_of_the_definition(guess, members):
    game = cb.game("mm-4-3")
    codes = all_codes(4, 3)
    chosen = [text(codes[member]) for member in members]
    expected = ["{},{}".format(*grade(codes[guess], codes[member])) for member in members]
    assert game.feedback(text(codes[guess]), chosen) == expected
    cells = game.partition(text(codes[guess]), chosen)
    assert sorted(sum(cells.values(), ())) == sorted(chosen)
    for answer, cell in cells.items():
        assert cell
        assert all(game.feedback(text(codes[guess]), secret) == answer for secret in cell)
    assert game._feedback_ids(text(codes[guess]), chosen).dtype == np.uint8


def test_games_that_play_alike_are_equal_and_one_key():
    game = cb.game("mm-3-4")
    again = cb.game("mm-3-4")
    others = [cb.game("bc-3-4"), game.restricted(["112"]), game.weighted({"112": 2, "134": 1})]
    assert game == again
    assert len({game, again, *others}) == 4
    assert game.weighted({"112": 2, "134": 1}) != game.restricted(["112", "134"])
    assert game != "mm-3-4"


def test_games_of_words_and_tables_play_like_others():
    words = cb.Game.from_words(["crane", "slate", "trace", "crate"], ["adieu"])
    assert words.guesses == ("adieu", "crane", "crate", "slate", "trace")
    rules = Definition(list(words.guesses), list(words.secrets), marks)
    assert cb.solve(words).tree.total == minimum_of_all_trees(rules, words.secrets, {})
    plain = cb.game("mm-2-3")
    ids = [plain._feedback_ids(guess).tolist() for guess in plain.guesses]
    same = cb.Game.from_table(
        ids, plain.guesses, plain.secrets, plain.feedback_labels, plain.solved, "pairs"
    )
    for policy in ("entropy", "worst-case"):
        assert cb.grow(same, policy).profile == cb.grow(plain, policy).profile
    assert cb.solve(same).tree.total == cb.solve(plain).tree.total
    state = cb.State(same, ["12:0,1"])
    fits = [code for code in all_codes(2, 3) if grade((1, 2), code) == (0, 1)]
    assert state.candidates == tuple(map(text, fits))


@pytest.mark.parametrize("family", ["marks", "matches", "pegs"])
def test_words_may_have_the_letters_of_any_alphabet(family):
    draw = random.Random(1)
    alphabet = "0123456789+-*=éêß"
    words = sorted({"".join(draw.choices(alphabet, k=5)) for _ in range(60)})
    game = cb.Game.from_words(words[::2], words, family, alphabet)
    assert (game.secrets, game.guesses) == (tuple(words[::2]), tuple(words))
    for guess in words:
        expected = [WORD_GRADES[family](guess, secret) for secret in game.secrets]
        given = [game._model.feedback_labels[number] for number in game._feedback_ids(guess)]
        assert given == expected
        answer = game.feedback(guess, words[0])
        fits = [secret for secret in game.secrets if game.feedback(guess, secret) == answer]
        assert list(cb.State(game, [(guess, answer)]).candidates) == fits
    accented = cb.Game.from_words(["E\u0301te\u0301", "tet"], alphabet="e\u0301et")
    assert accented.secrets == ("tet", "été")
    assert accented.feedback("e\u0301te\u0301", "tet") == "byb"
    split_by_nfc = "\u0b5c"  # a letter that the normal form takes apart
    letters = cb.Game.from_words([f"a{split_by_nfc}", "e\u0301t"])
    assert letters.secrets == (f"a{split_by_nfc}", "ét")


@pytest.mark.parametrize(
    ("words", "alphabet", "message"),
    [
        (["12", "1a"], "12", "the secrets, line 2: the letter 'a' of '1a' is not in the alphabet"),
        (["12"], "1A2", "alphabet '1A2' has 'A': use lower-case letters, no space or #"),
        (["12"], "121", "alphabet '121' has '1' twice: remove one"),
        (["12"], ["1", "2"], "alphabet can't be \\['1', '2'\\], as its type is str"),
        (["12"], None, "secret 1, '12': words are letters, .*; alphabet='0123456789' allows"),
        (["12", "12"], "12", "secret 2, '12': words are letters, and are given once$"),
    ],
)
def test_words_outside_their_alphabet_are_refused(words, alphabet, message):
    with pytest.raises(cb.CodebreakerError, match=message):
        cb.Game.from_words(words, alphabet=alphabet)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(
            {"table": [[1, 0]]},
            "2 rows for its guesses and 2 columns for its secrets, and has 1 row and 2 columns",
            id="too few rows",
        ),
        pytest.param(
            {"table": [[1, 0], [0]]}, r"secrets, and is \[\[1, 0\], \[0\]\]$", id="ragged rows"
        ),
        pytest.param({"table": None}, "and is None$", id="no table"),
        pytest.param(
            {"table": [[1, 0], [0, 7]]}, "feedback from 0 to 7", id="feedback from 0 to 7"
        ),
        pytest.param(
            {"table": [[1.0, 0], [0, 1]]},
            "must hold integers, .* and has 2 rows and 2 columns of float64",
            id="must hold integers",
        ),
        pytest.param({"solved": "yes"}, "winning feedback 'yes'", id="winning feedback 'yes'"),
        pytest.param(
            {"secrets": ["a", "c"]},
            "secret 'c' of game 'pair' is not among its guesses",
            id="secret 'c' of game 'pair' is not among its guesses",
        ),
        pytest.param(
            {"guesses": ["a", "a"]}, "guess 'a' is given 2 times", id="guess 'a' is given 2 times"
        ),
        pytest.param(
            {"guesses": ["a", "B"]}, "guess 'B' can't be typed", id="guess 'B' can't be typed"
        ),
        pytest.param(
            {"table": [[1, 1], [0, 1]]},
            "must win against the guess 'b' and no other",
            id="must win against the guess 'b' and no other",
        ),
        pytest.param({"secrets": []}, "give at least one secret", id="give at least one secret"),
        pytest.param(
            {"guesses": ["a", "b\nc"]},
            "guess 'b\\\\nc' can't be typed",
            id="guess 'b\\\\nc' can't be typed",
        ),
    ],
)
def test_a_table_that_is_no_game_is_refused(change, message):
    data = {"table": [[1, 0], [0, 1]], "guesses": ["a", "b"], "secrets": ["a", "b"]}
    data |= {"feedback": ["no", "won"], "solved": "won", "name": "pair"} | change
    with pytest.raises(cb.CodebreakerError, match=message):
        cb.Game.from_table(**data)


def test_unknown_and_repeated_secrets_are_refused():
    game = cb.game("mm-3-3")
    refusals = (["114"], "not a secret"), (["111", "111"], "2 times"), ([], "at least one secret")
    for secrets, message in refusals:
        with pytest.raises(cb.CodebreakerError, match=message):
            game.restricted(secrets)
    with pytest.raises(cb.CodebreakerError, match="no table"):
        cb.game("mm-5-8").restricted(["11111"])


@given(st.integers(0, 63), st.lists(st.integers(0, 63), min_size=1, max_size=4))
def test_pushing_and_popping_moves_keeps_the_candidates_of_the_definition(secret, guesses):
    game = cb.game("mm-3-4")
    codes = all_codes(3, 4)
    state = cb.State(game)
    sets = [codes]
    for guess in guesses:
        if state.is_solved:
            with pytest.raises(cb.CodebreakerError, match="already solved"):
                state.push("111", "0,0")
            break
        answer = grade(codes[guess], codes[secret])
        state.push(f"{text(codes[guess])}:{answer[0]},{answer[1]}")
        sets.append(
            [candidate for candidate in sets[-1] if grade(codes[guess], candidate) == answer]
        )
        assert state.candidates == tuple(map(text, sets[-1]))
        assert state.is_consistent(text(codes[secret]))
    before = state.copy()
    while state.moves:
        last = state.moves[-1]
        assert state.pop() == last
        sets.pop()
        assert state.candidates == tuple(map(text, sets[-1]))
    assert before.turn == 1 + len(before.moves) > 1
    with pytest.raises(cb.CodebreakerError, match="no move to take back"):
        state.pop()


def test_names_stand_for_games_and_pairs_for_moves():
    game = cb.game("mm-3-4")
    assert cb.game(game) is game
    tree = cb.grow("mm-3-4", "entropy")
    solved = cb.solve("mm-3-4").tree
    assert (tree.total, solved.total) == (cb.grow(game, "entropy").total, cb.solve(game).tree.total)
    assert cb.suggest("mm-3-4") == cb.suggest(game) == cb.suggest(cb.State(game))
    assert cb.regret("mm-3-4", "123") == cb.regret(game, "123") == cb.regret(cb.State(game), "123")
    assert cb.evaluate("mm-3-4", "entropy").log.equals(cb.evaluate(game, "entropy").log)
    moves = tree.play("321")[:2]
    state = cb.State("mm-3-4", moves)
    assert state.moves == tuple(moves) == cb.State(game, map(":".join, moves)).moves
    assert cb.State(game, ":".join(moves[0])).moves == (moves[0],)


def test_a_contradiction_leaves_the_state_as_it_was():
    state = cb.State(cb.game("mm-4-6"), ["1122:4,0"])
    state.pop()
    state.push("1122:0,0")
    for move in ("1111:1,0", "1111:9,9", "1117:0,0", "1111", "nonsense"):
        with pytest.raises(cb.CodebreakerError):
            state.push(move)
        assert state.turn == 2


@given(st.data())
@pytest.mark.parametrize("name", ["mm-3-3", "bc-2-4", "black-2-3", "marks-wide", "matches-wide"])
@pytest.mark.slow
def test_regrets_and_optima_of_some_secrets_are_those_of_the_definition(name, data):
    rules = defined(name)
    model = game_called(name)
    drawn = data.draw(st.sets(st.sampled_from(range(model.n_secrets)), min_size=1, max_size=9))
    guess = data.draw(st.sampled_from(range(model.n_guesses)))
    members = [rules.secrets[number] for number in sorted(drawn)]
    game = cb.Game(rules_of(name, WORD_LISTS), model)
    game = game.restricted([model.secrets[number] for number in drawn])
    regret = cb.regret(cb.State(game), model.guesses[guess])
    after = total_after(rules, rules.guesses[guess], members, KNOWN.setdefault(name, {}))
    assert regret.expected.exact == Fraction(after, len(members))
    lowest = minimum_of_all_trees(rules, members, KNOWN[name])
    assert regret.minimum.exact == Fraction(lowest, len(members))
    assert cb.regret(cb.State(game), regret.best).mean == 0
    assert (len(game.guesses), cb.solve(game).tree.total) == (model.n_guesses, lowest)


def test_regrets_without_a_table_are_those_of_few_candidates():
    game = cb.game("mm-4-6", table_mib=0)
    moves = ["1123:1,1", "1415:2,0"]
    regret, other = (cb.regret(cb.State(some, moves), "1213") for some in (game, "mm-4-6"))
    assert (regret.expected, regret.minimum) == (other.expected, other.minimum)
    with pytest.raises(cb.CodebreakerError, match="limited to 62 candidates"):
        cb.regret(cb.State(game), "1123")


def test_trees_as_frames_and_iterators_hold_the_same_nodes():
    tree = cb.grow(cb.game("mm-3-4"), "entropy")
    frame = tree.to_frame()
    assert frame["candidates"].sum() == tree.total == sum(node[3] for node in tree)
    assert len(tree) == frame.height == len(tree.draw().splitlines())
    assert sum(tree.profile) == 64
    assert tree.mean.exact == Fraction(tree.total, 64)
    assert tree.guess_after("3,0") is None


@pytest.mark.parametrize("form", ["parquet", "json", "contest"])
def test_a_tree_that_is_written_is_read_again(form, tmp_path):
    tree = cb.grow(cb.game("mm-3-4"), "entropy")
    path = tmp_path / f"tree.{form}"
    tree.write(path)
    assert cb.read_tree(path, tree.game).to_frame().equals(tree.to_frame())
    with pytest.raises(cb.CodebreakerError):
        cb.read_tree(path, cb.game("mm-3-5"))


def test_a_tree_that_fails_is_refused_with_its_first_fault():
    with pytest.raises(cb.CodebreakerError, match=r"mm-3-4-fault\.contest: after 123:1,2"):
        cb.read_tree(ROOT / "tests/samples/mm-3-4-fault.contest", cb.game("mm-3-4"))


def test_scores_are_those_of_games_of_their_file_and_of_pasted_text(tmp_path):
    moves = [["112", "1,0"], ["134", "1,2"], ["143", "3,0"]]
    games = [{"game": "mm-3-4", "moves": moves}]
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(games[0]), encoding="utf-8")
    verdict = cb.score(games)
    assert verdict.moves.equals(cb.score(path).moves)
    skipped = cb.score([{"moves": moves}, {"game": "mm-3-4", "moves": [["999", "0,0"]]}]).skipped
    assert [fault.line for fault in skipped] == [1, 2]
    pasted = cb.score("\n\n".join(["112:1,0 134:1,2 143:3,0"] * 30), game="mm-3-4")
    assert pasted.games.height == 30  # the text is longer than a path may be
    for wrong in ("nowhere.jsonl", [{"moves": {1}}]):
        with pytest.raises(cb.CodebreakerError):
            cb.score(wrong)


def test_a_deterministic_function_is_evaluated_exactly():
    game = cb.game("mm-3-4")
    policy = cb.grow(game, "entropy")

    def follow(state):
        return policy.guess_after(*(feedback for _, feedback in state.moves))

    evaluation = cb.evaluate(game, follow)
    assert evaluation.tree.to_frame().equals(policy.to_frame())
    assert (evaluation.mean, evaluation.error, evaluation.maximum) == (
        policy.mean,
        0,
        policy.maximum,
    )
    assert evaluation.profile == policy.profile
    assert cb.evaluate(game, "entropy").profile == policy.profile


def test_a_function_that_draws_is_played_the_same_for_the_same_seed():
    game = cb.game("mm-3-4")

    def draw(state, rng):
        return state.candidates[rng.integers(len(state.candidates))]

    first, other = (cb.evaluate(game, draw, repetitions=3, seed=5) for _ in range(2))
    assert first.log.equals(other.log)
    assert first.tree is None
    assert first.log.height == 192
    assert first.error > 0
    registered = cb.evaluate(game, "random-consistent", opening="112", repetitions=3, seed=5)
    assert abs(first.mean - registered.mean) < 5 * (first.error**2 + registered.error**2) ** 0.5
    assert first.log.columns == registered.log.columns


def test_strategies_are_compared_on_the_same_secrets():
    @cb.player("first-candidate")
    def first(state):
        return state.candidates[0]

    names = ["first-candidate", "entropy", "random-consistent"]
    summary, tests = compared = cb.compare("mm-3-4", names, opening="112")
    for player, mean in summary.select("player", "mean_guesses").iter_rows():
        assert f"{mean:.4f}" in next(row for row in str(compared).splitlines() if player in row)
    columns = ["player", "games", "mean_guesses", "guesses_error", "max_guesses"]
    assert summary.columns == columns
    assert summary["player"].to_list() == names
    assert summary["games"].to_list() == [64, 64, 256]
    assert summary["guesses_error"].to_list()[:2] == [0, 0]
    assert summary["guesses_error"][2] > 0
    pair = tests.filter(player="first-candidate", other="entropy").row(0, named=True)
    means = dict(zip(summary["player"], summary["mean_guesses"], strict=True))
    assert pair["difference"] == pytest.approx(means["first-candidate"] - means["entropy"])
    assert (pair["low"], pair["high"], pair["p"], pair["p_holm"]) == (None,) * 4
    drawn = tests.filter(player="entropy", other="random-consistent").row(0, named=True)
    assert drawn["low"] < drawn["difference"] < drawn["high"]


def word_for(difference):
    if difference == 0:
        return "equal"
    return f"different {'within' if abs(difference) < Fraction(1, 20) else 'beyond'} the margin"


@pytest.mark.parametrize("repetitions", [1, 4, 16])
def test_repetitions_change_nothing_about_strategies_that_draw_nothing(repetitions):
    game = cb.game("mm-3-4")
    names = ("entropy", "worst-case", "most-parts", "renyi-3")
    trees = [cb.grow(game, name) for name in names]
    means = [Fraction(sum(len(tree.play(secret)) for secret in game.secrets), 64) for tree in trees]
    gaps = [mean - other for mean, other in combinations(means, 2)]
    compared = cb.compare(game, names, repetitions=repetitions)
    pairs = compared.pairs.select("difference", "verdict").rows()
    assert pairs == [(float(gap), word_for(gap)) for gap in gaps]
    assert len({word_for(gap) for gap in gaps}) == 3
    assert "±" not in str(compared)
    assert str(compared).count(" exact\n") == 4
    assert str(compared).count(" exactly, ") == 6
    again = cb.compare(game, {"one": "entropy", "other": "entropy"}, repetitions=repetitions)
    assert str(again).endswith("one minus other: +0.0000 exactly, equal")


@pytest.mark.slow
def test_a_strategy_that_draws_is_compared_by_its_draws_alone():
    """The error of many repetitions goes to 0, however much the secrets differ."""
    game = cb.game("mm-3-4")

    def draw(state, rng):
        return state.candidates[rng.integers(len(state.candidates))]

    widths = {}
    for repetitions in (4, 64):
        compared = cb.compare(game, {"draw": draw, "entropy": "entropy"}, repetitions=repetitions)
        low, high = compared.pairs.select("low", "high").row(0)
        widths[repetitions] = high - low
        games = cb.evaluate(game, draw, repetitions=repetitions).log
        by_secret = games.group_by("secret").agg(pl.col("guesses").var())["guesses"]
        error = (by_secret.sum() / repetitions) ** 0.5 / 64
        assert compared.means["guesses_error"][0] == pytest.approx(error)
        assert high - low == pytest.approx(2 * 1.96 * error, rel=0.02)
    assert widths[64] < widths[4] / 3


class Counting:
    """Plays another candidate on each call."""

    def __init__(self):
        self.calls = 0

    def __call__(self, state):  # noqa: D102
        self.calls += 1
        return state.candidates[self.calls % len(state.candidates)]


def alternating():
    openings = cycle(["11", "12"])

    def play(state):
        return next(openings) if state.turn == 1 else state.candidates[0]

    return play


@pytest.mark.parametrize("secrets", [None, ["12", "21"]])
def test_functions_that_depend_on_more_than_the_state_are_refused(secrets):
    game = cb.game("mm-2-3")
    if secrets:
        game = game.restricted(secrets)
    hidden = random.Random(1)
    rng = np.random.default_rng(1)
    strategies = {
        "choice": lambda state: hidden.choice(state.candidates),
        "numpy": lambda state: str(rng.choice(state.candidates)),
        "default": lambda state, rng=rng: str(rng.choice(state.candidates)),
        "Counting": Counting(),
        "alternating": alternating(),
    }
    for name, strategy in strategies.items():
        for ask in (
            cb.evaluate,
            lambda *arguments, name: cb.compare(arguments[0], {name: arguments[1]}),
        ):
            with pytest.raises(cb.CodebreakerError, match=f"^{name} played '..', then '..'") as no:
                ask(game, strategy, name=name)
            assert "take a second argument, a numpy.random.Generator" in str(no.value)
            assert "\n" not in str(no.value)


def test_functions_with_a_memory_that_changes_no_answer_are_exact():
    @cache
    def best(candidates):
        return candidates[0]

    class Remembering:
        def __init__(self):
            self.asked = Counter()

        def __call__(self, state):
            self.asked[state.moves] += 1
            return best(state.candidates)

    game = cb.game("mm-2-3")
    player = Remembering()
    method = partial(Remembering.__call__, Remembering())
    strategies = (player, lambda state: state.candidates[0], method)
    evaluations = [cb.evaluate(game, strategy) for strategy in strategies]
    for evaluation in evaluations:
        assert evaluation.mean == evaluations[0].mean
        assert evaluation.error == 0
        assert evaluation.is_exact
    assert min(player.asked.values()) > 1


def test_evaluations_are_called_exact_only_where_nothing_was_drawn():
    game = cb.game("mm-2-3")
    drawn = "random-consistent"
    exact = {
        "entropy": cb.evaluate(game, "entropy", repetitions=9),
        "knuth": cb.evaluate(game, "knuth", opening="12", repetitions=9),
        "first": cb.evaluate(game, lambda state: state.candidates[0], repetitions=9),
    }
    for single in exact.values():
        assert (single.is_exact, single.error, single.log.height) == (True, 0, 9)
        assert repr(single).endswith("guesses, exact)")
    single, more = (cb.evaluate(game, drawn, opening="12", repetitions=n) for n in (1, 4))
    alone = cb.evaluate(game.restricted(["12"]), lambda state, rng: state.candidates[0])
    for drew, games in ((single, "9 games"), (more, "36 games"), (alone, "1 game")):
        assert not drew.is_exact
        assert "exact" not in repr(drew)
        assert repr(drew).endswith(f"guesses, {games})")
    assert alone.error is None
    assert single.error == pytest.approx(single.log["guesses"].std() / 3)  # an upper bound
    prior = cb.game("mm-2-2").weighted({"11": 1, "12": 4, "21": 3})
    for repetitions, known in ((1, False), (5, True)):
        evaluation = cb.evaluate(
            prior,
            lambda state, rng: state.candidates[rng.integers(len(state.candidates))],
            repetitions=repetitions,
        )
        assert (evaluation.error is not None) == known
        assert not evaluation.is_exact


def test_strategies_that_play_nonsense_are_named():
    game = cb.game("mm-2-3")
    for strategy, message in (
        (lambda state: "99", "played '99'"),
        (lambda state: 11, "a guess is text"),
        (lambda state: "11", "has not won after 64 guesses"),
        ("entrpy", "did you mean 'entropy'"),
        ("annealing", "needs an opening"),
    ):
        with pytest.raises(cb.CodebreakerError, match=message) as refused:
            cb.evaluate(game, strategy)
        assert len(str(refused.value)) < 250
    for taken in ("entropy", "annealing"):
        with pytest.raises(cb.CodebreakerError, match=f"a player called '{taken}' already"):
            cb.player(taken)
    with pytest.raises(cb.CodebreakerError, match="two strategies"):
        cb.compare(game, ["entropy", "entropy"])


def test_trees_and_recorded_trees_are_strategies():
    game = cb.game("mm-3-4")
    recorded = cb.grow(game, "best-known")
    assert (recorded.name, recorded.total) == ("best-known", cb.solve(game).tree.total)
    assert cb.grow(game, "optimal").total == recorded.total
    assert cb.grow(cb.game("bc-2-4"), "optimal").total == cb.solve("bc-2-4").tree.total
    assert cb.grow(game, recorded) is recorded
    tree = cb.grow(game, "worst-case", opening="111")
    for strategy in (recorded, "best-known", "optimal"):
        evaluation = cb.evaluate(game, strategy)
        with pytest.raises(cb.CodebreakerError, match="has its own opening: leave it out"):
            cb.evaluate(game, strategy, opening="111")
        assert evaluation.is_exact
        assert evaluation.mean == recorded.mean
        assert cb.suggest(game, strategy).guess == recorded.opening
    compared = cb.compare(game, {"own": tree, "best": "best-known"})
    assert compared.means["mean_guesses"].to_list() == [tree.mean, recorded.mean]
    assert cb.compare(game, tree).means["player"].to_list() == [tree.name]
    for feedback in ("0,0", "1,0", "2,0"):
        suggestion = cb.suggest(cb.State(game, [("111", feedback)]), tree)
        assert (suggestion.guess, suggestion.policy) == (tree.guess_after(feedback), tree.name)
    left = cb.State(game, [("111", "1,0"), ("112", "1,0")])
    for call, message in (
        (lambda: cb.suggest(left, tree), "move 2, 112:1,0, leaves the tree 'worst-case_from-111'"),
        (lambda: cb.suggest(game, tree, "112"), "has no settings"),
        (lambda: cb.grow(game, tree, guess_pool="all"), "has no settings"),
        (lambda: cb.grow(game, "best-known", exact_from=2), "has no settings"),
        (lambda: cb.grow("mm-2-3", tree), "of the game 'mm-3-4'"),
        (lambda: cb.evaluate("mm-2-3", tree), "of the game 'mm-3-4'"),
        (lambda: cb.grow("marks-five", "best-known"), "no tree of marks-five is recorded"),
        (lambda: cb.grow(game, 5), "policy can't be 5"),
    ):
        with pytest.raises(cb.CodebreakerError, match=message):
            call()


@pytest.mark.parametrize(("alias", "policy"), ALIASES.items())
def test_an_alias_plays_as_its_policy(alias, policy):
    grown = cb.grow("mm-3-4", alias)
    assert grown.name == policy
    assert grown.to_frame().equals(cb.grow("mm-3-4", policy).to_frame())
    assert cb.evaluate("mm-3-4", alias).mean == grown.mean
    assert cb.suggest("mm-3-4", alias).guess == grown.opening


def test_unknown_policies_get_the_nearest_or_a_complete_list():
    for written, near in (
        ("Knuht", "knuth"),
        ("MAX_ENTROPY", "max-entropy"),
        ("reny-0.5", "renyi"),
    ):
        with pytest.raises(cb.CodebreakerError, match=f"did you mean '{near}"):
            cb.grow("mm-3-4", written)
    for call, kind in ((cb.grow, "policy"), (cb.evaluate, "strategy"), (cb.suggest, "policy")):
        with pytest.raises(cb.CodebreakerError, match=f"unknown {kind} 'xyzzy'") as refused:
            call("mm-3-4", "xyzzy")
        forms = [family.form for family in FAMILIES.values()]
        for name in ["best-known", "optimal", *policy_names(), *ALIASES, *forms]:
            assert name in str(refused.value)
    for taken in ("minimax", "optimal"):
        with pytest.raises(cb.CodebreakerError, match="already"):
            cb.criterion(taken, lambda count, total: -count)
        with pytest.raises(cb.CodebreakerError, match="already"):
            cb.player(taken)


def test_players_have_the_openings_of_the_study():
    game = cb.game("mm-3-4")
    ranked = cb.evaluate(game, "EvoRank")
    assert {guesses.split()[0] for guesses in ranked.log["moves"]} == {"121"}
    drawn = cb.evaluate(game, "random-consistent", repetitions=2)
    assert len({guesses.split()[0] for guesses in drawn.log["moves"]}) > 20
    assert drawn.log.equals(
        cb.evaluate(game, "random-consistent", opening="112", repetitions=2).log
    )
    assert cb.evaluate(game, "knuth").mean == cb.grow(game, "worst-case").mean


def test_a_criterion_of_ones_own_plays_like_the_same_registered_one():
    @cb.criterion("my-size")
    def size(count, total):
        return -count * count

    cb.criterion("my-largest", lambda count, total: -count, fold="min")
    game = cb.game("mm-3-4")
    for registered, known in (("my-size", "expected-size"), ("my-largest", "worst-case")):
        assert cb.grow(game, registered).to_frame().equals(cb.grow(game, known).to_frame())
    cb.criterion("my-size", lambda count, total: np.ones_like(count))
    assert cb.grow(game, "my-size").profile == cb.grow(game, "most-parts").profile


@pytest.mark.parametrize("name", ["mm-3-4", "bc-2-4", "marks-example", "black-3-4"])
def test_sizes_of_all_parts_are_those_of_partitions(name):
    game = cb.game(name)
    states = [cb.State(game)]
    states += [states[0]._after(0, 0, game._secret_indices(game.secrets[1:9:2]))]
    if name == "mm-3-4":
        states.append(cb.State(cb.game(name, table_mib=0), ["112:1,0"]))
    for state in states:
        counts, guesses, feedback = state.sizes()
        assert (guesses, feedback) == (game.guesses, game.feedback_labels)
        for guess, row in zip(guesses, counts.tolist(), strict=True):
            parts = state.partition(guess)
            assert row == [len(parts.get(answer, ())) for answer in feedback]


def test_sizes_are_shown_on_one_line():
    assert repr(cb.State("mm-3-4").sizes()) == "Sizes(64 guesses, 9 kinds of feedback)"


def test_one_of_something_is_not_shown_as_several():
    state = cb.State("mm-3-4", ["112:3,0"])
    assert repr(state) == "State('mm-3-4', ['112:3,0'], 1 candidate)"
    tree = cb.solve(cb.Game.from_words(["crane"])).tree
    assert tree.figures == "1 guess, 1.0000 on average, at most 1"


def test_strategies_of_the_same_name_are_compared_under_given_names():
    tree = cb.solve("mm-2-2").tree
    with pytest.raises(cb.CodebreakerError, match="'optimal': give a dict of names"):
        cb.compare("mm-2-2", ["optimal", tree])
    compared = cb.compare("mm-2-2", {"searched": "optimal", "tree": tree})
    assert compared.means["player"].to_list() == ["searched", "tree"]


def test_strategies_of_your_own_are_no_policies():
    cb.player("my-first")(lambda state: state.candidates[0])
    for ask in (cb.grow, cb.suggest):
        given = "mm-3-4" if ask is cb.grow else cb.State("mm-3-4")
        with pytest.raises(cb.CodebreakerError, match="which evaluate and compare play"):
            ask(given, "my-first")


def test_families_that_no_game_would_play_are_refused():
    class Twisted(Mastermind):
        family = "twisted"

        def feedback(self, guess, secret):
            return "1,0"

    with pytest.raises(cb.CodebreakerError, match="'feedback', which no game of codes calls"):
        cb.rules(Twisted)
    with pytest.raises(cb.CodebreakerError, match="derive a class from"):
        cb.rules(type("Plain", (), {"family": "plain"}))
    assert "twisted" not in GAME_FAMILIES


def test_sizes_are_counted_in_blocks(monkeypatch):
    whole = cb.State("mm-3-4").sizes().counts
    monkeypatch.setattr(partition, "LOOKUPS_AT_ONCE", 200)
    assert np.array_equal(cb.State("mm-3-4").sizes().counts, whole)


def test_bare_decorators_name_what_they_register_after_the_function():
    @cb.criterion
    def my_parts(count, total):
        return np.ones_like(count)

    @cb.player
    def my_first(state):
        return state.candidates[0]

    game = cb.game("mm-3-4")
    assert cb.grow(game, "my-parts").profile == cb.grow(game, "most-parts").profile
    assert cb.evaluate(game, "my-first").mean == cb.evaluate(game, my_first).mean
    assert list(my_parts(np.ones(2), 2.0)) == [1, 1]
    assert cb.criterion("my-own", my_parts).name == "my-own"
    with pytest.raises(cb.CodebreakerError, match="can't have this name"):
        cb.criterion(lambda count, total: count)
    for decorator in (cb.criterion, cb.player):
        with pytest.raises(cb.CodebreakerError, match="name can't be 7"):
            decorator(7)


def test_criteria_that_are_none_are_refused():
    drawn = np.random.default_rng(1)
    for name, cell, message in (
        ("entropy", lambda count, total: count, "already"),
        ("Root", lambda count, total: count, "can't have this name"),
        ("renyi-7", lambda count, total: count, "named like a family"),
        ("one", lambda count, total: 1, "one finite number"),
        ("nan", lambda count, total: count * np.nan, "one finite number"),
        ("drawn", lambda count, total: drawn.random(len(count)), "when asked twice"),
        ("text", lambda count, total: "x", "returns a number for each count"),
        ("scalar", lambda count, total: 1 if count > 1 else 0, "np.where instead of"),
    ):
        with pytest.raises(cb.CodebreakerError, match=message):
            cb.criterion(name, cell)


def test_a_criterion_that_fails_for_larger_sets_is_refused_when_it_plays(registries):
    """Registration asks a cell for 9 candidates; a game asks for all of its own."""
    for name, cell, message in (
        ("nan-late", lambda count, total: np.where(total > 9, np.nan, count), "must return one"),
        ("inf-late", lambda count, total: np.where(count > 60, np.inf, count), "must return one"),
        ("short", lambda count, total: count[:9], "must return one finite number"),
        ("fails", lambda count, total: count if total < 10 else 1 // 0, r"fails .*by zero"),
    ):
        cb.criterion(name, cell)
        with pytest.raises(cb.CodebreakerError, match=message) as refused:
            cb.grow("mm-3-4", name)
        assert f"criterion '{name}'" in str(refused.value)
        assert "the counts 1 to 64 of 64 candidates" in str(refused.value)
        assert "\n" not in str(refused.value)


def test_a_family_of_games_is_registered_by_its_class():
    @cb.rules
    class Cows(BullsAndCows):
        family = "cows"

    assert cb.grow("cows-2-3", "entropy").profile == cb.grow("bc-2-3", "entropy").profile
    with pytest.raises(cb.CodebreakerError, match="family of games called 'mm' already"):
        cb.rules(type("Mine", (BullsAndCows,), {"family": "mm"}))


def shown_in_notebooks():
    """What has a view for notebooks, by the longest one-line text that it may have."""
    game = cb.game("mm-4-6")
    moves = [["1122", "1,0"], ["1344", "3,0"], ["1345", "4,0"]]
    ann = {"game": "mm-4-6", "player": "Ann & <Bob>", "moves": moves}
    faulty = {**ann, "moves": [["1122", "<9>"]]}
    state = cb.State(game, ["1123:1,1"])

    def draw(state, rng):
        return state.candidates[rng.integers(len(state.candidates))]

    return [
        game,
        state,
        cb.grow(game, "entropy", opening="1123"),
        cb.solve("mm-3-4"),
        cb.score([ann]),
        cb.score([ann, ann, faulty]),
        cb.score([]),
        cb.compare("mm-3-4", {"<i>": "entropy", "draw": draw}),
        cb.compare("mm-3-4", "entropy"),
        cb.suggest(state, "worst-case", exact=True),
        cb.suggest("marks-common"),
        cb.regret(state, "1122"),
        cb.regret(state, "1415"),
        cb.evaluate("mm-3-4", lambda state: state.candidates[0], name="<first>"),
    ]


@pytest.mark.slow
def test_what_a_notebook_shows_is_short_or_balanced_and_escaped_html():
    for shown in shown_in_notebooks():
        html = shown._repr_html_().replace("<details open>", "<details>")
        ElementTree.fromstring(f"<div>{html}</div>")
        assert all(len(line) <= 130 for line in repr(shown).splitlines())
        assert "\n" not in repr(shown) or isinstance(shown, cb.Comparison)
    hostile = cb.Game.from_table([[1]], ["<b>"], ["<b>"], ["no", "<i>"], "<i>", "<u>")
    assert "<b>&lt;u&gt;</b>" in hostile._repr_html_()
    assert "<i>" not in cb.State(hostile, ["<b>:<i>"])._repr_html_()


def test_pegs_have_the_colours_of_the_page_and_name_them():
    for game, code in (("mm-4-6", "1626"), ("bc-4-10", "0189"), ("mm-2-40", "9.40")):
        symbols = cb.game(game)._notation.rules.symbols()
        pegs = ElementTree.fromstring(cb.game(game)._pegs_html(code))
        for peg in pegs:
            index = symbols.index(peg.text)
            colour = COLOURS[index % len(COLOURS)]
            assert f"background:{colour.value}" in peg.get("style")
            assert peg.get("title") == (f"{peg.text} ({colour.name})" if index < 10 else peg.text)
    assert cb.game("marks-common")._pegs_html("crane") == "<b>crane</b>"
    named_like_codes = cb.Game.from_table([[1]], ["xyz"], ["xyz"], ["no", "yes"], "yes", "mm-3-4")
    assert cb.suggest(named_like_codes)._repr_html_().startswith("<p><b>xyz</b>")


def test_letters_have_the_colours_of_their_marks_and_name_them():
    shown = cb.State("marks-five", ["raise:bybgg"])._repr_html_()
    letters = [*ElementTree.fromstring(f"<div>{shown}</div>").iter("span")][1:]
    assert [letter.text for letter in letters] == [*"raise"]
    meanings = ["absent", "elsewhere", "absent", "in place", "in place"]
    assert [letter.get("title") for letter in letters] == meanings
    colours = ["#4a4d52", "#ffd75e", "#4a4d52", "#3fae6f", "#3fae6f"]
    for letter, colour in zip(letters, colours, strict=True):
        assert f"background:{colour}" in letter.get("style")
    page = (ROOT / "src/codebreaker/report/page/play.css").read_text(encoding="utf-8")
    assert "--green:#3fae6f; --yellow:#ffd75e; --grey:#4a4d52;" in page
    verdict = cb.score([{"game": "marks-five", "moves": [["raise", "ggggg"]]}])
    assert verdict._repr_html_().count('title="in place"') == 5


def test_texts_of_tables_in_notebooks_begin_at_the_left():
    verdict = cb.score([{"game": "mm-4-6", "moves": [["1122", "1,0"], ["1344", "4,0"]]}])
    cells = [*ElementTree.fromstring(f"<div>{verdict._repr_html_()}</div>").iter("td")]
    assert [cell.get("style") for cell in cells] == [None, *["text-align:left"] * 3] * 2


def test_large_estimates_are_written_without_exponents():
    suggestion = cb.suggest(cb.State("mm-8-10", ["11223344:0,2"]), samples=200)
    assert "of about 12," in repr(suggestion)
    assert "e+0" not in repr(suggestion)


def test_what_is_equal_stays_equal_when_pickled():
    state = cb.State("mm-3-4", ["112:1,0"])
    suggestion = cb.suggest(state)
    for made in (state, state.game, suggestion):
        copied = pickle.loads(pickle.dumps(made))
        assert copied == made
        assert hash(copied) == hash(made)
    other = state.copy()
    assert other == state == cb.State(cb.game("mm-3-4"), [("112", "1,0")])
    other.push(suggestion.guess, "0,0")
    assert other != state
    assert state != cb.State("mm-3-5", ["112:1,0"])
    assert state != "112:1,0"


def test_tables_for_pandas_are_made_or_what_is_missing_is_named():
    moves = [["1122", "1,0"], ["1344", "3,0"], ["1345", "4,0"]]
    tabled = {
        "Tree": (cb.grow("mm-3-4", "entropy"), ["parent", "turn", "feedback"]),
        "Evaluation": (cb.evaluate("mm-3-4", "entropy"), ["contest", "game", "player"]),
        "Comparison": (
            cb.compare("mm-3-4", "entropy"),
            ["player", "games", "mean_guesses", "guesses_error", "max_guesses"],
        ),
        "Verdict": (cb.score([{"game": "mm-4-6", "moves": moves}]), ["line", "player", "game"]),
    }
    for name, (made, columns) in tabled.items():
        if has_extra("pandas"):
            assert [*made.to_pandas().columns][: len(columns)] == columns
        else:
            with pytest.raises(
                cb.CodebreakerError, match=rf"{name}.to_pandas needs.*pip install .pandas"
            ):
                made.to_pandas()


def test_states_and_games_of_ones_own_are_scored():
    words = cb.Game.from_words(["crane", "crate", "slate", "trace", "brace"])
    played = [(guess, marks(guess, "brace")) for guess in ("crane", "trace", "brace")]
    state = cb.State(words, played)
    verdict = cb.score(state)
    before = cb.State(words)
    for (guess, feedback), regret in zip(played, verdict.moves["regret"], strict=True):
        assert regret == pytest.approx(cb.regret(before, guess).mean)
        before.push(guess, feedback)
    text = "\n".join(" ".join(move) for move in played)
    assert cb.score(text, words) == cb.score([{"moves": played}], game=words) == verdict
    assert cb.score([state, state], words).games.height == 2
    assert cb.score(cb.State("mm-3-4", ["112:3,0"])) == cb.score(["112:3,0"], "mm-3-4")
    for games, game, reason in (
        ([state, cb.State("mm-3-4")], None, "a state of mm-3-4 is not one of marks-words"),
        (state, "mm-3-4", "a state of marks-words is not one of mm-3-4"),
        ([], cb.game("mm-3-4").weighted({"112": 3, "123": 1}), "leave out the prior"),
        (cb.State("mm-8-10"), None, "mm-8-10 has 100,000,000 secrets: at most 65,536"),
    ):
        with pytest.raises(cb.CodebreakerError, match=reason):
            cb.score(games, game)


def test_a_player_of_contests_is_no_policy_and_too_many_arguments_are_named():
    with pytest.raises(cb.CodebreakerError, match="'annealing' is a player of contests, which eva"):
        cb.suggest("mm-4-6", "annealing")
    with pytest.raises(cb.CodebreakerError, match=r"too many .* they are guess and feedback"):
        cb.State("mm-4-6").push("1122", 1, 0)
    with pytest.raises(cb.CodebreakerError, match=r"tree has no ending .* as .json does"):
        cb.grow("mm-2-2", "entropy").write("tree")


@pytest.mark.parametrize(
    "move",
    [
        {"guess": "112", "black": 1, "white": 0},
        {"guess": "112", "bulls": 1, "cows": 0},
        {"guess": "112", "feedback": [1, 0]},
        {"guess": "112", "feedback": "1,0"},
    ],
)
def test_a_move_is_a_mapping_in_states_and_scores(move):
    assert cb.State("mm-3-4", [move]).moves == (("112", "1,0"),)
    verdict = cb.score([move], "mm-3-4")
    assert verdict.moves.select("guess", "feedback").rows() == [("112", "1,0")]
    assert cb.score([{"game": "mm-3-4", "moves": [move]}]) == verdict


def drawn_first(state, rng):
    return state.candidates[int(rng.integers(len(state.candidates)))]


def results():
    """Return results of every kind, by a name."""
    game = cb.game("mm-3-4")
    likely = game.weighted({"112": 12, "123": 5, "234": 1})
    state = cb.State(game, ["112:1,0"])
    transcripts = [
        {"game": "mm-4-6", "player": "Ann", "moves": [["1122", "1,0"], ["1344", "4,0"]]},
        {"game": "mm-4-6", "player": "Ann", "moves": [["1122", "1,0"], ["1344", "3,0"]]},
        {"game": "mm-4-6", "moves": [["1122", "9,0"]]},
    ]
    return {
        "state": state,
        "start of a game that isn't listed": cb.State("mm-8-10", ["11223344:0,2"]),
        "sizes": state.sizes(),
        "tree": cb.grow(game, "entropy"),
        "tree with a prior": cb.grow(likely, "entropy"),
        "solved": cb.solve(game),
        "suggestion": cb.suggest(state, exact=True),
        "suggestion from samples": cb.suggest("mm-8-10", samples=500),
        "regret": cb.regret(state, "123"),
        "regret with a prior": cb.regret(likely, "123"),
        "evaluation": cb.evaluate(game, "entropy"),
        "evaluation of draws": cb.evaluate(game, drawn_first),
        "evaluation of few secrets": cb.evaluate(game, "entropy", n_secrets=5),
        "comparison": cb.compare(game, ["entropy", "knuth", drawn_first]),
        "comparison of one": cb.compare(game, "entropy"),
        "verdict": cb.score(transcripts),
        "empty verdict": cb.score([]),
    }


def of_json(value):
    """Return whether a value is of the types that `json.loads` returns, all the way down."""
    if type(value) is dict:
        return all(type(key) is str for key in value) and all(map(of_json, value.values()))
    if type(value) is list:
        return all(map(of_json, value))
    return value is None or type(value) in (bool, int, float, str)


def test_results_are_json_and_the_same_when_read_again():
    for name, result in results().items():
        made = result.to_dict()
        assert of_json(made), name
        assert json.loads(json.dumps(made, allow_nan=False)) == made, name
    kinds = {type(result) for result in results().values()}
    public = {getattr(cb, name) for name in cb.__all__}
    assert {kind for kind in public if hasattr(kind, "to_dict")} == kinds
    tables = {kind for kind in public if hasattr(kind, "to_pandas") or hasattr(kind, "_repr_html_")}
    assert tables - kinds == {cb.Game}


def test_json_of_results_has_what_their_attributes_have(tmp_path):
    made = results()
    for name, result in made.items():
        for key, value in result.to_dict().items():
            if key == "tree" or (name == "suggestion from samples" and key in ("expected", "most")):
                continue
            if key == "candidates" and name.startswith("start"):
                assert value is None
                continue
            attribute = getattr(result.tree if hasattr(result, "bound") else result, key, None)
            attribute = getattr(result, key, attribute)
            if key == "game":
                attribute = getattr(attribute, "name", attribute)
            if isinstance(attribute, pl.DataFrame):
                attribute = attribute.rows(named=True)
            elif isinstance(attribute, np.ndarray):
                attribute = attribute.tolist()
            elif key == "moves":
                attribute = [{"guess": guess, "feedback": said} for guess, said in attribute]
            elif key == "regret" and attribute is not None:
                attribute = attribute.to_dict()
            elif key == "skipped":
                attribute = [{"line": line.line, "reason": line.reason} for line in attribute]
            elif isinstance(attribute, tuple):
                attribute = [*attribute]
            assert value == attribute, (name, key)
    state = made["state"].to_dict()
    assert cb.State(state["game"], state["moves"]) == made["state"]
    for name in ("tree", "solved"):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(made[name].to_dict()), encoding="utf-8")
        assert cb.read_tree(path) == getattr(made[name], "tree", made[name])
    samples = made["suggestion from samples"].to_dict()
    assert (samples["expected"], samples["most"]) == (None, None)


@pytest.mark.slow
def test_a_verdict_is_written_with_codes_in_quotes(tmp_path):
    moves = [["0123", "2,2"], ["0132", "4,0"]]
    cb.score([{"game": "bc-4-10", "moves": moves}]).write(tmp_path)
    assert '"0123"' in (tmp_path / "moves.csv").read_text(encoding="utf-8")
    assert (tmp_path / "index.html").exists()


@given(st.lists(st.integers(0, 5), min_size=27, max_size=27), st.integers(0, 26))
@pytest.mark.slow
def test_regrets_with_a_prior_are_those_of_the_definition(weights, guess):
    codes = all_codes(3, 3)
    drawn = [weight * (number % 3 == 0) for number, weight in enumerate(weights)]
    assume(any(drawn))
    game = cb.game("mm-3-3").weighted(dict(zip(map(text, codes), drawn, strict=True)))
    prior = dict(zip(codes, drawn, strict=True))
    known = {}
    secrets = [code for code in codes if prior[code]]
    rules = Definition(codes, secrets, grade)
    least = Fraction(minimum_of_all_trees(rules, secrets, known, prior), sum(drawn))
    regret = cb.regret(cb.State(game), text(codes[guess]))
    assert regret.minimum.exact == least
    after = total_after(rules, codes[guess], secrets, known, prior)
    assert regret.expected.exact == Fraction(after, sum(drawn))
    solved = cb.solve(game)
    assert solved.tree.mean.exact == least
    assert solved.is_proven
    assert cb.regret(cb.State(game), solved.tree.opening).mean == 0


ENDS = ["batch", "catch", "hatch", "latch", "match", "patch", "watch"]


def test_advice_and_scores_keep_to_the_players_pool():
    """Hard mode leaves only words in -atch after one of them, and no other separates these."""
    game = cb.Game.from_words(ENDS, ["bhlmp", "clamp"])
    state = cb.State(game, ["watch:bgggg"])
    free, hard = (cb.regret(state, "batch", guess_pool=pool) for pool in ("all", "hard"))
    assert (free.best, free.mean > 0) == ("bhlmp", True)
    assert (hard.minimum, hard.mean) == (3.5, 0)
    made = cb.suggest(state, guess_pool="hard", exact=True)
    assert made.guess == made.regret.best
    assert made.regret.minimum == made.expected == hard.minimum
    with pytest.raises(cb.CodebreakerError, match="hard mode forbids bhlmp"):
        cb.regret(state, "bhlmp", guess_pool="hard")
    with pytest.raises(cb.CodebreakerError, match=r"bhlmp can't be the secret, .* a candidate"):
        cb.regret(state, "bhlmp", guess_pool="consistent")
    with pytest.raises(cb.CodebreakerError, match="has no hard mode"):
        cb.regret("mm-2-3", "11", guess_pool="hard")
    with pytest.raises(cb.CodebreakerError, match="prior"):
        cb.regret(game.weighted({"batch": 1, "catch": 2}), "batch", guess_pool="consistent")


def test_scores_with_a_pool_skip_the_games_that_break_it():
    obeys = {"game": "mm-3-3", "moves": [["112", "1,1"], ["131", "1,1"]]}
    breaks = {"game": "mm-3-3", "moves": [["112", "1,1"], ["333", "1,0"]]}
    pooled = cb.score([obeys, breaks], guess_pool="consistent")
    assert pooled.moves["judged_by"].unique().to_list() == ["optimal_pool-consistent"]
    assert pooled.games["line"].to_list() == [1]
    (skipped,) = pooled.skipped
    assert skipped.line == 2
    assert skipped.reason.startswith("move 2: 333 can't be the secret")
    tree = cb.solve("mm-3-3", guess_pool="consistent").tree
    assert pooled.moves["expected"][0] == pytest.approx(tree.mean)
    assert cb.score([breaks], guess_pool="all").skipped == ()
    by_policy = cb.score([obeys], policy="entropy", guess_pool="consistent")
    mean = cb.grow("mm-3-3", "entropy", guess_pool="consistent", endgames=12).mean
    assert by_policy.moves["expected"][0] == pytest.approx(float(mean))
    with pytest.raises(cb.CodebreakerError, match="has no hard mode"):
        cb.score([obeys], guess_pool="hard")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["mm-3-4", "marks-example", "black-2-3"])
def test_listed_policies_are_those_that_play_a_game(game, registries):
    cb.criterion("mine", lambda count, total: -count)
    every = cb.list_policies()["example"].to_list()
    listed = cb.list_policies(game)["example"].to_list()
    assert "mine" in listed
    played = [policy for policy in every if plays(policy, game)]
    of_other_pegs = {"stage-weighted-179273", "endgame-weighted-179064"}
    assert [policy for policy in played if policy not in of_other_pegs] == listed


@pytest.mark.parametrize("name", ["mm-3-4", "bc-2-4", "marks-example"])
def test_a_table_is_that_of_from_table_and_cannot_be_changed(name):
    game = cb.game(name)
    labels = game.guesses, game.secrets, game.feedback_labels
    rebuilt = cb.Game.from_table(game.table, *labels, game.solved)
    for guess in game.guesses[:20]:
        assert rebuilt.feedback(guess, game.secrets) == game.feedback(guess, game.secrets)
    with pytest.raises(ValueError, match="read-only"):
        game.table[0, 0] = 1


def plays(policy, game):
    try:
        return bool(cb.suggest(game, policy).guess)
    except cb.CodebreakerError:
        return False


def test_listed_games_are_games(registries):
    assert [cb.game(name).name for name in cb.list_games()["example"]][:2] == ["mm-4-6", "bc-4-10"]


def test_with_a_prior_all_means_are_those_of_the_probabilities():
    game = cb.game("mm-3-3").weighted({"111": 1, "112": 5, "123": 2, "333": 0, "321": 8})
    assert list(game.probabilities.values()) == [n / 16 for n in (1, 5, 2, 8)]
    assert [*cb.State(game, ["123:1,2"]).probabilities] == ["321"]
    assert [*cb.State(game).probabilities] == ["321", "112", "123", "111"]
    tree = cb.grow(game, "entropy")
    weights = (1, 5, 2, 8)
    guesses = [len(tree.play(secret)) for secret in game.secrets]
    assert tree.total == sum(map(int.__mul__, weights, guesses)) == 16 * tree.mean.exact
    assert f"{tree.mean:.4f} on average" in repr(tree)
    assert cb.suggest(cb.State(game)).expected == tree.mean
    assert cb.evaluate(game, "entropy").mean == pytest.approx(tree.mean)
    drawn = cb.evaluate(game, lambda state, rng: state.candidates[-1], repetitions=5)
    same = cb.evaluate(game, lambda state: state.candidates[-1])
    assert drawn.mean == pytest.approx(same.tree.mean) == pytest.approx(same.mean)
    for refused in (
        lambda: cb.compare(game, ["entropy"]),
        lambda: cb.solve(game, max_guesses=3),
        lambda: cb.solve(game, checkpoints="."),
        cb.solve(game).certificate,
    ):
        with pytest.raises(cb.CodebreakerError, match="prior"):
            refused()


RESULTS = {
    "evaluation": (
        lambda name: cb.evaluate("mm-2-3", name),
        ["entropy", "worst-case"],
    ),
    "comparison": (
        lambda names: cb.compare("mm-2-3", names.split()),
        ["entropy worst-case", "entropy"],
    ),
    "verdict": (cb.score, ["1122:4,0", "1122:1,0 1344:3,0 1345:4,0"]),
    "suggestion": (cb.suggest, ["mm-2-3", "mm-3-3"]),
    "regret": (lambda guess: cb.regret("mm-2-3", guess), ["11", "12"]),
    "tree": (lambda name: cb.grow("mm-3-4", name), ["entropy", "worst-case"]),
    "solved": (cb.solve, ["mm-2-3", "mm-3-3"]),
    "sizes": (lambda name: cb.State(name).sizes(), ["mm-2-3", "mm-3-3"]),
    "state": (lambda move: cb.State("mm-2-3", [move]), ["11:0,0", "11:1,0"]),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_results_are_equal_if_what_they_hold_is(kind):
    make, (argument, another) = RESULTS[kind]
    result = make(argument)
    again = make(argument)
    other = make(another)
    assert result == again
    assert not result != again  # noqa: SIM202 (tuples have an operator of their own)
    assert result != other
    assert result != argument
    assert hash(result) == hash(again)
    assert {result, again, other} == {result, other}
    assert [other, result].index(again) == 1


def test_equal_trees_have_equal_guesses_whatever_their_name(tmp_path):
    tree = cb.grow("mm-3-4", "entropy")
    tree.write(tmp_path / "mine.json")
    read = cb.read_tree(tmp_path / "mine.json")
    assert read == tree
    assert read.name != tree.name
    assert cb.grow("bc-3-4", "entropy") != tree


def test_moves_and_games_come_in_the_forms_that_programs_have():
    state = cb.State("mm-4-6", ["1123:1,1", "1415:2,0"])
    pegs = np.array([1, 1])
    for moves in (
        {"1123": "1,1", "1415": (2, 0)},
        [("1123", 1, 1), ("1415", 2, 0)],
        [("1123", pegs), ("1415", np.array([2, 0]))],
        [("1123", np.int64(1), np.int64(1)), "1415 two black"],
    ):
        assert cb.State("mm-4-6", moves) == state
    moves = [["1122", "1,0"], ["1344", "3,0"], ["1345", "4,0"]]
    verdict = cb.score([{"game": "mm-4-6", "moves": moves}])
    assert cb.score({"game": "MM(4,6)", "moves": moves}).moves.equals(verdict.moves)
    played = cb.score(["1122:1,0", "1344 3,0", "1345 4,0"])
    assert played.games["guesses"].to_list() == [3]
    skipped = cb.score([{"target": "0123", "history": [["0123", [4, 0]]]}])
    assert repr(skipped).startswith("Verdict(0 games, 1 skipped, line 1: the line doesn't say")


def test_one_of_a_thing_is_singular():
    game = cb.game("mm-2-2").restricted(["11"])
    assert "4 guesses, 1 secret, 5 kinds of feedback" in repr(game)
    assert "4 guesses, 1 secret, 5 kinds of feedback" in game._repr_html_()
    assert game.name == "mm-2-2 with 1 secret"
    table = cb.Game.from_table([[0]], ["a"], ["a"], ["yes"], "yes")
    for of, why in (
        (table, "'b' is not among the 1 guess of game 'table'"),
        (cb.Game.from_words(["abc"]), "among the 1 word that may be guessed"),
    ):
        with pytest.raises(cb.CodebreakerError, match=why):
            cb.State(of, [("b", "yes")])


def test_functions_give_advice_as_they_are_evaluated():
    def last(state):
        return state.candidates[-1]

    game = cb.game("mm-3-4")
    whole = cb.evaluate(game, last)
    assert cb.suggest(game, last).expected == whole.mean
    for feedback in ("0,0", "1,0", "2,0"):
        state = cb.State(game, [("444", feedback)])
        advice = cb.suggest(state, last, exact=True)
        assert advice.guess == state.candidates[-1]
        lengths = [
            row["guesses"] - 1
            for row in whole.log.iter_rows(named=True)
            if row["secret"] in state.candidates
        ]
        assert advice.expected == pytest.approx(sum(lengths) / len(lengths))
        assert advice.regret.mean >= 0
    assert "by last" in repr(advice)


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: cb.suggest("mm-3-4", lambda _state, _rng: "112"), "if it draws its guesses"),
        (lambda: cb.suggest("mm-3-4", lambda _state: "111"), "has not won after 64 guesses"),
        (lambda: cb.suggest("mm-3-4", lambda _state: "115"), "has the peg '5'"),
        (lambda: cb.suggest("mm-3-4", lambda s: s.candidates[0], opening="112"), "has no settings"),
        (lambda: cb.suggest("mm-3-4", lambda s: s.candidates[0], samples=9), "samples are for"),
        (lambda: cb.suggest("mm-12-20", lambda s: s.candidates[0]), "too many to list"),
        (lambda: cb.suggest("mm-3-4", 7), "policy can't be 7"),
    ],
)
def test_functions_that_give_no_advice(ask, why):
    with pytest.raises(cb.CodebreakerError, match=why):
        ask()


def test_words_that_no_list_has_may_be_guessed():
    usual = cb.Game.from_words(["abc", "bca", "cab", "aab"])
    word = "zzz"
    wider = usual.with_guesses([word])
    assert {*wider.guesses} == {*usual.guesses, word}
    assert wider.secrets == usual.secrets
    assert wider.feedback(word, usual.secrets[0]) == "bbb"
    fewer = usual.restricted(usual.secrets[:3]).with_guesses([word])
    assert fewer.secrets == usual.secrets[:3]
    for call, why in (
        (lambda: usual.with_guesses(["zzzz"]), "'zzzz' has 4 letters, and the words of"),
        (lambda: usual.with_guesses(word), "put each word in a list"),
        (lambda: cb.game("mm-3-4").with_guesses(["112"]), "mm-3-4 is not played with words"),
        (
            lambda: usual.weighted(
                dict(zip(usual.secrets, (1, 2, 1, 1), strict=True))
            ).with_guesses([word]),
            "equally likely",
        ),
    ):
        with pytest.raises(cb.CodebreakerError, match=why):
            call()


def test_a_score_takes_words_that_no_list_has():
    remark = "'salet' is not in the word list: taken as a guess"
    for games in ("salet:bbybb crony:bbbbb", [["salet", "bbybb"], ["crony", "bbbbb"]]):
        verdict = cb.score(games, "marks-common")
        assert verdict.moves["guess"].to_list() == ["salet", "crony"]
        assert remark in verdict.remarks
    # Another fault is named, and a game that can be read has no such words.
    faulty = cb.score("salet:bbybb decoy:bybbb", "marks-common")
    assert "decoy" in faulty.skipped[0].reason
    prose = "Played by Kevin\ncrane:bbbbb\n"
    assert not any("kevin" in remark for remark in cb.score(prose, "marks-common").remarks)


def test_a_state_of_a_named_game_takes_words_of_no_list_and_rarer_secrets():
    with pytest.warns(UserWarning, match="'salet' is not in the word list") as warned:
        state = cb.State("wordle", ["salet:bbyyb", ("crane", "bbbbg")])
    assert len(warned) == 1
    usual = cb.game("wordle").with_guesses(["salet"])
    assert state == cb.State(usual, ["salet:bbyyb", ("crane", "bbbbg")])
    with pytest.warns(UserWarning, match="no secret of marks-common fits") as warned:
        rare = cb.State("wordle", ["stare:bbyyb", "karma:ggggg"])
    assert len(warned) == 1
    assert rare.is_solved
    assert rare.game == cb.game("marks-rare")
    with pytest.warns(UserWarning, match=r"marks-rare|salet"):
        both = cb.State("wordle", {"salet": "bgbbb", "karma": "ggggg"})
    assert both.game == cb.game("marks-rare").with_guesses(["salet"])
    # A game that is given is as it is, and a contradiction is one.
    for game, moves, why in (
        (cb.game("wordle"), ["salet:bbyyb"], "'salet' is not among"),
        (cb.game("wordle"), ["karma:ggggg"], "no secret agrees"),
        ("wordle", ["aback:gbbbb", "abbey:bbbbb"], "abbey:bbbbb: no secret agrees"),
        ("wordle", ["sale:bbbb"], "sale"),
    ):
        with pytest.raises(cb.CodebreakerError, match=why):
            cb.State(game, moves)


def test_a_search_takes_one_opening_guess():
    with pytest.raises(
        cb.CodebreakerError, match="a search takes one opening guess, not '123,234'"
    ):
        cb.solve("mm-3-4", opening="123,234")
    # One code may have commas, too; what is no guess has its own reason.
    assert (
        cb.solve("mm-2-3", opening="1,2").tree.total == cb.solve("mm-2-3", opening="12").tree.total
    )
    with pytest.raises(cb.CodebreakerError, match="has the peg '9'"):
        cb.solve("mm-3-4", opening="129")
