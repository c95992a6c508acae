"""All readers of moves read all forms: the library, the commands, and texts of games.

The page reads the same file, `samples/moves.json`, in `report/test_visits.py`.
"""

import contextlib
import json
import re
import sys
from io import BytesIO

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import codebreaker as cb
from codebreaker.advice.transcripts import Reader, games_in
from codebreaker.cli import app, options
from codebreaker.cli.play import Dialogue
from codebreaker.errors import CodebreakerError
from codebreaker.games.reading import LONGEST_ROW, read_moves
from codebreaker.games.words import read_words

pytestmark = pytest.mark.usefixtures("caches")

CASES = json.loads((ROOT / "tests/samples/moves.json").read_text(encoding="utf-8"))
GUESSES = CASES["guesses"]
FEEDBACK = CASES["feedback"]
EXAMPLES = {
    "mm-4-6": ("1123", "1,0"),
    "mm-2-15": ("12", "1,0"),
    "bc-3-5": ("012", "1,0"),
    "black-3-3": ("112", "1"),
    "marks-common": ("crane", "bygbb"),
}
GAMES = {name: cb.game(name) for name in EXAMPLES}
ROWS = [
    *CASES["rows"],
    *([game, f"{text} {EXAMPLES[game][1]}", f"{guess}:{EXAMPLES[game][1]}"]
      for game, text, guess in GUESSES),
    *([game, f"{EXAMPLES[game][0]}: {text}", f"{EXAMPLES[game][0]}:{answer}"]
      for game, text, answer in FEEDBACK),
]  # fmt: skip


def of_one_text(game, text):
    """Return the moves that the library, and `suggest`, read in one text."""
    return GAMES[game]._notation.moves([text])


def of_words(game, text):
    """Return the moves that `suggest` reads from the words of a shell."""
    return read_moves(GAMES[game]._notation, lambda reader: reader.moves(text.split()))[0]


def of_pasted_text(game, text):
    return scored(game, BytesIO(text.encode()))


def of_scored_words(game, text):
    """Return the moves that `score` reads from its arguments."""
    return scored(game, games_in(" ".join(text.split())))


def of_a_state(game, text):
    """Return the moves of a state, each alone: together they may contradict each other."""
    return [
        move
        for guess, answer in of_one_text(game, text)
        for move in cb.State(game, [GAMES[game]._notation.text((guess, answer))])._line[0]
    ]


def scored(game, source):
    reader = Reader(game)
    (played,) = reader.read(source)
    assert reader.faults == []
    return played.moves


@pytest.mark.parametrize(
    "read", [of_one_text, of_words, of_pasted_text, of_scored_words, of_a_state]
)
@pytest.mark.slow
def test_every_reader_reads_every_form(read):
    wrong = []
    for game, text, moves in ROWS:
        if "?" in text and read in (of_words, of_scored_words):
            continue  # without its lines, a mark may belong to either move
        try:
            read_moves = " ".join(map(GAMES[game]._notation.text, read(game, text)))
        except (CodebreakerError, AssertionError, ValueError) as error:
            read_moves = repr(error)
        if read_moves != moves:
            wrong.append((game, text, moves, read_moves))
    assert wrong == []


@pytest.mark.slow
def test_a_state_reads_every_form_of_a_guess_and_of_feedback():
    for game, text, guess in GUESSES:
        answer = EXAMPLES[game][1]
        assert cb.State(game, [(text, answer)]).moves == ((guess, answer),)
        assert cb.State(game, [f"{text} {answer}"]).moves == ((guess, answer),)
    for game, text, answer in FEEDBACK:
        if (
            GAMES[game]
            ._feedback_ids(EXAMPLES[game][0])
            .tolist()
            .count(GAMES[game]._notation.feedback(answer))
        ):
            assert cb.State(game, [(EXAMPLES[game][0], text)]).moves[0][1] == answer


