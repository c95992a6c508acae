"""Bounds by first guesses and colours, against their definition, optima and a plain program."""

import os
import subprocess
import sys

import check_raised_bounds
import check_three_guesses
import numpy as np
import polars as pl
import pytest
from conftest import HERE, defined, game_called
from definitions import minimum_of_all_trees, sizes, unsolved

from codebreaker.files import write_frame
from codebreaker.games.registry import rules_of
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.trees.verify import known_totals
from codebreaker_records.bounds import bound_by_colours, bounds_by_opening, bounds_of_parts

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
    by_opening = dict(check_three_guesses.bounds_of(int(pegs), int(colours)))
    bounds = bounds_by_opening(game_called(name))
    assert by_opening == dict(bounds.select("opening", "bound").iter_rows())


@pytest.mark.parametrize("name", ["mm-2-4", "mm-3-3", "mm-4-2", "mm-3-4"])
def test_raised_bounds_hold_by_another_search_and_no_higher_ones_do(name, tmp_path, capsys):
    lowest = known_totals(name)[0].total
    claims = bounds_of_parts(game_called(name), goal=lowest)
    path = tmp_path / "claims.csv"
    write_frame(claims, path)
    check_raised_bounds.main(name, lowest, path)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"{name}: no strategy needs fewer than {lowest} guesses in total"
    with pytest.raises(ValueError, match=f"^{name} may need {lowest} guesses, not {lowest + 1}$"):
        check_raised_bounds.main(name, lowest + 1, path)


@pytest.mark.parametrize("name", ["mm-2-4", "mm-3-3"])
def test_a_claim_above_the_minimum_of_all_trees_is_refused(name, tmp_path):
    game = game_called(name)
    rules = defined(name)
    path = tmp_path / "claims.csv"
    claims = bounds_of_parts(game)
    assert claims.height > 5
    for at, (_, opening, feedback, bound) in enumerate(claims.rows()):
        guess = rules.guesses[game.guesses.index(opening)]
        part = [code for code in rules.secrets if rules.grade(guess, code) == feedback]
        least = minimum_of_all_trees(rules, part, {})
        assert bound <= least
        too_high = claims.with_columns(
            bound=pl.when(pl.int_range(pl.len()) == at).then(least + 1).otherwise(1)
        )
        write_frame(too_high, path)
        message = f"^the set after {opening} {feedback} may need {least}, not {least + 1}$"
        with pytest.raises(ValueError, match=message):
            check_raised_bounds.main(name, 10**6, path)


def test_raised_bounds_are_refused_if_the_file_is_damaged(tmp_path):
    path = tmp_path / "claims.csv"
    damaged = ["", "game,opening\n", "game,opening,feedback,bound\nmm-2-4,11,0B-0C,\n"]
    damaged += ["game,opening,feedback,bound\nmm-2-4,11,0B-0C,-1\n"]
    for text in damaged:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=r"columns are not|is no bound"):
            check_raised_bounds.main("mm-2-4", 45, path)


WRONG = ["４ 3", "9 9", "", "17 3", "4", "0 3", "-1 3", "3 0", "3 1", "1_0 3", "x 3", "2 3 4"]


def test_the_plain_program_prints_each_bound_and_then_the_lowest():
    program = HERE / "checkers" / "check_three_guesses.py"
    command = [sys.executable, program, "4", "4"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    bounds = dict(check_three_guesses.bounds_of(4, 4))
    assert done.stdout.splitlines() == [
        *(
            f"mm-4-4 after {opening}: at least {bound:,} guesses"
            for opening, bound in bounds.items()
        ),
        f"mm-4-4: no strategy needs fewer than {min(bounds.values()):,} guesses in total",
    ]


def test_the_plain_program_refuses_sizes_that_it_is_not_for():
    assert check_three_guesses.answers(16, np.zeros((1, 16)), np.zeros((1, 16))) == 16 * 17
    program = HERE / "checkers" / "check_three_guesses.py"
    for given in WRONG if "FAULTS" in os.environ else WRONG[:4]:
        command = [sys.executable, program, *given.split()]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", env={}, check=False)
        line = done.stderr
        assert (done.returncode, done.stdout, line.count("\n")) == (1, "", 1), given
        assert line.startswith("error: "), given
