"""The board, its help, the analysis of games and the explorer, in a real browser."""

import re
from fractions import Fraction

import numpy as np
import pytest
from conftest import game_called, in_ci, violations, watched
from test_page import CLAIMS, PLAYED, call, expect, loaded, played

from codebreaker.advice.assistant import devious_answer
from codebreaker.advice.regret import OptimalValues, regret_of
from codebreaker.api.games import Game
from codebreaker.games.words import read_words
from codebreaker.report.explorer import game_data, group_of
from codebreaker.report.site import page
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.trees.io import transcripts
from codebreaker.trees.metrics import strategies


@pytest.fixture(scope="module")
def known():
    return {name: played(name) for name in PLAYED}


@pytest.fixture(scope="module")
def file(known, tmp_path_factory):
    table = strategies((one.tree, one.key) for _, found in known.values() for one in found)
    data = [game_data(game, found) for game, found in known.values()]
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(page(table, CLAIMS, {}, {}, data), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser, file):
    """The page from disk, with known secrets; it logs no error and asks for nothing else."""
    with watched(browser, file) as shown:
        shown.evaluate("Math.random = () => 0.9; startGame()")
        yield shown


def enter(opened, *texts):
    """Type texts and end each with Enter; the focus doesn't matter."""
    for text in texts:
        opened.keyboard.type(text)
        opened.keyboard.press("Enter")


def choose_mode(opened, name):
    opened.get_by_label(name, exact=True).check(force=True)


def solve_mine(opened):
    """Let the page advise on a secret that is elsewhere; return once its guess is on the board."""
    choose_mode(opened, "Solve mine")
    return advised(opened)


def advised(opened):
    expect(opened.locator("#play-slots .empty")).to_have_count(0, timeout=20_000)
    return opened.evaluate("typedGuess()")


def tell(opened, guess, answer):
    """Record another guess than the one advised, and its answer, on the pad."""
    press(opened, "Another guess")
    enter(opened, guess)
    opened.click(f'#play-answer button[data-feedback="{answer}"]')


def choose(opened, game):
    opened.select_option("#play-game", game)
    opened.wait_for_selector(f"#assistant[data-game='{game}']")


def hint(opened, times):
    for _ in range(times):
        press(opened, "Hint")


def press(opened, name):
    opened.get_by_role("button", name=name, exact=True).click()


def moves_of(opened):
    return opened.evaluate(
        "play.moves.map(({guess, id}) => [play.game.guesses[guess], play.game.feedback[id]])"
    )


def candidates_after(game, guess, answer):
    found = np.flatnonzero(game.table[guess] == game.feedback_labels.index(answer))
    return found.astype(np.int32)


def test_the_page_chooses_the_guesses_of_the_trees(opened, known):
    """Guesses that exchange symbols not yet played are scored once; that changes no choice."""
    for name, (_, found) in known.items():
        ruled, wrong = call(opened, "walk", name)
        without = sum(one.key.policy in ("optimal", "renyi-0.5") for one in found)
        assert ruled == len(found) - without
        assert wrong == [], name


def test_feedback_is_the_same_as_in_python(opened):
    for size in (2, 4), (3, 3), (5, 3), (4, 6), (1, 2):
        game = game_called("mm-{}-{}".format(*size))
        guesses, labels, rows = call(opened, "feedbackOf", list(size))
        assert (guesses, labels) == (list(game.guesses), list(game.feedback_labels))
        for row, texts in zip(game.table, rows, strict=True):
            counts = np.bincount(row, minlength=len(labels)).tolist()
            found = [[*map(int, text.split())] for text in texts]
            assert found == [row.tolist(), counts, counts], size


@pytest.mark.parametrize("letters", [40, 256, 257, 2000])
@pytest.mark.parametrize("first", "a𠀀", ids=["Latin", "rare Chinese"])
def test_marks_of_own_words_are_those_of_python(opened, letters, first):
    """Of words with so many different letters, from a letter of the alphabet on."""
    known = map(chr, range(ord(first), ord(first) + 5 * letters))
    alphabet = [one for one in known if one.isalpha() and one == one.lower() == one.upper().lower()]
    draw = np.random.default_rng(letters)
    rows = draw.permuted(np.resize(alphabet[:letters], (3, letters)), axis=1).T
    words = sorted({"".join(row) for row in rows.tolist()} | {alphabet[i] * 3 for i in (0, 5)})
    guesses, found = call(opened, "marksOf", words[:600])
    game = Game.from_words(guesses)
    assert sorted(guesses) == words[:600]
    wrong = sum(
        mark != right
        for guess, row in zip(guesses, found, strict=True)
        for mark, right in zip(row.split(), game.feedback(guess, guesses), strict=True)
    )
    assert not wrong, f"{wrong:,} of {len(guesses) ** 2:,} marks"