def test_a_state_takes_numbers_of_pegs():
    for moves in ([("1123", (1, 1))], [("1123", [1, 1])], [["1123", "1,1"]]):
        assert cb.State("MM-4-6", moves).moves == (("1123", "1,1"),)
    assert cb.State("black-4-6", [("1123", 2)]).moves == (("1123", "2"),)
    state = cb.State("mm-4-6")
    state.push("1123", (1, 1))
    assert state.moves == (("1123", "1,1"),)
    for wrong in (1.5, (1, True), (1,), (9, 9)):
        with pytest.raises(CodebreakerError):
            cb.State("mm-4-6", [("1123", wrong)])


# Ways in which a program gives the same two moves.
GIVEN = [
    "1122:1,0 1344 3,0",
    ["1122:1,0", "1344 3 black"],
    [["1122", "1,0"], ["1344", "3,0"]],
    [("1122", (1, 0)), ("1344", np.array([3, 0]))],
    [("1122", 1, 0), ["1344", np.int64(3), 0]],
    [["1122:1,0"], ["bgrr", [3, 0]]],
    {"1122": "1,0", "1344": [3, 0]},
    [{"guess": "1122", "feedback": "1,0"}, {"guess": "1344", "feedback": [3, 0]}],
    (("1122", "1,0"), "1344:3,0"),
    ["1122 1,0\n1344 3,0"],
]


@pytest.mark.parametrize("given", GIVEN, ids=repr)
def test_a_state_and_a_score_take_the_same_moves(given):
    played = (("1122", "1,0"), ("1344", "3,0"))
    assert cb.State("mm-4-6", given).moves == played
    games = [{"moves": given}, {"game": "mm-4-6", "secret": "1345", "moves": given}]
    if not isinstance(given, dict):  # which would be a game
        games.append(given)
    for game in games:
        verdict = cb.score(game)
        assert verdict.skipped == ()
        assert verdict.moves.select("guess", "feedback").rows() == [*played]
        assert verdict.games["game"].to_list() == ["mm-4-6"]


def test_moves_of_one_black_number_are_a_game():
    moves = [["1123", 2], ("1145", [1])]
    state = cb.State("black-4-6", moves)
    verdict = cb.score(moves, "black-4-6")
    assert verdict.moves.select("guess", "feedback").rows() == [*state.moves]
    assert cb.score(state.moves, "black-4-6").moves.equals(verdict.moves)


def test_typed_moves_in_json_need_no_more_than_those_of_a_text():
    def moves_of(text):
        reader = Reader()
        (played,) = reader.read(BytesIO(text.encode()))
        assert reader.faults == []
        return played, reader.left_out

    for line, text in (
        ('{"secret": "1345", "moves": ["bboo", "1344"]}', "secret: 1345\nbboo\n1344"),
        ('{"moves": ["1122 1,0 ?", ["1344", "3,0"]]}', "1122 1,0 ?\n1344 3,0"),
        ('{"moves": [["crane", "bygbb"]]}', "crane bygbb"),
        ('{"game": "bc-3-4", "moves": ["011 2,0", ["021", "3,0"]]}', "bc-3-4\n011 2,0\n021 3,0"),
    ):
        (of_line, left_out), (of_text, left_out_too) = moves_of(line), moves_of(text)
        assert (of_line.game, of_line.moves) == (of_text.game, of_text.moves)
        assert [move for _, move in left_out] == [move for _, move in left_out_too]


def test_digits_are_marks_unless_they_may_be_a_word():
    with pytest.raises(CodebreakerError, match="feedback '01234' can't be read"):
        GAMES["marks-common"]._notation.move("crane 01234")
    numbers = cb.Game.from_words(["01200", "12012", "20120"], alphabet="012")
    with pytest.raises(CodebreakerError, match="feedback '01200' can't be read"):
        numbers._notation.feedback("01200")
    assert numbers._notation.text(numbers._notation.move("01200 bygbb")) == "01200:bygbb"


