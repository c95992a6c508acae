"""Suggestions against trees and definitions, refused moves, and the tree cache."""

import random
from contextlib import suppress
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from conftest import GAMES, ROOT, defined, game_called, in_ci, notation_of, same
from definitions import Definition, mass, minimum_of_all_trees
from definitions import slips as literal_slips

from codebreaker.advice import sources
from codebreaker.advice.cached import TotalsCache, TreeCache, best_known_tree, first_tree
from codebreaker.advice.regret import OptimalValues
from codebreaker.advice.resolve import Settings, resolve, strategy_for
from codebreaker.advice.slips import Slip, impossible_marks, likeliest, slips, tell_slips
from codebreaker.constants import BEST_KNOWN, OPTIMAL
from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of, usual_games
from codebreaker.games.tables import TableRules, table_game, weighted
from codebreaker.games.words import BUNDLED
from codebreaker.trees.formats.registry import encode, open_tree
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import subtree
from codebreaker.trees.verify import verify

pytestmark = pytest.mark.usefixtures("caches")


def assistant_of(name, policy=None, opening=None, table_limit_mib=64, **options):
    notation = notation_of(name, table_limit_mib)
    return resolve(notation, policy, Settings(opening, **options), cached=True)


def histories(tree):
    moves = [()]
    for node, parent in enumerate(tree.parent.tolist()[1:], start=1):
        move = (int(tree.guess[parent]), int(tree.feedback[node]))
        moves.append((*moves[parent], move))
    return moves


SECONDS_EACH = ("matches-five", "matches-common", "marks-five", "marks-common")


@pytest.mark.parametrize(
    "name", [in_ci(name) if name in SECONDS_EACH else name for name in usual_games()]
)
@pytest.mark.slow
def test_recorded_first_guesses_are_those_of_default_play(name, monkeypatch):
    rules = rules_of(name, BUNDLED)
    notation = Notation(rules, build_game(rules))
    recorded = first_tree(notation.game)
    assert (recorded is None) == (resolve(notation).name == BEST_KNOWN)
    if recorded is not None:
        monkeypatch.setattr("codebreaker.advice.resolve.first_tree", lambda _: None)
        advice = resolve(notation).suggest([])
        assert same(recorded[0], advice.outlook.tree)
        assert recorded[1] == advice.basis


RECORDS = pl.read_csv(ROOT / "resources" / "best-known" / "best-known.csv").rows_by_key("game")


@pytest.mark.parametrize("name", ["mm-3-4", "mm-4-7", "mm-5-5", "mm-5-8", "bc-4-10", "black-4-6"])
def test_default_advice_is_as_good_as_the_records(name):
    ((secrets, total, _, most, *_),) = RECORDS[name]
    assistant = resolve(notation_of(name))
    for _ in range(2):  # from the package, then from the cache
        made = resolve(assistant.notation, cached=True).suggest([])
        assert made.outlook.expected_guesses == Fraction(total, secrets)
        assert made.outlook.most_guesses == most
    tree = made.outlook.tree
    node = int(np.flatnonzero(tree.parent == 0)[-1])
    then = assistant.suggest([(made.guess, int(tree.feedback[node]))])
    assert then.outlook.expected_guesses == Fraction(
        subtree(tree, node).total_guesses, int(tree.n_candidates[node])
    )


@pytest.mark.parametrize("name", ["mm-3-4", "black-3-3", "mm-2-4"])
@pytest.mark.parametrize("policy", [BEST_KNOWN, OPTIMAL])
def test_moves_off_the_tree_are_followed_by_optimal_play(name, policy):
    assistant = resolve(notation_of(name), policy)
    game = assistant.game
    for feedback in range(game.n_feedback - 1):
        move = game.n_guesses - 1, feedback
        with suppress(CodebreakerError):  # no secret fits
            made = assistant.suggest([move])
            left = made.outlook.candidates
            least = OptimalValues(game).total(left)
            assert made.outlook.expected_guesses == Fraction(least, len(left))
            assert assistant.name == policy