def test_the_page_finds_least_totals(opened):
    """Of random sets of candidates, by the exact search in Python."""
    for name in ("mm-4-6", "bc-3-5", "black-3-3", "marks-wide", "pegs-wide"):
        game, draw = game_called(name), np.random.default_rng(19)
        cost, sets = CostToGo(game), []
        for _ in range(30):
            size = int(draw.integers(1, min(40, game.n_secrets) + 1))
            sets.append(np.sort(draw.choice(game.n_secrets, size, replace=False)).astype(np.int32))
        if name == "mm-4-6":  # a cell has more structure than a random set
            first = game.guesses.index("1123")
            cells = [candidates_after(game, first, answer) for answer in game.feedback_labels]
            sets += [cell for cell in cells if 0 < len(cell) <= 50]
        codes = [game.guess_of_secret[members].tolist() for members in sets]
        for members, one in zip(sets, call(opened, "solve", [name, codes]), strict=True):
            assert one["total"] == cost.of(members, 1), name
            answers = game.feedback(one["best"], members)
            cells = [members[answers == f] for f in {*answers.tolist()} - {game.solved}]
            assert one["total"] == len(members) + sum(cost.of(cell, 1) for cell in cells), name


def test_a_typed_answer_is_recorded_as_it_was_typed(opened):
    assert solve_mine(opened) == "1123"
    for typed in ("2,1", "21", "2b1w", "1w2b", "3" + "\b" + "21"):
        for key in typed:
            opened.keyboard.press({"\b": "Backspace"}.get(key, key))
        opened.keyboard.press("Enter")
        assert moves_of(opened) == [["1123", "2B-1C"]], typed
        opened.keyboard.press("Control+z")
        advised(opened)
    for typed, told in (("", "2,1 means two black"), ("3,1", "No secret gives this answer.")):
        enter(opened, typed)
        assert moves_of(opened) == []
        expect(opened.locator("#play-error")).to_contain_text(told)


def test_a_secret_elsewhere_is_found_by_one_tap_a_move(opened, mm46):
    """As a new user would: plays what is on the board, taps the answer, and types nothing."""
    secret, guess, number = mm46.secrets.index("6341"), solve_mine(opened), 0
    while number < 6:
        number += 1
        label = mm46.feedback_labels[int(mm46.table[mm46.guesses.index(guess), secret])]
        opened.click(f'#play-answer button[data-feedback="{label}"]')
        if label == "4B-0C":
            break
        guess = advised(opened)
    expect(opened.locator("#play-status")).to_have_text(f"Solved in {number} guesses: 6341.")
    expect(opened.locator("#review-moves li b.best")).to_have_count(number)


def test_colours_are_typed_as_numbers_or_letters_or_tapped_and_replaced_in_place(opened):
    for typed in ("1123", "bbog", "BBOG"):
        enter(opened, typed)
        assert moves_of(opened)[-1][0] == "1123"
        press(opened, "New game")
        press(opened.locator("#sure"), "New game")
        assert moves_of(opened) == []
    for name in ("add 4 (red)", "add 4 (red)", "add 5 (pink)", "add 6 (yellow)"):
        press(opened, name)
    for name in ("peg 1: 4 (red)", "add 1 (blue)", "Guess"):
        press(opened, name)
    assert moves_of(opened)[0][0] == "1456"
    for key in ("1", "2", "ArrowLeft", "3", "4", "Backspace", "5", "6"):
        opened.keyboard.press(key)
    opened.keyboard.press("Enter")
    assert moves_of(opened)[1][0] == "1356"


def resize(opened, pegs, colours):
    opened.select_option("#play-game", "size")
    opened.get_by_label("Pegs", exact=True).fill(str(pegs))
    opened.get_by_label("Colours", exact=True).fill(str(colours))
    press(opened, "Play this size")