def test_a_sign_that_a_game_has_separates_nothing():
    sums = cb.Game.from_words(["1+1=2", "2+1=3"], alphabet="0123456789+-*/=")
    move = sums._notation.move("1+1=2 -> byggb")
    assert sums._notation.text(move) == "1+1=2:byggb"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MM(4,6)", "mm-4-6"),
        (" mm( 4, 6 ) ", "mm-4-6"),
        ("Mastermind(4, 6)", "mm-4-6"),
        ("Mastermind (4,6)-distinct", "mm-4-6-distinct"),
        ("mastermind-3-4", "mm-3-4"),
        ("BC(4,10)", "bc-4-10"),
        ("Bulls and Cows(3, 5)-any-guess", "bc-3-5-any-guess"),
        ("Black(3,3)", "black-3-3"),
        ("Mastermind", "mm-4-6"),
        ("Bulls and Cows", "bc-4-10"),
        ("wordle", "marks-common"),
        ("Fallout", "matches-five"),
    ],
)
def test_a_game_is_named_as_in_papers(text, name):
    assert cb.game(text).name == name
    assert options.game_with_words(text)[0] == name
    assert Reader(text).game == name


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("mm46", "mm-4-6"),
        ("mm4-6", "mm-4-6"),
        ("mm 4 6", "mm-4-6"),
        ("4x6", "mm-4-6"),
        ("mastermnd(5,8)", "mm-5-8"),
        ("bulls-cows-4-10", "bc-4-10"),
        ("Wordl", "marks-common"),
        ("marksfive", "marks-five"),
        ("falout", "matches-five"),
        ("Mastermnd", "mm-4-6"),
    ],
)
def test_a_near_miss_of_a_game_has_a_hint(name, meant):
    with pytest.raises(CodebreakerError, match=f"did you mean '{meant}'"):
        cb.game(name)


def test_fifteen_colours_have_names():
    form = cb.game("mm-2-15")._notation.code_form
    assert form.startswith("2 pegs in 15 colours: 1 blue, 2 orange,")
    assert form.endswith("9 grey, a indigo, b lime, c maroon, d mint, e black, f white")
    assert cb.game("mm-2-16")._notation.code_form == "2 pegs from 1 to g"


# Moves with a wrong code, and a part of the reason; without their feedback the reason is the same.
WRONG_CODES = [
    ("blue blue grey green", " 1,0", "'grey' is not a colour of mm-4-6, which has blue, orange,"),
    ("red red blue purple", ":1 1", "'purple' is not a colour of mm-4-6"),
    ("red red blue purple", " 1 1", "'purple' is not a colour of mm-4-6"),
    ("red, red, blue, purple", ": 1b1w", "'purple' is not a colour of mm-4-6"),
    ("red,red,blue,purple", ":1,1", "'purple' is not a colour of mm-4-6"),
    ("(red red blue teal)", ":1,1", "'teal' is not a colour of mm-4-6"),
    ("Red Red Blue Teal", " one black", "'teal' is not a colour of mm-4-6"),
    ("teal teal purple purple", ":1,1", "'teal' is not a colour of mm-4-6"),
    ("red red sky blue red", " 1,1", "'sky-blue' is not a colour of mm-4-6"),
    ("red red blue", ":1,1", "code 'red red blue' has 3 pegs: the codes of mm-4-6 have 4"),
    ("red red blue", " 1,1", "code 'red red blue' has 3 pegs: the codes of mm-4-6 have 4"),
    ("rrb", ":1,1", "code 'rrb' has 3 pegs: the codes of mm-4-6 have 4"),
    (
        "redredbluewhite",
        ":1 1",
        "'redredbluewhite' joins names of colours: put blanks between",
    ),
    (
        "redredbluegreen",
        " 1,1",
        "'redredbluegreen' joins names of colours: put blanks between",
    ),
    ("Redred bluegreen", ":1,1", "'redred' joins names of colours: put blanks between them"),
    ("r r b w", " 1 1", "code 'r r b w' has the peg 'w' at position 4: the colours of mm-4-6"),
    ("1 1 2 9", ":1,1", "code '1 1 2 9' has the peg '9' at position 4: the colours of mm-4-6"),
]


