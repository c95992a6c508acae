"""The second solver against all trees of tiny games, and what it does with errors."""

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import permutations, product
from types import ModuleType

import check_solved
import numpy as np
import polars as pl
import pytest
import second_solver
from conftest import HERE, ci_only, full_only

SOURCE = HERE / "checkers" / "second_solver.py"
TINY = ["mm-2-2", "mm-2-3", "mm-2-4", "mm-2-5", "mm-3-2", "mm-3-3", "mm-4-2", "mm-5-2",
        "bc-2-3", "bc-3-3", "bc-3-4", "bc-4-4", "black-2-3", "black-3-2", "black-3-3", "black-4-2",
        "black-5-2"]  # fmt: skip
NO_TREE = 10**6
CLAIMS = {(claim.game, claim.quantity): claim for claim in check_solved.read_claims()}
ROWS = check_solved.read_table(check_solved.TABLE)


def literal_feedback(family, guess, secret):
    """Return the black and white pegs, by their definition."""
    black = sum(colour == other for colour, other in zip(guess, secret, strict=True))
    if family == "black":
        return black, 0
    common = sum((Counter(guess) & Counter(secret)).values())
    return black, common - black


@cache
def literal_totals(name, turns):
    """Return the minimum total after each first guess within a number of turns, over all trees."""
    family, pegs, colours = name.split("-")
    pegs = int(pegs)
    colours = range(int(colours))
    codes = list(permutations(colours, pegs) if family == "bc" else product(colours, repeat=pegs))
    everything = frozenset(range(len(codes)))
    feedback = [[literal_feedback(family, guess, secret) for secret in codes] for guess in codes]

    @cache
    def least(candidates, left):
        if len(candidates) == 1:
            return 1 if left else NO_TREE
        if left == 0:
            return NO_TREE
        return min(after(guess, candidates, left) for guess in everything)

    def after(guess, candidates, left):
        parts = {}
        for secret in candidates:
            if secret != guess:
                parts.setdefault(feedback[guess][secret], set()).add(secret)
        if max(map(len, parts.values())) == len(candidates):
            return NO_TREE  # all is as before, but for a guess
        total = len(candidates)
        for part in sorted(parts.values(), key=len):
            total += least(frozenset(part), left - 1)
        return min(total, NO_TREE)

    return [after(guess, everything, turns) for guess in everything]


@pytest.mark.parametrize("name", TINY)
def test_totals_are_the_minimum_over_all_trees(name):
    totals = literal_totals(name, len(literal_totals(name, 1)))
    least = min(totals)
    search = second_solver.Search(name, megabytes=1)
    # Every first guess, not only one of each class, with an empty and with a filled table.
    assert [search.total_after(opening, 10**4) for opening in range(len(totals))] == totals
    assert second_solver.minimum_total(name, least, megabytes=1)[:2] == (least, least)
    assert second_solver.minimum_total(name, least + 1, megabytes=1)[:2] == (least, least)
    assert second_solver.minimum_total(name, least - 1, megabytes=1)[:2] == (least, None)


@pytest.mark.parametrize("name", TINY)
def test_totals_within_a_limit_are_the_minimum_over_all_trees(name):
    for turns in range(2, 7):
        totals = literal_totals(name, turns)
        within = len(totals) * turns
        search = second_solver.Search(name, turns, megabytes=1)
        totals_found = [search.total_after(opening, within) for opening in range(len(totals))]
        assert [NO_TREE if total > within else total for total in totals_found] == totals


@pytest.mark.parametrize("name", TINY)
def test_there_is_a_tree_within_a_limit_if_all_trees_say_so(name):
    for turns in range(2, 7):
        totals = literal_totals(name, turns)
        search = second_solver.Search(name, turns, megabytes=1, any_tree=True)
        has_tree = [search.total_after(opening, 0) == 0 for opening in range(len(totals))]
        assert has_tree == [total < NO_TREE for total in totals]