def test_giving_up_is_asked_about_and_ends_a_game_without_praise(opened):
    """Typing goes on while a suggestion is computed; the next one is that of the next game."""
    resize(opened, 5, 8)
    enter(opened, "12345")
    hint(opened, 4)
    opened.keyboard.type("4455")
    assert opened.evaluate("typedGuess()") == "4455"
    press(opened, "Give up")
    press(opened, "Go on playing")
    assert opened.evaluate("typedGuess()") == "4455"
    press(opened, "Give up")
    press(opened.locator("#sure"), "Give up")
    told = re.compile(r"^You gave up after 1 guess: the secret was \d{5}\.$")
    expect(opened.locator("#play-status")).to_have_text(told)
    for part in ("#play-help", "#play-palette", "#play-reveal"):
        expect(opened.locator(part)).to_be_hidden()
    resize(opened, 2, 3)
    hint(opened, 4)
    expect(opened.locator("#play-suggestion")).to_have_attribute("data-guess", re.compile("^..$"))


def test_a_best_known_tree_comes_with_sizes_that_the_study_lacks(opened):
    resize(opened, 4, 7)
    solve_mine(opened)
    expect(opened.locator("#play-line")).to_contain_text("4.6764 guesses on average, at most 6")
    expect(opened.locator("#help-suggestion")).to_contain_text("4.6764 more guesses on average")


def test_moves_off_a_tree_are_followed_up_by_the_page(opened, mm46):
    """Its opening is 1123; after 2266 the page computes by itself, and says so."""
    solve_mine(opened)
    secret, guess, told = mm46.secrets.index("6341"), "2266", []
    for _ in range(8):
        label = mm46.feedback_labels[int(mm46.table[mm46.guesses.index(guess), secret])]
        tell(opened, guess, label)
        if opened.locator("#play-status").text_content().startswith("Solved"):
            break
        guess = advised(opened)
        told.append(opened.locator("#help-suggestion").text_content())
    expect(opened.locator("#play-status")).to_contain_text("Solved in")
    assert "leave the tree of ‘Best on average’: the page chooses by entropy" in told[0]
    assert "the page plays optimally from here" in told[-1]


def test_a_tree_answers_openings_that_differ_in_names_only(opened, mm46):
    """After 5664 as after 1123 = 1, 1, 2, 3 with its symbols and positions renamed."""
    solve_mine(opened)
    tell(opened, "5664", "1B-1C")
    expect(opened.locator("#help-suggestion")).to_contain_text("more guesses on average")
    expect(opened.locator("#help-suggestion")).not_to_contain_text("leave")
    first, guess = mm46.guesses.index("5664"), mm46.guesses.index(advised(opened))
    members = candidates_after(mm46, first, "1B-1C")
    assert regret_of(OptimalValues(mm46), [first], members, guess).mean == 0


def test_hints_come_one_by_one_and_only_when_asked_for(opened, mm46):
    parts = ("#help-count", "#help-worth", "#help-best", "#help-suggest")
    enter(opened, "1123")
    secret = opened.evaluate("play.hidden")
    first = mm46.guesses.index("1123")
    answer = mm46.feedback_labels[int(mm46.table[first, secret])]
    members = candidates_after(mm46, first, answer)
    opened.keyboard.type("1145")
    for rungs in range(5):
        for number, part in enumerate(parts):
            expect(opened.locator(part)).to_be_visible(visible=number < rungs)
        if rungs < 4:
            hint(opened, 1)
    expect(opened.locator("#play-hint")).to_be_disabled()
    left = "1 candidate" if len(members) == 1 else f"{len(members)} candidates"
    expect(opened.locator("#play-count")).to_have_text(left)
    counts = np.bincount(mm46.table[mm46.guesses.index("1145")][members])
    for told in (
        f"{(counts > 0).sum()} answer",
        f"{(counts**2).sum() / len(members):.1f} candidates on average",
        f"and {counts.max()} at most",
    ):
        expect(opened.locator("#help-worth")).to_contain_text(told)
    expect(opened.locator("#help-table tbody tr")).to_have_count(5)
    press(opened, "Use this guess")
    assert opened.evaluate("typedGuess()") == advised(opened)


@pytest.mark.parametrize(
    ("rule", "guess", "told"),
    [
        ("any", "cable", None),
        ("candidates", "chain", "contradicts an earlier answer"),
        ("wordle", "adieu", "letter 1 must be C"),
        ("wordle", "cable", "letter 3 must be A"),
        ("wordle", "chain", "must contain R"),
        ("wordle", "crane", None),
    ],
)
def test_the_rule_of_guesses_is_kept(opened, rule, guess, told):
    """After CHAIR, whose C and A are in place and whose R is elsewhere."""
    choose(opened, "words-common")
    opened.evaluate("play.hidden = play.game.indexOf.get('crane')")
    opened.locator("#play-menu summary").click()
    opened.select_option("#play-rule", rule)
    opened.locator("#play-menu summary").click()
    enter(opened, "chair", guess)
    taken = 1 if told else 2
    assert len(moves_of(opened)) == taken
    if told:
        expect(opened.locator("#play-error")).to_contain_text(told)