@pytest.mark.parametrize(("code", "feedback", "reason"), WRONG_CODES)
def test_a_wrong_code_has_one_reason_wherever_it_is_typed(code, feedback, reason):
    text = code + feedback
    with pytest.raises(CodebreakerError, match=re.escape(reason)):
        cb.State("mm-4-6", [text])
    with pytest.raises(CodebreakerError, match=re.escape(reason)):
        cb.State("mm-4-6", [(code, "1,1")])
    (skipped,) = cb.score(["1123 1,1", f"2. {text}", "1345 4,0"]).skipped
    assert reason in skipped.reason
    assert skipped.line == 2
    (error,) = [event for event in events(typed=[code, "quit"]) if event["event"] == "error"]
    assert reason in error["message"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("red red blue green:9,9", "feedback of 9 black and 9 white can't be given"),
        ("red red blue green maybe:1,1", "feedback 'maybe 1,1' can't be read"),
        ("1123 1415 1,1", "feedback '1415 1,1' can't be read"),
    ],
)
def test_wrong_feedback_has_its_reason_after_any_code(text, reason):
    with pytest.raises(CodebreakerError, match=re.escape(reason)):
        cb.State("mm-4-6", [text])


@pytest.mark.parametrize(
    "text", ["Blue was my first idea", "the best one so far", "I played red and it was good"]
)
def test_a_sentence_between_moves_is_no_move(text):
    verdict = cb.score(["1122 1,0", text, "1344 3,0"])
    assert verdict.skipped == ()
    assert verdict.moves["guess"].to_list() == ["1122", "1344"]


@pytest.mark.parametrize(("game", "text", "reason"), CASES["refused"])
def test_what_is_wrong_or_ambiguous_is_refused(game, text, reason):
    for read in (of_one_text, cb.State):
        with pytest.raises(CodebreakerError) as error:
            read(game, text)
        assert reason in str(error.value)
    reader = Reader(game)
    assert list(reader.read(BytesIO(text.encode()))) == []
    assert reason in reader.faults[0].reason


def test_letters_mean_the_same_in_all_moves_of_a_state():
    state = cb.State("mm-4-6", ["bbbb:1,0"])
    again = state.copy()
    with pytest.raises(CodebreakerError, match="'bbbb' may be 1111"):
        state.push("acdc", "1,0")
    again.push("rgyr", "1,0")
    assert again.moves == (("1111", "1,0"), ("4364", "1,0"))


def test_an_uncertain_move_is_left_out_with_a_word():
    with pytest.warns(UserWarning, match="1123:1,1 is left out"):
        state = cb.State("mm-4-6", ["1123 1,1?", "1415 2,0"])
    assert state.moves == (("1415", "2,0"),)
    run = CliRunner().invoke(app, ["suggest", "-f", "json", "1123:1,1", "? 1415:0,4"])
    assert json.loads(run.stdout)["moves"] == [{"guess": "1123", "feedback": "1,1"}]
    assert run.stderr == "left out, as it is marked uncertain: 1415:0,4\n"


@pytest.mark.parametrize(
    "words",
    [
        ["1123:1,1", "1415:2,0"],
        ["1123", "1,1", "1415", "2,0"],
        ["1", "1", "2", "3", "1b1w", "1415 2 black"],
        ["1123 1,1\r\n1415 2,0\r\n"],
        ["🔵🔵🟠🟢", "⚫⚪", "🔵🔴🔵🟣", "⚫⚫"],
    ],
)
def test_suggest_reads_moves_as_people_write_them(words):
    for game in ("mm-4-6", "MM-4-6"):
        run = CliRunner().invoke(app, ["suggest", "-f", "json", "-g", game, *words])
        moves = [(move["guess"], move["feedback"]) for move in json.loads(run.stdout)["moves"]]
        assert moves == [("1123", "1,1"), ("1415", "2,0")]


def events(*arguments, typed):
    run = CliRunner().invoke(app, ["play", *arguments, "-f", "json"], input="\n".join(typed))
    assert run.exit_code == 0, run.output
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_play_reads_every_form_of_a_guess_and_of_feedback():
    for game, secret in (("mm-4-6", "6565"), ("bc-3-5", "321"), ("black-3-3", "333")):
        typed = []
        for name, text, _ in GUESSES:
            # Letters that count from a are not mixed with colours' letters.
            if name == game and not set("acd") & set(text.lower()):
                typed += [text, "undo"]
        seen = events("-g", game, "--secret", secret, typed=[*typed, "quit"])
        played = [event["guess"] for event in seen if event["event"] == "move"]
        labels = [
            guess
            for name, text, guess in GUESSES
            if name == game and not set("acd") & set(text.lower())
        ]
        assert played == labels
        typed = [line for name, text, _ in FEEDBACK if name == game for line in (text, "undo")]
        seen = events("-g", game, "--solver", typed=[*typed, "quit"])
        answers = [event["feedback"] for event in seen if event["event"] == "move"]
        assert answers == [answer for name, _, answer in FEEDBACK if name == game]


