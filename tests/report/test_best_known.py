"""Recorded best known strategies."""

import re
from collections import Counter
from math import isqrt
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
from conftest import GOLDEN, ROOT, defined, game_called, grown
from definitions import played

import codebreaker as cb
from codebreaker.files import DATA
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.best_known import policy_gaps, read_recorded
from codebreaker.trees.best_known import BEST_KNOWN_SCHEMA, KnownTree, best_known, order_of
from codebreaker.trees.grow import grow, guesses_by_secret, walk
from codebreaker.trees.io import read_tree
from codebreaker.trees.tree import nested
from codebreaker.trees.verify import KNOWN

FOLDER = ROOT / "resources" / "best-known"
TREES = DATA / "trees"
RECORDED, LOWEST, FIRST_GUESSES, TWO_PEGS = (
    read_recorded(str(FOLDER / f"{name}.csv"))
    for name in ("best-known", "lowest-maximum", "first-guesses", "two-pegs")
)
ROWS, WITHIN = ({row["game"]: row for row in t.iter_rows(named=True)} for t in (RECORDED, LOWEST))

PUBLISHED_OPTIMA = {"mm-4-6": 5625, "mm-4-7": 11228, "bc-4-10": 26274}
"""Koyama and Lai 1993, Ville 2013, Tanaka 1996."""


def test_each_game_has_a_row_and_a_tree():
    assert {*PUBLISHED_OPTIMA} <= {*ROWS}
    assert sorted(path.stem for path in TREES.glob("*.parquet")) == sorted(ROWS)
    columns = [name for name in RECORDED.columns if name != "evidence"]
    assert columns == [name for name in BEST_KNOWN_SCHEMA if name != "tree"]
    assert sum(path.stat().st_size for path in TREES.iterdir()) < 7 * 2**20
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.parquet")) < 3 * 2**20


@pytest.mark.parametrize("game", ROWS)
def test_the_trees_have_the_totals_of_the_table_within_their_bounds(game):
    row = ROWS[game]
    tree, strategy = read_tree(TREES / f"{game}.parquet")
    assert (strategy.game, strategy.opening) == (game, row["opening"])
    assert tree.n_candidates[0] == row["secrets"]
    assert tree.n_candidates.sum(dtype=np.int64) == row["total"]
    assert (tree.turn.max(), tree.profile[-1]) == (row["max"], row["at_max"])
    assert abs(row["mean"] - row["total"] / row["secrets"]) <= 0.00005001
    assert row["bound"] <= row["total"]
    assert (
        (row["proven"] == "yes") == (row["bound"] == row["total"]) == (strategy.policy == "optimal")
    )
    if game in PUBLISHED_OPTIMA:
        assert (row["total"], row["proven"]) == (PUBLISHED_OPTIMA[game], "yes")
    assert row["gap"] == round(100 * (row["total"] - row["bound"]) / row["bound"], 2)


@pytest.mark.parametrize("game", ROWS)
@pytest.mark.slow
def test_the_lowest_maximum_is_attained_by_its_tree_or_the_best_one(game):
    row = WITHIN[game]
    best = ROWS[game]
    path = FOLDER / "lowest-maximum" / f"{game}.parquet"
    assert path.exists() == (row["max"] < best["max"])
    model = make_game(game, 0)
    tree, strategy = read_tree(path if path.exists() else TREES / f"{game}.parquet")
    assert (strategy.game, strategy.opening) == (game, row["opening"])
    shown = [row[name] for name in ("total", "max", "at_max", "secrets")]
    assert shown == [*order_of(tree), model.n_secrets]
    assert guesses_by_secret(model, tree).sum() == row["total"]
    assert row["max_bound"] <= row["max"] <= best["max"]
    assert best["bound"] <= row["bound"] <= row["total"] >= best["total"]
    are_attained = (row["max_bound"], row["bound"]) == (row["max"], row["total"])
    assert (row["proven"] == "yes") == are_attained
    colours = int(game.split("-")[2])
    if game.startswith("mm-3-") and colours >= 5:  # Jäger and Peczarski 2009
        assert row["max"] == (colours - 1) // 3 + 4
    if game.startswith("mm-4-") and colours >= 16:
        assert colours // 4 + 4 <= row["max"] <= colours // 4 + 6


