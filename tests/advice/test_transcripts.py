"""Every form of transcript, and faults of lines."""

import csv
import json
import re
from io import BytesIO

import polars as pl
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.advice import transcripts
from codebreaker.advice.pasted import pasted_games
from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import as_json, judge, to_page, write_verdict
from codebreaker.games.registry import rules_of, usual_games
from codebreaker.games.words import BUNDLED, WordFiles, read_words
from codebreaker.report.explorer import title_of

pytestmark = pytest.mark.usefixtures("caches")

FORMS = (ROOT / "tests" / "samples" / "forms.jsonl").read_text(encoding="utf-8")
OWN, EVAL, ARENA, BENCHMARK = map(json.loads, FORMS.splitlines())


def read(*lines, **options):
    reader = Reader(**options)
    texts = (line if isinstance(line, (str, bytes)) else json.dumps(line) for line in lines)
    data = b"\n".join(text.encode() if isinstance(text, str) else text for text in texts)
    return list(reader.read(BytesIO(data))), reader.faults


def verdict_of(*lines, **options):
    return judge(BytesIO("\n".join(map(json.dumps, lines)).encode()), Reader(**options))


def test_every_form_tells_the_same_game():
    played, faults = read(OWN, EVAL, ARENA, BENCHMARK, game="mm-3-4")
    assert faults == []
    assert [game.line for game in played] == [1, 2, 3, 4]
    assert len({(game.player, game.game, game.moves) for game in played}) == 1
    named, faults = read(OWN, EVAL, ARENA)
    assert ([game.game for game in named], faults) == (["mm-3-4"] * 3, [])
    distinct, _ = read(EVAL, game="mm-3-4-distinct")
    assert distinct[0].game == "mm-3-4-distinct"
    state = ARENA["game_state"] | {"duplicate_numbers": False, "history": []}
    assert "no moves" in read(state)[1][0].reason


def test_names_of_colours_without_a_list_are_numbered_as_they_appear():
    (by_colours,), _ = read({"guess_history": EVAL["guess_history"]}, game="mm-3-4")
    (by_codes,), _ = read(OWN)
    assert by_colours.moves == by_codes.moves
    _, (fault,) = read({"guess_history": [[["a", "b", "c"], [0, 1]]]}, game="mm-3-2")
    assert fault.reason == "move 1: the code has colour number 3: mm-3-2 has 2"


