"""Every form of transcript, and faults of lines."""

import csv
import json
import re
from io import BytesIO

import polars as pl
import pytest
from conftest import ROOT, rows
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.advice import transcripts
from codebreaker.advice.pasted import pasted_games
from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import as_json, judge, to_page, write_verdict
from codebreaker.games.registry import usual_games
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
    assert [one.line for one in played] == [1, 2, 3, 4]
    assert len({(one.player, one.game, one.moves) for one in played}) == 1
    named, faults = read(OWN, EVAL, ARENA)
    assert ([one.game for one in named], faults) == (["mm-3-4"] * 3, [])
    distinct, _ = read(EVAL, game="mm-3-4-distinct")
    assert distinct[0].game == "mm-3-4-distinct"
    state = ARENA["game_state"] | {"duplicate_numbers": False, "history": []}
    assert "no moves" in read(state)[1][0].reason


def test_names_of_colours_without_a_list_are_numbered_as_they_appear():
    (told,), _ = read({"guess_history": EVAL["guess_history"]}, game="mm-3-4")
    (own,), _ = read(OWN)
    assert told.moves == own.moves
    _, (fault,) = read({"guess_history": [[["a", "b", "c"], [0, 1]]]}, game="mm-3-2")
    assert fault.reason == "move 1: the code has colour number 3: mm-3-2 has 2"


@rows("tests/advice/pasted.yaml", "read")
def test_games_are_read_as_people_paste_them(row):
    reader = Reader()
    (played,) = reader.read(BytesIO(row["text"].encode()))
    notation = reader.notations[played.game]
    assert (" ".join(map(notation.text, played.moves)), reader.faults) == (row["moves"], [])
    two, faults = read(row["text"], "", row["text"])
    assert ([one.moves for one in two], faults) == ([played.moves] * 2, [])


@pytest.mark.parametrize("game", usual_games())
def test_the_titles_of_the_page_name_their_games(game):
    ((name, _, _),) = pasted_games([(1, f"{title_of(game)}: given up"), (2, "x")])
    assert name == game


@rows("tests/advice/pasted.yaml", "skipped")
def test_pasted_text_that_is_wrong_is_skipped_with_its_line(row):
    played, (fault, *more) = read("1123 1,1", "", row["text"] * row.get("times", 1))
    assert (len(played), more, fault.line) == (1, [], row["line"] + 2)
    assert row["told"] in fault.reason


@given(st.text(max_size=60))
def test_any_text_is_games_or_faults(text):
    played, faults = read("1123 1,1", text)
    assert all(fault.reason for fault in faults)
    assert len(played) <= 1 + text.count("\n") + text.count("\r")


BROKEN = (ROOT / "tests" / "advice" / "refused.jsonl").read_text(encoding="utf-8").splitlines()
WRONG = [
    *(tuple(json.loads(told).values()) for told in BROKEN),
    (b"\xff\xfe", "the line is not UTF-8 text"),
    ('{"moves": ' + "[" * 10**5, "the line is not JSON|nested too deeply"),
    ("9" * 10**5, "the line is not JSON"),
    (OWN | {"moves": [["112", "1,0"]] * 201}, "the game has 201 moves: at most 200 are read"),
    (OWN | {"moves": [["1" * 999, "1,0"]]}, "move 1: the code is too long to be read"),
    (OWN | {"player": "\ud800"}, "player is not a name"),
]


@pytest.mark.parametrize(("line", "reason"), WRONG)
def test_a_broken_line_is_skipped_for_one_reason(line, reason):
    played, faults = read(OWN, line, "", OWN)
    assert [one.line for one in played] == [1, 4]
    assert [fault.line for fault in faults] == [2]
    assert re.search(reason, faults[0].reason), faults[0].reason
    assert len(faults[0].reason.splitlines()) == 1
    assert len(faults[0].reason) < 300


def test_lines_that_are_too_long_are_skipped(monkeypatch):
    monkeypatch.setattr(transcripts, "LONGEST_LINE", 200)
    played, faults = read(OWN, OWN | {"note": "x" * 1000}, OWN)
    assert ([one.line for one in played], [fault.line for fault in faults]) == ([1, 3], [2])


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
    assert ([one.game for one in played], faults) == (["mm-4-6", "mm-4-6", "bc-4-6"], [])
    (last,), faults = read(lines[3], game="bc-4-10")
    assert (last.player, faults) == ("somebody", [])