def test_a_bound_above_the_budget_is_never_above_the_total():
    totals = literal_totals("mm-3-3", 27)
    for budget in range(50, 90):
        search = second_solver.Search("mm-3-3", megabytes=1)
        for opening, total in enumerate(totals):
            bound = search.total_after(opening, budget)
            assert bound == total if total <= budget else budget < bound <= total


def test_an_emptied_table_changes_no_total():
    search = second_solver.Search("mm-4-3", megabytes=1)
    search.table = search.table._replace(
        offsets=search.table.offsets[:20], members=search.table.members[:200]
    )
    assert search.bound(300) == 246
    assert search.table.used[2] > 0


@pytest.mark.parametrize(
    ("name", "pegs_and_colours", "guess", "secret", "feedback"),
    [
        ("mm", (4, 6), (0, 0, 1, 2), (0, 1, 0, 3), (1, 2)),
        ("mm", (4, 6), (0, 0, 1, 1), (1, 1, 0, 0), (0, 4)),
        ("bc", (4, 6), (0, 1, 2, 3), (1, 0, 2, 5), (1, 2)),
        ("black", (4, 6), (0, 0, 1, 2), (0, 1, 0, 3), (1, 0)),
    ],
)
def test_feedback(name, pegs_and_colours, guess, secret, feedback):
    pegs, colours = pegs_and_colours
    codes = second_solver.codes_of(name, pegs, colours)
    answers, labels = second_solver.answers_of(name, codes, colours)
    row = codes.tolist().index(list(secret))
    column = codes.tolist().index(list(guess))
    assert labels[answers[row, column]] == feedback == literal_feedback(name, guess, secret)


def without_compiler(changes=()):
    """Return the solver as plain Python, with changes of its text."""
    text = SOURCE.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    text = text.replace(
        "from numba import njit", "def njit(*given, **_):\n    return given[0] if given else njit"
    )
    module = ModuleType("changed_solver")
    exec(compile(text, "changed_solver", "exec"), module.__dict__)
    return module


def errors_of(module):
    """Return the tiny games in which a solver contradicts all trees, or some larger ones."""
    wrong = []
    with np.errstate(over="ignore"):
        for name in ("mm-2-4", "mm-3-3", "mm-4-2", "bc-3-4", "bc-4-4", "black-3-3", "black-4-2"):
            totals = literal_totals(name, len(literal_totals(name, 1)))
            least = min(totals)
            try:
                search = module.Search(name, megabytes=0.01)
                totals_found = [
                    search.total_after(guess, 200) for guess in range(0, len(totals), 5)
                ]
                agrees = totals_found == totals[::5]
                agrees &= module.minimum_total(name, least, megabytes=0.01)[:2] == (least, least)
            except (IndexError, ValueError, RecursionError):
                agrees = False
            if not agrees:
                wrong.append(name)
        for name in () if wrong else ("mm-4-3", "mm-3-4", "bc-3-5", "mm-2-8"):
            total = CLAIMS[name, check_solved.TOTAL].claimed  # published, too
            if module.minimum_total(name, total, megabytes=0.01)[:2] != (total, total):
                wrong.append(name)
    return wrong


BLOCKS = ("SMALL = 22", "SMALL = 2")
"""Counts guesses in blocks in tiny games, too."""

ONE_SLOT = ("slot = key & mask", "slot = np.uint64(0)")
"""All sets have the same hash key, which must not matter."""


@pytest.mark.parametrize(
    "changes", [[], [BLOCKS], [ONE_SLOT], [BLOCKS, ("n_canonical > len", "n_canonical > 9 * len")]]
)
def test_plain_python_finds_the_same_totals(changes):
    assert errors_of(without_compiler(changes)) == []