# Texts as people paste them, and the moves that are read.
PASTED = [
    pytest.param(
        "1122:1,1 2434:1,2",
        "1122:1,1 2434:1,2",
        id="a move a word",
    ),
    pytest.param(
        "1) 1122 - 1 black, 1 white\r\n2) 2434 -> 1b2w\r\n",
        "1122:1,1 2434:1,2",
        id="numbered lines",
    ),
    pytest.param(
        "bboo 11\nORGR 12",
        "1122:1,1 2434:1,2",
        id="letters and two digits",
    ),
    pytest.param(
        " 1   1   1   2   2    B  W  1,1\nguess 2> 2434\n 2   2   4   3   4    B  W  W  1,2",
        "1122:1,1 2434:1,2",
        id="a terminal's board",
    ),
    pytest.param(
        "# mine\nsecret: 4412\n1122\n2434",
        "1122:1,1 2434:1,2",
        id="a secret and guesses",
    ),
    pytest.param(
        "1122 2434 4412 secret: 4412",
        "1122:1,1 2434:1,2 4412:4,0",
        id="a secret at the end",
    ),
    pytest.param(
        (
            "Mastermind, 4 pegs and 6 colours: solved with 2 guesses\n"
            "🔵🔵🟠🟠 ⚫⚪\n"
            "🟠🔴🟢🔴 ⚫⚪⚪\n"
            "Best play needs 4.34 guesses"
        ),
        "1122:1,1 2434:1,2",
        id="shared by the page",
    ),
    pytest.param(
        (
            "Bulls and Cows, 4 pegs and 6 symbols: solved with 2 guesses\n"
            "🔵🟠🟢🔴 ⚪⚪\n"
            "2345 ⚫⚪\n"
            "Best play needs 4.34 guesses"
        ),
        "0123:0,2 2345:1,1",
        id="shared by the page, Bulls and Cows",
    ),
    pytest.param(
        (
            "Mastermind, 4 pegs and 6 colours: solved with 2 guesses\n"
            "🔵🔵🟠🟠 –\n"
            "Best play needs 4.34 guesses"
        ),
        "1122:0,0",
        id="shared by the page, no pegs",
    ),
    pytest.param(
        (
            "the black-peg game, 4 pegs and 6 colours: solved with 2 guesses\n"
            "1122 ⚫⚫\n"
            "Best play needs 4.34 guesses"
        ),
        "1122:2",
        id="shared by the page, black pegs",
    ),
    pytest.param(
        (
            "Words, letters in place: the list 'five': solved with 2 guesses\n"
            "raise 2\n"
            "Best play needs 4.34 guesses"
        ),
        "raise:2",
        id="shared by the page, matches",
    ),
    pytest.param(
        (
            "Words with Mastermind's pegs: the list 'five': solved with 2 guesses\n"
            "raise ⚫⚪\n"
            "Best play needs 4.34 guesses"
        ),
        "raise:1,1",
        id="shared by the page, pegs of words",
    ),
    pytest.param(
        (
            "Words with Wordle's marks: the list 'five': solved with 2 guesses\n"
            "raise ⬛🟨⬛⬛⬛\n"
            "modal 🟩🟩🟩🟩🟩\n"
            "Best play needs 4.34 guesses"
        ),
        "raise:bybbb modal:ggggg",
        id="shared by the page, marks",
    ),
    pytest.param(
        "Wordle 1,234 2/6*\n\nRAISE ⬜🟦⬜⬜⬜\n🟧🟧🟧🟧🟧 modal",
        "raise:bybbb modal:ggggg",
        id="Wordle's hard mode and high contrast",
    ),
    pytest.param(
        (
            "Wordle 1,234 2/6\n\n"
            ":black_large_square::large_yellow_square::black_large_square::black_large_square:"
            ":black_large_square: raise\n"
            f"{':large_green_square:' * 5} modal"
        ),
        "raise:bybbb modal:ggggg",
        id="Wordle's grid from Slack",
    ),
    pytest.param(
        "Wordle 1,234 2/6\n\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩\n\nraise\nmodal",
        "raise:bybbb modal:ggggg",
        id="Wordle's grid before the words",
    ),
    pytest.param(
        (
            "mm-4-6, 1,296 secrets. Guess the secret\n"
            " 1  1112  1,1\n"
            "took back move 1, 1112:1,1\n"
            " 1  1122  1,1\n"
            "hint: 2434\n"
            " 2  2434  1,2\n"
            "ended after 2 guesses; the secret was 4412\n"
            " 1  1122  208 of 1,296 left"
        ),
        "1122:1,1 2434:1,2",
        id="printed by the terminal",
    ),
]


@pytest.mark.parametrize(("text", "moves"), PASTED)
def test_games_are_read_as_people_paste_them(text, moves):
    reader = Reader()
    (game,) = reader.read(BytesIO(text.encode()))
    notation = reader.notations[game.game]
    assert " ".join(map(notation.text, game.moves)) == moves
    assert reader.faults == []
    games, faults = read(text, "", text)
    assert [again.moves for again in games] == [game.moves] * 2
    assert faults == []


@pytest.mark.parametrize("game", [*usual_games(), "bc-4-10-any-guess"])
def test_the_titles_of_the_page_name_their_games(game):
    (pasted,) = pasted_games([(1, f"{title_of(game)}: given up"), (2, "x")])
    assert pasted.name == game