def test_a_devious_codemaker_answers_as_in_the_terminal(opened, mm46):
    choose_mode(opened, "Devious")
    moves, planned = [], ["1122", "3344", "1356", "2345"]
    left = np.arange(mm46.n_secrets)
    while not moves or moves[-1][1] != mm46.solved:
        label = planned.pop(0) if planned else mm46.secrets[left[0]]
        guess = mm46.guesses.index(label)
        enter(opened, label)
        answer = mm46.feedback_labels.index(moves_of(opened)[len(moves)][1])
        assert answer == devious_answer(mm46, moves, guess)
        moves.append((guess, answer))
        left = left[mm46.table[guess][left] == answer]
    assert [mm46.secrets[secret] for secret in left] == [label]
    expect(opened.locator("#play-status")).to_contain_text(f"Solved in {len(moves)} guesses")


def finished(game, secret, draw, opening=None):
    """The moves of a game that ends: an opening, then guesses of which most are candidates."""
    left, moves = np.arange(game.n_secrets, dtype=np.int32), []
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
    """Costs and lucks are those of `regret_of`, and explain the number of guesses exactly."""
    game, draw = game_called(name), np.random.default_rng(7)
    values, exactly = OptimalValues(game), []
    openings = ("1123", "4456", "1234", "2545") if name == "mm-4-6" else (None,) * 4
    for opening in openings:
        secret = int(draw.integers(game.n_secrets))
        first = None if opening is None else game.guesses.index(opening)
        moves = finished(game, secret, draw, first)
        rows = call(opened, "review", [name, moves])
        members, history = np.arange(game.n_secrets, dtype=np.int32), []
        for (guess, id_), row in zip(moves, rows, strict=True):
            assert row["before"] == len(members)
            left = members[game.feedback(guess, members) == id_]
            exactly.append(row["exact"])
            if row["exact"]:
                exact, n = regret_of(values, history, members, guess), len(members)
                assert row["totals"] == [exact.minimum * n, exact.with_guess * n]
                after = 0 if id_ == game.solved else Fraction(values.total(left), len(left))
                luck = exact.with_guess - 1 - after
                assert row["cost"] == pytest.approx(float(exact.mean), abs=1e-12)
                assert row["luck"] == pytest.approx(float(luck), abs=1e-12)
            members, history = left, [*history, guess]
        assert all(row["cost"] is not None and row["cost"] >= 0 for row in rows)
        total = rows[0]["least"] + sum(row["cost"] - row["luck"] for row in rows)
        assert total == pytest.approx(len(moves), abs=1e-9)
    assert np.mean(exactly) > 0.7


def lose_some(opened):
    """Find 6143 after two guesses of which neither is best."""
    opened.evaluate("play.hidden = play.game.indexOf.get('6143')")
    enter(opened, "1122", "3345", "6143")
    expect(opened.locator("#review-moves li")).to_have_count(3)


def test_a_finished_game_is_scored_and_explained(opened, mm46):
    lose_some(opened)
    values, history, lost = OptimalValues(mm46), [], 0
    left = np.arange(mm46.n_secrets, dtype=np.int32)
    for label, answer in moves_of(opened):
        guess = mm46.guesses.index(label)
        lost += regret_of(values, history, left, guess).mean
        left = left[mm46.table[guess][left] == mm46.feedback_labels.index(answer)]
        history.append(guess)
    score = opened.locator("#review-score")
    expect(score).to_contain_text(f"{round(100 * (1 - float(lost)))} of 100")
    expect(score).to_contain_text("Best play 100, Entropy 93, First candidate 0")
    expect(opened.locator("#review-told")).to_have_text("Compared with optimal play, exactly.")
    for told in ("0.059 guesses lost", "inaccurate", "unlucky: the answer cost", "256 candidates"):
        expect(opened.locator("#review-moves li").first).to_contain_text(told)
    expect(opened.locator("#review-sum")).to_contain_text("Best play needs 4.3403 guesses")
    best = opened.locator("#review-best")
    expect(best).to_contain_text(re.compile("The best tree here finds it in [1-6] guesses"))
    assert best.locator("li").count() <= 6
    press(opened, "Share as text")
    text = opened.get_by_label("To share").input_value()
    assert "🔵🔵🟠🟠 ⚫\n🟢🟢🔴🟣 ⚫⚪\n🟡🔵🔴🟢 ⚫⚫⚫⚫" in text
    press(opened, "Share as a link")
    assert "moves=1122*1B-0C_3345*1B-1C" in opened.get_by_label("To share").input_value()


