"""Games on the page whose codes are too many to be listed."""

import itertools
import re

import numpy as np
import pytest
from board import violations, visitors
from conftest import full_only
from definitions import far_from_uniform, grade
from playwright.sync_api import expect

SMALL = [(3, 4, "anywhere"), (4, 3, "anywhere"), (3, 5, "guesses"), (3, 6, "nowhere")]
"""Sizes whose codes are listed by definition: pegs, colours, and where symbols may repeat."""

WINDOWS = [(1280, 800), (390, 844)]
"""Widths and heights of the window."""

at_both_sizes = pytest.mark.parametrize("visit", WINDOWS, ids=["desk", "phone"], indirect=True)
"""`make faults` opens the page of all other tests on a phone, too."""


def symbols_of(size):
    _, colours, repeats = size
    return ("0123456789" if repeats == "nowhere" else "123456789")[:colours]


def guesses_of(size):
    """Return all guesses by definition, as labels."""
    pegs, _, repeats = size
    codes = map("".join, itertools.product(symbols_of(size), repeat=pegs))
    return [code for code in codes if repeats != "nowhere" or len(set(code)) == pegs]


def secrets_of(size):
    """Return all secrets by definition, as labels."""
    pegs, _, repeats = size
    codes = guesses_of(size)
    return [code for code in codes if repeats == "anywhere" or len(set(code)) == pegs]


def answer(guess, secret):
    black, white = grade(tuple(guess), tuple(secret))
    return f"{black}B-{white}C"


def some_moves(size, n, seed):
    """Return n random moves against a random secret."""
    rng = np.random.default_rng(seed)
    secret = str(rng.choice(secrets_of(size)))
    return [[str(guess), answer(guess, secret)] for guess in rng.choice(guesses_of(size), n)]


def consistent(size, moves):
    """Return the secrets that agree with all moves, by definition."""
    secrets = secrets_of(size)
    return [
        secret for secret in secrets if all(answer(guess, secret) == said for guess, said in moves)
    ]


@pytest.mark.parametrize("size", SMALL)
@pytest.mark.slow
def test_codes_that_are_not_listed_have_the_feedback_of_the_definition(engine, size):
    codes = guesses_of(size)
    feedback, are_secrets, are_hidden = engine.call("sampledFeedback", [size, codes])
    assert feedback == [[answer(guess, secret) for secret in codes] for guess in codes]
    assert are_secrets == [code in secrets_of(size) for code in codes]
    assert are_hidden


@pytest.mark.parametrize("size", SMALL)
def test_listed_candidates_are_those_of_the_definition(engine, size):
    for n_moves, seed in itertools.product((1, 2, 4), range(4)):
        moves = some_moves(size, n_moves, seed)
        assert engine.call("listedAfter", [size, moves]) == consistent(size, moves)
    first, *_ = guesses_of(size)
    contradiction = [[first, "0B-0C"], [first, "1B-0C"]]
    assert engine.call("listedAfter", [size, contradiction]) == []


@pytest.mark.parametrize("size", SMALL)
def test_drawn_candidates_are_uniform(engine, size):
    moves = some_moves(size, 1, seed=7)
    members = consistent(size, moves)
    codes, number = engine.call("drawnAfter", [size, moves, 64 * len(members)])
    assert abs(far_from_uniform(codes, members)) < 4
    assert number["value"] == pytest.approx(len(members), rel=0.1)


@pytest.mark.parametrize(
    "size", [(4, 5, "anywhere"), *(pytest.param(size, marks=full_only) for size in SMALL)]
)
def test_walks_are_close_to_uniform_and_estimate_the_number(engine, size):
    # Groups are independent; one code of each is taken, so that the codes are, too.
    histories = (some_moves(size, 2, seed) for seed in itertools.count())
    moves = next(moves for moves in histories if len(consistent(size, moves)) >= 8)
    members = consistent(size, moves)
    codes, numbers = engine.call("walkedAfter", [size, moves, 12 * len(members)])
    assert abs(far_from_uniform(codes, members)) < 5
    error = np.std(numbers) / np.sqrt(len(numbers))
    assert np.mean(numbers) == pytest.approx(len(members), abs=5 * error)