HARD = "raise 🟩⬛⬛⬛⬛\nrally 🟩⬛⬛⬛⬛\nrobot 🟩🟩🟩🟩🟩"
BREAKS_HARD_MODE = "raise 🟩⬛⬛⬛⬛\nmodal ⬛🟩⬛⬛⬛\nrobot 🟩🟩🟩🟩🟩"


def test_a_star_after_wordles_score_says_hard_mode():
    def verdict(text, guess_pool=None):
        return judge(BytesIO(text.encode()), Reader(), guess_pool=guess_pool)

    games = f"Wordle 1,234 3/6*\n\n{HARD}\n\nWordle 1,235 3/6\n\n{HARD}"
    both = verdict(games)
    assert both.skipped == ()
    hard, usual = both.games.sort("line").to_dicts()
    assert "pool-hard" in hard["judged_by"]
    assert "pool-hard" not in usual["judged_by"]
    alone = verdict(HARD, "hard").games.to_dicts()[0]
    figures = ("judged_by", "expected", "regret", "luck")
    assert [hard[figure] for figure in figures] == [alone[figure] for figure in figures]
    # A pool that is asked for is that of all games.
    assert verdict(games, "all").games["judged_by"].n_unique() == 1
    (fault,) = verdict(f"Wordle 1,234 3/6*\n\n{BREAKS_HARD_MODE}").skipped
    assert fault.reason.startswith("move 2: hard mode forbids modal")
    assert verdict(f"Wordle 1,234 3/6\n\n{BREAKS_HARD_MODE}").skipped == ()


@pytest.mark.parametrize("title", ["Wordle 1,234 2/6", "Wordle: my own words: given up"])
def test_titles_of_wordle_leave_the_words_to_the_readers_game(title):
    lists = {"mine": WordFiles(str(ROOT / "tests/words/short.txt"))}
    first, second, *_ = read_words(lists["mine"].secrets)
    text = f"{title}\n\n{first.text}\n{second.text}\nsecret: {second.text}"
    (game,), faults = read(text, game="marks-mine", word_lists=lists)
    assert (game.game, len(game.moves), faults) == ("marks-mine", 2, [])
    _, (fault,) = read(text, game="mm-4-6")
    assert fault.reason


def test_the_pages_game_with_rare_words_has_a_name():
    text = "Wordle: rare words too, solved in 2 guesses\n\nraise bbbbb\nmulct ggggg\n"
    (game,), faults = read(text)
    assert (game.game, len(game.moves), faults) == ("marks-rare", 2, [])
    secrets = rules_of("marks-rare", BUNDLED).secrets
    listed = {word.text for name in ("common", "further") for word in read_words(f"{name}-guesses")}
    assert secrets == tuple(sorted(listed))
    assert {word.text for word in read_words("common-secrets")} < listed


def test_guesses_of_bulls_and_cows_may_repeat_symbols():
    line = json.dumps({"target": "021", "history": [["011", [2, 0]], ["021", [3, 0]]]})
    for text in (line, "011 2,0\n021 3,0", "secret: 021\n011\n021"):
        reader = Reader("bc-3-4")
        (game,) = reader.read(BytesIO(text.encode()))
        assert reader.faults == []
        assert game.game == "bc-3-4-any-guess"
        notation = reader.notations[game.game]
        assert [notation.text(move) for move in game.moves] == ["011:2,0", "021:3,0"]
    verdict = judge(BytesIO(b"011 2,0\n021 3,0\n\n012 1,2\n021 3,0"), Reader("bc-3-4"))
    assert verdict.skipped == ()
    assert sorted(verdict.games["game"]) == ["bc-3-4", "bc-3-4-any-guess"]
    assert verdict.games["solved"].to_list() == [True, True]
    _, (fault,) = read("001 1,1\nsecret: 001", game="bc-3-4")
    assert "but not a secret" in fault.reason


