"""What solved games rest on: proofs, two programs, or one; as the checkers' tables say."""

import polars as pl
import pytest
import strict_json
from conftest import ROOT, tool_called

from codebreaker.proven import (
    EVIDENCE,
    ONE_PROGRAM,
    PROOF,
    TWO_PROGRAMS,
    UNCHECKED,
    Evidence,
    read_evidence,
)
from codebreaker.report.tables import read_table
from codebreaker.trees.verify import KNOWN

PROOFS = ROOT / "resources" / "proofs"
LOWER_BOUNDS = PROOFS / "lower-bounds.csv"
SECOND_SOLVER = PROOFS / "second-solver.csv"
RECORDED = read_evidence(LOWER_BOUNDS, SECOND_SOLVER)
BEST_KNOWN, LOWEST_MAXIMUM = (
    read_table(ROOT / "resources" / "best-known" / f"{name}.csv")
    for name in ("best-known", "lowest-maximum")
)


@pytest.fixture(scope="module")
def tool():
    return tool_called("record_evidence")


@pytest.mark.parametrize("table", [BEST_KNOWN, LOWEST_MAXIMUM], ids=["totals", "maxima"])
def test_each_solved_game_has_evidence_and_no_other(table):
    solved = table.filter(proven="yes")
    assert solved.filter(pl.col("evidence").is_in(EVIDENCE)).height == solved.height
    assert table.filter(proven="no")["evidence"].null_count() == table.height - solved.height


def test_evidence_is_what_the_checkers_tables_say(tool):
    assert tool.with_evidence(BEST_KNOWN).equals(BEST_KNOWN)
    assert tool.with_evidence_at_maximum(LOWEST_MAXIMUM).equals(LOWEST_MAXIMUM)
    known = read_table(KNOWN)
    assert tool.known_with_evidence(known).equals(known)
    text = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    table = tool.table_of_evidence(BEST_KNOWN, LOWEST_MAXIMUM)
    assert f"{tool.START}\n\n{table}\n\n{tool.END}" in text


def test_the_games_of_best_known_strategies_are_named(tool):
    named = tool.in_words(BEST_KNOWN["game"].to_list())
    for page in ("docs/findings.md", "resources/best-known/README.md"):
        assert named in " ".join((ROOT / page).read_text(encoding="utf-8").split())


def test_the_strongest_evidence_is_for_the_games_that_matter_most():
    kinds = dict(BEST_KNOWN.select("game", "evidence").iter_rows())
    proofs = {"mm-4-6", "mm-4-7", "mm-4-8", "mm-5-5"}
    assert proofs <= {game for game in kinds if kinds[game] == PROOF}
    assert {kinds[game] for game in ("mm-4-9", "bc-4-10")} <= {PROOF, TWO_PROGRAMS}
    # A proof comes on top of a second program.
    for game in BEST_KNOWN.filter(evidence=PROOF)["game"]:
        assert (game, "minimum total") in RECORDED.confirmed


def test_each_written_proof_has_its_row():
    rows = set()
    for path in PROOFS.glob("*-*-*.json*"):
        if path.name.startswith("bound-"):
            continue  # a bound on weights
        proof = strict_json.read(path)
        bound = dict(proof["claims"])[""]
        rows.add((proof["game"], proof["guess_pool"], proof["guess_limit"], bound))
    assert rows == {(*key, bound) for key, bound in RECORDED.proofs.items()}
    assert max(path.stat().st_size for path in PROOFS.iterdir()) < 2 * 2**20


def test_what_holds_for_all_trees_holds_for_some():
    evidence = Evidence(
        {("g", "all", None): 10, ("g", "all", 4): 11, ("g", "all", 3): None},
        {("h", "minimum total"): 20, ("h", "lowest maximum"): 5},
    )
    assert evidence.of_total("g", 10) == PROOF
    assert evidence.of_total("g", 10, guess_limit=5) == PROOF
    assert evidence.of_total("g", 10, guess_pool="consistent") == PROOF
    assert evidence.of_total("g", 11, guess_limit=4) == PROOF
    assert evidence.of_maximum("g", 4) == PROOF
    assert evidence.of_total_at_maximum("g", 4, 11) == PROOF
    assert evidence.of_total("h", 20) == evidence.of_total("h", 20, 5) == TWO_PROGRAMS
    assert evidence.of_total_at_maximum("h", 5, 20) == TWO_PROGRAMS


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("of_total", ("g", 11)),
        ("of_total", ("g", 9)),
        ("of_total", ("g", 12, 4)),
        ("of_total", ("g", 11, 3)),
        ("of_total", ("h", 21)),
        ("of_total", ("h", 22)),
        ("of_total", ("h", 22, 4)),
        ("of_total", ("i", 10)),
        ("of_maximum", ("g", 3)),
        ("of_maximum", ("g", 5)),
        ("of_maximum", ("h", 4)),
        ("of_total_at_maximum", ("h", 5, 21)),
        ("of_total_at_maximum", ("h", 6, 20)),
    ],
    ids=str,
)
def test_another_figure_than_the_checked_one_rests_on_one_program(kind, arguments):
    evidence = Evidence(
        {("g", "all", None): 10, ("g", "all", 4): 11, ("g", "all", 3): None},
        {
            ("h", "minimum total"): 20,
            ("h", "lowest maximum"): 5,
            ("h", "minimum total at the lowest maximum"): 22,
        },
    )
    assert getattr(evidence, kind)(*arguments) == ONE_PROGRAM
    assert getattr(UNCHECKED, kind)(*arguments) == ONE_PROGRAM


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("confirmed", "undecided"),
        ("confirmed", "refuted"),
        ("total,20471", "total,20470"),
        ("20471,20471,20471", "20471,20470,20471"),
        ("20471,20471,20471", "20471,20471,20472"),
    ],
)
def test_only_what_is_confirmed_counts(tmp_path, old, new):
    row = "mm-4-8,minimum total,20471,20471,20471,confirmed,"
    text = SECOND_SOLVER.read_text(encoding="utf-8")
    assert text.count(row) == 1
    table = tmp_path / "second-solver.csv"
    table.write_text(text.replace(row, row.replace(old, new)), encoding="utf-8")
    nothing = tmp_path / "lower-bounds.csv"
    nothing.write_text("game,guess_pool,guess_limit,bound\n", encoding="utf-8")
    assert read_evidence(nothing, SECOND_SOLVER).of_total("mm-4-8", 20471) == TWO_PROGRAMS
    assert read_evidence(nothing, table).of_total("mm-4-8", 20471) == ONE_PROGRAM
