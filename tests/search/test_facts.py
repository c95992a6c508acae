"""Facts of games, and that searches take limits on totals from nowhere else."""

import ast
import re
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from conftest import ROOT
from drawn_games import named_game, restrict, table_game, weigh, word_game

import codebreaker as cb
from codebreaker.search.lower_bound import LowerBound

PACKAGE = ROOT / "src" / "codebreaker"
LARGE = 2**15

SEARCHING = ("advice", "duel", "proofs", "search", "trees")
"""Packages that compare totals."""

EFFORT = re.compile(
    r"LOOKUPS|WORK|PAIRS|SLICE|PER_SECOND|BYTES|AT_ONCE|PER_PART|MIB|LINE$|^SAMPLED_FROM$"
    r"|^MOST_(NODES|TOTALS|SECRETS)$|_SETS$|^LARGEST_(EXACT|PROVEN)$|^FINE$|^MAXRSS"
)
"""Names of constants that count work, memory or sizes of input, not guesses."""

OF_TOTALS = {
    "search/kernels/costs.py": "INFEASIBLE",  # `cost_to_go.allocate` checks that totals fit
    "search/small.py": "LARGEST_WEIGHTS",  # `is_small` compares it with the facts
    "search/lower_bound.py": "NEVER",  # refused where totals don't fit
    "trees/formats/nested_json.py": "LARGEST_FIGURE",  # of a file, compared with nothing
}
"""Large constants that stand for totals, by file: each needs a check that a game's totals fit."""

MAY_COMPARE = {"cost_to_go", "endgames", "hard", "size_bounds", "solver"}
"""Modules of `search`, besides kernels, that know how kernels mark a set without a tree."""


def large_constants(path):
    """Yield the names of a module's integers above LARGE, as far as they are written as numbers."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        try:
            value = eval(ast.unparse(statement.value), {"__builtins__": {}})
        except Exception:
            continue
        if isinstance(value, int) and value > LARGE:
            yield from map(ast.unparse, targets)


def test_no_constant_stands_for_the_total_of_a_game():
    """A limit above all totals is `game.facts.no_limit`: with a prior totals have any size."""
    found = {
        path.relative_to(PACKAGE).as_posix(): name
        for package in SEARCHING
        for path in (PACKAGE / package).rglob("*.py")
        for name in large_constants(path)
        if not EFFORT.search(name)
    }
    assert found.items() <= OF_TOTALS.items()


def test_few_modules_know_the_mark_of_a_set_without_a_tree():
    knowing = {
        path.stem
        for path in PACKAGE.rglob("*.py")
        if path.parent.name != "kernels" and "INFEASIBLE" in path.read_text(encoding="utf-8")
    }
    assert knowing <= MAY_COMPARE


@pytest.mark.parametrize("number", range(40))
def test_facts_hold_in_drawn_games(number):
    rng = Random(f"facts {number}")
    drawn = (word_game, table_game, named_game)[number % 3](rng)
    drawn = rng.choice([restrict, weigh])(rng, drawn)
    puzzle = drawn.puzzle
    facts = eval(drawn.text, {"cb": cb})._model.facts
    weights = [puzzle.weights[secret] if puzzle.weights else 1 for secret in puzzle.secrets]
    assert facts.guesses_are_secrets == (sorted(puzzle.guesses) == sorted(puzzle.secrets))
    assert facts.most_turns == len(weights)
    assert puzzle.best_total() < facts.no_limit


def chain(weights):
    """Return a game whose answers only say whether a guess is right, with a prior."""
    names = [f"{number:03}" for number in range(len(weights))]
    table = np.eye(len(weights), dtype=int).tolist()
    game = cb.Game.from_table(table, names, names, ["no", "yes"], "yes")
    return game.weighted(dict(zip(names, weights, strict=True)))


@pytest.mark.parametrize("n", [3, 40, 70, 300])
def test_totals_with_a_prior_of_any_size_are_exact(n):
    """Candidates are played one after another, the heaviest first."""
    rng = Random(n)
    weights = [rng.randint(1, 2**50 // n) for _ in range(n)]
    game = chain(weights)
    heaviest_first = sorted(weights, reverse=True)
    total = sum(turn * weight for turn, weight in enumerate(heaviest_first, start=1))
    assert cb.solve(game).tree.mean.exact == Fraction(total, sum(weights))
    first = game.guesses[weights.index(heaviest_first[0])]
    last = game.guesses[weights.index(heaviest_first[-1])]
    assert cb.regret(cb.State(game), first).mean == 0
    lost = cb.regret(cb.State(game), last)
    # The lightest first costs each of the others one guess, and saves its own n - 1.
    others = sum(weights) - heaviest_first[-1]
    assert lost.mean.exact == Fraction(others - (n - 1) * heaviest_first[-1], sum(weights))


def test_a_proof_is_refused_where_another_feedback_id_wins():
    names = ["a", "b", "c"]
    table = [[0, 1, 2], [1, 0, 2], [2, 1, 0]]
    game = cb.Game.from_table(table, names, names, ["yes", "low", "high"], "yes")._model
    with pytest.raises(cb.CodebreakerError, match="has to win"):
        LowerBound(game)


@pytest.mark.parametrize("kind", ["matches", "marks"])
def test_words_without_common_letters_are_solved_at_once(kind):
    """Most of the game's feedback ids never occur, so no guess makes more than two parts."""
    n = 40
    words = ["".join(chr(0x4E00 + 4 * number + place) for place in range(4)) for number in range(n)]
    game = cb.Game.from_words(words, [], kind)
    total = n * (n + 1) // 2
    assert cb.grow(game, "entropy", endgames=62).total == total
    pools = ["consistent", "hard"] if kind == "marks" else ["consistent"]
    for pool in pools:
        assert cb.solve(game, guess_pool=pool, time_limit_s=60).tree.total == total
