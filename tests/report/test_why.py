"""Why a guess is good: the page's parts and bits, against their definition."""

import csv
from collections import Counter
from math import log2

import pytest
from board import feedback_of
from playwright.sync_api import expect


def sizes_by_answer(game, guess, candidates):
    """Return how many candidates each answer to a guess leaves."""
    return Counter(feedback_of(game, guess, secret) for secret in candidates)


def bits_of(sizes):
    """Return the bits that a guess asks for: its entropy."""
    total = sum(sizes.values())
    return sum(n / total * log2(total / n) for n in sizes.values())


def rows_of(table):
    """Return the candidates left and the bits of a table's rows."""
    cells = [row.locator("td.n").all_text_contents() for row in table.locator("tbody tr").all()]
    return [(int(left.split()[0].replace(",", "")), float(bits)) for left, bits in cells]


@pytest.fixture
def opened_tables(visit):
    """Compare 6616 with the advice, and open what each answer tells."""
    shown = visit()
    shown.solve_mine()
    shown.press("Compare")
    shown.tells("#help-table", "4.340")
    shown.click("#help-why summary")
    shown.press("Another guess")
    shown.call("compose", "6616")
    shown.tells("#help-table tfoot", "4.468")
    return shown


def test_my_guess_and_the_advised_one_are_shown_by_their_answers(opened_tables, mm46):
    for number, guess, to_go in ((0, "6616", "4.47"), (1, "1123", "4.34")):
        table = opened_tables.locator("#why-told table").nth(number)
        sizes = sizes_by_answer(mm46, guess, mm46.secrets)
        caption = (
            f"asks for {bits_of(sizes):.2f} of the {log2(1296):.2f} bits that are missing, "
            f"and {to_go} guesses are to go. It may be the secret."
        )
        expect(table.locator("caption")).to_contain_text(caption)
        wanted = [(n, round(log2(1296 / n), 2)) for n in sorted(sizes.values(), reverse=True)]
        assert rows_of(table) == wanted


def test_a_ranking_of_all_kinds_of_first_guess_says_so_and_has_their_bits(visit, mm46):
    shown = visit()
    shown.solve_mine()
    shown.press("Compare")
    expect(shown.locator("#best-title")).to_have_text("The five kinds of first guess")
    shown.tells("#help-table thead", "left at most")
    bits = {
        "".join(row.locator(".peg").all_text_contents()): float(
            row.locator("td").nth(2).inner_text()
        )
        for row in shown.locator("#help-table tbody tr").all()
    }
    assert bits == {
        guess: round(bits_of(sizes_by_answer(mm46, guess, mm46.secrets)), 2) for guess in bits
    }
    assert {"1111", "1123"} < set(bits)
    shown.answer("1B-1C")
    expect(shown.locator("#best-title")).to_have_text("Five good guesses")


def test_bars_side_by_side_have_one_scale_and_rows_their_own_height(visit):
    shown = visit()
    shown.solve_mine()
    shown.press("Compare", "Another guess")
    shown.call("compose", "1111")
    shown.click("#help-why summary")
    expect(shown.locator("#why-told table")).to_have_count(2)
    bars = [bar["width"] for bar in shown.boxes("#why-told tbody tr:first-child td i")]
    largest = [rows_of(table)[0][0] for table in shown.locator("#why-told table").all()]
    assert largest[0] == 625
    assert bars[0] / bars[1] == pytest.approx(largest[0] / largest[1], rel=0.05)
    heights = [row["height"] for row in shown.boxes("#why-told tbody tr")]
    assert max(heights) < 1.2 * min(heights)


def test_few_candidates_are_shown_as_codes(visit, mm46):
    shown = visit()
    shown.call("paste", "1122 0,1\n1345 0,3")
    shown.press("Compare")
    shown.tells("#help-table", "guesses to go")
    assert shown.locator("#why-told .code").count() == 0
    shown.click("#help-why summary")
    advised = shown.evaluate("typedGuess()")
    moves = [("1122", "0B-1C"), ("1345", "0B-3C")]
    left = [
        secret
        for secret in mm46.secrets
        if all(feedback_of(mm46, guess, secret) == answer for guess, answer in moves)
    ]
    assert len(left) > 12
    expect(shown.locator("#why-told tbody .code")).to_have_count(0)
    answer = feedback_of(mm46, advised, left[0])
    shown.answer(answer)
    left = [secret for secret in left if feedback_of(mm46, advised, secret) == answer]
    assert 2 <= len(left) <= 12
    shown.tells("#help-table", "guesses to go")
    codes = shown.locator("#why-told table").last.locator("tbody .code")
    expect(codes).to_have_count(len(left))


