"""The board and its help."""

import re

import numpy as np
import pytest
from board import feedback_of, violations
from conftest import full_only, game_called, in_ci
from definitions import marks
from playwright.sync_api import expect

from codebreaker.advice.codemaker import devious_answer
from codebreaker.advice.regret import OptimalValues, regret_of
from codebreaker.games.words import read_words
from codebreaker.sets.partition import split


def members_after(game, guess, feedback):
    cells = split(game, game.guesses.index(guess), np.arange(game.n_secrets, dtype=np.int32))
    return cells[game.feedback_labels.index(feedback)]


def play_size(opened, pegs, colours):
    opened.choose_size(pegs, colours)
    opened.wait_for_selector(f"#assistant[data-game='mm-{pegs}-{colours}']")


def test_a_typed_answer_is_recorded_as_it_was_typed(opened):
    assert opened.solve_mine() == "1123"
    for typed in ("2,1", "21", "2b1w", "1w2b", "3" + "\b" + "21"):
        for key in typed:
            opened.keyboard.press({"\b": "Backspace"}.get(key, key))
        opened.keyboard.press("Enter")
        assert opened.moves == [["1123", "2B-1C"]], typed
        opened.keyboard.press("Control+z")
        opened.advised()
    for typed, message in (("", "2,1 means two black"), ("3,1", "No secret gives this answer.")):
        opened.enter(typed)
        assert opened.moves == []
        opened.tells("#play-error", message)


def test_a_code_that_is_typed_beside_advice_is_a_guess_and_no_answer(opened):
    assert opened.solve_mine() == "1123"
    opened.enter("1122")
    assert opened.moves == []
    assert opened.evaluate("[typedGuess(), isAdvising()]") == ["1122", True]
    opened.enter("2,1")
    assert opened.moves == [["1122", "2B-1C"]]
    # Two digits are an answer, which the page shows before it is recorded; three are not.
    opened.advised()
    opened.keyboard.type("10")
    opened.tells("#play-status", "Answer: 1 black, 0 white. Enter records it.")
    opened.keyboard.type("2")
    opened.keyboard.press("Enter")
    opened.tells("#play-error", "No secret gives this answer.")
    assert len(opened.moves) == 1


def test_a_word_that_is_typed_beside_advice_is_a_guess_and_no_marks(opened):
    opened.choose("words-common")
    opened.solve_mine()
    opened.enter("baggy")
    assert opened.moves == []
    assert opened.evaluate("[typedGuess(), isAdvising()]") == ["baggy", True]
    opened.enter("bybbb")
    assert opened.moves == [["baggy", "bybbb"]]


def test_typed_digits_correct_an_answer(opened):
    opened.solve_mine()
    opened.answer("0B-1C")
    opened.advised()
    opened.locator("#play-moves .correct").click()
    opened.enter("2,1")
    assert opened.moves == [["1123", "2B-1C"]]


def test_an_answer_without_pegs_says_none(opened):
    opened.hide("6543")
    opened.enter("1122", "6522")
    rows = opened.locator("#play-moves li .feedback")
    expect(rows.nth(0)).to_have_text("none")
    expect(rows.nth(1)).to_have_text("")


def test_codes_of_digits_with_marks_have_a_palette(opened):
    opened.select_option("#play-game", "words-own")
    opened.fill("#play-list", "1122 1213 3211 2233")
    opened.press("Play with these words")
    opened.hide("3211")
    keys = opened.locator("#play-palette .key")
    expect(keys).to_have_text(["1", "2", "3"])
    for number in (0, 1, 0, 2):
        keys.nth(number).click()
    opened.press("Guess")
    assert opened.moves == [["1213", "yggy"]]
    expect(keys.nth(1)).to_have_attribute("data-mark", "g")


def test_a_secret_elsewhere_is_found_by_one_tap_a_move(opened, mm46):
    guess = opened.solve_mine()
    number = 1
    while guess != "6341" and number < 7:
        opened.answer(feedback_of(mm46, guess, "6341"))
        guess = opened.advised()
        number = number + 1
    opened.answer("4B-0C")
    expect(opened.locator("#play-status")).to_have_text(f"Solved in {number} guesses: 6341.")
    expect(opened.locator("#review-moves li b.best")).to_have_count(number)