@pytest.mark.parametrize("word", ["q", "quit", "exit", "/exit", "EXIT"])
def test_play_knows_usual_commands(word):
    seen = events("--secret", "6565", typed=["help", word, "1122"])
    assert [event["event"] for event in seen] == ["start", "help", "end"]
    assert "undo" in seen[1]["commands"]


@pytest.mark.parametrize("word", ["?", "hint", "/hint", "HINT"])
@pytest.mark.parametrize("side", [["--secret", "123"], ["--solver"]], ids=" ".join)
def test_play_gives_hints(word, side):
    seen = events("-g", "mm-3-4", *side, typed=[word, "quit"])
    assert [event["event"] for event in seen if event["event"] != "guess"] == [
        "start",
        "hint",
        "end",
    ]


def test_what_begins_with_a_slash_is_a_command():
    seen = events("-g", "mm-3-4", "--secret", "123", typed=["/redo", "quit"])
    assert seen[1] == {
        "event": "error",
        "message": "'/redo' is not a command: type ? for a hint, undo to take back the last move, "
        "quit to end the game",
    }


@pytest.mark.parametrize("code", ["RRGB", "r r g b", "red red green blue"])
def test_letters_are_answered_by_letters(code):
    def printed(*arguments, typed=""):
        run = CliRunner().invoke(app, arguments, input=typed)
        assert run.exit_code == 0, run.output
        return run.stdout

    in_numbers = printed("suggest", "4431:1,1")
    match = re.match(r"next guess: (\d+), which", in_numbers)
    letters = "".join("bogrpy"[int(peg) - 1] for peg in match[1])
    in_letters = in_numbers.replace(f"{match[1]},", f"{match[1]} ({letters}),", 1)
    assert printed("suggest", f"{code}:1,1") == in_letters
    assert printed("suggest", f"{code}:4,0") == "solved: the secret is 4431 (rrgb)\n"
    for typed, hints in ((code, 1), ("4431", 0)):
        game = printed("play", "--secret", "1122", typed=f"{typed}\n?\nquit\n")
        assert len(re.findall(r"^hint: \d{4} \([bogrpy]{4}\)$", game, re.MULTILINE)) == hints


def test_ctrl_c_ends_a_game_like_the_end_of_input(monkeypatch):
    class Interrupted:
        def isatty(self):
            return False

        def readline(self):
            raise KeyboardInterrupt

    dialogue = object.__new__(Dialogue)
    monkeypatch.setattr(sys, "stdin", Interrupted())
    assert dialogue.ask("guess") == "/quit"


@pytest.mark.slow
def test_score_recognises_wordle_without_a_game():
    for text in (
        "crane 🟩⬛🟨⬛⬛",
        "CRANE ⬛🟨🟩⬛⬛\nchair 🟩🟩🟩🟩🟩",
        "⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩\nraise\nmodal",
        "crane bygbb",
        "crane 01200",
        "crane bygbb clout ggggg",
        "crane=01200 chair 22222",
    ):
        reader = Reader()
        (played,) = reader.read(BytesIO(text.encode()))
        assert (played.game, reader.faults) == ("marks-common", [])


@given(game=st.sampled_from([*GAMES]), text=st.text("12rb:, ?wxo-\n🔵⚫crane.#", max_size=30))
def test_any_text_is_moves_or_one_error(game, text):
    try:
        moves = of_one_text(game, text)
    except CodebreakerError:
        return
    again = " ".join(map(GAMES[game]._notation.text, moves))
    assert not moves or of_one_text(game, again) == moves


@pytest.mark.slow
def test_long_rows_are_refused_soon():
    with pytest.raises(CodebreakerError, match="too long"):
        of_one_text("mm-4-6", "1 " * LONGEST_ROW)
    for token in ("1 ", "1 1,1 ", "b ", "? "):
        with pytest.raises(CodebreakerError):
            of_one_text("mm-4-6", (token * LONGEST_ROW)[:LONGEST_ROW])