@pytest.mark.slow
def test_a_game_that_is_only_called_like_a_recorded_one_is_advised_as_itself(tmp_path):
    """Tables at random, called mm-2-2, whose trees and totals are others."""
    real = game_called("mm-2-2")
    draw = random.Random(1)
    typed = [label.lower() for label in real.feedback_labels]
    for _ in range(40):
        rows = [
            [4 if guess == secret else draw.randrange(4) for secret in range(4)]
            for guess in range(4)
        ]
        made = table_game(rows, real.guesses, real.secrets, typed, typed[real.solved], "mm-2-2")
        defined = Definition(
            [*range(4)], [*range(4)], lambda guess, other, rows=rows: rows[guess][other]
        )
        least = Fraction(minimum_of_all_trees(defined, defined.secrets, {}), 4)
        notation = Notation(TableRules("mm-2-2", made.guesses, made.feedback_labels), made)
        assert best_known_tree(made) is None
        assert strategy_for(notation).policy == "entropy"
        assert resolve(notation, OPTIMAL).suggest([]).outlook.expected_guesses == least
        assert resolve(notation).suggest([]).outlook.expected_guesses >= least
        values = OptimalValues(made, cache=TotalsCache(made))
        assert Fraction(values.root(), 4) == least
        with pytest.raises(CodebreakerError, match="no tree of mm-2-2 is recorded"):
            resolve(notation, BEST_KNOWN)
        file = tmp_path / "tree.json"
        file.write_bytes(encode("json", notation, grow(made, strategy_for(notation))))
        assert verify(open_tree(file), notation).known == ()


@pytest.mark.parametrize("name", ["mm-3-3", "bc-3-4", "black-3-3"])
def test_by_default_small_sets_are_played_optimally_with_a_prior(name):
    draw = random.Random(name)
    definition = defined(name)
    weights = [draw.choice((1, 2, 30)) for _ in definition.secrets]
    prior = dict(zip(definition.secrets, weights, strict=True))
    game = weighted(game_called(name), dict(zip(game_called(name).secrets, weights, strict=True)))
    secrets = [secret for secret in definition.secrets if prior[secret]]
    assistant = resolve(Notation(rules_of(name), game))
    histories = [[], *([(guess, feedback)] for guess in (0, 5) for feedback in range(game.solved))]
    sizes = set()
    for moves in histories:
        labels = [
            (definition.guesses[guess], game.feedback_labels[answer]) for guess, answer in moves
        ]
        left = [s for s in secrets if all(definition.grade(g, s) == label for g, label in labels)]
        sizes.add(len(left))
        if left:
            least = Fraction(minimum_of_all_trees(definition, left, {}, prior), mass(left, prior))
            assert assistant.suggest(moves).outlook.expected_guesses == least
    assert max(sizes) == len(secrets)


@pytest.mark.parametrize(
    ("policy", "pool", "message"),
    [
        ("first-consistent", None, None),
        ("most-parts", "all", "1,296 guesses for 1,296 candidates takes hours"),
        ("entropy", "consistent", "17 guesses for 17 candidates takes minutes"),
        ("entropy", None, "1,296 guesses for 17 candidates takes hours"),
    ],
)
@pytest.mark.slow
def test_work_without_a_table_is_counted_by_the_guesses_compared(
    policy, pool, message, monkeypatch, caplog
):
    """Moves leave 17 candidates, whose pairs are 289 of candidates, and 22,032 of guesses."""
    monkeypatch.setattr(sources, "MANY_PAIRS", 17 * 16)
    monkeypatch.setattr(sources, "MOST_PAIRS", 17 * 18)
    notation = notation_of("mm-4-6", 0)
    assistant = resolve(notation, policy, Settings(guess_pool=pool))
    moves = notation.moves(["1123:1,1", "1415:2,0"]) if policy == "entropy" else []
    if message is None:
        monkeypatch.setattr(sources, "MOST_PAIRS", 1296 * 1296 + 1)
    elif "hours" in message:
        with pytest.raises(CodebreakerError, match=message):
            assistant.suggest(moves)
        return
    assistant.suggest(moves)
    assert (message or "takes minutes") in caplog.text


def test_the_first_candidate_is_not_sought_among_all_guesses():
    for pool in ("all", "hard"):
        with pytest.raises(CodebreakerError, match="plays the first candidate, and of the guess"):
            resolve(notation_of("marks-short"), "first-consistent", Settings(guess_pool=pool))
    settings = Settings(guess_pool="all", tie_break="consistent then lexicographic")
    tree = resolve(notation_of("marks-short"), "first-consistent", settings).tree()
    usual = resolve(notation_of("marks-short"), "first-consistent").tree()
    assert tree.total_guesses == usual.total_guesses


