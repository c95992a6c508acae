"""Reviews and advice depend on the game alone: not on what the page computed before."""

import math
import random
import re

import pytest
from conftest import full_only
from playwright.sync_api import expect

REVIEWED = {
    "bc-4-7": [["0123 4561 0142", "2541"], ["4560 3210", "0165"], ["0123 1032", "6513"]],
    "marks-wide": [["appel palle", None], ["palle appel", None]],
    "mm-4-6": [["1111 1122", "6543"], ["1122 3345", "6143"]],
}
"""Games of each kind: guesses, and the secret, which is the last guess; None: the last guess."""


def played_games(name):
    return [
        [*guesses.split(), secret] if secret else guesses.split()
        for guesses, secret in REVIEWED[name]
    ]


@pytest.mark.parametrize("name", REVIEWED)
def test_a_review_is_the_same_after_any_other_games(visit, name):
    """Each game is reviewed first, and after all others in two orders."""
    games = played_games(name)
    first = [visit().call("reviewOf", [name, guesses]) for guesses in games]
    for order in (range(len(games)), reversed(range(len(games)))):
        shown = visit()
        for number in [*order, *range(len(games))]:
            assert shown.call("reviewOf", [name, games[number]]) == first[number]


def test_best_play_needs_the_same_number_whatever_was_played(visit):
    shown = visit()
    minima = {
        shown.call("reviewOf", ["bc-4-7", guesses])[0]["minimum"]
        for guesses in played_games("bc-4-7")
    }
    assert len(minima) == 1


@pytest.mark.slow
def test_words_are_reviewed_against_a_recorded_total(visit):
    games = [["crane", "plant"], ["plain", "plant"]]
    first = [visit().call("reviewOf", ["words-common", guesses]) for guesses in games]
    shown = visit()
    for number in (1, 0, 1):
        assert shown.call("reviewOf", ["words-common", games[number]]) == first[number]
    assert {rows[0]["minimum"] for rows in first} == {7718 / 2227}


@pytest.mark.slow
def test_a_review_names_a_guess_that_the_page_advised_instead(visit):
    """After SLATE the page advised CRONY, whose answers can all be followed up exactly."""
    shown = visit()
    rows = shown.call("reviewOf", ["words-common", ["slate", "irony", "minor", "robin"]])
    ranked = shown.call("rankingOf", ["words-common", [["slate", "bbbbb"]]])["worths"]
    words = shown.evaluate("openGame('words-common').then((game) => game.guesses)")
    best = min(ranked, key=lambda worth: worth["mean"])
    assert words[best["guess"]] == words[rows[1]["better"]["guess"]] == "crony"
    before = 198
    total = 547
    assert rows[1]["before"] == before
    assert rows[1]["totals"] == [total, 557]
    assert rows[1]["regret"] == pytest.approx((557 - total) / before)
    assert best["mean"] == pytest.approx(total / before)
    # The estimate after SLATE is below the recorded total, to which the first guess is compared.
    assert rows[0]["totals"] == [7718, 7718]
    # What the game took is what best play needs, and what was lost, without the luck.
    sums = {key: sum(row[key] for row in rows) for key in ("regret", "luck")}
    assert rows[0]["minimum"] + sums["regret"] - sums["luck"] == pytest.approx(len(rows))


@pytest.mark.parametrize("guesses", ["0123 4560 2541", "0123 1032 6513"])
def test_no_guess_of_the_ranking_is_better_than_what_a_review_compares_with(visit, guesses):
    shown = visit()
    guesses = guesses.split()
    played = shown.call("movesOf", ["bc-4-7", guesses])[1]
    labels = shown.evaluate("openGame('bc-4-7').then((game) => [game.guesses, game.feedback])")
    moves = [[labels[0][move["guess"]], labels[1][move["id"]]] for move in played]
    rows = shown.call("reviewOf", ["bc-4-7", guesses])
    for turn, row in enumerate(rows):
        ranked = shown.call("rankingOf", ["bc-4-7", moves[:turn]])["worths"]
        assert row["minimum"] <= min(worth["mean"] for worth in ranked) + 1e-9
        assert row["minimum"] + row["regret"] >= row["minimum"]


def test_an_estimate_is_never_said_to_be_the_best(visit):
    shown = visit()
    row = {"exact": False, "regret": 0, "luck": 0, "isMinimumExact": False}
    for exact, told, graded in (
        (False, "The page found no better guess at any move.", "the page found no better guess"),
        (True, "No guess could have been better.", "no guess is better"),
    ):
        verdict, grade = shown.call("wordsOf", [row | {"exact": exact}] * 2)
        assert verdict == told
        assert graded in grade
        assert ("best" in grade.split()[0]) == exact
    verdict, _ = shown.call("wordsOf", [row, row | {"regret": 0.3}])
    assert "as good as any" not in verdict


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ([0, 0.1, 1, 1, 1], "guesses 3 to 5 lost most: 1.00 of a guess each."),
        ([0, 1, 0, 1], "guesses 2 and 4 lost most: 1.00 of a guess each."),
        ([0.5, 0, 0.5, 0.5], "guesses 1, 3 and 4 lost most: 0.50 of a guess each."),
        ([0, 0.2, 0.3], "guess 3, 1111, lost most: 0.30 of a guess."),
    ],
)
def test_all_guesses_that_lost_most_are_named(visit, lost, told):
    shown = visit()
    row = {"exact": True, "luck": 0, "isMinimumExact": True, "better": None}
    verdict, _ = shown.call("wordsOf", [row | {"regret": regret} for regret in lost])
    assert verdict.endswith(told)