def test_the_lists_that_people_play_have_no_roman_numerals():
    for name in ("common-secrets", "common-guesses"):
        words = {word.text for word in read_words(name)}
        assert not {"xviii", "clvii", "xxiii"} & words
        assert {"civil", "vivid", "mimic"} <= words


def in_dialects(game, *texts):
    usual = cb.game(game)._notation
    moves, reader = read_moves(usual, lambda reader: reader.moves(texts))
    return [usual.text(move) for move in moves], reader.notation.dialect


@pytest.mark.parametrize(
    ("game", "typed", "moves"),
    [
        ("mm-4-6", ["0123:1,1", "1155 0 1"], ["1234:1,1", "2266:0,1"]),
        ("mm-4-6", ["0", "1", "2", "3", "1b1w"], ["1234:1,1"]),
        ("mm-3-9", ["018:1,0"], ["129:1,0"]),
        ("black-3-3", ["012 1"], ["123:1"]),
        ("mm-4-6", ["red white black blue 1 black"], ["4251:1,0"]),
        (
            "mm-4-6",
            ["white green white red 1 1", "red blue red blue 0 1"],
            ["2324:1,1", "4141:0,1"],
        ),
        ("mm-4-8", ["red white orange black 1 black"], ["4527:1,0"]),
    ],
)
def test_colours_from_0_and_of_the_classic_board_are_taken_where_nothing_else_is_meant(
    game, typed, moves
):
    read, dialect = in_dialects(game, *typed)
    assert read == moves
    assert dialect is not None
    rules = cb.game(game)._notation.rules
    guess = moves[0].partition(":")[0]
    shown = dialect.shown(rules, guess)
    assert cb.game(game)._notation.guess_or_none(shown) is None
    assert in_dialects(game, f"{shown} {EXAMPLES.get(game, ('', '1,0'))[1]}")[1] == dialect
    # Who doesn't say which was taken, as the library, has none.
    with pytest.raises(CodebreakerError):
        cb.game(game)._notation.moves(typed)


@pytest.mark.parametrize(
    ("game", "typed", "why"),
    [
        ("mm-4-6", ["0123:1,1", "1156:0,1"], "move 1, 0123:1,1: code '0123' has the peg '0'"),
        ("mm-4-6", ["1123:1,1", "1127:0,1"], "code '1127' has the peg '7'"),
        ("mm-4-6", ["red white orange blue 1 black"], "'white' is not a colour of mm-4-6"),
        ("mm-4-6", ["red whyte black blue 1 black"], "'whyte' is not a colour of mm-4-6"),
        ("mm-4-7", ["red white black blue 1 black"], "'white' is not a colour of mm-4-7"),
        ("marks-common", ["cran0:bbbbb"], "cran0"),
        # Letters and names of colours do not count from 0.
        ("mm-4-6", ["0123:1,1", "bbog:0,1"], "move 1, 0123:1,1: code '0123' has the peg '0'"),
        ("mm-4-6", ["0123:1,1", "blue blue red red 0 1"], "code '0123' has the peg '0'"),
    ],
)
def test_codes_that_two_dialects_need_are_refused(game, typed, why):
    with pytest.raises(CodebreakerError, match=re.escape(why)):
        in_dialects(game, *typed)


@pytest.mark.parametrize("texts", [["1123:1,1"], ["blue blue orange green 1 black"], ["112a:1,0"]])
def test_what_can_be_read_in_the_usual_way_has_no_dialect(texts):
    with contextlib.suppress(CodebreakerError):
        assert in_dialects("mm-4-6", *texts)[1] is None


FROM_0 = "colours are counted from 0: 0 is taken as 1"