def test_without_a_record_optimal_play_is_searched_and_other_advice_is_the_policys():
    notation = notation_of("marks-short")
    best = resolve(notation, OPTIMAL).suggest([])
    assert best.outlook.tree.total_guesses == OptimalValues(notation.game).root()
    assert resolve(notation).name == "entropy-endgames-62"
    with pytest.raises(CodebreakerError, match="no tree of marks-short is recorded"):
        resolve(notation, BEST_KNOWN)
    with pytest.raises(CodebreakerError, match="has no settings"):
        resolve(notation, OPTIMAL, Settings(guess_pool="consistent"))
    with pytest.raises(CodebreakerError, match="mm-5-8 has no table to search"):
        resolve(notation_of("mm-5-8"), OPTIMAL)


@pytest.mark.slow
def test_a_set_that_takes_too_long_to_search_is_played_by_the_policy(monkeypatch):
    monkeypatch.setattr("codebreaker.search.small.MOST_PAIRS", 0)
    monkeypatch.setattr(sources, "LOOKUPS", 1 << 12)
    monkeypatch.setattr(sources, "LOOKUPS_IN_TREES", 1)
    notation = notation_of("mm-4-4")
    moves = notation.moves(["4444:0,0"])
    plain = resolve(notation, "entropy").suggest(moves)
    advised = resolve(notation).suggest(moves)
    assert advised.guess == plain.guess
    assert advised.basis == "by entropy, sets of up to 62 candidates played optimally"
    best = resolve(notation, OPTIMAL).suggest(moves)
    assert advised.outlook.expected_guesses > best.outlook.expected_guesses
    assert best.basis == "by exact search: no guess is better"


