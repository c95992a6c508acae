"""A game of the page as a list of events: what is counted, shown again, and said."""

import random
import re

import pytest
from board import BoardPage, violations, visitors
from conftest import full_only
from playwright.sync_api import expect

from codebreaker.games.codes import COLOURS
from codebreaker.report.style import contrast

SIZES = [(1280, 800), (390, 844)]
"""Widths and heights of the window."""

at_both_sizes = pytest.mark.parametrize("visit", SIZES, ids=["desk", "phone"], indirect=True)
"""Tests of what a page looks like; `make faults` plays all others on a phone, too."""


@pytest.fixture(params=[SIZES[0], pytest.param(SIZES[1], marks=full_only)], ids=["desk", "phone"])
def visit(request, browser, page_file):
    """Open the page or a link as a new visitor, at a size of the window."""
    width, height = request.param
    with visitors(browser, page_file, viewport={"width": width, "height": height}) as visited:
        yield visited


def statistics(shown):
    """Return what the page's statistics say, by term."""
    shown.from_menu("My statistics")
    lines = shown.locator("#history-told .facts div").all()
    facts = {}
    for line in lines:
        facts[line.locator("dt").text_content()] = line.locator("dd").text_content()
    shown.press("Close")
    return facts


def give_up(shown):
    shown.press("Give up")
    shown.confirm()


def test_letters_typed_after_a_game_is_chosen_are_the_guess(visit):
    shown = visit()
    shown.locator("#play-game").focus()
    shown.choose("words-common")
    shown.keyboard.type("crane")
    expect(shown.locator("#play-game")).to_have_value("words-common")
    assert shown.evaluate("typedGuess()") == "crane"


def test_a_game_of_somebody_else_is_not_counted(visit):
    friend = visit()
    friend.from_menu("Today’s code")
    friend.tells("#play-rules", re.compile(r"code of 20\d\d-"))
    friend.enter("1122", friend.secret)
    friend.tells("#play-status", "Solved in 2 guesses")
    assert statistics(friend)["daily codes in a row"] == "1"
    link = friend.url
    shown = visit(link)
    shown.tells("#play-status", "Solved in 2 guesses")
    expect(shown.locator("#review-moves li")).to_have_count(2)
    assert statistics(shown) == {}
    shown.from_menu("Today’s code")
    shown.tells("#play-status", "Guess 1")
    assert shown.moves == []


def test_a_link_that_somebody_else_goes_on_with_is_not_counted(visit):
    friend = visit()
    friend.hide("6543")
    friend.enter("1122")
    shown = visit(friend.url)
    shown.tells("#play-rules", "not counted in your statistics")
    shown.enter("6543")
    shown.tells("#play-status", "Solved in 2 guesses")
    assert statistics(shown) == {}


def test_a_challenge_that_i_have_begun_goes_on_where_i_left_it(visit):
    friend = visit()
    friend.hide("6543")
    friend.from_menu("Challenge a friend")
    link = friend.get_by_label("To share").input_value()
    shown = visit(link)
    shown.enter("1122")
    shown.click("#play-new")
    shown.confirm()
    again = BoardPage(shown.context.new_page()).goto(link)
    assert [move[0] for move in again.moves] == ["1122"]
    again.enter("6543")
    again.tells("#play-status", "Solved in 2 guesses")
    assert statistics(again)["finished"] == "1"
    assert statistics(friend) == {}


def test_a_challenge_may_have_my_own_secret_and_name(visit):
    friend = visit()
    friend.from_menu("Challenge a friend")
    friend.get_by_label("Or with your own secret").fill("7777")
    friend.press("Make the link")
    friend.tells("#share-told", "'7777' can't be a secret")
    friend.get_by_label("Or with your own secret").fill("gbyo")
    friend.get_by_label("Your name").fill("Ann <b>")
    friend.press("Make the link")
    link = friend.get_by_label("To share")
    expect(link).to_have_value(re.compile("friend=Ann"))
    shown = visit(link.input_value())
    shown.tells("#play-rules", "Ann <b> has chosen a code of 4 pegs")
    shown.enter("3162")
    shown.tells("#play-status", "Solved in 1 guess")
    assert statistics(shown)["finished"] == "1"
    mine = BoardPage(friend.context.new_page()).goto(link.input_value())
    mine.enter("3162")
    mine.tells("#play-status", "Solved in 1 guess")
    assert statistics(mine) == {}


def test_two_tabs_add_to_the_same_game(visit):
    shown = visit()
    shown.hide("6543")
    other = BoardPage(shown.context.new_page()).goto(shown.url)
    shown.enter("1122")
    expect(other.locator("#play-moves li:not(.now)")).to_have_count(1)
    other.enter("3344")
    expect(shown.locator("#play-moves li:not(.now)")).to_have_count(2)


def test_games_of_an_earlier_version_are_dropped_in_a_sentence(visit):
    shown = visit()
    shown.reload_with("codebreaker.history", "[]")
    shown.tells("#play-refused", "an earlier version of this page were dropped")
    assert shown.evaluate("localStorage.getItem('codebreaker.history')") is None
    shown.enter("1122")
    expect(shown.locator("#play-refused")).to_be_empty()


def test_an_answer_is_changed_on_the_board_or_by_a_tap_on_its_repair(visit):
    shown = visit()
    shown.solve_mine()
    shown.tell("1122", "0B-0C")
    shown.advised()
    shown.tell("3344", "1B-0C")
    shown.get_by_role("button", name="change the answer to 1122").click()
    shown.tells("#play-status", "Which answer did 1122 get?")
    shown.answer("1B-0C")
    assert shown.moves == [["1122", "1B-0C"], ["3344", "1B-0C"]]
    shown.advised()
    shown.get_by_role("button", name="change the answer to 3344").click()
    shown.press("Leave it as it is")
    shown.tell("1122", "0B-0C")
    shown.tells("#play-status", "Contradiction at move 3", "tap the right one")
    expect(shown.locator("#play-go")).to_be_hidden()
    shown.locator("#play-repairs button").first.click()
    shown.tells("#play-status", "Guess 4")
    assert len(shown.moves) == 3
    shown.click("#play-new")
    expect(shown.locator("#sure")).to_be_visible()


