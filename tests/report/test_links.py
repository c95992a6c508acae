"""Links, settings and storage: each link shows its own board, and nothing is lost."""

import json
import re

import pytest
from board import BoardPage
from playwright.sync_api import expect


def link_of(shown):
    return "#" + shown.url.split("#")[1]


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0, 1)])
def test_each_link_of_a_game_shows_its_own_board(visit, order):
    friend = visit()
    friend.hide("6543")
    links = []
    for guess in ("1122", "3344"):
        friend.enter(guess)
        links.append(link_of(friend))
    shown = visit()
    for number in order:
        shown.evaluate(f"location.hash = {links[number]!r}")
        guesses = ["1122", "3344"][: number + 1]
        expect(shown.locator("#play-moves > li:not(.now)")).to_have_count(len(guesses))
        assert [move[0] for move in shown.moves][: len(guesses)] == guesses
    assert shown.evaluate("statisticsOf(resultsOf(allRecords())).finished") == 0


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0)])
def test_each_shared_position_shows_its_own_answer(visit, order):
    friend = visit()
    friend.solve_mine()
    friend.answer("1B-1C")
    links = [link_of(friend)]
    friend.advised()
    friend.press("change the answer to 1123")
    friend.answer("0B-2C")
    links.append(link_of(friend))
    shown = visit()
    for number in order:
        shown.evaluate(f"location.hash = {links[number]!r}")
        answer = ("1B-1C", "0B-2C")[number]
        shown.wait_for_function(
            "answer => play.state.moves[0]?.answer === answer", arg=answer, timeout=5000
        )
        assert shown.moves == [["1123", answer]]