def test_a_state_warns_of_the_dialect_of_its_moves_and_takes_no_further_ones():
    with pytest.warns(UserWarning, match=FROM_0):
        state = cb.State("mm-4-6", ["0123:1,1", ("1155", "0,1")])
    assert state == cb.State("mm-4-6", ["1234:1,1", "2266:0,1"])
    # A code such as 1123 has two readings now.
    with pytest.raises(CodebreakerError, match=r"from 0.*'1123' may be meant otherwise"):
        state.push("1123", "1,1")
    with pytest.raises(CodebreakerError, match="push onto"):
        state.copy().push("1123:1,1")
    usual = cb.State(state.game, state.moves)
    usual.push("1112", "2,0")
    assert usual.turn == 4
    # Nor are moves in a dialect pushed after others.
    with pytest.raises(CodebreakerError, match="has the peg '0'"):
        cb.State("mm-4-6", ["1123:1,1"]).push("0123", "1,1")
    with pytest.warns(UserWarning, match="classic board"):
        cb.State("mm-4-6", "red white black blue 4 black")


@pytest.mark.parametrize(
    "given",
    [
        ["0123 1,1", "1155 0,1"],
        [["0123", "1,1"], ["1155", "0,1"]],
        [{"game": "mm-4-6", "moves": ["0123:1,1", "1155:0,1"]}],
        ["0123", "1155", "secret: 5012"],
        [{"game": "mm-4-6", "moves": ["0123", "1155"], "secret": "5012"}],
    ],
)
def test_scores_remark_on_the_dialect_of_a_game(given):
    verdict = cb.score(given)
    assert verdict.remarks[0] == f"line 1: {FROM_0}"
    assert verdict.moves["guess"].to_list() == ["1234", "2266"]
    if "5012" in str(given):
        answers = [cb.game("mm-4-6").feedback(guess, "6123") for guess in ("1234", "2266")]
        assert verdict.moves["feedback"].to_list() == answers


def test_each_scored_game_has_its_own_dialect():
    games = ["1123 1,1", "", "0123 1,1", "", "0123 1,1", "6123 0,1", "", "1123 1,1"]
    verdict = cb.score(games, "mm-4-6")
    assert verdict.moves["guess"].to_list() == ["1123", "1234", "1123"]
    assert verdict.remarks == (f"line 3: {FROM_0}",)
    (skipped,) = verdict.skipped
    assert skipped.line == 5
    assert "'0123' has the peg '0'" in skipped.reason
    # Forms that number colours have no dialect.
    numbered = {"history": [["0123", [1, 1]]], "game": "mm-4-6"}
    assert cb.score([numbered]).remarks == ()


def test_a_game_is_played_in_the_dialect_of_its_first_guess():
    played = events("--secret", "4412", typed=["0123", "1155", "6123", "quit"])
    kinds = [event["event"] for event in played]
    assert kinds[:6] == ["start", "note", "move", "move", "error", "end"]
    assert played[1]["message"] == FROM_0
    assert [event["guess"] for event in played if event["event"] == "move"] == ["1234", "2266"]
    # A game that has begun in the usual way has none; one whose moves are taken back may.
    later = events("--secret", "4412", typed=["1123", "0123", "undo", "0123", "undo", "1123"])
    kinds = [event["event"] for event in later]
    assert kinds[1:8] == ["move", "error", "undo", "note", "move", "undo", "move"]
    assert [event["guess"] for event in later if event["event"] == "move"] == [
        "1123",
        "1234",
        "1123",
    ]
    typed = CliRunner().invoke(app, ["play", "--secret", "4412"], input="0123\n?\nquit\n")
    hint = typed.stdout
    guess = cb.suggest(cb.State("mm-4-6", ["1234:0,3"])).guess
    from_0 = "".join(str(int(peg) - 1) for peg in guess)
    assert f"hint: {guess} ({from_0})" in hint


def test_suggest_says_which_dialect_was_taken_and_answers_in_it():
    doubtful = CliRunner().invoke(app, ["suggest", "0123:1,1", "1155:0,1?"])
    assert doubtful.stderr.splitlines()[0] == FROM_0
    zero = CliRunner().invoke(app, ["suggest", "0123:4,0"])
    assert zero.stderr == "colours are counted from 0: 0 is taken as 1\n"
    assert zero.stdout == "solved: the secret is 1234 (0123)\n"
    board = CliRunner().invoke(app, ["suggest", "red white black blue 4 black"])
    assert "classic board: white as 2 and black as 5" in board.stderr
    assert board.stdout == "solved: the secret is 4251 (red white black blue)\n"