def test_my_own_link_counts_once(visit):
    shown = visit()
    shown.lose_some()
    link = shown.url
    assert statistics(shown)["finished"] == "1"
    shown.click("#play-go")
    assert shown.moves == []
    again = BoardPage(shown.context.new_page()).goto(link)
    expect(again.locator("#review-moves li")).to_have_count(3)
    assert statistics(again)["finished"] == "1"


def test_guesses_taken_back_count(visit):
    shown = visit()
    shown.hide("6543")
    for guess in ("1122", "1345"):
        shown.enter(guess)
        shown.press("Undo")
    shown.enter("6543")
    shown.tells("#play-status", "Solved in 3 guesses")
    expect(shown.locator("#review-moves li")).to_have_count(3)
    expect(shown.locator("#review-moves li", has_text="taken back")).to_have_count(2)
    assert statistics(shown)["guesses on average"].startswith("3.00")


def test_after_undo_the_count_is_that_of_the_board_and_at_the_end_that_of_the_review(visit):
    shown = visit()
    shown.hide("6543")
    shown.press("Hint")
    shown.locator("#play-slots").focus()
    shown.enter("1122", "1345")
    shown.press("Undo")
    shown.tells(
        "#play-status",
        "Guess 3: 256 candidates left by the answers on the board.",
        "Hints do without that answer.",
    )
    shown.locator("#play-slots").focus()
    shown.enter("3344", "6543")
    shown.tells("#play-status", "Solved in 4 guesses, 1 of them taken back")
    expect(shown.locator("#review-moves li")).to_have_count(4)
    reviewed = shown.locator("#review-moves li small").all_inner_texts()
    left = [re.search("→ (\\d+) candidate", text) for text in reviewed]
    notes = shown.locator("#play-moves > li small").all_inner_texts()
    assert [found and found[1] for found in left[:3]] == [note.split()[0] for note in notes[:3]]
    assert ["taken back" in text for text in reviewed] == [False, True, False, False]
    assert ["taken back" in note for note in notes] == [False, True, False, False]
    assert [move[0] for move in shown.moves] == ["1122", "1345", "3344", "6543"]


def test_giving_up_without_a_guess_is_a_finished_game(visit):
    shown = visit()
    shown.from_menu("Today’s code")
    shown.tells("#play-rules", re.compile(r"code of 20\d\d-"))
    give_up(shown)
    shown.tells("#play-status", "You gave up")
    facts = statistics(shown)
    assert (facts["finished"], facts["solved"], facts["daily codes in a row"]) == ("1", "0", "0")
    shown.from_menu("Today’s code")
    shown.tells("#play-refused", "You have played today’s code")