@pytest.mark.parametrize(("name", "share"), [("mm-3-4", 0.95), ("bc-3-5", 0.9), ("black-3-4", 0.9)])
def test_keys_are_equal_sets_and_seldom_depend_on_order_and_names(name, share):
    family, pegs, colours = name.split("-")
    module = without_compiler()
    game = module.game_of(name)
    pegs = int(pegs)
    colours = int(colours)
    number = {tuple(code): i for i, code in enumerate(game.codes.tolist())}
    drawn = np.random.default_rng(11)

    def key_of(members):
        space = np.zeros(len(members), np.uint16)
        with np.errstate(over="ignore"):
            return module.table_key(game, np.array(sorted(members)), len(members), space).tolist()

    def changed(members):
        """Return the set with its pegs in another order, and other names for the colours."""
        order = drawn.permutation(pegs)
        names = [drawn.permutation(colours) for _ in range(pegs)]
        names = names if family == "black" else names[:1] * pegs
        return [
            number[tuple(int(names[peg][game.codes[member, peg]]) for peg in order)]
            for member in members
        ]

    def sizes_of_parts(members):
        """Return the sizes of parts for each guess; other names and orders change no multiset."""
        parts = [Counter(game.answers[members, guess].tolist()) for guess in range(len(number))]
        return Counter(tuple(sorted(part.items())) for part in parts)

    n_equal = 0
    for _ in range(60):
        members = drawn.choice(len(number), drawn.integers(4, 20), replace=False).tolist()
        key = key_of(members)
        assert sizes_of_parts(key) == sizes_of_parts(members)
        n_equal += key == key_of(changed(members))
    assert n_equal >= 60 * share


