"""The puzzle of the day: what it asks for, against the library, and how it is kept."""

from datetime import date, timedelta

import numpy as np
import pytest
from board import feedback_of, visitors
from playwright.sync_api import expect

from codebreaker.search.cost_to_go import CostToGo

DAYS = [str(date(2026, 1, 1) + timedelta(days=number)) for number in range(12)]


def puzzles_of(shown, days):
    """Return each day's moves as labels, and the guess that its puzzle asks for."""
    return shown.call("puzzlesOf", days)


def candidates_after(game, moves):
    """Return the secrets that fit moves, as indices."""
    fits = [
        all(feedback_of(game, guess, secret) == answer for guess, answer in moves)
        for secret in game.secrets
    ]
    return np.flatnonzero(fits).astype(np.int32)


@pytest.fixture(scope="module")
def search(mm46):
    return CostToGo(mm46)


def test_one_code_fits_or_one_guess_is_best(visit, mm46, search):
    kinds = set()
    for moves, best in puzzles_of(visit(), DAYS):
        assert len(moves) >= 2
        members = candidates_after(mm46, moves)
        kinds.add(len(members) == 1)
        if len(members) == 1:
            assert best == mm46.secrets[members[0]]
            continue
        assert 3 <= len(members) <= 8
        # What a guess that tells nothing needs is above all others.
        totals = [
            search.after(guess, members, 1, search.no_limit) for guess in range(len(mm46.guesses))
        ]
        lowest = min(totals)
        assert [mm46.guesses[k] for k, total in enumerate(totals) if total == lowest] == [best]
    assert kinds == {True, False}


def day_of(shown, asks_for_code):
    """Return a day whose puzzle asks for the only code, or for the best guess."""
    of_days = zip(DAYS, puzzles_of(shown, DAYS), strict=True)
    return next(
        (day, moves, best)
        for day, (moves, best) in of_days
        if (shown.call("countAfter", moves) == 1) == asks_for_code
    )


def open_puzzle(shown, day):
    """Open the puzzle of a day from the menu."""
    shown.page.clock.set_fixed_time(f"{day}T12:00:00Z")
    shown.from_menu("Today’s puzzle")
    expect(shown.locator("#play-rules")).to_contain_text(f"The puzzle of {day}")


@pytest.mark.parametrize("asks_for_code", [True, False])
@pytest.mark.parametrize("is_right", [True, False])
def test_a_puzzle_has_one_guess_and_then_the_reason(visit, mm46, asks_for_code, is_right):
    shown = visit()
    day, moves, best = day_of(shown, asks_for_code)
    open_puzzle(shown, day)
    assert shown.moves == moves
    expect(shown.locator("#play-undo")).to_be_disabled()
    expect(shown.locator("#play-hint")).to_be_hidden()
    guess = best if is_right else next(label for label in mm46.guesses if label != best)
    shown.enter(guess)
    title = "Right" if is_right else "Not the right guess"
    expect(shown.locator("#puzzle-title")).to_have_text(title)
    n = len(candidates_after(mm46, moves))
    if asks_for_code:
        shown.tells("#puzzle-told", f"{best} is the only code that fits: of 1,296, guess 1 left")
    else:
        shown.tells(
            "#puzzle-told", f"{best} needs", "the next best guess", f"splits {n} candidates"
        )
        expect(shown.locator("#puzzle-why table")).to_have_count(1 if is_right else 2)
    expect(shown.locator("#play-review")).to_be_hidden()
    expect(shown.locator("#play-go")).to_have_text("New game")


def test_a_puzzle_is_kept_and_counts_in_its_own_row_of_days(browser, page_file):
    with visitors(browser, page_file) as visited:
        shown = visited()
        puzzles = puzzles_of(shown, DAYS[:2])
        for day, (_, best) in zip(DAYS[:2], puzzles, strict=True):
            open_puzzle(shown, day)
            shown.enter(best)
            expect(shown.locator("#puzzle-title")).to_have_text("Right")
        shown.press("New game", within=".top")
        open_puzzle(shown, DAYS[1])
        shown.tells("#play-refused", "opened today’s puzzle before")
        expect(shown.locator("#puzzle-title")).to_have_text("Right")
        shown.reload()
        expect(shown.locator("#puzzle-title")).to_have_text("Right")
        assert shown.moves[:-1] == puzzles[1][0]
        shown.press("New game", within=".top")
        shown.lose_some()
        shown.from_menu("My statistics")
        terms, values = (
            shown.locator(f"#history-told {tag}").all_inner_texts() for tag in ("dt", "dd")
        )
        facts = dict(zip(terms, values, strict=True))
        assert facts["finished"] == "1"
        assert facts["daily puzzles in a row"] == "2"


def test_giving_up_shows_the_answer_and_games_without_a_tree_have_no_puzzle(visit):
    shown = visit()
    day, _, best = day_of(shown, asks_for_code=True)
    open_puzzle(shown, day)
    shown.press("Give up")
    shown.confirm()
    expect(shown.locator("#puzzle-title")).to_have_text("The answer")
    shown.tells("#puzzle-told", f"{best} is the only code that fits")
    shown.choose("words-common")
    shown.from_menu("Today’s puzzle")
    shown.tells("#play-refused", "no tree to take a puzzle from")