# Texts that are skipped: the line where they are wrong, and a part of the reason.
WRONGLY_PASTED = [
    pytest.param(
        "1122 1,1\n11222 1,1",
        2,
        "code '11222' has 5 pegs",
        id="a code too long",
    ),
    pytest.param(
        "1122 3,1",
        1,
        "feedback of 3 black and 1 white can't be given",
        id="impossible feedback",
    ),
    pytest.param(
        "1122 9",
        1,
        "feedback '9' can't be read",
        id="feedback of one digit",
    ),
    pytest.param(
        "1122\n2434",
        2,
        "add a line with the secret",
        id="guesses without a secret",
    ),
    pytest.param(
        "1122 1,1\n2434",
        2,
        "the game has 2 guesses and 1 answer:",
        id="more guesses than answers",
    ),
    pytest.param(
        "1122\n1,1\n2,0",
        3,
        "the game has 1 guess and 2 answers:",
        id="more answers than guesses",
    ),
    pytest.param(
        "Wordle 1,234 1/6\n\n🟩🟩🟩🟩🟩",
        3,
        "write each guess before its answer",
        id="a grid without words",
    ),
    pytest.param(
        "secret: 4412\n1122 2,2",
        2,
        "the secret 4412 gives 1,1",
        id="another answer than the secret's",
    ),
    pytest.param(
        "1" * 2000,
        1,
        "too long",
        id="a line too long",
    ),
    pytest.param(
        "1122 1,1\n" * 201,
        1,
        "more than 200 moves",
        id="too many moves",
    ),
]


@pytest.mark.parametrize(("text", "line", "reason"), WRONGLY_PASTED)
def test_pasted_text_that_is_wrong_is_skipped_with_its_line(text, line, reason):
    games, faults = read("1123 1,1", "", text)
    assert len(games) == 1
    assert [fault.line for fault in faults] == [line + 2]
    assert reason in faults[0].reason


@given(st.text(max_size=60))
@pytest.mark.slow
def test_any_text_is_games_or_faults(text):
    played, faults = read("1123 1,1", text)
    assert all(fault.reason for fault in faults)
    assert len(played) <= 1 + text.count("\n") + text.count("\r")


