"""What the page keeps, shares, reads."""

import base64
import gzip
import json
import re
from io import BytesIO

import pytest
from board import PLAYED, BoardPage
from conftest import ROOT, WORD_LISTS, full_only, in_ci
from playwright.sync_api import expect

from codebreaker.advice.transcripts import Reader
from codebreaker.games.notation import Notation
from codebreaker.games.registry import WORDLE, build_game, rules_of
from codebreaker.games.words import BUNDLED, WordFiles


def test_finished_games_are_counted_once_in_the_statistics(visit):
    shown = visit()
    for _ in range(2):
        shown.lose_some()
        expect(shown.locator("#play-undo")).to_be_disabled()
        shown.click("#play-go")
    shown.reload()
    shown.from_menu("My statistics")
    texts = "finished2", "guesses on average3.00; the best tree here 4.34", "2 games"
    shown.tells("#history-told", *texts, "score on average50")
    shown.press("Forget all games")
    shown.tells("#history-told", "no finished game")


def test_the_code_of_a_day_is_the_same_for_all_and_played_once(visit):
    secrets = set()
    for _ in range(2):
        shown = visit()
        shown.from_menu("Today’s code")
        shown.tells("#play-rules", re.compile(r"code of 20\d\d-"))
        secrets.add(shown.secret)
        shown.enter(*secrets)
        shown.tells("#play-status", "Solved in 1 guess")
        shown.from_menu("Today’s code")
        shown.tells("#play-refused", "You have played today’s code")
    assert len(secrets) == 1


def test_a_challenge_has_the_same_secret_and_no_moves(visit, opened):
    opened.select_option("#play-game", "words-own")
    opened.get_by_label("Words that may be the secret").fill("one two six ten")
    opened.get_by_label("Further words").fill("toe")
    opened.press("Play with these words")
    opened.tells("#play-rules", "word of 3 letters, one of 4")
    opened.enter("toe")
    assert len(opened.moves) == 1
    opened.from_menu("Challenge a friend")
    expect(opened.get_by_label("To share")).to_have_value(re.compile("words="))
    friend = visit(opened.get_by_label("To share").input_value())
    friend.tells("#play-rules", "A friend has chosen a word of 3 letters, one of 4")
    assert friend.moves == []
    assert friend.secret == opened.secret
    words = opened.evaluate("squeezed('aa bb')")
    opened.evaluate(f"location.hash = 'game=words-own&mode=mine&moves=x&words={words}'")
    opened.tells("#play-refused", "can't be opened")
    assert opened.evaluate("ownText()").startswith("one two six ten")


CODED = [["1122", "1B-0C"], ["3345", "1B-1C"]]
MARKED = [["chair", "gbgby"]]
PASTED = [
    ("mm-4-6", "🔵🔵🟠🟠 ⚫\n🟢🟢🔴🟣 ⚫⚪", CODED),
    ("words-common", "CHAIR 🟩⬛🟩⬛🟨", MARKED),
    ("mm-4-6", "1. 1122: 1,0\n2. 3345: 1,1", CODED),
    ("words-common", "chair gbgby", MARKED),
    ("words-common", "🟩⬛🟩⬛🟨 chair", MARKED),
]


def test_pasted_games_are_read(opened):
    for game, text, moves in PASTED:
        opened.choose(game)
        opened.call("paste", "no game at all")
        opened.tells("#play-refused", "no moves that this page can read")
        opened.call("paste", "\n".join([text.splitlines()[-1]] * 201))
        opened.tells("#play-refused", "has more than 200 moves")
        opened.call("paste", "x" * 500_001)
        opened.tells("#play-refused", "too long for a game")
        opened.call("paste", text)
        assert opened.moves == moves
        expect(opened.get_by_label("Solve mine")).to_be_checked()


CASES = json.loads((ROOT / "tests/samples/moves.json").read_text(encoding="utf-8"))
EXAMPLES = {
    "mm-4-6": ("1123", "1,0"),
    "mm-2-15": ("12", "1,0"),
    "bc-3-5": ("012", "1,0"),
    "black-3-3": ("112", "1"),
    "marks-common": ("crane", "bygbb"),
}


def test_the_page_reads_the_forms_of_moves_that_all_others_read(opened):
    rows = [
        *CASES["rows"],
        *([game, f"{text} {EXAMPLES[game][1]}", f"{guess}:{EXAMPLES[game][1]}"]
          for game, text, guess in CASES["guesses"]),
        *([game, f"{EXAMPLES[game][0]}: {text}", f"{EXAMPLES[game][0]}:{answer}"]
          for game, text, answer in CASES["feedback"]),
    ]  # fmt: skip
    named = [[game.replace("marks", "words"), text] for game, text, _ in rows]
    answers = opened.call("readMoves", named)
    wrong = [(row, moves) for row, moves in zip(rows, answers, strict=True) if moves != row[2]]
    assert wrong == []
    named = [[game, text] for game, text, _ in CASES["refused"]]
    assert [text for text in opened.call("readMoves", named) if not text.startswith("error")] == []