@pytest.mark.parametrize(
    ("name", "policy", "opening"),
    [
        ("mm-4-6", "context-weighted-5626", "1123"),
        ("mm-4-6", "stage-weighted-5630", "1123"),
        ("mm-3-4", "entropy", None),
        ("bc-3-5", "most-parts", "012"),
        ("black-3-3", "worst-case", None),
        ("marks-wide", "entropy", None),
        ("matches-terminal", "renyi-0.5", None),
    ],
)
@pytest.mark.slow
def test_suggestions_along_a_tree_are_its_guesses(name, policy, opening):
    assistant = assistant_of(name, policy, opening)
    game = assistant.game
    tree = grow(game, assistant.strategy)
    nodes = list(enumerate(histories(tree)))
    for node, moves in nodes[:: 1 + len(nodes) // 300]:
        suggestion = resolve(assistant.notation, policy, Settings(opening)).suggest(moves)
        under = subtree(tree, node)
        assert same(suggestion.outlook.tree, under)
        assert suggestion.guess == tree.guess[node]
        assert len(suggestion.outlook.candidates) == tree.n_candidates[node]
        assert same(assistant.suggest(moves).outlook.tree, under)


@pytest.mark.parametrize("name", GAMES)
def test_candidates_and_expected_guesses_are_the_definitions(name):
    assistant = assistant_of(name, "entropy")
    definition = defined(name)
    game = assistant.game
    grade = definition.grade
    for moves in histories(assistant.suggest([]).outlook.tree):
        played = [
            (definition.guesses[guess], game.feedback_labels[answer]) for guess, answer in moves
        ]
        fits = [all(grade(g, s) == label for g, label in played) for s in definition.secrets]
        expected = np.flatnonzero(fits).tolist()
        suggestion = assistant.suggest(moves)
        assert suggestion.outlook.candidates.tolist() == expected
        named = {definition.secrets[index] for index in expected}
        assert suggestion.is_candidate == (definition.guesses[suggestion.guess] in named)
        lengths = [length(assistant, secret, moves) for secret in expected]
        assert suggestion.outlook.expected_guesses == Fraction(sum(lengths), len(lengths))
        assert suggestion.outlook.most_guesses == max(lengths)


def length(assistant, secret, moves):
    game = assistant.game
    made = list(moves)
    while not made or len(made) == len(moves) or made[-1][1] != game.solved:
        guess = assistant.suggest(made).guess
        made.append((guess, int(game.feedback(guess, np.array([secret]))[0])))
    return len(made) - len(moves)


def test_suggestions_are_the_same_without_a_table():
    by_table, by_code = (assistant_of("mm-3-4", "entropy", table_limit_mib=x) for x in (64, 1e-6))
    by_code = resolve(by_code.notation, "entropy")
    for moves in histories(by_table.suggest([]).outlook.tree):
        assert same(by_table.suggest(moves).outlook.tree, by_code.suggest(moves).outlook.tree)


@pytest.mark.parametrize(
    ("game", "moves", "message"),
    [
        pytest.param(
            "mm-4-6",
            "1123:1,1 1123:3,1",
            "move 2, 1123:3,1: feedback of 3 black and 1 white can't be given to a code of 4 pegs",
            id="mm-4-6 1123:1,1 1123:3,1",
        ),
        pytest.param(
            "mm-4-6",
            "1123:4,4",
            "move 1, 1123:4,4: feedback of 4 black and 4 white can't",
            id="mm-4-6 1123:4,4",
        ),
        pytest.param(
            "mm-4-6",
            "11234:1,1",
            "move 1, 11234:1,1: code '11234' has 5 pegs: the codes of mm-4-6 have 4",
            id="mm-4-6 11234:1,1",
        ),
        pytest.param(
            "mm-4-6",
            "1127:1,1",
            "the peg '7' at position 4: the colours of mm-4-6 are 1 to 6",
            id="mm-4-6 1127:1,1",
        ),
        pytest.param(
            "mm-4-6",
            "1123:111",
            "feedback '111' can't be read: write BLACK,WHITE, as in 1,2",
            id="mm-4-6 1123:111",
        ),
        pytest.param(
            "mm-4-6",
            "1123",
            "move 1, 1123: it lacks its feedback: a move is GUESS:BLACK,WHITE, as in 1123:1,2",
            id="mm-4-6 1123",
        ),
        pytest.param("bc-3-3", "112:0,1", "code '112' has '1' twice", id="bc-3-3 112:0,1"),
        pytest.param(
            "bc-3-3",
            "012:0,0",
            "feedback of 0 black and 0 white can't be given to a code of 3 out of 3 symbols, "
            "none twice",
            id="bc-3-3 012:0,0",
        ),
        pytest.param(
            "black-3-3",
            "111:4",
            "feedback of 4 black can't be given to a code of 3 pegs",
            id="black-3-3 111:4",
        ),
        pytest.param(
            "matches-terminal",
            "zzzzz:1",
            "'zzzzz' is not among the 5 words",
            id="matches-terminal zzzzz:1",
        ),
        pytest.param(
            "marks-short",
            "abba:gggy",
            "marks gggy can't be given to a word",
            id="marks-short abba:gggy",
        ),
    ],
)
def test_impossible_moves_are_named_by_number_and_text(game, moves, message):
    with pytest.raises(CodebreakerError) as error:
        notation_of(game).moves(moves.split())
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["mm-3-4", "bc-3-5", "black-3-3", "marks-wide", "mm-3-4-distinct"])
def test_answers_that_resolve_a_contradiction_are_those_of_the_definition(name):
    notation = notation_of(name)
    game = notation.game
    literal = defined(name)
    draw = np.random.default_rng(3)
    labels = game.feedback_labels
    won = labels[game.solved]
    for length in (1, 2, 2, 3, 3, 4, 4):
        moves = draw.integers([game.n_guesses, len(labels)], size=(length, 2)).tolist()
        possible = slips(notation, moves)
        labelled = {(slip.number, labels[slip.feedback], slip.secrets) for slip in possible}
        named = [(literal.guesses[guess], labels[answer]) for guess, answer in moves]
        # Nobody misreads that they have won, nor goes on after it.
        expected = {
            (number, other, secrets)
            for number, other, secrets in literal_slips(literal, named)
            if named[number - 1][1] != won and (other != won or number == length)
        }
        assert labelled == expected
        assert likeliest(possible[::-1]) == possible