MUTATIONS = {
    "bound by size, one too high": ("total += turn * more", "total += (turn + 1) * more"),
    "bound by size, too few parts": ("room *= parts", "room *= max(parts - 2, 1)"),
    "two more for sets that no candidate separates": (
        "        low += 1\n        if low > budget",
        "        low += 2\n        if low > budget",
    ),
    "three candidates always solved": (
        "solved[answer] = size == 3 and turns_after >= 3",
        "solved[answer] = size >= 3",
    ),
    "maximum of parts from too few guesses": (
        "most_parts = max(most_parts, n_parts)",
        "most_parts = min(n_parts, 2)",
    ),
    "bound of colliding pairs": ("largest = min(max(budget - 2 * n + 2, 1), n)", "largest = 1"),
    "a dropped class of openings": (
        "return list(shapes.values())",
        "return list(shapes.values())[:1]",
    ),
    "renamed colours that were used": (
        "if not used[0, colour]:\n                rank += 1",
        "if True:\n                rank += 1",
    ),
    "present colours taken for absent": (
        "if not present[peg, colour]:",
        "if present[peg, colour]:",
    ),
    "pegs exchanged that differ": (
        "if code[peg] != code[other]:",
        "if code[peg] == code[other] + 7:",
    ),
    "swapped feedback": (
        "number[occurring] = np.arange(len(occurring))",
        "number[occurring] = np.arange(len(occurring))\n    number[occurring[:2]] = 0",
    ),
    "bounds of parts taken twice": (
        "bound += bounds[counts[answer]]",
        "bound += 2 * bounds[counts[answer]]",
    ),
    "bounds of parts one too high": (
        "work.block_bounds[k] += bounds[count[k]]",
        "work.block_bounds[k] += bounds[count[k]] + 1",
    ),
    "bounds of the wrong guess": (
        "work.block_bounds[guess - first]",
        "work.block_bounds[guess - first - 1]",
    ),
    "sets of one size mixed up in the table": ("same = False\n                    break", "break"),
    "keys of the last peg alone": (
        "space[i] = game.places[number]",
        "space[i] = game.places[number % game.n_colours]",
    ),
    "keys with two pegs at one place": ("(equal and k < i)", "False"),
    "keys with names of each peg's own": (
        "n_alphabets = pegs if game.kind == BLACK else 1",
        "n_alphabets = pegs",
    ),
    "a bound taken for a total": (
        "store_set(table, key, n, turns, low, 0)\n        return low\n    # Deepening",
        "store_set(table, key, n, turns, low, 1)\n        return low\n    # Deepening",
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_wrong_solver_contradicts_all_trees(mutation):
    assert errors_of(without_compiler([MUTATIONS[mutation]])) or errors_of(
        without_compiler([BLOCKS, ONE_SLOT, MUTATIONS[mutation]])
    )


def test_the_table_is_as_claimed():
    assert check_solved.faults_of(ROWS, CLAIMS.values()) == []
    totals = [row for row in ROWS.values() if row["quantity"] == check_solved.TOTAL]
    assert sum(row["result"] == "confirmed" for row in totals) >= 80
    must = ["mm-4-8", "mm-5-5", "mm-4-9", "bc-4-10"]
    assert {ROWS[name, check_solved.TOTAL]["result"] for name in must} == {"confirmed"}
    assert [row for row in ROWS.values() if row["result"] == "refuted"] == []


def claims_of(least, most):
    """The claims about games of more than `least` and up to `most` secrets."""
    return [key for key, claim in CLAIMS.items() if least < claim.secrets <= most]


def test_every_claim_is_in_the_table():
    assert set(ROWS) == set(CLAIMS)
    fewer = dict([*ROWS.items()][1:])
    assert check_solved.missing_of(ROWS, CLAIMS.values()) == []
    assert [claim.game for claim in check_solved.missing_of(fewer, CLAIMS.values())] == ["mm-2-2"]


@pytest.mark.parametrize(
    "key",
    [
        *claims_of(0, 100),
        *(pytest.param(key, marks=ci_only) for key in claims_of(100, 2000)),
        *(pytest.param(key, marks=full_only) for key in claims_of(2000, 3000)),
    ],
    ids=" ".join,
)
def test_rows_are_found_again(key):
    assert check_solved.differences(ROWS[key], check_solved.judge(CLAIMS[key], 256)) == []


@pytest.mark.parametrize(
    "key",
    [*claims_of(100, 3000), *(pytest.param(key, marks=ci_only) for key in claims_of(3000, 10**6))],
    ids=" ".join,
)
def test_trees_have_the_claimed_figures(key):
    claim = CLAIMS[key]
    total, maximum = check_solved.play(claim.game, claim.tree)
    assert claim.claimed == (maximum if claim.quantity == check_solved.MAXIMUM else total)
    assert ROWS[key]["tree"] == str(claim.claimed)


@pytest.mark.parametrize(
    "forged",
    [
        {"claimed": "5624"},
        {"claimed": "5624", "bound": "5624", "tree": "5624"},
        {"bound": "5624"},
        {"tree": "5626"},
        {"result": "refuted"},
        {"result": "undecided"},
        {"result": "proven"},
        {"game": "mm-4-66"},
        {"game": "mm-4-7"},
        {"game": "mm-5-7", "claimed": "85651", "bound": "85651", "tree": "85651"},
        {"quantity": "total"},
        {"quantity": check_solved.MAXIMUM},
        {"quantity": check_solved.TOTAL_AT_MAXIMUM},
        {"claimed": "５６２５"},
        {"claimed": "5625.0", "bound": "5625.0", "tree": "5625.0"},
        {"bound": ""},
        {"tree": ""},
        {"seconds": "nan"},
        {"seconds": "-1"},
        {"seconds": ""},
        {"seconds": "1e-9"},
        {"sets": ""},
        {"sets": "-7"},
        {"mib": "many"},
    ],
    ids=str,
)
def test_forged_rows_are_faults(forged):
    key = ("mm-4-6", check_solved.TOTAL)
    row = ROWS[key] | forged
    table = {(row["game"], row["quantity"]): row}
    assert len(check_solved.faults_of(table, CLAIMS.values())) == 1


@pytest.mark.parametrize(
    "forged", [{"sets": "7"}, {"result": "refuted"}, {"bound": "205"}, {"tree": "207"}], ids=str
)
def test_forged_rows_differ_when_repeated(forged):
    key = ("mm-3-4", check_solved.TOTAL)
    repeated = check_solved.judge(CLAIMS[key], 64)
    assert check_solved.differences(ROWS[key], repeated) == []
    assert len(check_solved.differences(ROWS[key] | forged, repeated)) == 1


DAMAGES = {
    "no tree can be read": lambda tree: None,
    "without a first guess": lambda tree: tree.filter(pl.col("parent") >= 0),
    "no branch for an answer": lambda tree: tree[:-1],
    "two branches for one answer": lambda tree: pl.concat([tree, tree[-1:]]),
    "no tree of the game": lambda tree: tree.with_columns(pl.lit(10**6).alias("guess")),
}


@pytest.mark.parametrize("told", DAMAGES)
def test_a_damaged_tree_is_named_in_a_line(told, tmp_path):
    claim = CLAIMS["mm-3-4", check_solved.TOTAL]
    damaged = DAMAGES[told](pl.read_parquet(claim.tree))
    path = tmp_path / "tree.parquet"
    if damaged is None:
        path.write_bytes(claim.tree.read_bytes()[:100])
    else:
        damaged.write_parquet(path)
    with pytest.raises(ValueError, match=told) as error:
        check_solved.judge(claim._replace(tree=path), 64)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


ALONE = """
import sys
from pathlib import Path
import check_solved
claim = check_solved.read_claims()[0]._replace(tree=Path(sys.argv[1]))
try:
    check_solved.judge_apart(claim, 64, 60)
except ValueError as error:
    print(error)
"""


def test_a_process_that_judges_a_claim_tells_what_is_wrong(tmp_path):
    path = tmp_path / "tree.parquet"
    path.write_bytes(b"PAR1")
    command = [sys.executable, "-c", ALONE, path]
    folder = HERE / "checkers"
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == f"{path}: no tree can be read from it\n"


def test_means_and_maxima_of_the_best_known_trees_are_theirs():
    table = pl.read_csv(check_solved.BEST_KNOWN / "best-known.csv")
    for row in table.iter_rows(named=True):
        assert f"{row['mean']:.4f}" == f"{row['total'] / row['secrets']:.4f}", row["game"]
        path = check_solved.TREES / f"{row['game']}.parquet"
        if path.exists() and (row["secrets"] <= 1000 or "FAULTS" in os.environ):
            played = check_solved.play(row["game"], path)
            assert played == (row["total"], row["max"]), row["game"]


@pytest.mark.parametrize("claimed", [205, 207])
def test_a_wrong_claim_is_refuted(claimed):
    claim = CLAIMS["mm-3-4", check_solved.TOTAL]._replace(claimed=claimed)
    row = check_solved.judge(claim, 64)
    assert (row["bound"], row["tree"], row["result"]) == (206, 206, "refuted")


@pytest.mark.parametrize("claimed", [3, 5])
def test_a_wrong_maximum_is_refuted(claimed):
    claim = CLAIMS["mm-3-4", check_solved.MAXIMUM]
    claim = claim._replace(claimed=claimed, guess_limit=claimed - 1)
    assert check_solved.judge(claim, 64)["result"] == "refuted"


def test_rows_are_read_once(tmp_path):
    path = tmp_path / "table.csv"
    text = check_solved.TABLE.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*text, text[1]]), encoding="utf-8")
    with pytest.raises(ValueError, match="two rows"):
        check_solved.read_table(path)
    changed = ["claim" + text[0], ",".join(reversed(text[0].strip().split(","))) + "\n"]
    for header in changed:
        path.write_text("".join([header, *text[1:]]), encoding="utf-8")
        with pytest.raises(ValueError, match="its columns are not"):
            check_solved.read_table(path)
    for row in ("mm-4-6,minimum total,5625\n", text[1].strip() + ",more\n"):
        path.write_text("".join([text[0], row]), encoding="utf-8")
        with pytest.raises(ValueError, match="more or fewer cells"):
            check_solved.read_table(path)