def test_colours_are_typed_as_numbers_or_letters_or_tapped_and_replaced_in_place(opened):
    for typed in ("1123", "bbog", "BBOG"):
        opened.enter(typed)
        assert opened.moves[-1][0] == "1123"
        opened.press("New game")
        opened.press("New game", within="#sure")
        assert opened.moves == []
    opened.press("add 4 (red)", "add 4 (red)", "add 5 (pink)", "add 6 (yellow)")
    opened.press("peg 1: 4 (red)", "add 1 (blue)", "Guess")
    assert opened.moves[0][0] == "1456"
    for key in ("1", "2", "ArrowLeft", "3", "4", "Backspace", "5", "6"):
        opened.keyboard.press(key)
    opened.keyboard.press("Enter")
    assert opened.moves[1][0] == "1356"


def test_giving_up_is_asked_about_and_ends_a_game_without_praise(opened):
    play_size(opened, 5, 8)
    opened.enter("12345")
    opened.press(*["Hint"] * 4)
    opened.keyboard.type("4455")
    assert opened.evaluate("typedGuess()") == "4455"
    opened.press("Give up", "Go on playing")
    assert opened.evaluate("typedGuess()") == "4455"
    opened.press("Give up")
    opened.press("Give up", within="#sure")
    text = re.compile(r"^You gave up after 1 guess: the secret was \d{5}\.$")
    expect(opened.locator("#play-status")).to_have_text(text)
    for part in ("#play-help", "#play-palette", "#play-reveal"):
        expect(opened.locator(part)).to_be_hidden()
    play_size(opened, 2, 3)
    opened.press(*["Hint"] * 4)
    expect(opened.locator("#play-suggestion")).to_have_attribute("data-guess", re.compile("^..$"))


def test_a_best_known_tree_comes_with_sizes_that_the_study_lacks(opened):
    play_size(opened, 4, 7)
    opened.solve_mine()
    opened.tells("#play-line", "4.6764 guesses on average, at most 6")
    opened.tells("#help-suggestion", "4.6764 more guesses on average")


def test_moves_off_a_tree_are_followed_up_by_the_page(opened, mm46):
    opened.solve_mine()
    guess = "2266"
    messages = []
    for _ in range(8):
        opened.tell(guess, feedback_of(mm46, guess, "6341"))
        if opened.locator("#play-status").text_content().startswith("Solved"):
            break
        guess = opened.advised()
        messages.append(opened.locator("#help-suggestion").text_content())
    opened.tells("#play-status", "Solved in")
    assert "leave the tree of ‘Best on average’: the page" in messages[0]
    assert "the page plays optimally from here" in messages[-1]


def test_a_tree_answers_openings_that_differ_in_names_only(opened, mm46):
    opened.solve_mine()
    opened.tell("5664", "1B-1C")
    opened.tells("#help-suggestion", "more guesses on average")
    expect(opened.locator("#help-suggestion")).not_to_contain_text("leave")
    first = mm46.guesses.index("5664")
    guess = mm46.guesses.index(opened.advised())
    members = members_after(mm46, "5664", "1B-1C")
    moves = [(first, mm46.feedback_labels.index("1B-1C"))]
    assert regret_of(OptimalValues(mm46), moves, members, guess).mean == 0


def test_hints_come_one_by_one_and_only_when_asked_for(opened, mm46):
    parts = ("#help-count", "#help-worth", "#help-best", "#help-suggest")
    opened.enter("1123")
    members = members_after(mm46, "1123", feedback_of(mm46, "1123", opened.secret))
    opened.keyboard.type("1145")
    for rungs in range(5):
        for number, part in enumerate(parts):
            expect(opened.locator(part)).to_be_visible(visible=number < rungs)
        if rungs < 4:
            opened.press("Hint")
    expect(opened.locator("#play-hint")).to_be_disabled()
    left = "1 candidate" if len(members) == 1 else f"{len(members)} candidates"
    expect(opened.locator("#play-count")).to_have_text(left)
    counts = np.bincount(mm46.table[mm46.guesses.index("1145")][members])
    average = f"{(counts**2).sum() / len(members):.1f} candidates on average"
    opened.tells("#help-worth", f"{(counts > 0).sum()} answer", average)
    opened.tells("#help-worth", f"and {counts.max()} at most")
    is_candidate = mm46.guesses.index("1145") in members
    share = "is the secret with probability"
    none = "can’t be the secret, but may still separate the candidates. "
    opened.tells("#help-worth", share if is_candidate else none)
    expect(opened.locator("#help-table tbody tr")).to_have_count(5)
    opened.press("Use this guess")
    assert opened.evaluate("typedGuess()") == opened.advised()