@pytest.mark.parametrize(
    ("size", "moves", "guess"),
    [
        ((4, 6, "anywhere"), [["1123", "1B-1C"]], "1245"),
        ((4, 4, "nowhere"), [["0123", "1B-3C"]], "0213"),
    ],
    ids=["208 candidates", "8 candidates"],
)
@pytest.mark.parametrize("seeds", [40, pytest.param(400, marks=full_only)])
def test_intervals_contain_the_numbers_that_they_estimate(engine, size, moves, guess, seeds):
    members = consistent(size, moves)
    parts = np.unique([answer(guess, member) for member in members], return_counts=True)[1]
    left = (parts**2).sum() / len(members)
    true = [len(members), len(members), left, left]
    rows = engine.call("intervalsAfter", [size, moves, guess, seeds])
    for number, intervals in zip(true, zip(*rows, strict=True), strict=True):
        held = sum(ends["low"] <= number <= ends["high"] for ends in intervals)
        assert held >= (0.85 if seeds < 100 else 0.92) * seeds
        # An estimate is never called exact, and the secret is always left.
        assert all(1 <= ends["low"] < ends["high"] for ends in intervals)


@full_only
@pytest.mark.parametrize(("size", "games", "most"), [((6, 9), 40, 6.6), ((8, 10), 20, 8.3)])
def test_sampled_games_need_few_guesses(engine, size, games, most):
    assert np.mean(engine.call("playSampled", [[*size, "anywhere"], games])) < most


@pytest.fixture(
    params=[WINDOWS[0], pytest.param(WINDOWS[1], marks=full_only)], ids=["desk", "phone"]
)
def visit(request, browser, page_file):
    """Open the page or a link as a new visitor, at a size of the window."""
    width, height = request.param
    with visitors(browser, page_file, viewport={"width": width, "height": height}) as visited:
        yield visited


def counted(shown):
    """Wait until the page has counted the candidates."""
    expect(shown.locator("#play-status")).to_have_text(
        re.compile("^((?!counting).)*$"), timeout=20_000
    )


@at_both_sizes
@pytest.mark.parametrize(
    ("pegs", "colours"),
    [(6, 9), pytest.param(10, 8, marks=full_only), pytest.param(12, 20, marks=full_only)],
)
def test_a_game_of_many_codes_is_advised_to_its_end_and_kept(visit, pegs, colours):
    shown = visit()
    shown.choose_size(pegs, colours)
    secret = shown.evaluate("play.game.guesses[play.game.secretBy(77)]")
    guess = shown.solve_mine()
    shown.tells("#help-suggestion", "Sampled: ", " candidates drawn at random:", "(95%: ")
    turns = 0
    while guess != secret:
        turns += 1
        assert turns < 20
        answered = shown.evaluate(
            f"play.game.feedback[play.game.feedbackOf(play.game.indexOf.get('{guess}'), "
            f"play.game.indexOf.get('{secret}'))]"
        )
        black, white = re.findall(r"\d+", answered)
        shown.enter(f"{black},{white}")
        guess = shown.advised()
        counted(shown)
    before = shown.moves
    notes = shown.locator("#play-moves li:not(.now) small").all_text_contents()
    assert all(re.search(r"\d", note) for note in notes)
    other = visit(shown.url)
    for again in (shown, other):
        if again is shown:
            again.reload()
        assert again.moves == before
        assert again.advised() == secret
        again.tells("#help-suggestion", "secret")
        rows = again.locator("#play-moves li:not(.now) small")
        expect(rows).to_have_text(notes, timeout=30_000)
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown.enter(f"{pegs},0")
    shown.tells("#play-status", f"Solved in {turns + 1} guesses: {secret}.")
    shown.tells("#review-told", "too many codes to compare guesses")
    expect(shown.locator("#review-moves li")).to_have_count(turns + 1)
    shown.press("Undo")
    assert shown.moves == before


def test_a_hidden_code_of_many_is_found_and_counted(visit):
    shown = visit()
    shown.choose_size(12, 20)
    shown.tells("#play-rules", "one of 4,096,000,000,000,000")
    secret = shown.secret
    assert secret not in shown.url
    shown.enter("11223344556a")
    shown.press("Hint")
    counted(shown)
    shown.tells("#play-status", "about ")
    shown.tells("#play-count", "95%: ")
    shown.keyboard.type("11223344556b")
    shown.press("Hint")
    shown.tells("#help-worth", "Sampled: by 128 candidates")
    shown.tells(
        "#help-worth", "can’t be the secret, but may still separate the candidates. It leaves"
    )
    shown.press("Hint")
    expect(shown.locator("#help-table tbody tr")).to_have_count(5)
    link = shown.url
    shown.reload()
    assert (shown.secret, len(shown.moves)) == (secret, 1)
    friend = visit(link)
    assert friend.secret == secret
    friend.tells("#play-rules", "not counted in your statistics")
    shown.enter(secret)
    shown.tells("#play-status", "Solved in 2 guesses")
    shown.from_menu("My statistics")
    shown.tells("#history-told", "guesses on average2.00")