def test_a_review_says_the_bits_of_each_move_and_why_the_worst_one_lost(visit, mm46):
    shown = visit()
    shown.lose_some()
    left = list(mm46.secrets)
    for number, guess in enumerate(["1122", "3345", "6143"]):
        sizes = sizes_by_answer(mm46, guess, left)
        answer = feedback_of(mm46, guess, "6143")
        told = log2(len(left) / sizes[answer])
        move = shown.locator("#review-moves > ol > li").nth(number)
        expect(move).to_contain_text(
            f"It asks for {bits_of(sizes):.2f} of the {log2(len(left)):.2f} bits that are missing; "
            f"its answer told {told:.2f}."
        )
        move.locator("summary").click()
        came = move.locator(".why").first.locator(".came td.n")
        expect(came.first).to_contain_text(f"{sizes[answer]} (")
        expect(came.last).to_have_text(f"{told:.2f}")
        left = [secret for secret in left if feedback_of(mm46, guess, secret) == answer]
    tables = shown.locator("#review-moves .why")
    expect(tables.nth(0)).to_contain_text("and 4.40 guesses are to go.")
    expect(tables.nth(1)).to_contain_text("and 4.34 guesses are to go.")
    shown.tells(
        "#review-told", "lost most: 0.10 of a guess. It splits 256 candidates into 10 parts"
    )


def test_a_review_crosses_out_the_codes_that_the_answer_excludes(visit, mm46):
    shown = visit()
    shown.hide("6543")
    guesses = ["1122", "3344", "3536", "6543"]
    shown.enter(*guesses)
    left = list(mm46.secrets)
    for number, guess in enumerate(guesses):
        answer = feedback_of(mm46, guess, "6543")
        if 2 <= len(left) <= 12:
            move = shown.locator("#review-moves > ol > li").nth(number)
            move.locator("summary").click()
            rows = move.locator(".why").first.locator("tbody")
            kept = sum(feedback_of(mm46, guess, secret) == answer for secret in left)
            expect(rows.locator(".came .code")).to_have_count(kept)
            expect(rows.locator(".out .code")).to_have_count(len(left) - kept)
            return
        left = [secret for secret in left if feedback_of(mm46, guess, secret) == answer]
    raise AssertionError("no move of this game has few candidates")


def test_words_are_explained_by_their_marks(visit):
    shown = visit()
    shown.choose("words-common", secret="crane")
    shown.enter("plant")
    shown.press(*["Hint"] * 3)
    expect(shown.locator("#help-table tbody tr")).to_have_count(5, timeout=20_000)
    shown.click("#help-why summary")
    shown.tells("#why-told", "Advised:", "bits that are missing")
    assert shown.locator("#why-told tbody [data-mark]").count() > 5
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


def saved(shown, button):
    """Save answers as CSV, and return the rows."""
    with shown.expect_download() as event:
        shown.click(button)
    download = event.value
    assert download.suggested_filename.endswith("-answers.csv")
    numbers = ("candidates", "bits missing", "bits asked", "candidates left", "share", "bits told")
    with download.path().open(newline="", encoding="utf-8") as file:
        return [row | {name: float(row[name]) for name in numbers} for row in csv.DictReader(file)]


def rows_by_definition(game, name, moves, guess, candidates):
    """Return the rows of a guess's answers, without their order."""
    sizes = sizes_by_answer(game, guess, candidates)
    n = len(candidates)
    return {
        answer: {
            "game": name,
            "moves": moves,
            "candidates": n,
            "bits missing": pytest.approx(log2(n), abs=1e-6),
            "guess": guess,
            "bits asked": pytest.approx(bits_of(sizes), abs=1e-6),
            "answer": answer,
            "candidates left": left,
            "share": pytest.approx(left / n, abs=1e-6),
            "bits told": pytest.approx(log2(n / left), abs=1e-6),
        }
        for answer, left in sizes.items()
    }


def test_what_answers_tell_is_saved_as_csv(opened_tables, mm46):
    rows = saved(opened_tables, "#why-save")
    for guess in ("6616", "1123"):
        shown = [row for row in rows if row["guess"] == guess]
        wanted = rows_by_definition(mm46, "mm-4-6", "", guess, mm46.secrets)
        assert {row["answer"]: row for row in shown} == wanted
        sizes = [row["candidates left"] for row in shown]
        assert sizes == sorted(sizes, reverse=True)
    assert {row["guess"] for row in rows} == {"6616", "1123"}


def test_a_review_is_saved_as_csv_move_by_move(visit, mm46):
    shown = visit()
    shown.lose_some()
    expect(shown.locator("#review-save")).to_be_visible()
    rows = saved(shown, "#review-save")
    left = list(mm46.secrets)
    before = []
    for guess in ("1122", "3345", "6143"):
        wanted = rows_by_definition(mm46, "mm-4-6", " ".join(before), guess, left)
        assert {row["answer"]: row for row in rows if row["guess"] == guess} == wanted
        answer = feedback_of(mm46, guess, "6143")
        before.append(f"{guess} {answer}")
        left = [secret for secret in left if feedback_of(mm46, guess, secret) == answer]