@pytest.mark.parametrize(
    ("rule", "guess", "refused"),
    [
        ("any", "cable", ""),
        ("candidates", "chain", "contradicts an earlier answer"),
        ("wordle", "adieu", "letter 1 must be C"),
        ("wordle", "cable", "letter 3 must be A"),
        ("wordle", "chain", "must contain R"),
        ("wordle", "crane", ""),
    ],
)
def test_the_rule_of_guesses_is_kept(opened, rule, guess, refused):
    opened.choose("words-common", secret="crane")
    opened.from_menu()
    opened.select_option("#play-rule", rule)
    opened.from_menu()
    opened.enter("chair", guess)
    assert len(opened.moves) == (1 if refused else 2)
    opened.tells("#play-error", refused)


def test_a_devious_codemaker_answers_as_in_the_terminal(opened, mm46):
    opened.choose_mode("Devious")
    moves = []
    planned = ["1122", "3344", "1356", "2345"]
    left = np.arange(mm46.n_secrets)
    while not moves or moves[-1][1] != mm46.solved:
        label = planned.pop(0) if planned else mm46.secrets[left[0]]
        guess = mm46.guesses.index(label)
        opened.enter(label)
        answer = mm46.feedback_labels.index(opened.moves[len(moves)][1])
        assert answer == devious_answer(mm46, moves, guess)
        moves.append((guess, answer))
        left = left[mm46.table[guess][left] == answer]
    assert [mm46.secrets[secret] for secret in left] == [label]
    opened.tells("#play-status", f"Solved in {len(moves)} guesses")


def test_a_devious_game_is_reviewed_without_luck_and_has_no_average_to_beat(opened, mm46):
    opened.choose_mode("Devious")
    opened.tells("#play-start", "No code is hidden. If it were", "5 guesses at most is the")
    expect(opened.locator("#play-start")).not_to_contain_text("average")
    left = np.arange(mm46.n_secrets)
    while not opened.moves or opened.moves[-1][1] != "4B-0C":
        opened.enter(mm46.secrets[left[0]])
        guess, answer = opened.moves[-1]
        row = mm46.table[mm46.guesses.index(guess)][left]
        left = left[row == mm46.feedback_labels.index(answer)]
    n = len(opened.moves)
    expect(opened.locator("#review-moves li")).to_have_count(n)
    review = opened.locator("#play-review")
    expect(review).to_contain_text("so none was luck. The surest tree here needs at most 5")
    for word in ("lucky", "an average answer", "(luck)", "Best play needs", "The best tree here"):
        expect(review).not_to_contain_text(word)


def test_the_last_word_is_preset_as_the_secret_and_may_be_recorded_wrong(opened):
    opened.choose("words-common")
    opened.solve_mine()
    moves = [[guess, marks_of(guess, "robin")] for guess in ("slate", "irony", "minor")]
    opened.call("paste", "\n".join(" ".join(move) for move in moves))
    opened.tells("#play-status", "1 candidate left. This is the secret.")
    opened.advised()
    assert opened.evaluate("answering.marks.join('')") == "ggggg"
    for place in range(5):
        opened.locator("#play-slots button").nth(place).click()
    opened.press("Record")
    opened.tells("#play-status", "robin (3 of 4)", "If a single answer is wrong, tap the right one")
    expect(opened.locator("#play-status")).not_to_contain_text("More than one")
    opened.locator("#play-repairs button").click()
    opened.tells("#play-status", "Solved in 4 guesses: robin.")


