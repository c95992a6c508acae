"""Statements of Kooi 2005, by code that shares nothing with the package: plain loops over codes."""

from collections import Counter
from functools import cache
from itertools import product
from math import log2
from operator import eq

import pytest

CODES = ["".join(letters) for letters in product("ABCDEF", repeat=4)]
PLACE = {code: number for number, code in enumerate(CODES)}
PEGS_OF = {code: [code.count(letter) for letter in "ABCDEF"] for code in CODES}
SOLVED = 40


def answer(guess, secret):
    """Return the numbers of black and of white pegs as two digits."""
    black = sum(map(eq, guess, secret))
    common = sum(map(min, PEGS_OF[guess], PEGS_OF[secret]))
    return 10 * black + common - black


@cache
def answers_to(guess):
    return [answer(guess, secret) for secret in CODES]


def parts_of(guess, candidates):
    answers = answers_to(guess)
    parts = {}
    for secret in candidates:
        parts.setdefault(answers[PLACE[secret]], []).append(secret)
    return parts


def entropy(sizes):
    total = sum(sizes)
    return -sum(size / total * log2(size / total) for size in sizes)


SCORES = {"Entropy": entropy, "Most parts": len, "Worst case": lambda sizes: -max(sizes)}


@cache
def tied(rule, candidates):
    """Return the guesses with the best score, in lexicographic order."""
    places = [PLACE[secret] for secret in candidates]
    scores = {}
    for guess in CODES:
        answers = answers_to(guess)
        counts = Counter(map(answers.__getitem__, places))
        scores[guess] = SCORES[rule](sorted(counts.values()))
    best = max(scores.values())
    return [guess for guess, score in scores.items() if score > best - 1e-9]


def profile(rule, opening, choose):
    """Return the secrets won at each guess."""
    won = Counter()

    def play(guess, candidates, turn):
        for feedback, part in parts_of(guess, candidates).items():
            if feedback == SOLVED:
                won[turn] += 1
            elif len(part) == 1:
                won[turn + 1] += 1
            else:
                guesses = tied(rule, tuple(part))
                play(choose(guesses, [one for one in guesses if one in part]), part, turn + 1)

    play(opening, CODES, 1)
    return [won[turn] for turn in range(1, max(won) + 1)]


def last_candidate(guesses, candidates):
    return (candidates or guesses)[-1]


def first_candidate_or_last_guess(guesses, candidates):
    return candidates[0] if candidates else guesses[-1]


OPENINGS = {"Entropy": "ABCD", "Most parts": "AABC"}
TREES = {
    last_candidate: {"Entropy": "entropy_from-1234", "Most parts": "most-parts_from-1123"},
    first_candidate_or_last_guess: {"Entropy": "entropy", "Most parts": "most-parts"},
}
TIES = {
    last_candidate: "tie-reversed-lexicographic",
    first_candidate_or_last_guess: "tie-first-consistent-then-last",
}


@pytest.mark.parametrize("rule", OPENINGS)
@pytest.mark.parametrize("choose", TREES)
def test_table_10_by_plain_code(table, cells, rule, choose):
    """The last candidate gives the row of entropy alone; the other rule gives both rows."""
    computed = profile(rule, OPENINGS[rule], choose)
    (row,) = table.filter(game="mm-4-6", tree=f"{TREES[choose][rule]}_{TIES[choose]}").to_dicts()
    assert computed == [*map(int, row["profile"].split())]
    printed = cells.filter(table="kooi-2005-table-10", row=rule).drop_nulls("published")
    as_printed = computed == [int(cell) for cell in printed["published"] if cell != "0"]
    assert as_printed == (choose is first_candidate_or_last_guess or rule == "Entropy")


@pytest.mark.slow
def test_the_worst_case_cannot_win_eight_games_in_round_two():
    """Of the twelve answers to AABB only six have a candidate among the minimax guesses."""
    openings = tied("Worst case", tuple(CODES))
    patterns = {tuple(sorted(Counter(code).values())) for code in openings}
    assert patterns == {(2, 2)}  # all are AABB with other names and positions
    parts = parts_of("AABB", CODES)
    del parts[SOLVED]
    winnable = [part for part in parts.values() if {*tied("Worst case", tuple(part))} & {*part}]
    assert (len(parts), len(winnable)) == (12, 6)


def fewest(candidates, guesses, add):
    """Return the fewest guesses for a few candidates, added up or at most."""
    if not candidates:
        return 0
    return min(after(guess, candidates, add) for guess in guesses or candidates)


def after(guess, candidates, add):
    parts = parts_of(guess, candidates)
    parts.pop(SOLVED, None)
    rest = [fewest(part, None, add) for part in parts.values()]
    return len(candidates) + sum(rest) if add else 1 + max(rest, default=0)


def test_abfa_saves_a_guess_for_the_six_candidates_of_table_9(evidence):
    six = ["ABAA", "ABAB", "ABAF", "ABDE", "AEAE", "AFAE"]
    expected = {
        ("total", "from ABFA"): fewest(six, ["ABFA"], add=True),
        ("total", "candidates alone"): fewest(six, None, add=True),
        ("maximum", "from ABFA"): fewest(six, ["ABFA"], add=False),
        ("maximum", "candidates alone"): fewest(six, None, add=False),
    }
    assert [*expected.values()] == [12, 13, 2, 3]
    lines = (evidence / "tables" / "source-quantities.csv").read_text("utf-8").splitlines()
    for (goal, name), value in expected.items():
        quantity = f"{goal} guesses for the six candidates of Table 9"
        assert f'"{quantity}","{name}","{value}"' in lines
    page = (evidence / "tables" / "kooi-2005-table-09.md").read_text("utf-8")
    assert "need 12 guesses in total and 2 at most; with\ncandidates alone, 13 and 3." in page