def test_the_readme_has_the_figures_of_the_tables():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    ends = LOWEST.select("game", pl.col("max").alias("lowest"), there="total", ended="proven")
    both = RECORDED.join(ends, on="game")
    lines = text.splitlines()
    costs = both["lowest"] < both["max"]
    solved = both["proven"] == "yes"
    listed = both.filter(costs | ~solved)
    listed = listed.select("game", "total", "max", "bound", "lowest", "there")
    assert lines[-listed.height :] == [f"| {' | '.join(map(str, row))} |" for row in listed.rows()]
    counts = both.height, solved.sum(), (both["ended"] == "yes").sum(), costs.sum()
    assert f"| {' | '.join(map(str, counts))} |" in lines
    assert f"| {ROWS['mm-5-8']['total']:,} in {ROWS['mm-5-8']['max']} |" in text
    program = r"^\| MM\((\d),(\d+)\) \| ([\d,]+) \| ([\d,]+) \|"
    numbers = re.findall(program, text, re.MULTILINE)
    assert len(numbers) == 16
    for pegs, colours, *totals in numbers:
        elsewhere, ours = (int(total.replace(",", "")) for total in totals)
        assert ours == ROWS.get(f"mm-{pegs}-{colours}", {"total": ours})["total"] < elsewhere


MAXIMA = ("max", "maximum", "max_guesses", "min_depth_attaining_it")
TOTALS = {"total", "total_guesses", "least_total", "entropy_total", "optimal_total", "formula"}
OPTIMAL = {"two-pegs", "optimal-small", "optimal-others"}


class Figure(NamedTuple):
    """A total of some tree of a game as a file has it, and its maximum if that is given."""

    source: str
    game: str
    total: int
    maximum: int | None
    is_optimal: bool


def other_figures(table):
    """Yield the figures of all committed tables, and of the default study's strategies."""
    committed = [*ROOT.glob("resources/*/*.csv"), *DATA.rglob("*.csv"), *GOLDEN.glob("*.csv")]
    for path in [*committed, KNOWN]:
        for row in pl.read_csv(path, infer_schema=False).iter_rows(named=True):
            game = row.get("game", path.stem)
            if "colours" in row:
                game = f"mm-{row.get('pegs', 2)}-{row['colours']}"
            maximum = next((int(row[name]) for name in MAXIMA if row.get(name)), None)
            for name in TOTALS & row.keys():
                if row[name]:  # some published means have no total
                    yield Figure(path.stem, game, int(row[name]), maximum, path.stem in OPTIMAL)
    for row in table.filter(pl.col("guess_pool") == "all").iter_rows(named=True):
        total = row["total_guesses"]
        yield Figure("strategies", row["game"], total, row["max_guesses"], is_optimal=False)


def test_no_table_has_a_better_figure_than_another(table):
    compared = Counter()
    for figure in other_figures(table):
        if figure.game in ROWS:
            best = ROWS[figure.game]
            within = WITHIN[figure.game]
            total = figure.total
            maximum = figure.maximum or best["max"]
            assert (best["total"], best["max"]) <= (total, maximum), figure
            assert (within["max"], within["total"]) <= (maximum, total), figure
            if figure.is_optimal:
                assert (best["total"], best["max"]) == (total, maximum), figure
            compared[figure.source] += 1
    assert compared.total() > 2000
    sources = {"first-guesses", "rollouts", "fair", KNOWN.stem, "other-games", "records"}
    assert sources | OPTIMAL <= {*compared}


@pytest.mark.parametrize("game", ["mm-2-5", "mm-3-4", "bc-3-5", "black-3-4", "mm-4-4"])
def test_small_trees_are_played_literally(game):
    rules = defined(game)
    row = ROWS[game]
    tree = nested(game_called(game), read_tree(TREES / f"{game}.parquet")[0])
    guess_of = dict(zip(game_called(game).guesses, rules.guesses, strict=True))
    games = [played(tree, secret, guess_of, rules.grade) for secret in rules.secrets]
    assert all(solved for _, solved in games)
    lengths = [len(moves) + 1 for moves, _ in games]
    assert (sum(lengths), max(lengths)) == (row["total"], row["max"])