# Lines that are skipped: a change to a game that is right, and a pattern of the reason.
WRONG = [
    (OWN | {"moves": 3}, "the moves are 3: list them, as in"),
    (OWN | {"moves": [["112", 1, 0, 0]]}, "move 1, .* is not a guess and its feedback"),
    (OWN | {"moves": [["112", "1", "0"]]}, "move 1, .* is not a guess and its feedback"),
    (OWN | {"moves": [{"guess": "112"}]}, "move 1, .* is not a guess and its feedback"),
    (OWN | {"moves": [[112, "1,0"]]}, "move 1: 112 is not text: write codes and feedback as"),
    (OWN | {"moves": ["112 1,0", "so far so good"]}, "move 2: 'so far so good' has neither"),
    (OWN | {"moves": ["112", ["134", "3,0"]]}, "2 guesses and 1 answer:"),
    (OWN | {"moves": ["112"], "secret": None}, "no guess has its feedback"),
    (OWN | {"moves": []}, "the game has no moves"),
    (OWN | {"moves": [["1123", "1,0"]]}, "code '1123' has 4 pegs"),
    (OWN | {"moves": [["115", "1,0"]]}, "code '115' has the peg '5' at position 3"),
    (OWN | {"moves": [["112", "2,1"]]}, "feedback of 2 black and 1 white can't be given"),
    (OWN | {"moves": [["112", [1, True]]]}, "feedback '1,True' can't be read"),
    (EVAL | {"guess_history": 3}, "the list of moves is not a list of pairs"),
    (EVAL | {"guess_history": [[["red"]]]}, "move 1 is not a guess and its feedback"),
    (EVAL | {"guess_history": [[["red"], "1,0"]]}, "the feedback is not two numbers of pegs"),
    (OWN | {"moves": [["112", "9" * 99]]}, "move 1: the feedback is too long to be read"),
    (OWN | {"moves": [["112", "2,0"]]}, "the secret 134 gives 1,0"),
    (OWN | {"moves": [["134", "3,0"], ["112", "1,0"]]}, "move 1 already found the secret"),
    (OWN | {"game": None}, "code '112' has 3 pegs: the codes of mm-4-6 have 4"),
    (BENCHMARK, "the line doesn't say the game: give it with --game"),
    (OWN | {"game": "chess"}, "unknown game 'chess'"),
    (OWN | {"game": "mm-9-99"}, "has .* secrets: at most 65,536 are possible"),
    (OWN | {"game": "mm-3-" + "9" * 150}, "the name of the game is too long"),
    (OWN | {"game": "mm-3-999999999999999999999999999999"}, "is not a size of Mastermind"),
    (OWN | {"game": "x" * 201}, "game is not a name of at most 200 printable characters"),
    (OWN | {"player": 3}, "player is not a name"),
    (EVAL | {"guess_history": [[["red", "x", "pink"], [1, 0]]]}, "colour 'x' is not one of"),
    (EVAL | {"guess_history": [[[], [0, 0]]]}, "move 1: code '' has 0 pegs"),
    (ARENA | {"game_state": {"history": [{"guess": [0, 1, 2]}]}}, "a list of numbers from 1"),
    (
        EVAL | {"game": EVAL["game"] | {"secret_code": ["red", "green", "pink"]}},
        "secret 143 gives",
    ),
    (
        ARENA | {"game_state": ARENA["game_state"] | {"secret_code": [1, 4, 3]}},
        "secret 143 gives",
    ),
    (BENCHMARK | {"target": "032", "game": "mm-3-4"}, "the secret 143 gives 1,2"),
    (BENCHMARK | {"history": [["12²", [0, 0]]]}, "move 1: the guess is not a text of digits"),
    ("{", "the line is not JSON"),
    ("[1, 2]", "the line is not a JSON object"),
    ("{}", "the object has none of the keys moves, guess_history, history"),
    (b"\xff\xfe", "the line is not UTF-8 text"),
    ('{"moves": ' + "[" * 10**5, "the line is not JSON|nested too deeply"),
    ("9" * 10**5, "the line is not JSON"),
    (OWN | {"moves": [["112", "1,0"]] * 201}, "the game has 201 moves: at most 200 are read"),
    (OWN | {"moves": [["1" * 999, "1,0"]]}, "move 1: the code is too long to be read"),
    (OWN | {"player": "\ud800"}, "player is not a name"),
]


@pytest.mark.parametrize(("line", "reason"), WRONG, ids=[reason for _, reason in WRONG])
def test_a_broken_line_is_skipped_for_one_reason(line, reason):
    played, faults = read(OWN, line, "", OWN)
    assert [game.line for game in played] == [1, 4]
    assert [fault.line for fault in faults] == [2]
    assert re.search(reason, faults[0].reason), faults[0].reason
    assert len(faults[0].reason.splitlines()) == 1
    assert len(faults[0].reason) < 300


def test_lines_that_are_too_long_are_skipped(monkeypatch):
    monkeypatch.setattr(transcripts, "LONGEST_LINE", 200)
    played, faults = read(OWN, OWN | {"note": "x" * 1000}, OWN)
    assert ([game.line for game in played], [fault.line for fault in faults]) == ([1, 3], [2])


@pytest.mark.slow
def test_a_file_has_few_kinds_of_games():
    lines = [OWN | {"game": f"mm-3-{4 + more}"} for more in range(transcripts.MOST_GAMES + 1)]
    assert "more than 16 different games" in read(*lines)[1][0].reason


THINGS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(
    form=st.sampled_from([OWN, EVAL, ARENA, ARENA["game_state"], BENCHMARK]),
    changes=st.dictionaries(
        st.sampled_from(["moves", "game", "player", "secret", "history", "guess_history",
                         "target", "game_state", "secret_code", "code_length", "num_numbers"]),
        THINGS,
        min_size=1,
    ),
    game=st.sampled_from([None, "mm-3-4"]),
)  # fmt: skip
@pytest.mark.slow
def test_anything_is_a_game_or_a_fault(form, changes, game):
    played, faults = read(form | changes, game=game)
    assert len(played) + len(faults) == 1