def test_runs_at_once_lose_no_rows(tmp_path):
    path = tmp_path / "table.csv"
    rows = [*ROWS.values()][:40]
    with ThreadPoolExecutor(8) as runs:
        tables = runs.map(lambda row: check_solved.add_row(path, row, CLAIMS.values()), rows)
        lengths = sorted(map(len, tables))
    assert [*check_solved.read_table(path).values()] == rows
    assert lengths == [*range(1, 41)]


def test_a_run_keeps_and_skips_what_another_run_adds(tmp_path, monkeypatch, capsys):
    path = tmp_path / "table.csv"
    names = ["mm-2-2", "mm-2-3", "mm-2-4"]

    def judge_beside_another_run(claim, _megabytes, _seconds):
        if claim.game == "mm-2-2":
            row = ROWS["mm-2-3", check_solved.TOTAL]
            check_solved.add_row(path, row, CLAIMS.values())
        return ROWS[claim.game, claim.quantity]

    monkeypatch.setattr(check_solved, "judge_apart", judge_beside_another_run)
    arguments = ["--table", str(path), "--only", check_solved.TOTAL, *names]
    assert check_solved.main(arguments) == 0
    assert [game for game, _ in check_solved.read_table(path)] == names
    judged = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert judged == ["mm-2-2", "mm-2-4"]


