"""Proofs of lower bounds, and bounds by two guesses."""

import json
import re
from itertools import permutations
from math import inf

import check_lower_bound
import check_three_guesses
import numpy as np
import pytest
from conftest import ROOT, ci_only, defined, game_called, in_ci
from definitions import minimum_of_all_trees, sizes, unsolved

from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.search.bounds import bound_by_colours, bounds_by_opening
from codebreaker.search.certificate import find_optimum
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.lower_bound import LowerBound
from codebreaker.search.settings import Target
from codebreaker.trees.verify import known_totals

OPTIMA = [
    ("mm-2-2", "all", None), ("mm-2-3", "all", None), ("mm-2-4", "all", None),
    ("mm-2-4", "all", 4), ("mm-2-4", "all", 3), ("mm-2-3", "consistent", None),
    ("mm-3-2", "all", None), ("mm-3-2", "consistent", 3), ("mm-3-2", "all", 2),
]  # fmt: skip


def refused(proof, bound):
    try:
        return check_lower_bound.check(proof) < bound
    except (ValueError, LookupError):
        return True


@pytest.mark.parametrize(("name", "pool", "limit"), OPTIMA, ids=str)
def test_minimum_totals_by_trying_everything_are_proven_and_no_more(name, pool, limit):
    game = game_called(name)
    check = check_lower_bound
    rules = defined(name, pool)
    lowest = minimum_of_all_trees(rules, rules.secrets, {}, turns=limit or inf)
    lowest = None if lowest == inf else lowest
    written = LowerBound(game, pool, limit)
    written.prove(lowest)
    proof = written.to_dict()
    assert check.check(proof) == (check.NEVER if lowest is None else lowest)
    if lowest is not None:
        with pytest.raises(CodebreakerError, match="can't be proven after no move"):
            LowerBound(game, pool, limit).prove(lowest + 1)
        assert refused(proof | {"claims": [["", lowest + 1]]}, lowest + 1)
        assert refused(proof | {"claims": [["", None]]}, lowest + 1)


def test_a_claim_above_the_truth_is_refused_at_every_set_after_a_move():
    game = game_called("mm-3-4")
    search = CostToGo(game_called("mm-3-4"))
    for guess, label in enumerate(game.guesses):
        for kind, feedback in enumerate(game.feedback_labels[:-1]):
            members = np.flatnonzero(game.table[guess] == kind).astype(np.int32)
            if len(members) > 1:
                claim = [f"{label} {feedback}", search.of(members, 1) + 1]
                head = {"game": "mm-3-4", "guess_pool": "all", "guess_limit": None}
                assert refused(head | {"claims": [claim, ["", 1]]}, 0)


def literal_classes(codes, colours, played):
    """Return the smallest code of each class under all symmetries that keep the guesses played."""
    smallest = {code: code for code in codes}
    for order in permutations(range(len(codes[0]))):
        for names in permutations(range(colours)):
            images = {code: tuple(names[code[peg]] for peg in order) for code in codes}
            if all(images[guess] == guess for guess in played):
                smallest = {code: min(smallest[code], images[code]) for code in codes}
    return sorted(set(smallest.values()))


@pytest.mark.parametrize(("name", "colours"), [("mm-2-4", 4), ("mm-3-3", 3), ("mm-4-3", 3)])
def test_the_checker_tries_one_guess_of_each_class(name, colours):
    game = check_lower_bound.game_of(name)
    codes = [tuple(code) for code in game.codes.tolist()]
    some = np.random.default_rng(0).integers(len(codes), size=(12, 2)).tolist()
    for played in [(), *((first,) for first, _ in some), *map(tuple, some)]:
        classes = literal_classes(codes, colours, [codes[guess] for guess in played])
        assert [codes[guess] for guess in game.classes_after(played)] == classes


@ci_only
def test_the_committed_proof_of_the_papers_game_holds():
    path = ROOT / "resources" / "proofs" / "mm-4-6.json"
    proof = json.loads(path.read_text(encoding="utf-8"))
    assert check_lower_bound.check(proof) == 5625


def forged_proofs(proof):
    """Yield what is changed, and the changed proof."""
    first, bound = proof["claims"][0]
    assert first == ""
    others = proof["claims"][1:]
    yield "a total that is one higher", [["", bound + 1], *others]
    largest = max(range(len(others)), key=lambda at: others[at][1])
    yield "a claim dropped", [["", bound], *others[:largest], *others[largest + 1 :]]
    moves, part_bound = others[largest]
    rest = [*others[:largest], *others[largest + 1 :]]
    yield "a claim one lower", [["", bound], [moves, part_bound - 1], *rest]
    yield "a claim that is one higher", [[moves, part_bound + 1], ["", bound], *rest]
    guess, black, white = re.fullmatch(r"(\d+) (\d)B-(\d)C", moves).groups()
    swapped = f"{guess} {white}B-{black}C"
    without = [claim for claim in rest if claim[0] != swapped]
    yield "feedback exchanged", [[swapped, part_bound], ["", bound], *without]
    yield "a claim twice", [["", bound], *others, [moves, part_bound]]
    yield "only the total", [["", bound]]