def test_tables_add_up():
    lost = OWN | {"player": "Bob", "secret": None, "moves": [["112", "1,0"], ["444", "0,0"]]}
    wrong = OWN | {"secret": None, "moves": [["112", "0,0"], ["112", "1,0"]]}
    verdict = verdict_of(OWN, lost, wrong, EVAL)
    (fault,) = verdict.skipped
    assert fault.line == 3
    assert fault.reason.startswith("move 2, 112:1,0: no secret fits this and the moves before it")
    games = verdict.games
    sums = games["expected"] + games["regret"] - games["luck"] - games["still_expected"]
    assert sums.to_list() == pytest.approx(games["guesses"].to_list())
    assert games["solved"].to_list() == [True, False, True]
    players = {row["player"]: row for row in verdict.players.to_dicts()}
    assert (players["Ann"]["games"], players["Bob"]["mean_guesses"]) == (2, None)
    assert players["Ann"]["regret_low"] <= players["Ann"]["regret"] <= players["Ann"]["regret_high"]
    assert verdict.turns["moves"].sum() == len(verdict.moves) == 6
    assert players["Bob"]["regret_low"] is None
    assert verdict.moves["regret"].min() >= 0


@pytest.mark.slow
def test_codes_keep_their_first_0_in_a_verdicts_tables(tmp_path):
    moves = [["0123", "0,2"], ["4012", "1,1"]]
    line = json.dumps({"game": "bc-4-10", "player": "007", "moves": moves}).encode()
    verdict = judge(BytesIO(line), Reader(), "entropy")
    write_verdict(verdict, "games.jsonl", tmp_path)
    for name in ("moves", "games", "players", "turns"):
        frame = getattr(verdict, name)
        path = tmp_path / f"{name}.csv"
        texts = {column: kind for column, kind in frame.schema.items() if kind == pl.String}
        assert (
            pl.read_csv(path, schema_overrides=texts)
            .select([*texts])
            .equals(frame.select([*texts]))
        )
        with path.open(newline="", encoding="utf-8") as file:
            rows = [*csv.DictReader(file, quoting=csv.QUOTE_NONNUMERIC)]
        assert {row["player"] for row in rows} == {"007"}
    assert verdict.moves["guess"].to_list() == ["0123", "4012"]


def test_the_files_of_a_verdict(tmp_path):
    verdict = verdict_of(OWN | {"player": "<b>|x"}, {"moves": "<i>"})
    write_verdict(verdict, "a|b.jsonl", tmp_path / "out")
    with (tmp_path / "out" / "moves.csv").open(newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file, quoting=csv.QUOTE_NONNUMERIC)]
    assert [(row["turn"], row["guess"]) for row in rows] == [(1.0, "112"), (2.0, "134")]
    assert json.loads((tmp_path / "out" / "score.json").read_text())["games"] == 1
    page = to_page(verdict, "a|b.jsonl")
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "src=" not in page
    assert "href=" not in page
    assert json.dumps(as_json(verdict, "x"))
    empty = verdict_of([1])
    write_verdict(empty, "none", tmp_path)
    assert len(empty.games) == len(empty.players) == 0
    assert to_page(empty, "none").count("<h2>") == 1


PAGE = (ROOT / "docs" / "transcripts.md").read_text(encoding="utf-8")


def test_the_examples_of_the_page_are_read():
    lines = re.findall(r"^```json\n(.*?)\n```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    played, faults = read(*lines[:3])
    assert ([game.game for game in played], faults) == (["mm-4-6", "mm-4-6", "bc-4-6"], [])
    (last,), faults = read(lines[3], game="bc-4-10")
    assert (last.player, faults) == ("somebody", [])