def marks_of(guess, secret):
    """Return Wordle's marks, letter by letter."""
    spare = [letter for letter, other in zip(secret, guess, strict=True) if letter != other]
    marks = []
    for letter, other in zip(guess, secret, strict=True):
        if letter == other:
            marks.append("g")
        elif letter in spare:
            marks.append("y")
            spare.remove(letter)
        else:
            marks.append("b")
    return "".join(marks)


def test_what_is_no_guess_and_a_single_answer_are_said_as_they_are(opened):
    opened.choose("bc-3-5", secret="432")
    opened.press("Hint", "Hint")
    opened.locator("#play-slots").focus()
    opened.keyboard.type("00")
    opened.tells("#help-worth", "Compose a guess")
    opened.keyboard.type("1")
    opened.tells("#help-worth", "001 repeats a symbol, which no code of this game does.")
    opened.choose("mm-4-6", secret="6543")
    opened.press("Hint", "Hint")
    opened.locator("#play-slots").focus()
    opened.enter("6542", "6541")
    expect(opened.locator("#play-count")).to_have_text("4 candidates")  # 6543 to 6546
    opened.keyboard.type("1222")
    opened.tells("#help-worth", "1 answer is possible; it leaves 4 candidates.")


def test_a_contradiction_is_named_with_its_move_and_can_be_undone(opened):
    opened.solve_mine()
    opened.tell("1122", "0B-0C")
    expect(opened.locator("#play-count")).to_have_text("256 candidates")
    for guess, feedback in (("3344", "1B-0C"), ("1113", "2B-0C")):
        opened.advised()
        opened.tell(guess, feedback)
    opened.tells(
        "#play-status",
        "Contradiction at move 3",
        "none of them gives 1113 the answer 2 black, 0 white",
        "If a single answer is wrong, tap the right one",
    )
    repairs = opened.locator("#play-repairs button")
    assert repairs.all_text_contents() == [
        "1113 had 0 black, 0 white (16 candidates)",
        "1113 had 0 black, 1 white (16 candidates)",
        "1122 had 1 black, 1 white (4 candidates)",
    ]
    opened.tells("#play-moves li.wrong", "contradicts")
    expect(opened.locator("#play-answer")).to_be_hidden()
    opened.keyboard.press("Control+z")
    opened.tells("#play-status", "Guess 3:")


def test_a_bad_guess_is_refused_in_words(opened):
    for game, guess, message in (
        ("mm-4-6", "", "Choose the colours of your guess first"),
        ("mm-4-6", "123", "123 has 3 pegs: guesses have 4."),
        ("bc-3-5", "121", "121 repeats a symbol"),
        ("marks-wide", "zzzzz", "zzzzz is not in the word list"),
        ("marks-wide", "zz", "zz has 2 letters: guesses have 5."),
    ):
        opened.choose(game)
        opened.enter(guess)
        opened.tells("#play-error", message)
        assert opened.moves == []
    opened.choose("mm-4-6")
    opened.keyboard.type("117")
    opened.tells("#play-error", "There is no 7 in this game")


@pytest.mark.parametrize("by", ["taps", "keys"])
def test_marks_are_entered_letter_by_letter(opened, by):
    game = game_called("marks-wide")
    marks = feedback_of(game, "appel", "palle")
    opened.choose("marks-wide")
    opened.solve_mine()
    opened.press("Another guess")
    opened.enter("appel", "")
    assert opened.moves == []
    if by == "keys":
        opened.enter(marks)
    else:
        for position, mark in enumerate(marks):
            for _ in range("byg".index(mark)):
                opened.locator("#play-slots button").nth(position).click()
        opened.press("Record")
    assert opened.moves == [["appel", marks]]
    opened.tells("#play-count", f"{len(members_after(game, 'appel', marks))} candidate")