def test_finished_games_are_counted_once_in_the_statistics(browser, file):
    context = browser.new_context()
    shown, kept = loaded(context, file.as_uri()), set()
    for _ in range(2):
        lose_some(shown)
        kept.add(round(shown.evaluate("finished().at(-1).lost"), 6))
        press(shown, "Undo")
        press(shown, "Undo")
        enter(shown, "3344", "6143")
        expect(shown.locator("#review-moves li")).to_have_count(3)
        kept.add(round(shown.evaluate("finished().at(-1).lost"), 6))
        shown.click("#play-go")
    assert len(kept) == 1
    shown.reload()
    shown.locator("#play-menu summary").click()
    press(shown, "My statistics")
    told = shown.locator("#history-told")
    for text in ("finished2", "guesses on average3.00; the best tree here 4.34", "2 games"):
        expect(told).to_contain_text(text)
    press(shown, "Forget all games")
    expect(told).to_contain_text("No finished game")
    context.close()


def test_the_code_of_a_day_is_the_same_for_all_and_played_once(browser, file):
    secrets = set()
    for _ in range(2):
        context = browser.new_context()
        shown = loaded(context, file.as_uri())
        shown.locator("#play-menu summary").click()
        press(shown, "Today’s code")
        expect(shown.locator("#play-rules")).to_contain_text(re.compile(r"code of 20\d\d-"))
        secrets.add(shown.evaluate("play.game.guesses[play.hidden]"))
        enter(shown, *secrets)
        expect(shown.locator("#play-status")).to_contain_text("Solved in 1 guess")
        shown.locator("#play-menu summary").click()
        press(shown, "Today’s code")
        expect(shown.locator("#play-refused")).to_contain_text("You have played today’s code")
        context.close()
    assert len(secrets) == 1


def test_a_challenge_has_the_same_secret_and_no_moves(browser, opened):
    """The player's own words travel in the link."""
    opened.select_option("#play-game", "words-own")
    opened.get_by_label("Words that may be the secret").fill("one two six ten")
    opened.get_by_label("Further words").fill("toe")
    press(opened, "Play with these words")
    expect(opened.locator("#play-rules")).to_contain_text("one of 4 words of 3 letters")
    enter(opened, "toe")
    assert len(moves_of(opened)) == 1
    opened.locator("#play-menu summary").click()
    press(opened, "Challenge a friend")
    expect(opened.get_by_label("To share")).to_have_value(re.compile("words="))
    context = browser.new_context()
    friend = loaded(context, opened.get_by_label("To share").input_value())
    expect(friend.locator("#play-rules")).to_contain_text("A friend has chosen one of 4 words")
    assert moves_of(friend) == []
    secret = "play.game.guesses[play.hidden]"
    assert friend.evaluate(secret) == opened.evaluate(secret)
    words = opened.evaluate("squeezed('aa bb')")
    opened.evaluate(f"location.hash = 'game=words-own&mode=mine&moves=x&words={words}'")
    expect(opened.locator("#play-refused")).to_contain_text("can't be opened")
    assert opened.evaluate("ownText()").startswith("one two six ten")
    context.close()


PASTED = {
    "page": ("mm-4-6", "🔵🔵🟠🟠 ⚫\n🟢🟢🔴🟣 ⚫⚪", [["1122", "1B-0C"], ["3345", "1B-1C"]]),
    "terminal": ("mm-4-6", "1. 1122: 1,0\n2. 3345: 1,1", [["1122", "1B-0C"], ["3345", "1B-1C"]]),
    "tiles": ("words-common", "CHAIR 🟩⬛🟩⬛🟨", [["chair", "gbgby"]]),
    "letters": ("words-common", "chair gbgby", [["chair", "gbgby"]]),
}


@pytest.mark.parametrize("kind", PASTED)
def test_pasted_games_are_read(opened, kind):
    game, text, moves = PASTED[kind]
    choose(opened, game)
    call(opened, "paste", "no game at all")
    expect(opened.locator("#play-refused")).to_contain_text("no moves that this page can read")
    call(opened, "paste", text)
    assert moves_of(opened) == moves
    expect(opened.get_by_label("Solve mine")).to_be_checked()