def test_a_game_that_was_given_up_has_no_score(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1123")
    give_up(shown)
    expect(shown.locator("#review-moves li")).to_have_count(1)
    expect(shown.locator("#review-score")).not_to_contain_text("of 100")
    assert "score on average" not in statistics(shown)


def test_back_moves_through_the_page_and_not_through_games(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122")
    shown.locator("nav a[href='#findings']").click()
    shown.locator("nav a[href='#assistant']").click()
    shown.enter("1345", "3456")
    before = shown.moves
    assert len(before) == 3
    for _ in range(2):
        shown.go_back()
        shown.call("settle")
        assert shown.moves == before
    shown.reload()
    assert shown.moves == before
    shown.locator("nav a[href='#findings']").click()
    shown.click("#play-new")
    shown.confirm()
    shown.go_back()
    shown.call("settle")
    assert shown.moves == []


def test_another_guess_stays_on_the_board_while_guesses_are_compared(visit):
    shown = visit()
    shown.solve_mine()
    shown.press("Another guess")
    shown.keyboard.type("6666")
    shown.press("Compare")
    expect(shown.locator("#help-table tbody tr")).to_have_count(5)
    assert shown.evaluate("typedGuess()") == "6666"
    shown.press("Play it")
    shown.reload()
    expect(shown.locator("#help-table tbody tr")).to_have_count(5)
    assert shown.evaluate("typedGuess()") == "6666"
    shown.answer("1B-0C")
    assert shown.moves == [["6666", "1B-0C"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CR LF", "CR"])
def test_all_lines_of_a_pasted_text_are_read(visit, end):
    shown = visit()
    shown.call("paste", end.join(["1122 1,0", "3345 1,1", ""]))
    assert shown.moves == [["1122", "1B-0C"], ["3345", "1B-1C"]]


def test_a_message_goes_with_the_next_event(visit):
    shown = visit()
    shown.solve_mine()
    shown.from_menu("Challenge a friend")
    shown.tells("#play-refused", "A challenge needs")
    shown.answer("1B-0C")
    expect(shown.locator("#play-refused")).to_be_empty()
    shown.call("paste", "nothing to read")
    shown.tells("#play-refused", "no moves that this page can read")
    shown.click("#play-new")
    shown.confirm()
    expect(shown.locator("#play-refused")).to_be_empty()


CUT = """() => [...document.querySelectorAll("#play-moves li:not(.blank)")].flatMap((row) => {
    const edge = document.getElementById("play-moves").getBoundingClientRect();
    return [...row.querySelectorAll(".pin, .peg, small")].filter((part) => {
        const { left, right } = part.getBoundingClientRect();
        const isOutside = left < edge.left - 0.5 || right > edge.right + 0.5;
        const { clientWidth, clientHeight } = part;
        const isOval = !part.matches("small") && Math.abs(clientWidth - clientHeight) > 1;
        return isOutside || isOval || part.scrollWidth > clientWidth + 1;
    }).map((part) => part.outerHTML);
})"""


@at_both_sizes
@pytest.mark.parametrize(("pegs", "colours"), [(5, 8), (6, 5), (7, 4), (8, 3), (9, 3)])
def test_rows_of_large_codes_are_not_cut_off(visit, pegs, colours):
    shown = visit()
    shown.choose_size(pegs, colours)
    shown.solve_mine()
    shown.press("Another guess")
    shown.enter("12" * (pegs // 2) + "1" * (pegs % 2))
    shown.answer("1B-1C")
    shown.tells("#play-moves li:first-child small", "left")
    assert shown.evaluate(CUT) == []


def test_the_theme_is_set_before_anything_is_drawn(visit, page_file):
    shown = visit(color_scheme="dark")
    shown.add_init_script("""new MutationObserver((_, watcher) => {
        if (!document.body) return;
        window.themeOfEmptyPage = document.documentElement.dataset.theme ?? "none";
        watcher.disconnect();
    }).observe(document, { childList: true, subtree: true });""")
    shown.reload()
    assert shown.evaluate("window.themeOfEmptyPage") == "dark"


LOOK = """() => [".pin.black", ".pin.white", ".peg"].map((kind) => {
    const style = getComputedStyle(document.querySelector(`#play-moves ${kind}`));
    return [style.backgroundColor, style.forcedColorAdjust, style.printColorAdjust];
})"""


def test_pins_differ_in_forced_colours_and_in_print(visit):
    shown = visit(forced_colors="active")
    shown.hide("6543")
    shown.enter("6415")
    black, white, peg = shown.evaluate(LOOK)
    assert black[0] != white[0]
    assert [black[1], white[1], peg[1]] == ["none", "none", "none"]
    shown.emulate_media(media="print", forced_colors="none")
    black, white, peg = shown.evaluate(LOOK)
    assert black[0] != white[0]
    assert [black[2], white[2], peg[2]] == ["exact", "exact", "exact"]


def test_words_are_shown_in_the_direction_in_which_they_are_read(visit):
    shown = visit()
    shown.select_option("#play-game", "words-own")
    shown.get_by_label("Words that may be the secret").fill("שלום תודה")
    shown.press("Play with these words")
    shown.tells("#play-rules", "word of 4 letters, one of 2")
    shown.get_by_label("Your guess").last.fill("שלום")
    shown.keyboard.press("Enter")
    places = "(all) => all.map((letter) => letter.getBoundingClientRect().left)"
    lefts = shown.locator("#play-moves li:first-child .letter").evaluate_all(places)
    assert lefts == sorted(lefts, reverse=True)


def test_enter_plays_the_guess_that_help_has_put_on_the_board(visit):
    shown = visit()
    shown.hide("6543")
    shown.press(*["Hint"] * 4)
    expect(shown.locator("#play-suggestion")).to_be_visible()
    shown.press("Use this guess")
    guess = shown.evaluate("typedGuess()")
    shown.keyboard.press("Enter")
    assert [move[0] for move in shown.moves] == [guess]


def test_the_menu_closes_on_escape_and_on_a_click_elsewhere(visit):
    shown = visit()
    menu = shown.locator("#play-menu > div")
    shown.from_menu()
    expect(menu).to_be_visible()
    shown.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(shown.locator("#play-menu summary")).to_be_focused()
    shown.from_menu()
    shown.locator("#play-title").click()
    expect(menu).to_be_hidden()


def test_words_fit_their_number_and_their_game(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122", "6541", "3454", "6543")
    expect(shown.locator("#review-moves li")).to_have_count(4)
    shown.tells("#review-moves", "4 → 1 candidate")
    expect(shown.locator("#play-review")).not_to_contain_text("→ 1 candidates")
    options = shown.locator("#play-rule option:not([hidden])")
    assert "Wordle" not in " ".join(options.all_text_contents())
    shown.choose("words-common")
    assert "Wordle" in " ".join(options.all_text_contents())


LETTERS = "123456"
KINDS = (
    *("move",) * 9,
    *("undo",) * 4,
    *("hint", "give up", "new", "new", "daily"),
    *("leave", "leave", "back", "back", "reload", "their link", "my link"),
)
"""Kinds of actions; moves are drawn most often."""


class LiteralReplay:
    """What a player should find after some actions, written without a look at the page's code.

    A game is a dictionary: who plays, the secret, the guesses on the board, all guesses asked, the
    hints, and how it ended. The code of the day is the same game whenever it is opened. `entries`
    counts the entries of the browser's history to which one can go back.
    """

    def __init__(self, theirs):
        self.theirs = theirs
        self.daily = None
        self.entries = 0
        self.games = []
        self.begin("me", None)

    def begin(self, player, secret):
        """Begin a game."""
        self.game = {"player": player, "secret": secret, "board": [], "asked": 0, "hints": 0}
        self.game |= {"end": None, "all": []}
        self.games.append(self.game)

    def act(self, kind, guess=None):
        """Change the game as a player's action does; nothing changes a game that is over."""
        game = self.game
        is_over = game["end"] is not None
        if kind == "move" and not is_over:
            game["board"].append(guess)
            game["all"].append(guess)
            game["asked"] += 1
            if guess == game["secret"]:
                game["end"] = "solved"
        if kind == "undo" and not is_over and game["board"]:
            game["board"].pop()
        if kind == "hint" and not is_over:
            game["hints"] = min(4, game["hints"] + 1)
        if kind == "give up" and not is_over:
            game["end"] = "given up"

    def shown(self):
        """Return the guesses that the board shows: at the end also those taken back."""
        return self.game["board" if self.game["end"] is None else "all"]

    def finished(self):
        """Return how many games of mine are finished and solved, and these games."""
        mine = [game for game in self.games if game["player"] == "me" and game["end"]]
        return len(mine), sum(game["end"] == "solved" for game in mine), mine


def follow(shown, link):
    """Put a link into the address, and return whether the browser's history has a new entry."""
    is_new = shown.url.split("#")[1] != link
    shown.evaluate(f"location.hash = {link!r}")
    return is_new


def go(shown, wanted, kind, draw):
    """Do one thing on the page, and the same in the literal replay."""
    game = wanted.game
    is_over = game["end"] is not None
    if kind == "move":
        guess = "".join(draw.choice(LETTERS) for _ in range(4))
        if draw.random() < 0.3:
            guess = game["secret"]
        if not is_over:
            shown.locator("#play-slots").focus()
            shown.enter(guess)
        wanted.act("move", guess)
    elif kind in ("undo", "hint"):
        button = shown.locator(f"#play-{kind}")
        if button.is_visible() and button.is_enabled():
            button.click()
        wanted.act(kind)
    elif kind == "give up":
        if shown.locator("#play-reveal").is_visible():
            give_up(shown)
        wanted.act(kind)
    elif kind == "new":
        shown.click("#play-new")
        shown.confirm()
        wanted.begin("me", shown.secret)
    elif kind == "daily":
        shown.from_menu("Today’s code")
        shown.confirm()
        if wanted.daily is None:
            wanted.begin("me", shown.secret)
            wanted.daily = wanted.game
        wanted.game = wanted.daily
    elif kind == "leave":
        shown.locator("nav a[href='#findings']").click()
        shown.locator("nav a[href='#assistant']").click()
        wanted.entries += 2
    elif kind == "back" and wanted.entries > 0:
        shown.go_back()
        wanted.entries -= 1
    elif kind == "reload":
        shown.reload()
    elif kind == "their link":
        wanted.entries += follow(shown, wanted.theirs["link"])
        if "game" not in wanted.theirs:
            wanted.begin("other", wanted.theirs["secret"])
            wanted.game["board"] = list(wanted.theirs["guesses"])
            wanted.game["all"] = list(wanted.theirs["guesses"])
            wanted.game["asked"] = len(wanted.theirs["guesses"])
            wanted.theirs["game"] = wanted.game
        wanted.game = wanted.theirs["game"]
    elif kind == "my link":
        earlier = [other for other in wanted.games if "link" in other]
        if earlier:
            wanted.game = draw.choice(earlier)
            wanted.entries += follow(shown, wanted.game["link"])


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=full_only) for n in (1, 2, 3))])
def test_any_order_of_actions_gives_what_a_literal_replay_gives(visit, seed):
    friend = visit()
    friend.hide("2516")
    friend.enter("1122", "3344")
    theirs = {"link": friend.url.split("#")[1], "secret": "2516", "guesses": ["1122", "3344"]}
    draw = random.Random(seed)
    shown = visit()
    wanted = LiteralReplay(theirs)
    wanted.game["secret"] = shown.secret
    done = []
    for _ in range(40):
        kind = draw.choice(KINDS)
        done.append(kind)
        go(shown, wanted, kind, draw)
        game = wanted.game
        expect(shown.locator("#play-moves > li:not(.now, .secret)")).to_have_count(
            len(wanted.shown())
        )
        assert [move[0] for move in shown.moves] == wanted.shown(), done
        assert shown.secret == game["secret"], done
        status = shown.locator("#play-status").text_content()
        guesses = f"{game['asked']} guess{'es' if game['asked'] != 1 else ''}"
        if game["end"] == "solved":
            assert status.startswith(f"Solved in {guesses}"), (done, status)
        elif game["end"]:
            assert status.startswith(f"You gave up after {guesses}"), (done, status)
        else:
            assert status.startswith(f"Guess {game['asked'] + 1}"), (done, status)
            assert shown.evaluate("play.state.hints") == game["hints"], done
        if game["board"]:
            game["link"] = shown.url.split("#")[1]
    finished, solved, mine = wanted.finished()
    facts = statistics(shown)
    assert facts.get("finished", "0") == str(finished), done
    if finished:
        assert facts["solved"] == str(solved), done
        assert facts["with hints"] == str(sum(game["hints"] > 0 for game in mine)), done
    if solved:
        asked = [game["asked"] for game in mine if game["end"] == "solved"]
        mean = sum(asked) / len(asked)
        assert facts["guesses on average"].startswith(f"{mean:.2f}"), done


def test_hints_take_a_fifth_of_the_score_each(visit):
    scores = []
    shown = visit()
    for hints in (0, 1, 4):
        shown.hide("6143")
        shown.press(*["Hint"] * hints)
        shown.locator("#play-slots").focus()
        shown.enter("1122", "3345", "6143")
        shown.tells("#review-score", "of 100")
        scores.append(int(shown.locator("#review-score strong").text_content()))
    assert scores == [50, 40, 21]


def test_good_guesses_are_ranked_by_guesses_to_go_and_have_the_advised_one(visit):
    shown = visit()
    shown.call("paste", "1122 0,1\n1345 0,3")
    shown.press("Compare")
    shown.tells("#help-suggestion", "2.7209 more guesses")
    rows = shown.locator("#help-table tbody tr")
    expect(rows).to_have_count(5)
    shown.tells("#help-table", "2.721")
    texts = [row.locator("td").all_text_contents() for row in rows.all()]
    assert texts[0][:2] == ["3614", "2.721"]
    to_go = [float(text[1].removeprefix("≈ ")) for text in texts]
    assert to_go == sorted(to_go)
    assert len({"".join(sorted(text[0])) for text in texts}) == 5


@pytest.mark.parametrize("game", ["mm-4-6", "mm-3-7", "words-common"])
def test_the_advised_guess_is_the_first_of_the_ranking(visit, game):
    shown = visit()
    if game == "mm-3-7":
        shown.choose_size(3, 7)
    else:
        shown.choose(game)
    shown.solve_mine()
    if game.startswith("mm"):
        shown.tell(*{"mm-4-6": ("2266", "0B-1C"), "mm-3-7": ("777", "0B-0C")}[game])
    else:
        shown.press("Another guess")
        shown.enter("fuzzy", "bbbbb")
    shown.advised()
    shown.press("Compare")
    expect(shown.locator("#help-table tbody tr")).to_have_count(5)
    best = shown.locator("#help-table tbody tr .code").first.get_attribute("aria-label")
    expect(shown.locator("#play-suggestion .code")).to_have_attribute("aria-label", best)
    assert shown.evaluate("codeWords(play.game, typedGuess())") == best


def test_another_strategy_or_rule_advises_another_guess(visit):
    shown = visit()
    assert shown.solve_mine() == "1123"
    shown.select_option("#play-strategy", "entropy")
    expect(shown.locator("#play-suggestion")).to_have_attribute("data-guess", "1234")
    assert shown.evaluate("typedGuess()") == "1234"
    shown.choose("words-common")
    shown.advised()
    shown.press("Another guess")
    shown.enter("chair", "gbgbb")
    shown.advised()
    shown.from_menu()
    shown.select_option("#play-rule", "wordle")
    guess = shown.advised()
    assert (guess[0], guess[2]) == ("c", "a")


def test_guesses_to_go_are_exact_only_if_later_guesses_are_free(visit):
    shown = visit()
    shown.solve_mine()
    shown.choose("words-common")
    shown.advised()
    shown.press("Another guess")
    shown.enter("chair", "gbgbb")
    shown.advised()
    shown.press("Compare")
    first = shown.locator("#help-table tbody td.n").first
    title = shown.locator("#best-title")
    expect(first).to_have_text(re.compile(r"^\d\.\d{3}$"))
    expect(title).to_have_text(re.compile(r"good guess(es)?$"))
    shown.from_menu()
    for rule in ("wordle", "candidates"):
        shown.select_option("#play-rule", rule)
        expect(first).to_have_text(re.compile(r"^≈ \d\.\d\d$"))
        expect(title).to_have_text(re.compile(r"good guess(es)?, in the order of free play$"))


def test_the_text_of_a_code_of_the_day_has_no_codes(visit):
    shown = visit()
    shown.from_menu("Today’s code")
    shown.tells("#play-rules", re.compile(r"code of 20\d\d-"))
    shown.enter("1122", shown.secret)
    expect(shown.locator("#review-moves li")).to_have_count(2)
    shown.press("Share as text")
    lines = shown.get_by_label("To share").input_value().splitlines()
    assert re.fullmatch(r"Mastermind, .*, 20\d\d-\d\d-\d\d: solved with 2 guesses", lines[0])
    assert all(re.fullmatch("[⚫⚪]+|–", line) for line in lines[1:])
    assert len(lines) == 3


def test_guesses_answers_and_links_can_be_pasted(visit):
    shown = visit()
    shown.hide("6543")
    shown.call("paste", "1122")
    shown.keyboard.press("Enter")
    assert [move[0] for move in shown.moves] == ["1122"]
    link = shown.url
    other = visit()
    other.call("paste", f"look: {link}")
    other.tells("#play-rules", "opened from a link")
    assert other.moves == shown.moves
    other.solve_mine()
    other.call("paste", "2b 1w")
    assert [move[1] for move in other.moves] == ["2B-1C"]


def test_the_answer_is_said_to_those_who_listen(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1645")
    shown.tells("#play-said", "1 (blue) 6 (yellow) 4 (red) 5 (pink): 1 black, 2 white. Guess 2.")
    expect(shown.locator("#play-said")).to_have_attribute("role", "status")


EVENTS = ("move", "undo", "correct", "hint", "choose", "rule", "give-up", "reviewed")


def drawn_events(draw, mode):
    """Return a start and events in any order, also such as may not follow each other."""
    start = {"kind": "start", "player": draw.choice(["me", "other"]), "origin": "new"}
    start |= {
        "game": "mm-4-6",
        "mode": mode,
        "rule": "any",
        "key": "",
        "day": "",
        "source": "",
        "friend": "",
    }
    events = [start | {"list": "", "solvedBy": "4B-0C"}]
    for _ in range(draw.randrange(25)):
        event = {"kind": draw.choice(EVENTS[:3] * 3 + EVENTS)}
        if event["kind"] in ("move", "choose"):
            event["guess"] = draw.choice(["1122", "3344", "1356"])
        if event["kind"] in ("move", "correct"):
            event["answer"] = draw.choice(["4B-0C", *["1B-0C", "0B-2C"] * 4])
        if event["kind"] == "correct":
            event["number"] = draw.randrange(4)
        if event["kind"] == "rule":
            event["rule"] = draw.choice(["any", "candidates"])
        if event["kind"] == "reviewed":
            event["lost"] = draw.random()
        events.append(event)
    return events


def result_of(events):
    """Return what counts of a list of events: board, guesses, hints, end, points lost."""
    mode = events[0]["mode"]
    board = []
    asked = 0
    hints = 0
    chosen = None
    rule = "any"
    end = None
    lost = None
    for event in events[1:]:
        kind = event["kind"]
        if kind == "rule":
            rule = event["rule"]
        if end is not None:
            if kind == "reviewed" and lost is None:
                lost = event["lost"]
            continue
        if kind == "move":
            board.append([event["guess"], event["answer"]])
            asked += 1
            chosen = None
            if mode == "hidden" and event["answer"] == "4B-0C":
                end = "solved"
        elif kind == "undo" and board:
            board.pop()
            asked -= mode != "hidden"
            chosen = None
        elif kind == "correct" and mode == "mine" and event["number"] < len(board):
            board[event["number"]][1] = event["answer"]
            chosen = None
        elif kind == "hint":
            hints = min(4, hints + 1)
        elif kind == "choose" and mode == "mine":
            chosen = event["guess"]
        elif kind == "give-up" and mode == "hidden":
            end = "given up"
    counts = events[0]["player"] == "me" and mode == "hidden" and end is not None
    return [board, asked, hints, chosen, rule, end == "solved", end == "given up", lost, counts]


REPLAYED = """(lists) => lists.map((events) => {
    const state = replay(events);
    const board = state.moves.map(({ guess, answer }) => [guess, answer]);
    const counts = resultOf({ id: "x", events }) !== null;
    return [board, state.asked.length, state.hints, state.chosen, state.rule, state.isSolved,
        state.hasGivenUp, state.lost, counts];
})"""


@pytest.mark.slow
def test_any_list_of_events_gives_what_a_literal_replay_gives(opened):
    draw = random.Random(68)
    modes = ("hidden", "mine", "devious")
    lists = [drawn_events(draw, draw.choice(modes)) for _ in range(2000)]
    answers = opened.evaluate(REPLAYED, lists)
    for events, answer in zip(lists, answers, strict=True):
        assert answer == result_of(events), events
    assert sum(answer[-1] for answer in answers) > 100


def test_a_phone_on_its_side_shows_the_row_and_the_palette(opened):
    opened.set_viewport_size({"width": 844, "height": 390})
    opened.enter("1122", "3344", "1356")
    opened.locator("#play-moves").scroll_into_view_if_needed()
    opened.evaluate("scrollTo(0, find('play-moves').getBoundingClientRect().top + scrollY - 8)")
    for part in ("#play-slots", "#play-palette", "#play-go"):
        expect(opened.locator(part)).to_be_in_viewport(ratio=1)


def test_a_game_that_was_left_can_be_gone_on_with(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122", "3344")
    shown.click("#play-new")
    shown.confirm()
    shown.from_menu("My statistics")
    shown.press("2 guesses")
    assert [move[0] for move in shown.moves] == ["1122", "3344"]
    expect(shown.locator("#play-history")).to_be_hidden()


def test_an_earlier_guess_is_copied_by_a_tap(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122", "3345")
    shown.press("copy 1122: 1 (blue) 1 (blue) 2 (orange) 2 (orange)")
    assert shown.evaluate("typedGuess()") == "1122"
    shown.keyboard.press("Backspace")
    shown.enter("6")
    assert shown.moves[-1][0] == "1126"
    shown.solve_mine()
    shown.answer("1B-1C")
    shown.advised()
    shown.press("copy 1123: 1 (blue) 1 (blue) 2 (orange) 3 (green)")
    assert shown.evaluate("typedGuess()") == "1123"
    shown.press("Play it")
    shown.tells("#play-status", "Play this, then tap the answer")


def middle(shown, selector):
    box = shown.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_pegs_are_dragged_into_the_row_and_within_it(visit):
    shown = visit()
    first = "#play-slots .slot:nth-child(1)"
    third = "#play-slots .slot:nth-child(3)"
    for start, end in (("#play-palette .peg:nth-child(5)", third), (third, first)):
        shown.mouse.move(*middle(shown, start))
        shown.mouse.down()
        shown.mouse.move(*middle(shown, end), steps=4)
        shown.mouse.up()
    assert shown.evaluate("entry.slots") == ["5", None, None, None]
    expect(shown.locator(".dragged")).to_have_count(0)
    shown.locator("#play-palette .peg").first.click()
    assert shown.evaluate("entry.slots") == ["5", "1", None, None]


def test_a_game_that_is_typed_waits_until_the_list_is_left(visit):
    shown = visit()
    games = shown.locator("#play-game")
    games.focus()
    shown.keyboard.type("Wordle")
    expect(games).to_have_value("words-common")
    expect(games).to_be_focused()
    assert shown.evaluate("play.game.name") == "mm-4-6"
    shown.keyboard.press("Enter")
    expect(shown.locator("#play-slots")).to_be_focused()
    assert shown.evaluate("play.game.name") == "words-common"
    shown.enter("crane")
    games.focus()
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("Tab")
    shown.tells("#sure-text", "Start another game?")
    shown.press("Go on playing")
    expect(games).to_have_value("words-common")
    assert [move[0] for move in shown.moves] == ["crane"]


@pytest.mark.parametrize("opener", ["Space", "Enter", "Alt+ArrowDown"])
def test_a_choice_from_the_open_list_holds_at_once(visit, opener):
    shown = visit()
    shown.locator("#play-game").focus()
    for key in (opener, "ArrowDown", "Enter"):
        shown.keyboard.press(key)
    shown.wait_for_selector("#assistant[data-game='bc-3-5']")
    expect(shown.locator("#play-slots")).to_be_focused()


def test_a_form_for_another_game_asks_when_it_is_sent(visit):
    shown = visit()
    shown.enter("1122")
    shown.select_option("#play-game", "size")
    expect(shown.locator("#sure")).to_be_hidden()
    shown.press("Play this size")
    shown.tells("#sure-text", "Start another game?")
    shown.press("Go on playing")
    assert [move[0] for move in shown.moves] == ["1122"]
    shown.press("Play this size", "Start it")
    shown.tells("#play-rules", "code of 5 pegs")


@at_both_sizes
def test_the_form_of_a_size_comes_into_view(visit):
    shown = visit()
    shown.select_option("#play-game", "size")
    expect(shown.get_by_label("Pegs", exact=True)).to_be_focused()
    expect(shown.get_by_role("button", name="Play this size")).to_be_in_viewport(ratio=1)
    shown.press("Play this size")
    shown.tells("#play-rules", "code of 5 pegs")
    expect(shown.locator("#play-slots")).to_be_in_viewport(ratio=1)
    expect(shown.locator("#play-slots")).to_be_focused()


def test_no_colour_comes_twice_if_none_may(visit):
    shown = visit()
    shown.choose_size(4, 6, "guesses")
    shown.tells("#play-rules", "code of 4 pegs without a colour twice, one of 360")
    assert len(set(shown.secret)) == 4
    shown.enter("1122")
    assert [move[0] for move in shown.moves] == ["1122"]
    shown.choose_size(3, 5, "nowhere")
    shown.tells("#play-rules", "code of 3 symbols without a symbol twice, one of 60")
    shown.enter("112")
    shown.tells("#play-error", "112 repeats a symbol")
    link = shown.url
    shown.choose_size(5, 4, "nowhere")
    shown.tells("#play-refused", "too few if no symbol comes twice: at least 5")
    assert visit(link).evaluate("play.game.title") == "Bulls and Cows, 3 pegs and 5 symbols"


def test_fifteen_colours_have_fifteen_names(visit):
    shown = visit()
    shown.choose_size(3, 15)
    pegs = shown.locator("#play-palette .peg").all()
    names = [peg.get_attribute("aria-label") for peg in pegs]
    assert names[-1] == "add f (white)"
    assert len({name.partition(" (")[2] for name in names}) == len(COLOURS) == 15
    assert len({peg.evaluate("(peg) => peg.style.background") for peg in pegs}) == 15
    shown.keyboard.type("rbg")
    assert shown.evaluate("typedGuess()") == "4b3"
    shown.call("paste", "white, sky blue, mint")
    assert shown.evaluate("typedGuess()") == "f7d"


@full_only
def test_advice_among_a_hundred_thousand_codes_says_that_it_is_sampled(visit):
    shown = visit()
    shown.choose_size(5, 10)
    shown.tells("#play-rules", "one of 100,000")
    assert shown.solve_mine() == "12345"
    shown.answer("0B-2C")
    shown.advised()
    shown.tells("#help-suggestion", "Chosen among some of the guesses")
    shown.press("Compare")
    shown.tells("#help-table", "Guesses whose answers tell most bits come first.", "< 0.1%")
    shown.call("paste", "23456 0,1\n65432 0,1")
    shown.confirm()
    shown.from_menu("Analyse this game")
    expect(shown.locator("#review-moves li")).to_have_count(2, timeout=20_000)
    expect(shown.locator("#review-moves .grade")).to_have_count(0)
    shown.tells("#review-moves", "too many candidates to compare this move")


def test_words_that_are_no_secrets_are_named_if_the_answers_contradict_the_list(visit):
    shown = visit()
    shown.choose("words-common")
    shown.call("paste", "raise ygbbb\ncharm bbyyy\nkebab gbbyb")
    shown.tells("#play-status", "a word that this list only allows as a guess: karma.")
    shown.choose("words-common")
    shown.call("paste", "raise ygbbb\nkarma ggggg")
    shown.tells("#play-status", "Solved in 2 guesses: karma. This page’s list doesn’t have it")
    shown.press("Any word may be the secret")
    shown.tells("#play-status", "Solved in 2 guesses: karma.")
    shown.choose("words-common")
    shown.call("paste", "raise ygbbb\nraise bybbb")
    shown.tells("#play-status", "may not be in this page's list. These words fit most answers")
    shown.tells("#play-status", "(1 of 2)")


@at_both_sizes
@pytest.mark.parametrize("game", ["matches-terminal", "pegs-wide", "marks-wide"])
def test_the_ranking_of_words_does_not_widen_the_page(visit, game):
    shown = visit()
    shown.choose(game)
    shown.press(*["Hint"] * 4)
    expect(shown.locator("#help-table tbody tr")).to_have_count(5)
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


@at_both_sizes
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=full_only), "dark"])
def test_repairs_challenges_and_statistics_can_be_read_and_touched(visit, scheme):
    shown = visit(color_scheme=scheme)

    def check():
        assert shown.call("tooSmall") == []
        assert violations(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")

    check()
    shown.from_menu("Challenge a friend")
    check()
    shown.lose_some()
    shown.click("#play-go")
    shown.enter("1122")
    shown.click("#play-new")
    shown.confirm()
    shown.from_menu("My statistics")
    check()
    shown.call("paste", "1122 0,0\n1122 1,0")
    shown.tells("#play-status", "Contradiction")
    check()


def test_a_symbol_that_is_held_stays_for_the_next_guess(visit):
    shown = visit()
    shown.hide("6543")
    shown.keyboard.type("1123")
    second = "#play-slots .slot:nth-child(2)"
    shown.mouse.move(*middle(shown, second))
    shown.mouse.down()
    shown.tells("#play-status", "Held for the next guess: 2.")
    shown.mouse.up()
    assert shown.evaluate("entry.at") == 4
    expect(shown.locator(second)).to_have_attribute("aria-label", "peg 2: 1 (blue), held")
    shown.keyboard.press("ArrowLeft")
    shown.keyboard.press("Space")
    shown.tells("#play-said", "Held for the next guess: 2, 4.")
    shown.keyboard.press("Enter")
    assert shown.evaluate("entry.slots") == [None, "1", None, "3"]
    shown.enter("54")
    assert [move[0] for move in shown.moves] == ["1123", "5143"]
    shown.locator(second).click(button="right")
    shown.tells("#play-status", "Held for the next guess: 4.")
    shown.keyboard.type("22")
    for _ in range(5):
        shown.keyboard.press("Backspace")
    assert shown.evaluate("entry.slots") == [None, None, None, "3"]
    shown.click("#play-new")
    shown.confirm()
    assert shown.evaluate("entry.slots") == [None] * 4
    expect(shown.locator("#play-status")).to_have_text("Guess 1.")


@full_only
def test_a_peg_that_is_held_a_while_can_still_be_dragged(visit):
    shown = visit(has_touch=True)
    fingers = shown.context.new_cdp_session(shown.page)

    def touch(kind, *selectors):
        points = [dict(zip("xy", middle(shown, selector), strict=True)) for selector in selectors]
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    slots = [f"#play-slots .slot:nth-child({place})" for place in (1, 2, 3)]
    shown.keyboard.type("456")
    touch("Start", slots[0])
    shown.tells("#play-status", "Held for the next guess: 1.")
    touch("End")
    touch("Start", slots[1])
    shown.tells("#play-status", "Held for the next guess: 1, 2.")
    touch("Move", slots[2])
    shown.tells("#play-status", "Held for the next guess: 1.")
    touch("End")
    assert shown.evaluate("entry.slots") == ["4", "6", "5", None]
    touch("Start", slots[0])
    touch("Move", slots[2])
    touch("End")
    shown.tells("#play-status", "Held for the next guess: 3.")
    assert shown.evaluate("entry.slots") == ["5", "6", "4", None]
    touch("Start", slots[2])
    touch("Move", "#play-title")
    touch("End")
    assert shown.evaluate("entry.slots") == ["5", "6", None, None]
    expect(shown.locator("#play-status")).to_have_text("Guess 1.")


@pytest.mark.parametrize(
    ("moves", "title", "guesses"),
    [
        pytest.param(
            "1122 3,0\n3344 0,0\n5613 1,0", "The last candidate", ["1112"], marks=full_only
        ),
        ("1122 3,0\n3344 1,0\n5613 0,1", "Two good guesses", ["1124", "1142"]),
        pytest.param(
            "1122 3,0\n3344 0,0\n5613 0,1",
            "Five good guesses",
            ["1121", "1222", "2122"],
            marks=full_only,
        ),
    ],
)
def test_few_good_guesses_are_as_many_as_their_title_says(visit, moves, title, guesses):
    shown = visit()
    shown.call("paste", moves)
    shown.press("Compare")
    expect(shown.locator("#best-title")).to_have_text(title)
    rows = shown.locator("#help-table tbody tr")
    expect(rows).to_have_count({"The": 1, "Two": 2, "Five": 5}[title.split()[0]])
    labels = [row.locator("td").first.text_content() for row in rows.all()]
    assert set(guesses) <= set(labels)


def test_a_strategy_that_advises_another_guess_than_the_first_of_the_ranking_says_so(visit):
    shown = visit()
    shown.call("paste", "1122 0,1\n1345 0,3")
    shown.press("Compare")
    expect(shown.locator("#help-table .advised .code")).to_have_attribute(
        "aria-label", "3 (green) 6 (yellow) 1 (blue) 4 (red)"
    )
    expect(shown.locator("#help-differs")).to_be_hidden()
    shown.select_option("#play-strategy", "entropy")
    shown.tells(
        "#help-differs", "‘Entropy’ advises 6451, the marked guess: it plays by its own rule."
    )
    expect(shown.locator("#help-table .advised")).to_have_count(1)
    shown.select_option("#play-strategy", "most-parts")
    shown.tells("#help-differs", "‘Most parts’ advises 3416, which is not in this list")
    expect(shown.locator("#help-table .advised")).to_have_count(0)


def test_the_focus_stays_on_the_next_action(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122")
    expect(shown.locator("#play-slots")).to_be_focused()
    shown.press("Undo")
    expect(shown.locator("#play-slots")).to_be_focused()
    shown.keyboard.type("6543")
    shown.click("#play-go")
    shown.tells("#play-status", "Solved in 2 guesses")
    expect(shown.locator("#play-go")).to_be_focused()
    shown.keyboard.press("Enter")
    expect(shown.locator("#play-status")).to_have_text("Guess 1.")
    shown.hide("6543")
    shown.keyboard.type("6543")
    shown.keyboard.down("Enter")
    shown.keyboard.down("Enter")  # it is held down
    shown.keyboard.up("Enter")
    shown.tells("#play-status", "Solved in 1 guess")
    shown.solve_mine()
    shown.answer("1B-1C")
    shown.advised()
    shown.press("change the answer to 1123")
    expect(shown.locator("#play-slots")).to_be_focused()


@full_only
def test_a_result_is_copied_or_sent_and_a_link_to_a_file_says_so(visit):
    shown = visit()
    shown.add_init_script("""
        window.sent = [];
        Object.defineProperty(navigator, "share", { value: async ({ text }) => sent.push(text) });
        const writeText = async (text) => sent.push(text);
        const readText = async () => "1122 1,0";
        Object.defineProperty(navigator, "clipboard", { value: { writeText, readText } });""")
    shown.reload()
    shown.lose_some()
    shown.press("Share as text")
    expect(shown.locator("#share-told")).to_have_text("Copied.")
    shown.press("Send…")
    shown.press("Share as a link")
    shown.tells("#share-told", "Copied. It leads to the file on this device.")
    copied, text, link = shown.evaluate("sent")
    assert copied == text
    assert text.startswith("Mastermind, 4 pegs and 6 colours: solved with 3 guesses")
    assert link == shown.url
    shown.from_menu("Paste moves or a link")
    assert shown.moves == [["1122", "1B-0C"]]


@full_only
@pytest.mark.parametrize(("motion", "animation"), [("no-preference", "found"), ("reduce", "none")])
def test_a_code_that_is_found_moves_unless_motion_is_reduced(visit, motion, animation):
    shown = visit(reduced_motion=motion)
    shown.hide("6543")
    shown.enter("6543")
    style = "(peg) => getComputedStyle(peg).animationName"
    assert shown.locator("#play-moves .solved .peg").first.evaluate(style) == animation


BACKGROUND = "(element) => getComputedStyle(element).backgroundColor"


def background(shown, selector):
    """Return the colour behind an element's text, as hexadecimal digits."""
    colour = shown.locator(selector).first.evaluate(BACKGROUND)
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


@full_only
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.slow
def test_marks_and_pins_differ_in_lightness(visit, scheme):
    shown = visit(color_scheme=scheme)
    shown.hide("6543")
    shown.enter("6415")
    colours = [background(shown, f"#play-moves {part}") for part in (".pin.black", ".pin.white")]
    cup = background(shown, "#play-moves .feedback")
    assert min(contrast(colour, cup) for colour in colours) >= 3
    shown.choose("words-common", secret="crane")
    shown.enter("cabin")
    green, amber, grey = (background(shown, f"#play-moves [data-mark={mark}]") for mark in "gyb")
    assert contrast(green, amber) >= 1.8
    assert contrast(green, grey) >= 3
    shown.keyboard.type("crane")
    shown.press("Enter", within="#play-palette")
    shown.tells("#play-status", "Solved in 2 guesses: crane.")