def test_common_words_are_known_and_letters_are_tapped_on_a_keyboard(opened):
    opened.choose("words-common", secret="crane")
    opened.tells("#play-rules", "word of 5 letters")
    assert {"chair", "adieu"} <= {word.text for word in read_words("common-guesses")}
    opened.enter("chair", "adieu")
    opened.press("c: in place", "r: elsewhere", "a: in place", "n", "e: elsewhere", "Guess")
    assert opened.moves == [["chair", "gbgby"], ["adieu", "ybbyb"], ["crane", "ggggg"]]
    opened.select_option("#play-game", "words-own")
    for text, pattern in (
        ("one", "at least two words"),
        ("one three", "differ in length"),
        ("o-e two", "'o-e' is not a word: use letters and digits only"),
        ("unforeseeable circumstances", "too long: at most 10 letters"),
        ("one, two\nSix ten", "^$"),
    ):
        opened.get_by_label("Words that may be the secret").fill(text)
        opened.press("Play with these words")
        expect(opened.locator("#play-refused")).to_have_text(re.compile(pattern))
    opened.tells("#play-rules", "word of 3 letters, one of 4")


def test_words_of_ten_letters_are_played_with_the_marks_of_the_definition(opened):
    words = ["background", "blacksmith", "collection", "dictionary", "friendship", "trampoline"]
    opened.select_option("#play-game", "words-own")
    opened.get_by_label("Words that may be the secret").fill(" ".join(words))
    opened.press("Play with these words")
    opened.tells("#play-rules", "word of 10 letters, one of 6")
    secret = opened.secret
    other = next(word for word in words if word != secret)
    opened.enter(other)
    shown = marks(other, secret)
    assert opened.moves == [[other, shown]]
    left = sum(marks(other, word) == shown for word in words)
    opened.tells("#play-count", f"{left} candidate")


def test_sizes_outside_the_limits_are_refused(opened):
    opened.choose_size(6, 5)
    opened.tells("#play-rules", "6 pegs, one of 15,625")
    expect(opened.locator("#play-refused")).to_have_text("")
    opened.ask_for_size(13, 9)  # the browser refuses what the form's fields don't allow
    opened.evaluate("chooseGame('mm-13-9')")
    opened.tells("#play-refused", "outside this page's limits: up to 12 pegs, and 2 to 20 colours")
    opened.tells("#play-rules", "6 pegs, one of 15,625")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("mode", ["Play", "Solve mine"])
def test_a_game_fits_one_screen(opened, mode, size):
    opened.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    if mode == "Play":
        opened.enter("1122", "3345")
    else:
        for _ in range(2):
            opened.solve_mine()
            opened.answer("1B-1C")
        opened.advised()
    bottom = opened.evaluate("find('play-undo').getBoundingClientRect().bottom + scrollY")
    assert bottom <= size[1]


def test_everything_works_by_the_keyboard_alone(opened):
    opened.locator("#top").focus()
    reached = []
    while "play-game" not in reached and len(reached) < 60:
        opened.keyboard.press("Tab")
        reached.append(opened.evaluate("document.activeElement.id || document.activeElement.value"))
    assert reached.index("hidden") < reached.index("play-game") < 15
    opened.locator('[name="play-mode"][value="hidden"]').focus()
    opened.keyboard.press("ArrowRight")
    expect(opened.get_by_label("Solve mine")).to_be_checked()
    for typed in ("0,2", "4"):
        opened.advised()
        opened.enter(typed)
    opened.tells("#play-status", "Solved in 2 guesses")


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (390, "dark"),
        pytest.param(390, "light", marks=full_only),
        pytest.param(1280, "dark", marks=full_only),
        in_ci(1280, "light"),
    ],
)
@pytest.mark.slow
def test_the_tools_can_be_read_and_touched(opened, theme, width):
    opened.set_viewport_size({"width": width, "height": 844})
    if opened.locator("html").get_attribute("data-theme") != theme:
        opened.click("#theme")

    def check():
        assert opened.call("tooSmall") == []
        assert violations(opened) == []
        assert opened.evaluate("document.documentElement.scrollWidth") == width

    check()
    opened.solve_mine()
    opened.answer("2B-1C")
    opened.advised()
    opened.press("Compare")
    expect(opened.locator("#help-table tbody tr")).to_have_count(5)
    check()
    opened.choose_mode("Play")
    opened.lose_some()
    opened.from_menu()
    check()
    opened.choose("words-common", secret="crane")
    opened.enter("chair")
    check()