def test_an_undecided_row_replaces_no_result(tmp_path):
    path = tmp_path / "table.csv"
    row = ROWS["mm-4-6", check_solved.TOTAL]
    undecided = row | {"bound": "", "tree": "", "result": "undecided", "sets": "", "mib": ""}
    for new, kept in ((undecided, undecided), (row, row), (undecided, row)):
        check_solved.add_row(path, new, CLAIMS.values())
        assert [*check_solved.read_table(path).values()] == [kept]
    other_claim = undecided | {"claimed": "5624"}
    check_solved.add_row(path, other_claim, CLAIMS.values())
    assert [*check_solved.read_table(path).values()] == [other_claim]


def test_a_recorded_claim_that_changes_makes_its_row_a_fault(tmp_path):
    folder = tmp_path / "best-known"
    folder.mkdir()
    for name, old, new in (
        ("best-known", '"mm-4-6",1296,5625', '"mm-4-6",1296,5624'),
        ("lowest-maximum", '"mm-4-6",1296,5626', '"mm-4-6",1296,5625'),
    ):
        text = (check_solved.BEST_KNOWN / f"{name}.csv").read_text(encoding="utf-8")
        assert text.count(old) == 1
        (folder / f"{name}.csv").write_text(text.replace(old, new), encoding="utf-8")
    faults = check_solved.faults_of(ROWS, check_solved.read_claims(folder))
    assert sorted(fault.partition(":")[0] for fault in faults) == [
        "mm-4-6 minimum total",
        "mm-4-6 minimum total at the lowest maximum",
    ]


def changed_tree(tmp_path, change):
    path = tmp_path / "mm-3-4.parquet"
    change(pl.read_parquet(check_solved.TREES / path.name)).write_parquet(path)
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda tree: tree.head(tree.height - 1),
        lambda tree: pl.concat([tree, tree.tail(1)]),
        lambda tree: tree.with_columns(feedback=pl.col("feedback").replace({0: 1, 1: 0})),
        lambda tree: tree.with_columns(
            guess=pl.when(pl.col("turn") == 3).then(63).otherwise("guess")
        ),
        lambda tree: tree.with_columns(guess=pl.col("guess") + 64),
        lambda tree: tree.with_columns(guess=pl.col("guess").replace({tree["guess"][0]: 0})),
    ],
)
def test_a_changed_tree_is_refused(tmp_path, change):
    with pytest.raises((ValueError, KeyError)):
        check_solved.play("mm-3-4", changed_tree(tmp_path, change))


def test_a_tree_is_played():
    assert check_solved.play("mm-4-6", check_solved.TREES / "mm-4-6.parquet") == (5625, 6)