def test_guesses_without_guesses_to_go_are_in_the_order_of_their_bits(visit):
    """Also if the strategy's guess, which is among them, asks for the fewest."""
    shown = visit()
    question = (
        "{ members: game.allSecrets, only: null, planned: { guess: 0, mean: 5 }, played: [] }"
    )
    ranked = shown.evaluate(
        "openGame('mm-5-6').then((game) => "
        f"ask('best', game, {{ ...{question}, count: 5, known: [] }}))"
    )["worths"]
    assert {worth["mean"] for worth in ranked} == {None}
    # By the definition: part sizes n of N candidates tell the sum of n / N log2(N / n).
    bits = [
        sum(n / 6**5 * math.log2(6**5 / n) for n in worth["parts"] if n > 0) for worth in ranked
    ]
    assert len(bits) == 5
    assert bits == sorted(bits, reverse=True)
    assert ranked[-1]["guess"] == 0  # 11111


def test_advice_is_the_same_after_any_other_boards(visit):
    """Guesses are ranked on one board before and after another one."""
    asked = [["bc-4-7", [["0123", "1B-1C"]]], ["bc-4-7", [["0123", "0B-2C"], ["4501", "1B-1C"]]]]
    first = [visit().call("rankingOf", one) for one in asked]
    shown = visit()
    for number in (1, 0, 1, 0):
        assert shown.call("rankingOf", asked[number]) == first[number]


def test_first_guesses_are_compared_by_their_minima(visit):
    """1122 needs 5702 guesses over 1,296 secrets; under any names, too."""
    shown = visit()
    shown.solve_mine()
    shown.press("Compare")
    rows = shown.locator("#help-table tbody tr")
    expect(rows).to_have_count(5)
    texts = {row.locator("td").nth(0).text_content(): row.locator("td").nth(1).text_content()
             for row in rows.all()}  # fmt: skip
    assert texts["1123"] == "4.340"
    assert texts["1122"] == "4.400"
    assert not [text for text in texts.values() if text.startswith("≈")]
    shown.press("Another guess")
    for guess, to_go in (("5353", "4.400"), ("6616", "4.468"), ("2222", "4.875")):
        shown.call("compose", guess)
        shown.tells("#help-table tfoot", guess, to_go, "yours")
    shown.call("compose", "1123")
    expect(shown.locator("#help-table tfoot")).to_have_count(0)


def test_a_guess_of_mine_is_compared_as_the_best_five_are(visit):
    shown = visit()
    shown.hide("6143")
    shown.enter("1122")
    shown.press(*["Hint"] * 3)
    expect(shown.locator("#help-table tbody tr")).to_have_count(5)
    shown.tells("#help-table", "guesses to go")
    first = shown.locator("#help-table tbody td:nth-child(2)").first
    best = float(first.text_content().lstrip("≈ "))
    shown.call("compose", "1111")
    figure = shown.locator("#help-table tfoot td:nth-child(2)")
    expect(figure).to_have_text(re.compile(r"\d\.\d"))
    assert float(figure.text_content().lstrip("≈ ")) > best


def answer_to(shown, kind, asked):
    """Return what the page answers to a question: a review, a ranking, or the board of a link."""
    if kind != "link":
        return shown.call(kind, asked)
    shown.evaluate(f"location.hash = {asked!r}")
    shown.wait_for_function("link => recordOfLink(stateOf(link))?.id === play.record.id", arg=asked)
    shown.advised()
    return shown.evaluate("[play.game.name, play.state.moves, play.strategy.tree, typedGuess()]")


ASKED = [
    *(("reviewOf", [name, guesses]) for name in REVIEWED for guesses in played_games(name)),
    ("rankingOf", ["bc-4-7", [["0123", "1B-1C"]]]),
    ("rankingOf", ["mm-4-6", [["1122", "1B-0C"], ["1345", "0B-2C"]]]),
    ("rankingOf", ["mm-4-6", []]),
    ("link", "#game=mm-4-6&id=a&mode=mine&moves=1122*1B-0C"),
    ("link", "#game=mm-4-6&id=a&mode=mine&moves=1122*1B-0C_1345*0B-2C"),
    ("link", "#game=mm-4-6&id=a&mode=mine&moves=1122*0B-2C&strategy=entropy"),
    ("link", "#game=bc-3-5&id=b&mode=mine&rule=candidates&moves=012*1B-1C"),
    ("link", "#game=bc-3-5&id=c&mode=mine&moves=012*1B-1C"),
]


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=full_only) for n in (1, 2))])
@pytest.mark.slow
def test_reviews_links_and_advice_are_the_same_in_any_order(visit, seed):
    first = [answer_to(visit(), *asked) for asked in ASKED]
    order = random.Random(seed).choices(range(len(ASKED)), k=24)
    shown = visit()
    for number in order:
        assert answer_to(shown, *ASKED[number]) == first[number], ASKED[number]