@pytest.mark.parametrize("name", ["mm-4-6", in_ci("mm-5-5")])
def test_a_committed_proof_that_is_changed_is_refused(name):
    path = ROOT / "resources" / "proofs" / f"{name}.json"
    proof = json.loads(path.read_text(encoding="utf-8"))
    for change, claims in forged_proofs(proof):
        assert refused(proof | {"claims": claims}, 0), change


NAMES = ("mm-2-3", "mm-3-3", "mm-3-4", "mm-4-2", "bc-2-4", "bc-3-5", "black-2-3", "black-3-3")


def minimum_by_size(n, answers):
    total = 0
    turn = 1
    room = 1
    while n > 0:
        now = min(n, room)
        total = total + now * turn
        n = n - now
        turn = turn + 1
        room = room * (answers - 1)
    return total


def bound_after(game, opening, answers):
    def best(cell, bound):
        parts = (unsolved(game, guess, cell) for guess in game.guesses)
        return len(cell) + min(sum(map(bound, sets)) for sets in parts)

    def third(cell):
        return best(cell, lambda part: minimum_by_size(len(part), answers))

    cells = unsolved(game, opening, game.secrets)
    return len(game.secrets) + sum(best(cell, third) for cell in cells)


def bound_by_names(name, answers):
    """Return the bound by the symbols that guesses name, where `answers` are possible to each.

    Number the symbols as guesses name them. Guesses before a turn name the first ones; the secret
    itself is the guess at that turn, so that its new symbols must be the next ones, without a gap.
    """
    game = defined(name)
    pegs = int(name.split("-")[1])
    symbols = sorted({symbol for code in game.secrets for symbol in code})
    total = 0
    n_solved = 0
    turn = 0
    n_at_once = 1 if name.startswith("black") else pegs
    while n_solved < len(game.secrets):
        total += len(game.secrets) - n_solved
        turn += 1
        n_before = (turn - 1) * n_at_once
        new_symbols = [{*code} - {*symbols[:n_before]} for code in game.secrets]
        next_ones = [symbols[n_before:][: min(len(new), n_at_once)] for new in new_symbols]
        n_without_gap = sum(
            new <= {*following} for new, following in zip(new_symbols, next_ones, strict=True)
        )
        n_solved = min(n_solved + (answers - 1) ** (turn - 1), n_without_gap)
    return total


@pytest.mark.parametrize("tabled", [True, False])
@pytest.mark.parametrize("name", [*NAMES, "mm-1-5", "mm-2-9", "bc-2-7"])
def test_the_bound_is_its_definition(name, tabled):
    game = game_called(name) if tabled else rules_of(name).on_demand()
    slow = defined(name)
    codes = dict(zip(game.guesses, slow.guesses, strict=True))
    answers = max(len(sizes(guess, slow.secrets, slow.grade)) for guess in slow.guesses)
    lowest = bound_by_names(name, answers)
    for row in bounds_by_opening(game).iter_rows(named=True):
        expected = max(lowest, bound_after(slow, codes[row["opening"]], answers))
        assert row["bound"] == expected, row


@pytest.mark.parametrize("name", ["mm-2-3", "mm-3-6", "mm-4-4", "mm-4-5", "bc-3-6", "black-3-5"])
def test_the_optimum_after_an_opening_is_not_below_its_bound(name):
    game = game_called(name)
    bounds = {}
    for goal in (0, 200, 10**6):
        bounds |= {
            (opening, goal): bound for _, opening, bound in bounds_by_opening(game, 1, goal).rows()
        }
    for _, opening, bound in bounds_by_opening(game).sort("bound").head(2).rows():
        optimum = find_optimum(game, Target(opening=opening), 16, 60).solution.bound
        assert bounds[opening, 0] == bound <= bounds[opening, 200] <= optimum
        assert bounds[opening, 200] >= min(200, optimum)
        assert bounds[opening, 10**6] == optimum


def test_no_strategy_names_colours_faster_than_its_bound():
    for name in ("mm-2-3", "mm-2-20", "mm-3-15", "bc-4-10", "black-3-7", "black-4-5"):
        game = rules_of(name).on_demand()
        known = known_totals(name)[0].total
        assert bound_by_colours(game, game.n_feedback) <= known, name
    for colours in range(2, 12):  # one after the other
        game = rules_of(f"mm-1-{colours}").on_demand()
        assert bound_by_colours(game, 2) == colours * (colours + 1) // 2
    assert bound_by_colours(game_called("black-2-9"), 3) == bound_by_names("black-2-9", 3)
    assert bound_by_colours(game_called("matches-short"), 5) == 0


@pytest.mark.parametrize("name", ["mm-2-4", "mm-3-4", "mm-4-5", "mm-5-3", "mm-7-2", "mm-2-31"])
def test_a_plain_program_finds_the_same_bounds(name):
    _, pegs, colours = name.split("-")
    lowest, by_opening = check_three_guesses.bound(int(pegs), int(colours))
    bounds = bounds_by_opening(game_called(name))
    assert by_opening == dict(bounds.select("opening", "bound").iter_rows())
    assert lowest == bounds["bound"].min()