def test_twenty_colours_can_be_told_apart(visit):
    shown = visit()
    shown.choose_size(12, 20)
    pegs = shown.locator("#play-palette .peg").all()
    assert len({peg.get_attribute("aria-label").partition(" (")[2] for peg in pegs}) == 20
    assert len({peg.evaluate("(peg) => peg.style.background") for peg in pegs}) == 20


def test_an_answer_of_many_pegs_is_tapped_in_two_steps(visit):
    shown = visit()
    shown.choose_size(10, 8)
    shown.solve_mine()
    white = shown.locator("#play-answer [data-white='4']")
    expect(white).to_be_disabled()
    shown.press("3 black", within="#play-answer")
    white.click()
    assert [move[1] for move in shown.moves] == ["3B-4C"]
    shown.advised()
    shown.enter("10,0")
    shown.tells("#play-status", "Contradiction")


def test_a_contradiction_among_many_codes_is_found_and_repaired(visit):
    shown = visit()
    shown.choose_size(6, 9)
    shown.solve_mine()
    shown.tell("112233", "2B-0C")
    shown.advised()
    shown.tell("112233", "1B-0C")
    shown.tells("#play-status", "Contradiction at move 2: about ", "If a single answer is wrong")
    expect(shown.locator("#play-moves li.wrong")).to_have_count(1)
    shown.locator("#play-repairs button").first.click()
    assert shown.moves[0][1] == shown.moves[1][1]
    shown.advised()


def test_moves_of_many_codes_are_pasted(visit):
    shown = visit()
    shown.choose_size(10, 8)
    shown.call("paste", "1. 1112223344: 2,3\n2. 7152275112: 2,4")
    assert shown.moves == [["1112223344", "2B-3C"], ["7152275112", "2B-4C"]]
    shown.advised()
    shown.tells("#help-suggestion", "Sampled: ")
    shown.call("paste", "1112223344 9,2")
    shown.tells("#play-refused", "is not an answer")


def test_a_search_that_finds_no_code_says_that_it_is_undecided(visit):
    shown = visit()
    shown.choose_size(6, 9)
    shown.solve_mine()
    shown.evaluate(
        "() => { const board = `${play.game.name} 123456*1B-1C`;"
        "const none = { codes: [], heldOut: [], isAll: false, number: null, how: 'undecided' };"
        "store(estimates, board, none); store(advices, `any ${board}`, null); }"
    )
    shown.tell("123456", "1B-1C")
    shown.tells("#play-status", "is undecided")
    shown.press("Another guess")
    shown.enter("998877")
    shown.answer("0B-0C")
    shown.advised()


def test_only_candidates_may_be_guessed_among_many_codes(visit):
    shown = visit()
    shown.choose_size(6, 9)
    shown.hide("123456")
    shown.click("#play-menu summary")
    shown.select_option("#play-rule", "candidates")
    shown.enter("111111", "222222")
    shown.tells("#play-error", "contradicts an earlier answer")
    shown.call("paste", "221222")
    for _ in range(4):
        shown.press("Hint")
    expect(shown.locator("#play-suggestion")).to_be_visible(timeout=20_000)
    shown.tells("#help-suggestion", "could be the secret")


def test_a_devious_codemaker_needs_a_list_of_the_codes(visit):
    shown = visit()
    shown.choose_mode("Devious")
    shown.choose_size(6, 9)
    expect(shown.get_by_label("Play", exact=True)).to_be_checked()
    shown.get_by_label("Devious", exact=True).click(force=True)
    shown.tells("#play-refused", "too many codes for a devious codemaker")
    expect(shown.get_by_label("Play", exact=True)).to_be_checked()
    other = visit("#game=mm-6-9&mode=devious")
    other.tells("#play-refused", "too many codes for a devious codemaker")


@full_only
def test_a_day_has_the_same_code_of_many_for_all(visit):
    secrets = set()
    for _ in range(2):
        shown = visit()
        shown.choose_size(8, 12, "nowhere")
        shown.from_menu("Today’s code")
        secrets.add(shown.secret)
    (secret,) = secrets
    assert len(set(secret)) == 8


@full_only
@pytest.mark.slow
def test_large_sizes_can_be_read_and_touched(visit):
    shown = visit()
    shown.choose_size(12, 20)
    shown.solve_mine()
    assert violations(shown) == []