def test_first_guesses_mark_the_minimum_totals_and_one_is_near_the_published_total():
    """Other programs break ties differently."""
    for (game, _), rows in FIRST_GUESSES.group_by("game", "policy"):
        lowest = rows["total"].min()
        assert all((rows["best"] == "yes") == (rows["total"] == lowest))
        assert rows["opening"].n_unique() == rows.height, game
    best = FIRST_GUESSES.filter(game="mm-5-7", policy="entropy", best="yes").row(0, named=True)
    assert best["opening"] == "11223"
    assert best["total"] == pytest.approx(86412, rel=5e-4)


def test_policies_are_compared_with_the_best_known_total_of_each_game():
    gaps = policy_gaps(RECORDED, FIRST_GUESSES)
    policies = FIRST_GUESSES["policy"].n_unique()
    assert gaps.height == len(ROWS) * policies
    for row in gaps.iter_rows(named=True):
        known = ROWS[row["game"]]["total"]
        assert row["above"] == pytest.approx(100 * (row["total"] - known) / known, abs=5e-4)
        assert row["above"] >= 0


def test_the_best_of_several_trees_is_chosen():
    game = game_called("mm-3-3")
    names = ("first-consistent", "entropy", "worst-case")
    known = [KnownTree(*grown(game, Strategy(name)), name, 1.25) for name in names]
    totals = [tree.tree.n_candidates.sum() for tree in known]
    (row,) = best_known(known, [40, 50, 10]).to_dicts()
    assert row["total"] == min(totals)
    assert (row["bound"], row["secrets"], row["proven"]) == (50, 27, "no")
    assert row["gap"] == round(100 * (row["total"] - 50) / 50, 2)


def test_entropy_is_optimal_with_two_pegs():
    """Chen and Lin 2004."""
    recorded = {row["colours"]: row for row in TWO_PEGS.iter_rows(named=True)}
    assert list(recorded) == list(range(3, isqrt(10**5) + 1))
    for n, row in recorded.items():
        odd = 8 * n**3 + 51 * n**2 - 80 * n + 69
        even = 8 * n**3 + 51 * n**2 - 74 * n + 48
        assert 24 * row["total"] == 24 * row["formula"] == (odd if n % 2 else even)
        assert row["max"] == n // 2 + 2
        assert (row["secrets"], row["mean"]) == (n * n, round(row["total"] / n**2, 4))
    for n in (3, 8, 21, 64):
        tree = grow(make_game(f"mm-2-{n}", 0), Strategy("entropy"))
        assert (tree.total_guesses, tree.max_guesses) == (recorded[n]["total"], recorded[n]["max"])


@pytest.mark.slow
def test_the_tree_in_the_contest_s_grammar_is_the_recorded_one():
    tree = cb.read_tree(FOLDER / "mm-5-8.contest", cb.game("mm-5-8"))
    row = ROWS["mm-5-8"]
    assert (tree.total, tree.maximum) == (row["total"], row["max"])


def test_the_tree_of_consistent_guesses_plays_candidates_and_has_the_total_of_the_readme():
    game = make_game("mm-5-8", 0)
    tree, strategy = read_tree(FOLDER / "consistent" / "mm-5-8.parquet")
    assert (strategy.game, strategy.guess_pool) == ("mm-5-8", "consistent")
    assert guesses_by_secret(game, tree).sum() == tree.total_guesses
    own_guess = dict(enumerate(game.guesses_of(np.arange(game.n_secrets)).tolist()))
    for level in walk(game, tree):
        for members, guess in zip(level.frontier.cells, level.guesses.tolist(), strict=True):
            assert guess in {own_guess[member] for member in members.tolist()}
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    row = re.search(
        r"^\| MM\(5,8\), consistent guesses \|.*\| ([\d,]+) in (\d) \|$", text, re.MULTILINE
    )
    assert row[1] == f"{tree.total_guesses:,}"
    assert row[2] == str(tree.max_guesses)