def test_a_game_is_kept_a_link_opens_it_and_giving_up_reviews_it(browser, opened, file):
    opened.evaluate("play.hidden = play.game.indexOf.get('6543')")
    enter(opened, "1122", "3344")
    before, link = moves_of(opened), opened.url
    assert "6543" not in link
    opened.locator("#theme").click()
    theme = opened.locator("html").get_attribute("data-theme")
    again = loaded(opened.context, file.as_uri())
    expect(again.locator("html")).to_have_attribute("data-theme", theme)
    context = browser.new_context()
    other = loaded(context, link)
    for shown in (again, other):
        assert moves_of(shown) == before
        assert shown.evaluate("play.game.guesses[play.hidden]") == "6543"
    again.select_option("#explorer-strategy", "entropy")
    again.locator('#explorer-pad button[data-feedback="1B-1C"]').click()
    other.goto(again.url)
    expect(other.locator("#explorer-status")).to_contain_text("Guess 2:")
    expect(other.locator("#explorer-strategy")).to_have_value("entropy")
    press(again, "Give up")
    press(again.locator("#sure"), "Give up")
    expect(again.locator("#review-moves li")).to_have_count(2)
    again.close()
    context.close()


def test_the_guide_is_shown_on_the_first_visit_only(browser, file):
    context = browser.new_context()
    shown = loaded(context, file.as_uri())
    for name in ("Next", "Next", "Play"):
        shown.locator("#guide-next").get_by_text(name, exact=True).click()
    expect(shown.locator("#play-guide")).to_be_hidden()
    shown.reload()
    shown.wait_for_selector("html[data-state=ready]")
    expect(shown.locator("#play-guide")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("mode", ["Play", "Solve mine"])
def test_a_game_fits_one_screen(opened, mode, size):
    """From the choice of the mode to the buttons below the board, with two moves made."""
    opened.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    press(opened, "Skip")
    if mode == "Play":
        enter(opened, "1122", "3345")
    else:
        for answer in ("1B-1C", "1B-1C"):
            solve_mine(opened)
            opened.click(f'#play-answer button[data-feedback="{answer}"]')
        advised(opened)
    bottom = opened.evaluate("find('play-undo').getBoundingClientRect().bottom + scrollY")
    assert bottom <= size[1]


@pytest.mark.parametrize(
    ("fragment", "told"),
    [
        ("game=mm-4-7x", "doesn't know the game 'mm-4-7x'"),
        in_ci("game=mm-9-9", "outside this page's limits"),
        in_ci("game=mm-4-6&moves=1123*5B-1C", "move 1, '1123*5B-1C', is not one of Mastermind"),
        in_ci("game=mm-4-6&mode=other", "no way to play"),
        in_ci("game=mm-4-6&mode=hidden&key=zzzz", "hidden secret is not one of this game"),
        in_ci("game=mm-4-6&mode=hidden&key=5&moves=1112*0B-0C", "is not that of its secret"),
        in_ci("tree=mm-4-6/nothing", "strategy is not one of this page"),
        in_ci("tree=nothing/entropy", "'nothing' is not one of this page"),
    ],
)
def test_a_bad_link_is_refused_in_a_line(browser, file, fragment, told):
    context, errors = browser.new_context(), []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    shown = loaded(context, f"{file.as_uri()}#{fragment}")
    expect(shown.locator("#play-refused")).to_contain_text(told)
    expect(shown.locator("#play-status")).to_have_text("Guess 1.")
    assert errors == []
    context.close()


NOT_KEPT = ["", "{", "true", "[null]", "7e999", '{"hidden": 1}']
STATES = [
    *('{"game": "mm-9-9"}', '{"game": "words-own"}', '{"game": "__proto__"}', '{"tree": "x"}'),
    *('{"game": "mm-4-6", "moves": "x"}', '{"game": "mm-4-6", "mode": "x"}'),
    *('{"game": "mm-4-6", "key": "zzzz"}', '{"tree": "mm-4-6/entropy", "node": "9B"}'),
    '{"game": "mm-4-6", "mode": "devious", "moves": "1122*4B-0C_1122*0B-1C"}',
]
OTHERS = {
    "history": ['[{"game": 1, "guesses": 2}]', "[1]"],
    "words": ['"a b"', '"aa aaa"'],
    "theme": [],
}


@pytest.mark.parametrize("name", ["play", "explorer", *OTHERS])
def test_values_that_the_page_did_not_keep_do_no_harm(browser, file, name):
    """It starts afresh, says so unless the value means nothing else, and can be played."""
    context, errors = browser.new_context(), []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    shown = loaded(context, file.as_uri())
    for value in NOT_KEPT + OTHERS.get(name, STATES):
        key = name if name == "theme" else f"codebreaker.{name}"
        shown.evaluate("localStorage.clear()")
        shown.evaluate("(pair) => localStorage.setItem(...pair)", [key, value])
        shown.reload()
        shown.wait_for_selector("html[data-state=ready]")
        if name != "theme" and value in NOT_KEPT:
            if name == "history":
                shown.locator("#play-menu summary").click()
                press(shown, "My statistics")
            expect(shown.locator("#play-refused")).to_contain_text("is forgotten")
        choose(shown, "mm-4-6")
        enter(shown, "1122")
        assert len(moves_of(shown)) == 1
        shown.evaluate("history.replaceState(null, '', location.pathname)")
    assert errors == []
    context.close()


def test_a_contradiction_is_named_with_its_move_and_can_be_undone(opened):
    solve_mine(opened)
    tell(opened, "1122", "0B-0C")
    expect(opened.locator("#play-count")).to_have_text("256 candidates")
    for guess, answer in (("3344", "1B-0C"), ("1113", "2B-0C")):
        advised(opened)
        tell(opened, guess, answer)
    status = opened.locator("#play-status")
    for told in (
        "Contradiction at move 3",
        "none of them gives 1113 the answer 2 black, 0 white",
        "If a single answer is wrong, change 1113 to 0 black, 0 white (16 candidates), or 1113 to "
        "0 black, 1 white (16 candidates), or 1122 to 1 black, 1 white (4 candidates). Undo",
    ):
        expect(status).to_contain_text(told)
    expect(opened.locator("#play-moves li.wrong")).to_contain_text("contradicts")
    expect(opened.locator("#play-answer")).to_be_hidden()
    opened.keyboard.press("Control+z")
    expect(status).to_contain_text("Guess 3:")


def test_a_bad_guess_is_refused_in_words(opened):
    for game, guess, told in (
        ("mm-4-6", "", "Choose the colours of your guess first"),
        ("mm-4-6", "123", "123 has 3 pegs: guesses have 4."),
        ("mm-4-6", "117", "117 has"),
        ("bc-3-5", "121", "121 repeats a symbol"),
        ("marks-wide", "zzzzz", "zzzzz is not in the word list"),
        ("marks-wide", "zz", "zz has 2 letters: guesses have 5."),
    ):
        choose(opened, game)
        if guess == "117":
            opened.keyboard.type("117")
            expect(opened.locator("#play-error")).to_contain_text("There is no 7 in this game")
            continue
        enter(opened, guess)
        expect(opened.locator("#play-error")).to_contain_text(told)
        assert moves_of(opened) == []


@pytest.mark.parametrize("by", ["taps", "keys"])
def test_marks_are_entered_letter_by_letter(opened, by):
    game = game_called("marks-wide")
    guess, secret = game.guesses.index("appel"), game.secrets.index("palle")
    id_ = int(game.table[guess, secret])
    answer = game.feedback_labels[id_]
    choose(opened, "marks-wide")
    solve_mine(opened)
    press(opened, "Another guess")
    enter(opened, "appel", "")
    assert moves_of(opened) == []
    if by == "keys":
        enter(opened, answer)
    else:
        for place, mark in enumerate(answer):
            for _ in range("byg".index(mark)):
                opened.locator("#play-slots button").nth(place).click()
        press(opened, "Record")
    assert moves_of(opened) == [["appel", answer]]
    left = int((game.table[guess] == id_).sum())
    expect(opened.locator("#play-count")).to_contain_text(f"{left} candidate")


def test_common_words_are_known_and_letters_are_tapped_on_a_keyboard(opened):
    choose(opened, "words-common")
    expect(opened.locator("#play-rules")).to_contain_text("words of 5 letters")
    opened.evaluate("play.hidden = play.game.indexOf.get('crane')")
    for word in ("chair", "adieu"):
        assert word in {one.text for one in read_words("common-guesses")}
        enter(opened, word)
    for name in ("c: in place", "r: elsewhere", "a: in place", "n", "e: elsewhere", "Guess"):
        press(opened, name)
    assert moves_of(opened) == [["chair", "gbgby"], ["adieu", "ybbyb"], ["crane", "ggggg"]]
    opened.select_option("#play-game", "words-own")
    for text, told in [
        ("one", re.compile("at least two words")),
        ("one three", re.compile("differ in length")),
        ("o1e two", re.compile("'o1e' is not a word")),
        ("one, two\nSix ten", ""),
    ]:
        opened.get_by_label("Words that may be the secret").fill(text)
        press(opened, "Play with these words")
        expect(opened.locator("#play-refused")).to_have_text(told)
    expect(opened.locator("#play-rules")).to_contain_text("one of 4 words of 3 letters")


def test_sizes_outside_the_limits_are_refused(opened):
    for size, told in (((6, 5), ""), ((9, 9), re.compile("outside this page's limits"))):
        resize(opened, *size)
        expect(opened.locator("#play-refused")).to_have_text(told)
        expect(opened.locator("#play-rules")).to_contain_text("6 pegs, one of 15,625")


def test_every_strategy_has_a_name_in_words_and_a_group(known):
    """No name is a slug or occurs twice; the first ones come in their order."""
    for name, (game, found) in known.items():
        data = game_data(game, found)["strategies"]
        labels = [one["label"] for one in data]
        assert len(set(labels)) == len(labels), name
        assert not [label for label in labels if re.search(r"[a-z]-[a-z]+-[a-z]", label)]
        first = {one["place"]: one["total"] for one in data if one["place"]}
        assert first[1] == min(one["total"] for one in data)
        assert sorted(first) == list(range(1, len(first) + 1))
    assert group_of(known["mm-4-6"][1][-1].key) == "Optimal play"


def test_everything_works_by_the_keyboard_alone(opened):
    """The mode and the game are reached by Tab; guesses and answers are typed."""
    opened.locator("#top").focus()
    reached = []
    while "play-game" not in reached and len(reached) < 60:
        opened.keyboard.press("Tab")
        reached.append(opened.evaluate("document.activeElement.id || document.activeElement.value"))
    assert reached.index("hidden") < reached.index("play-game") < 15
    opened.locator('[name="play-mode"][value="hidden"]').focus()
    opened.keyboard.press("ArrowRight")
    expect(opened.get_by_label("Solve mine")).to_be_checked()
    advised(opened)
    enter(opened, "0,2")
    advised(opened)
    enter(opened, "4")
    expect(opened.locator("#play-status")).to_contain_text("Solved in 2 guesses")


@pytest.mark.parametrize(
    ("width", "theme"),
    [(390, "dark"), in_ci(390, "light"), in_ci(1280, "dark"), in_ci(1280, "light")],
)
def test_the_tools_can_be_read_and_touched(opened, theme, width):
    """Names, sizes of targets, contrast and nothing cut off, in each kind of game."""
    opened.set_viewport_size({"width": width, "height": 844})
    if opened.locator("html").get_attribute("data-theme") != theme:
        opened.locator("#theme").click()

    def check():
        assert call(opened, "tooSmall") == []
        assert violations(opened) == []
        assert opened.evaluate("document.documentElement.scrollWidth") == width

    check()
    solve_mine(opened)
    opened.click('#play-answer button[data-feedback="2B-1C"]')
    advised(opened)
    press(opened, "Compare")
    expect(opened.locator("#help-table tbody tr")).to_have_count(5)
    check()
    choose_mode(opened, "Play")
    lose_some(opened)
    opened.locator("#play-menu summary").click()
    check()
    choose(opened, "words-common")
    opened.evaluate("play.hidden = play.game.indexOf.get('crane')")
    enter(opened, "chair")
    check()


def test_the_explorer_walks_a_tree(opened, known, mm46):
    _, found = known["mm-4-6"]
    tree = next(one.tree for one in found if one.key.tree == "entropy")
    moves = transcripts(mm46, tree)[mm46.secrets.index("5245")]
    opened.select_option("#explorer-strategy", "entropy")
    facts, status = opened.locator("#explorer-facts"), opened.locator("#explorer-status")
    expect(facts).to_contain_text("4.4151 expected, at most 6")
    expect(facts).to_contain_text("48 guesses over the 1,296 candidates")
    left = np.arange(mm46.n_secrets)
    for number, (guess, feedback) in enumerate(moves, start=1):
        candidates = "1 candidate" if len(left) == 1 else f"{len(left):,} candidates"
        told = f"Guess {number}: {mm46.guesses[guess]}, with {candidates} left."
        expect(status).to_have_text(told)
        assert opened.locator("#explorer-codes .code").count() == min(len(left), 60)
        label = mm46.feedback_labels[feedback]
        opened.click(f'#explorer-pad button[data-feedback="{label}"]')
        left = left[mm46.feedback(guess, left) == feedback]
    expect(status).to_contain_text("5245 is the secret: solved")
    for _ in moves[1:]:
        opened.click("#explorer-back")
    expect(opened.locator("#explorer-back")).to_be_disabled()
    expect(status).to_have_text("Guess 1: 1234, with 1,296 candidates left.")