OWN_WORDS = "abbey cedar cider crane trace"
SIZES = ("mm-1-3", "mm-2-9", "mm-3-12", "mm-4-6-distinct", "bc-3-3", "bc-2-4", "bc-4-10")


def test_what_the_page_shares_is_read_as_the_same_moves(opened, tmp_path):
    """All games of the page: the study's, Wordle's three, and sizes."""
    (tmp_path / "own.txt").write_text(OWN_WORDS.replace(" ", "\n"), encoding="utf-8")
    lists = {**BUNDLED, **WORD_LISTS, "own": WordFiles(str(tmp_path / "own.txt"))}
    # The page's game, and the game that `score` reads.
    games = {name: name for name in (*PLAYED, *SIZES)}
    games |= {"words-common": WORDLE, "words-full": "marks-rare", "words-own": "marks-own"}
    offered = opened.locator("#play-game option").evaluate_all("all => all.map(one => one.value)")
    assert {*offered} - {"size"} <= {*games}
    for name, read_as in games.items():
        rules = rules_of(read_as, lists)
        notation = Notation(rules, build_game(rules))
        game = notation.game
        secret = game.secrets[len(game.secrets) // 2]
        guesses = [game.guesses[0], game.guesses[-1], secret]
        moves = [(game.guesses.index(guess), feedback_id(game, guess, secret)) for guess in guesses]
        request = {"name": name, "guesses": guesses, "secret": secret}
        request["words"] = OWN_WORDS if name == "words-own" else None
        text = opened.call("sharedText", request)
        daily = opened.call("sharedText", request | {"day": "2026-11-29"})
        assert "2026-11-29" in daily.splitlines()[0]
        assert len(daily.splitlines()) == 4
        is_unnamed = read_as == "marks-own"
        for shared in (text, f"{daily}\n\n" + "\n".join(guesses)):
            if is_unnamed:
                reader = Reader(word_lists=lists)
                assert list(reader.read(BytesIO(shared.encode()))) == []
                assert "--game marks --words FILE" in reader.faults[0].reason
            reader = Reader(read_as if is_unnamed else None, word_lists=lists)
            read = list(reader.read(BytesIO(shared.encode())))
            assert reader.faults == [], shared
            (again,) = read
            assert (again.game, again.moves) == (read_as, tuple(moves)), shared


def feedback_id(game, guess, secret):
    return int(game.table[game.guesses.index(guess), game.secrets.index(secret)])


def test_a_game_is_kept_a_link_opens_it_and_giving_up_reviews_it(visit, opened, page_file):
    opened.hide("6543")
    opened.enter("1122", "3344")
    before = opened.moves
    link = opened.url
    assert "6543" not in link
    opened.click("#theme")
    theme = opened.locator("html").get_attribute("data-theme")
    again = BoardPage(opened.context.new_page()).goto(page_file.as_uri())
    for _ in range(20):  # on a busy machine, what another page stored is there a moment later
        if again.locator("html").get_attribute("data-theme") == theme:
            break
        again.reload()
    other = visit(link)
    expect(again.locator("html")).to_have_attribute("data-theme", theme)
    for shown in (again, other):
        assert (shown.moves, shown.secret) == (before, "6543")
    again.select_option("#explorer-strategy", "entropy")
    again.click('#explorer-pad button[data-feedback="1B-1C"]')
    other.goto(again.url)
    other.tells("#explorer-status", "Guess 2:")
    expect(other.locator("#explorer-strategy")).to_have_value("entropy")
    again.press("Give up")
    again.press("Give up", within="#sure")
    expect(again.locator("#review-moves li")).to_have_count(2)


def test_how_to_play_is_shown_until_the_first_guess_and_when_asked_for(visit):
    shown = visit()
    shown.tells("#play-start", "Say the hidden code is", "4.34 guesses on average is the number")
    shown.enter("1122")
    expect(shown.locator("#play-start")).to_be_hidden()
    shown.from_menu("How to play")
    expect(shown.locator("#play-start")).to_be_visible()
    shown.click("#play-new")
    shown.confirm()
    shown.press("Hint")
    expect(shown.locator("#play-start")).to_be_hidden()


def squeezed(text):
    return base64.urlsafe_b64encode(gzip.compress(text.encode())).decode().rstrip("=")


WORDS = squeezed("abcd " * 5 * 10**6)
MOVES = "_".join(["1122*0B-0C"] * 5000)
LONG_LINKS = [
    pytest.param(
        f"game=words-own&mode=mine&words={WORDS}",
        "more than 500,000 characters",
        id="long words",
    ),
    pytest.param(
        f"game=mm-4-6&mode=mine&moves={MOVES}",
        "5,000 moves, and this page shows at most 200",
        id="many moves",
    ),
    pytest.param(
        f"game={'m' * 100_000}",
        "has 100,006 characters, and this page reads at most 100,000",
        id="a long name",
    ),
]
"""Ends of links that would keep the page busy for long, and a part of the message."""

BAD_LINKS = [
    ("game=mm-4-7x", "doesn't know the game 'mm-4-7x'"),
    in_ci("game=mm-13-9", "outside this page's limits"),
    in_ci("game=mm-4-6&moves=1123*5B-1C", "move 1, '1123*5B-1C', is not one of Mastermind"),
    in_ci("game=mm-4-6&mode=other", "can't play 'other'"),
    in_ci("game=mm-4-6&mode=hidden&key=zzzz", "hidden secret is not one of this game"),
    in_ci("game=mm-4-6&mode=hidden&key=5&moves=1112*0B-0C", "doesn't fit the secret"),
    in_ci("tree=mm-4-6/nothing", "doesn't have its strategy"),
    in_ci("tree=nothing/entropy", "doesn't have the game 'nothing'"),
]
"""Ends of links that are refused, and a part of the message."""


@pytest.mark.parametrize(("fragment", "message"), [*LONG_LINKS, *BAD_LINKS])
def test_a_bad_link_is_refused_in_a_line(visit, fragment, message):
    shown = visit(f"#{fragment}")
    shown.tells("#play-refused", message)
    expect(shown.locator("#play-status")).to_have_text("Guess 1.")


NEVER_STORED = ["", "{", "true", "[null]", "7e999", '{"hidden": 1}']
"""Texts that the page keeps under no key."""

START = {
    "kind": "start", "player": "me", "origin": "new", "game": "mm-4-6", "mode": "hidden",
    "rule": "any", "key": "5", "day": "", "source": "", "friend": "", "list": "",
    "solvedBy": "4B-0C",
}  # fmt: skip


def record(*later, **start):
    """Return the text of a game that begins with `START`."""
    return json.dumps({"id": "x", "events": [START | start, *later]})


RECORDS = [
    record(game="mm-13-9"),
    record(game="words-own", list="x"),
    record(game="__proto__"),
    record(key="zzzz"),
    record({"kind": "move", "guess": "1122", "answer": "4B-0C"}),
    record({"kind": "move", "guess": "x", "answer": "4B-0C"}, mode="mine", key=""),
    record({"kind": "constructor"}),
    record({"kind": "correct", "number": 7, "answer": "0B-0C"}, mode="mine", key=""),
]
STATES = [
    '{"game": "mm-13-9"}',
    '{"game": "words-own"}',
    '{"game": "__proto__"}',
    '{"tree": "x"}',
    '{"game": "mm-4-6", "moves": "x"}',
    '{"game": "mm-4-6", "mode": "x"}',
    '{"game": "mm-4-6", "key": "zzzz"}',
    '{"tree": "mm-4-6/entropy", "node": "9B"}',
    '{"game": "mm-4-6", "mode": "devious", "moves": "1122*4B-0C_1122*0B-1C"}',
]
STORED = {
    "codebreaker.game.x": RECORDS,
    "codebreaker.current": ['"x"', '"__proto__"'],
    "codebreaker.explorer": STATES,
    "codebreaker.words": ['"a b"', '"aa aaa"'],
    "theme": [],
}
"""Texts that the page doesn't keep under this key of its storage."""


OFTEN = ("codebreaker.game.x", "theme")
"""The keys that are always tried."""


@pytest.mark.parametrize(
    "key", [key if key in OFTEN else pytest.param(key, marks=full_only) for key in STORED]
)
@pytest.mark.slow
def test_values_that_the_page_did_not_keep_do_no_harm(visit, key):
    shown = visit()
    for value in NEVER_STORED + STORED[key]:
        shown.reload_with(key, value)
        if key != "theme" and value in NEVER_STORED:
            if key == "codebreaker.game.x":
                shown.from_menu("My statistics")
            shown.tells("#play-refused", "starts afresh")
        shown.choose("mm-4-6")
        shown.enter("1122")
        assert len(shown.moves) == 1