@pytest.mark.parametrize(
    ("name", "answer", "by_pegs"),
    [
        ("mm-4-6", "1,1", {"1,1": 0, "1,0": 1, "2,0": 1, "0,2": 1, "2,2": 2, "0,0": 2, "4,0": 3}),
        ("black-3-3", "1", {"1": 0, "2": 1, "3": 2}),
        ("matches-terminal", "1", {"0": 1, "3": 2}),
        ("marks-short", "bygb", {"bygb": 0, "bygg": 1, "ybgb": 2, "gggg": 3}),
    ],
)
def test_the_likeliest_slip_misreads_the_fewest_pegs_or_marks(name, answer, by_pegs):
    notation = notation_of(name)
    given = notation.feedback(answer)
    for other, misread in by_pegs.items():
        assert notation.misread(given, notation.feedback(other)) == misread
        assert notation.misread(notation.feedback(other), given) == misread


def test_fewer_pegs_misread_count_before_more_secrets_and_these_before_a_later_move():
    ordered = [
        Slip(number=1, feedback=7, misread=1, secrets=40),
        Slip(number=3, feedback=7, misread=1, secrets=2),
        Slip(number=2, feedback=7, misread=1, secrets=2),
        Slip(number=2, feedback=8, misread=1, secrets=2),
        Slip(number=4, feedback=1, misread=2, secrets=500),
        Slip(number=4, feedback=0, misread=3, secrets=900),
    ]
    assert likeliest(ordered[::-1]) == ordered


def test_marks_that_no_word_has_are_said_to_be_impossible():
    assistant = resolve(notation_of("marks-short"))
    reader = assistant.notation
    with pytest.raises(
        CodebreakerError, match="no word has these marks: a can't be absent at lett"
    ):
        assistant.suggest(reader.moves(["abba:bbby"]))
    # A letter in place may follow an absent one, and an absent one any.
    for marks in ("bbbg", "ybbb", "bbbb"):
        assert impossible_marks(reader, reader.move(f"abba:{marks}")) == ""


def test_the_first_move_that_no_secret_fits_is_named():
    assistant = assistant_of("mm-4-6")
    moves = assistant.notation.moves(["1111:0,0", "1111:1,0", "2222:3,0", "2222:2,0"])
    assert tell_slips(assistant.notation, moves) == "more than one of them is wrong"
    texts = ["1123:1,1", "1415:0,2", "1415:3,0", "1111:0,0"]
    moves = assistant.notation.moves(texts)
    for made in (3, 4):
        with pytest.raises(CodebreakerError, match="move 3, 1415:3,0: no secret fits this and"):
            assistant.suggest(moves[:made])
    with pytest.raises(CodebreakerError, match="move 2, 1111:0,0: move 1 already found the secret"):
        assistant.candidates(assistant.notation.moves(["1111:4,0", "1111:0,0"]))


@pytest.mark.parametrize("name", GAMES)
def test_feedback_is_read_as_it_is_written(name):
    notation = notation_of(name)
    # Messages give this example of feedback: it must be readable.
    assert notation.kind.label(notation.kind.example) is not None
    for feedback, label in enumerate(notation.game.feedback_labels):
        for text in (notation.short(feedback), label):
            assert notation.feedback(text) == feedback
        assert notation.move(notation.text((0, feedback))) == (0, feedback)


def test_feedback_may_be_written_in_other_ways():
    notation = notation_of("mm-4-6")
    ways = ["1,2", "12", "1 2", "1  2", "1b2w", "1b 2w", "1B-2C", "1B2W", "1-2", "1, 2", "1b, 2w"]
    ways += [" 1,2 "]
    for other in ("112", "1 2 3", "1", "", "12 3"):
        with pytest.raises(CodebreakerError):
            notation.feedback(other)
    feedback = notation.game.feedback_labels.index("1B-2C")
    assert {notation.feedback(way) for way in ways} == {feedback}
    assert notation.short(notation.feedback("2b")) == "2,0"
    assert notation.short(notation.feedback("2w")) == "0,2"
    marks = notation_of("marks-short")
    assert marks.feedback("🟩" * len(marks.game.guesses[0])) == marks.game.solved


def test_ten_colours_may_be_typed_as_on_a_lock():
    notation = notation_of("mm-3-10")
    for typed, label in (("042", "a42"), ("000", "aaa"), ("a40", None), ("123", "123")):
        if label is None:
            with pytest.raises(CodebreakerError, match="has the peg"):
                notation.guess(typed)
        else:
            assert notation.game.guesses[notation.guess(typed)] == label
    assert notation.code_form.endswith("0 for a")
    with pytest.raises(CodebreakerError, match="has the peg '0'"):
        notation_of("mm-2-11").guess("02")