def test_a_game_goes_on_where_it_was_left_if_its_own_earlier_link_is_opened(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122")
    link = link_of(shown)
    shown.enter("3344")
    shown.click("#play-new")
    shown.confirm()
    shown.evaluate(f"location.hash = {link!r}")
    shown.wait_for_function("() => play.state.moves.length === 2")
    shown.enter("6543")
    shown.tells("#play-status", "Solved in 3 guesses")
    assert shown.evaluate("statisticsOf(resultsOf(allRecords())).finished") == 1


def test_a_pasted_link_is_not_mine_after_a_guess_of_mine(visit):
    friend = visit()
    friend.hide("6543")
    friend.enter("1122")
    link = friend.url
    shown = visit()
    shown.hide("1111")
    shown.enter("2222")
    shown.call("paste", link)
    shown.confirm()
    shown.tells("#play-rules", "opened from a link")


def test_a_link_does_not_change_my_settings(visit):
    friend = visit()
    friend.from_menu()
    friend.select_option("#play-rule", "candidates")
    friend.solve_mine()
    friend.select_option("#play-strategy", "entropy")
    friend.answer("1B-1C")
    shown = visit()
    shown.evaluate(f"location.hash = {link_of(friend)!r}")
    shown.wait_for_function("() => play.state.moves.length === 1")
    assert shown.evaluate("[play.strategy.tree, play.state.rule]") == ["entropy", "candidates"]
    shown.reload()
    assert shown.evaluate("[play.strategy.tree, play.state.rule]") == ["entropy", "candidates"]
    shown.click("#play-new")
    shown.confirm()
    assert shown.evaluate("[play.strategy.place, play.state.rule]") == [1, "any"]
    assert visit().evaluate("kept('strategies')") is None


def test_my_own_settings_last(visit):
    shown = visit()
    shown.from_menu()
    shown.select_option("#play-rule", "candidates")
    shown.solve_mine()
    shown.select_option("#play-strategy", "entropy")
    shown.click("#play-new")
    shown.reload()
    assert shown.evaluate("[play.strategy.tree, play.state.rule]") == ["entropy", "candidates"]


FILL = """() => {
    for (let size = 1 << 22; size >= 1; size >>= 1)
        for (let number = 0; ; number++)
            try {
                localStorage.setItem(`fill.${size}.${number}`, "x".repeat(size));
            } catch {
                break;
            }
}"""


def test_full_storage_loses_no_moves(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122")
    expect(shown.locator("#play-unkept")).to_be_hidden()
    shown.evaluate(FILL)
    shown.enter("3344", "1356", "2345", "5566")
    guesses = ["1122", "3344", "1356", "2345", "5566"]
    assert [move[0] for move in shown.moves] == guesses
    shown.tells("#play-unkept", "keeps nothing more")
    shown.reload()
    assert [move[0] for move in shown.moves] == guesses
    shown.enter("6543")
    shown.tells("#play-status", "Solved in 6 guesses")
    assert shown.evaluate("statisticsOf(resultsOf(allRecords())).finished") == 1
    shown.evaluate("localStorage.clear()")
    shown.click("#play-go")
    shown.enter("1122")
    assert json.loads(shown.evaluate("localStorage.getItem('codebreaker.current')"))


def test_refused_storage_is_said_in_a_sentence(visit):
    shown = visit()
    shown.add_init_script("Storage.prototype.setItem = () => { throw new Error('refused'); };")
    shown.reload()
    shown.tells("#play-unkept", "keeps nothing more")
    shown.enter("1122", "3344")
    assert len(shown.moves) == 2


def test_two_tabs_and_full_storage_keep_the_longer_game(visit):
    shown = visit()
    shown.hide("6543")
    shown.enter("1122")
    other = BoardPage(shown.context.new_page()).goto(shown.url)
    other.evaluate(FILL)
    other.enter("3344", "1356")
    assert len(other.moves) == 3


def test_a_link_of_a_finished_game_has_its_hints_and_the_guesses_taken_back(visit):
    mine = visit()
    mine.hide("6543")
    mine.enter("1122")
    mine.press("Undo")
    mine.press("Hint", "Hint")
    mine.locator("#play-slots").focus()
    mine.enter("3344", "1345")
    mine.press("Undo", "Undo")
    mine.locator("#play-slots").focus()
    mine.enter("5643", "6543")
    aids = "5 guesses (3 taken back, 2 hints)"
    mine.tells("#review-first", aids)
    expect(mine.locator("#review-moves li")).to_have_count(5)
    link = link_of(mine)
    friend = visit(link)
    expect(friend.locator("#review-moves li")).to_have_count(5)
    friend.tells("#review-first", f"This game took {aids}")
    for part in ("#play-status", "#review-score strong", "#review-moves", "#review-sum"):
        assert friend.inner_text(part) == mine.inner_text(part)
    # It is the same record when it is opened again, and also by a link of an earlier version.
    earlier = "&".join(part for part in link.split("&") if not part.startswith(("back=", "hints=")))
    assert len(earlier) < len(link)
    for again in (link, earlier):
        friend.call("leave")
        friend.evaluate(f"location.hash = {again!r}")
        friend.wait_for_function("() => play.state.takenBack === 3")
        assert friend.evaluate("allRecords().length") == 1
    old = visit(earlier)
    old.tells("#play-status", "Solved in 2 guesses: 6543.")
    old.evaluate(f"location.hash = {link!r}")
    old.tells("#play-status", "Solved in 5 guesses, 3 of them taken back")


@pytest.mark.parametrize("back", ["1122*0B-0C", "0*1122*0B-0C", "x*1122*0B-0C", "1*11*0B-0C", "1*"])
def test_a_guess_taken_back_that_a_link_forges_is_refused(visit, back):
    shown = visit(f"#game=mm-4-6&key=pv&moves=3344*0B-2C&back={back}")
    shown.tells("#play-refused", "can't be opened")
    expect(shown.locator("#play-status")).to_have_text("Guess 1.")


def test_my_unfinished_game_is_kept_when_a_challenge_is_opened(visit, page_file):
    friend = visit()
    friend.choose("bc-3-5")
    friend.from_menu("Challenge a friend")
    field = friend.get_by_label("To share")
    expect(field).to_have_value(re.compile("friend="))
    challenge = field.input_value()
    shown = visit()
    shown.hide("6543")
    shown.enter("1122", "3344")
    there = BoardPage(shown.context.new_page()).goto(challenge)
    there.tells("#play-rules", "A friend has chosen a code of 3 symbols")
    there.tells("#play-refused", "Your unfinished game is kept")
    there.enter("012")
    # On a later visit it is offered among all games that were left.
    later = BoardPage(shown.context.new_page()).goto(page_file.as_uri())
    later.from_menu("My statistics")
    later.press("4 pegs and 6 colours: 2 guesses")
    later.wait_for_function("() => play.state.moves.length === 2")
    assert [move[0] for move in later.moves] == ["1122", "3344"]
    later.evaluate(f"location.hash = {'#' + challenge.split('#')[1]!r}")
    later.press("Go on with my game")
    later.wait_for_function("() => play.game.name === 'mm-4-6'")
    later.enter("6543")
    later.tells("#play-status", "Solved in 3 guesses")
    later.evaluate(f"location.hash = {'#' + challenge.split('#')[1]!r}")
    later.tells("#play-rules", "A friend has chosen a code of 3 symbols")
    expect(later.locator("#play-refused")).not_to_contain_text("unfinished")