def test_the_default_fits_every_game():
    for name in GAMES:
        assert strategy_for(notation_of(name)).policy == "entropy"
    usual = strategy_for(notation_of("mm-4-6"))
    assert usual.slug == "context-weighted-5625_from-1123"
    assert assistant_of("mm-4-6", opening="1122").strategy.opening == "1122"
    with pytest.raises(CodebreakerError, match="for 14 different answers, but mm-3-4 has 9"):
        assistant_of("mm-3-4", "stage-weighted")
    with pytest.raises(CodebreakerError, match="code '12' has 2 pegs"):
        assistant_of("mm-3-4", opening="12")


def test_an_opening_may_have_several_guesses():
    game = notation_of("mm-3-4").game
    assert assistant_of("mm-3-4", opening="1,1,2").strategy.opening == "112"
    assistant = assistant_of("mm-3-4", opening="blue blue orange, 334")
    assert assistant.strategy.opening == "112,334"
    assert game.guesses[assistant.suggest(()).guess] == "112"
    # The second guess is this code, whatever the first one was and its colours are called.
    moves = assistant.notation.moves
    for text in ("112:0,1", "443:1,0", "443:0,2"):
        assert game.guesses[assistant.suggest(moves([text])).guess] == "334"
    # Where it would tell nothing, and once the secret is known, it is left out.
    assert game.guesses[assistant.suggest(moves(["334:0,1"])).guess] != "334"
    assert game.guesses[assistant.suggest(moves(["112:1,2"])).guess] in ("121", "211")
    later = assistant.suggest(moves(["112:1,0", "334:1,0"]))
    assert (
        later.outlook.expected_guesses
        == assistant_of("mm-3-4", "optimal")
        .suggest(moves(["112:1,0", "334:1,0"]))
        .outlook.expected_guesses
    )
    with pytest.raises(CodebreakerError, match="has the peg '9' at position 3"):
        assistant_of("mm-3-4", opening="112,339")
    with pytest.raises(CodebreakerError, match="the guess pool consistent depends on it"):
        assistant_of("mm-3-4", opening="112,334", guess_pool="consistent")


def test_some_trees_are_cached_and_damaged_files_of_another_key_or_without_a_folder_are_not_taken(
    caches, monkeypatch
):
    assistant = assistant_of("mm-3-4", "entropy")
    folder = caches / "codebreaker" / "trees"
    tree = assistant.suggest([]).outlook.tree
    game = assistant.game
    policy = assistant.strategy
    path = next(folder.glob("*"))
    assert same(TreeCache(game, policy).get(path.stem), tree)
    (folder / "another").write_bytes(path.read_bytes())
    assert TreeCache(game, policy).get("another") is None
    path.write_bytes(path.read_bytes()[:50])
    assert TreeCache(game, policy).get(path.stem) is None
    assert same(assistant_of("mm-3-4", "entropy").suggest([]).outlook.tree, tree)
    assert same(TreeCache(game, policy).get(path.stem), tree)
    monkeypatch.setattr("codebreaker.advice.cached.MOST_TREES", 3)
    for number in range(6):
        TreeCache(game, policy).put(f"tree-{number}", tree)
    assert len(list(folder.glob("*"))) == 3
    monkeypatch.setenv("XDG_CACHE_HOME", str(path))
    assert same(assistant_of("mm-3-4", "entropy").suggest([]).outlook.tree, tree)


def test_keys_differ_between_policies_games_and_sets():
    members = np.arange(4, dtype=np.int32)
    settings = ("entropy",), ("most-parts",), ("entropy", None, "consistent")
    pairs = product(map(notation_of, ("mm-2-3", "black-2-3", "marks-short")), settings)
    tree_caches = [
        TreeCache(notation.game, strategy_for(notation, some[0], Settings(*some[1:])))
        for notation, some in pairs
    ]
    sets = [
        *((members, 1, -1, "policy"), (members, 2, 0, "policy"), (members, 2, 1, "policy")),
        *((members[:3], 2, 1, "policy"), (members, 2, 1, "search")),
    ]
    keys = {cache.key(*arguments) for cache in tree_caches for arguments in sets}
    assert len(keys) == len(tree_caches) * len(sets)
