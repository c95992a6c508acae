"""Verdicts on claims: main readings, recorded values compared with this run, counts kept apart."""

import tomllib

import check_claims
import polars as pl
import pytest
from conftest import ROOT
from prose import facts_of

from codebreaker.files import write_frame
from codebreaker.report import claims, site
from codebreaker.report.claims import (
    ABSENT,
    FAILS,
    HOLDS,
    HOLDS_OTHER,
    HOLDS_READ,
    printed,
    read_claims,
    weigh,
)
from codebreaker.report.needs import files_of_claims, run_file
from codebreaker.report.numbers import Results

SOURCES = tomllib.loads(claims.CLAIMS.read_text("utf-8"))["sources"]
SMALL = """\
[[sources]]
name = "A paper"
main_reading = "Its text."

[[sources.readings]]
id = "listing"
text = "as in its listing"

[[sources.readings]]
id = "text"
text = "as in its text"
is_main = true

[[sources.claims]]
id = "by-the-listing"
statement = "The mean is 4."
claimed = "4"
  [[sources.claims.readings]]
  under = "listing"
  file = "paper-scale/players.csv"
  query = "SELECT mean FROM file WHERE contest = 'keeping'"
  [[sources.claims.readings]]
  under = "text"
  file = "paper-scale/players.csv"
  query = "SELECT mean FROM file WHERE contest = 'plain'"

[[sources.claims]]
id = "by-the-text"
statement = "The mean is 5."
claimed = "5"
  [[sources.claims.readings]]
  under = "listing"
  file = "paper-scale/players.csv"
  query = "SELECT mean FROM file WHERE contest = 'keeping'"
  [[sources.claims.readings]]
  under = "text"
  file = "paper-scale/players.csv"
  query = "SELECT mean FROM file WHERE contest = 'plain'"

[[sources.claims]]
id = "ambiguous"
statement = "The maximum is 7."
claimed = "7"
  [[sources.claims.readings]]
  text = "of all games"
  file = "tables/players.csv"
  query = "SELECT MAX(most) FROM file"
  [[sources.claims.readings]]
  text = "of the plain games"
  file = "tables/players.csv"
  query = "SELECT most FROM file WHERE contest = 'plain'"

[[sources.claims]]
id = "of-all"
statement = "It needs fewer guesses."
test = "no game has 8 guesses"
refuted_by = "a game of 8 guesses"
claimed = "< 8"
  [[sources.claims.cases]]
  text = "plain games"
  file = "tables/players.csv"
  query = "SELECT most FROM file WHERE contest = 'plain'"
  [[sources.claims.cases]]
  text = "games that keep codes"
  file = "tables/players.csv"
  query = "SELECT most FROM file WHERE contest = 'keeping'"
"""
PLAYER_OF_THE_GAP = (pl.col("contest") == "four-six") & (pl.col("player") == "eGACm-seeded")
FILES = ("paper-scale/players.csv", "tables/players.csv")
RUN = [("plain", 5.0, 6), ("keeping", 4.0, 7)]


@pytest.fixture
def weighed(tmp_path, monkeypatch):
    """Return the verdicts on small claims, in the text given, by small tables."""

    def by(text=SMALL, recorded=RUN, run=RUN):
        path = tmp_path / "claims.toml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(claims, "CLAIMS", path)
        for file, rows in zip(FILES, (recorded, run), strict=True):
            (tmp_path / file).parent.mkdir(exist_ok=True)
            frame = pl.DataFrame(rows, schema=("contest", "mean", "most"), orient="row")
            write_frame(frame, tmp_path / file)
        verdicts = weigh(Results(tmp_path, FILES), FILES[:1])
        write_frame(verdicts.claims, tmp_path / "discrepancies.csv")
        write_frame(verdicts.readings, tmp_path / "readings.csv")
        return {row["id"]: row for row in verdicts.claims.rows(named=True)}

    return by


def checked(folder):
    return check_claims.shown(folder / "discrepancies.csv", {})


def test_the_main_reading_of_a_source_decides_wherever_it_is_listed(weighed, tmp_path):
    rows = weighed()
    assert rows["by-the-listing"]["verdict"] == HOLDS_OTHER
    assert rows["by-the-listing"]["reading"] == "as in its text"
    assert rows["by-the-listing"]["computed"] == "5"
    assert rows["by-the-listing"]["otherwise"] == "as in its listing: 4 (holds)"
    assert rows["by-the-text"]["verdict"] == HOLDS_READ
    assert rows["by-the-text"]["otherwise"] == "as in its listing: 4 (does not hold)"
    checked(tmp_path)
    other = SMALL.replace("is_main = true\n", "").replace(
        'text = "as in its listing"\n', 'text = "as in its listing"\nis_main = true\n'
    )
    swapped = weighed(other)
    assert swapped["by-the-listing"]["verdict"] == HOLDS_READ
    assert swapped["by-the-text"]["verdict"] == HOLDS_OTHER
    checked(tmp_path)


def test_of_the_readings_of_one_sentence_the_first_is_the_main_one(weighed, tmp_path):
    assert weighed()["ambiguous"]["verdict"] == HOLDS_READ
    first, second = SMALL[SMALL.index('  text = "of all') :].split(
        "  [[sources.claims.readings]]\n"
    )
    second = second.partition("\n\n")[0] + "\n"
    exchanged = SMALL.replace(first, "FIRST").replace(second, first).replace("FIRST", second)
    row = weighed(exchanged)["ambiguous"]
    assert (row["verdict"], row["reading"]) == (HOLDS_OTHER, "of the plain games")
    checked(tmp_path)


def test_a_claim_holds_without_a_condition_under_all_readings_only(weighed):
    both = [("plain", 5.0, 7), ("keeping", 5.0, 7)]
    rows = weighed(recorded=both, run=both)
    assert {name: row["verdict"] for name, row in rows.items()} == {
        "by-the-listing": FAILS,
        "by-the-text": HOLDS,
        "ambiguous": HOLDS,
        "of-all": HOLDS,
    }


def test_a_claim_about_several_cases_holds_in_all_of_them_only(weighed, tmp_path):
    row = weighed()["of-all"]
    assert (row["verdict"], row["case"], row["computed"]) == (HOLDS, "plain games", "6")
    assert row["cases"] == "games that keep codes: 7 (holds)"
    checked(tmp_path)
    for run, failing in (
        ([("plain", 5.0, 6), ("keeping", 4.0, 8)], "games that keep codes"),
        ([("plain", 5.0, 9), ("keeping", 4.0, 7)], "plain games"),
        ([("plain", 5.0, 9)], "plain games"),  # one case that fails is enough
    ):
        row = weighed(run=run)["of-all"]
        assert (row["verdict"], row["case"]) == (FAILS, failing)
        checked(tmp_path)
    row = weighed(run=RUN[:1])["of-all"]
    assert (row["verdict"], row["computed"], row["cases"]) == (ABSENT, "", "")
    checked(tmp_path)
    notes = printed(pl.DataFrame([weighed()["of-all"]]))["notes"].item()
    assert "Our test: no game has 8 guesses. It would be refuted by a game of 8 guesses." in notes
    assert "The value is that of plain games. Further cases: games that keep codes: 7" in notes


AS_READINGS = [
    ("in MM(4,6)", "in MM(4,8)", "'plain'", "'keeping'"),
    ("after two guesses", "after three guesses", "'plain'", "'keeping'"),
    ("with the words", "with others", "'mm-4-6'", "'mm-4-8'"),
]
"""Readings that are cases, by their texts or by what they look up."""


@pytest.mark.parametrize(("first", "second", "one", "other"), AS_READINGS)
def test_the_independent_checker_refuses_cases_given_as_readings(
    weighed, tmp_path, first, second, one, other
):
    text = SMALL.replace('"of all games"', f'"{first}"').replace(
        '"of the plain games"', f'"{second}"'
    )
    text = text.replace(
        "SELECT MAX(most) FROM file", f"SELECT most FROM file WHERE contest = {one}"
    )
    start, _, end = text.partition(f'"{second}"')
    text = f'{start}"{second}"{end.replace("= " + chr(39) + "plain" + chr(39), f"= {other}", 1)}'
    games = [(name.strip("'"), 5.0, 7) for name in (one, other)]
    row = weighed(text, run=[*RUN, *games] if "mm" in one else RUN)["ambiguous"]
    assert row["verdict"] in (HOLDS_READ, HOLDS_OTHER, HOLDS)
    with pytest.raises(ValueError, match="differ in games or numbers alone are cases"):
        checked(tmp_path)


def test_a_main_reading_without_a_value_decides_nothing(weighed, tmp_path):
    rows = weighed(recorded=RUN[1:])
    assert rows["by-the-listing"]["verdict"] == ABSENT
    assert rows["by-the-listing"]["computed"] == ""
    checked(tmp_path)
    rows = weighed(recorded=RUN[:1])
    assert rows["by-the-listing"]["verdict"] == ABSENT  # the listing might hold
    assert rows["by-the-text"]["verdict"] == HOLDS_READ
    checked(tmp_path)


def test_a_recorded_value_that_disagrees_with_this_run_is_shown(weighed, tmp_path):
    rows = weighed()
    assert {row["origin"] for row in rows.values()} == {"recorded", "this run"}
    assert (rows["by-the-text"]["this_run"], rows["by-the-text"]["run_agrees"]) == ("5", "yes")
    assert rows["ambiguous"]["this_run"] == rows["ambiguous"]["run_agrees"] == ""
    rows = weighed(run=[("plain", 5.6, 6), ("keeping", 4.0, 7)])
    row = rows["by-the-text"]
    assert (row["computed"], row["this_run"], row["run_agrees"]) == ("5", "6", "no")
    assert row["verdict"] == HOLDS_READ
    notes = printed(pl.DataFrame([row]))["notes"].item()
    assert "This run disagrees: 6." in notes
    assert "From a recorded run." in notes
    assert rows["by-the-listing"]["run_agrees"] == "yes"  # 5.6 isn't 4 either
    checked(tmp_path)
    rows = weighed(run=[("plain", 5.0, 6), ("keeping", 9.0, 7)])
    assert rows["by-the-listing"]["otherwise"].endswith("4 (holds; this run disagrees: 9)")
    checked(tmp_path)


FAULTS = [
    ("readings", "by-the-text", {"run_agrees": "yes"}, "this run agrees: yes"),
    ("readings", "by-the-text", {"this_run": ""}, "left out"),
    ("readings", "by-the-text", {"this_run": "5"}, "is given as 5"),
    ("readings", "by-the-text", {"holds": "no"}, "holds under a reading: no"),
    ("readings", "by-the-text", {"origin": "this run"}, "given as one of this run"),
    ("readings", "by-the-text", {"origin": ""}, "origin"),
    ("readings", "of-all", {"case": ""}, "have no names"),
    ("readings", "of-all", {"case": "games that keep codes"}, "or the same ones"),
    ("readings", "of-all", {"reading": "another"}, "main reading is not the first"),
    ("discrepancies", "of-all", {"case": "games that keep codes"}, "differs from its main"),
    ("discrepancies", "of-all", {"test": "", "refuted_by": ""}, "a test of ours"),
    ("discrepancies", "of-all", {"refuted_by": ""}, "no result that refutes"),
    ("discrepancies", "of-all", {"test": ""}, "no result that refutes"),
    ("readings", "by-the-text", {"is_main": "no"}, "main reading is not the first"),
    ("readings", "by-the-text", {"under": "listing"}, "several main readings"),
    ("readings", "ambiguous", {"origin": "recorded"}, "several origins|differs from its main"),
    (
        "readings",
        "by-the-text",
        {"run_file": "", "this_run": "", "run_agrees": ""},
        "differs from its main",
    ),
    ("discrepancies", "by-the-text", {"verdict": HOLDS}, "lead to the verdict: holds under a"),
    ("discrepancies", "by-the-text", {"run_agrees": "yes"}, "differs from its main reading"),
    ("discrepancies", "by-the-text", {"origin": "this run"}, "differs from its main reading"),
    ("discrepancies", "by-the-listing", {"verdict": FAILS}, "verdict: holds under another"),
]
"""A table, a claim whose first row there is changed, the change, and why the checker refuses it."""


@pytest.mark.parametrize(("table", "claim", "change", "reason"), FAULTS)
def test_the_independent_checker_sees_a_wrong_row(weighed, tmp_path, table, claim, change, reason):
    weighed(run=[("plain", 5.6, 6), ("keeping", 4.0, 7)])
    checked(tmp_path)
    path = tmp_path / f"{table}.csv"
    rows = facts_of(path)
    next(row for row in rows if row["id"] == claim).update(change)
    write_frame(pl.DataFrame(rows), path)
    with pytest.raises(ValueError, match=reason):
        checked(tmp_path)


def test_a_comparison_with_this_run_is_not_left_out_of_a_single_row(weighed, tmp_path):
    weighed(run=[("plain", 5.6, 6), ("keeping", 4.0, 7)])
    none = {"run_file": "", "this_run": "", "run_agrees": ""}
    rows = facts_of(tmp_path / "readings.csv")
    rows[1].update(none)  # not the main one, so its claim's row is the same
    write_frame(pl.DataFrame(rows), tmp_path / "readings.csv")
    with pytest.raises(ValueError, match="in some rows only"):
        checked(tmp_path)


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_has_one_main_reading(source):
    assert source["main_reading"]
    shared = source.get("readings", [])
    assert [reading.get("is_main", False) for reading in shared].count(True) == bool(shared)
    known = {reading["id"] for reading in shared}
    under = {
        reading["under"]
        for claim in source["claims"]
        for reading in claim.get("readings", [])
        if "under" in reading
    }
    assert under == known


def test_recorded_files_of_claims_are_compared_with_those_of_a_run():
    recorded = [file for file in files_of_claims() if file.startswith("paper-scale/")]
    assert len(recorded) > 5
    for file in recorded:
        assert (ROOT / "resources" / file).exists()
        assert run_file(file) in files_of_claims()
    assert run_file("paper-scale/players.csv") == "tables/players.csv"
    assert run_file("paper-scale/more-games.csv") == "tables/players.csv"
    assert run_file("tables/players.csv") == ""


def test_the_means_of_more_games_are_those_of_table_1():
    means = pl.read_csv(ROOT / "resources" / "paper-scale" / "more-games.csv")
    at_scale = pl.read_csv(ROOT / "resources" / "paper-scale" / "players.csv")
    keys = ["contest", "game", "player"]
    both = means.join(at_scale, keys, suffix="_at_scale")
    assert both.height == means.height == 24
    assert (both["games"] > 5 * both["games_at_scale"]).all()
    assert both["published_guesses"].equals(both["published_guesses_at_scale"])
    for measure in ("guesses", "evaluations"):
        errors = both[f"{measure}_error"] ** 2 + both[f"{measure}_error_at_scale"] ** 2
        gaps = both[f"mean_{measure}"] - both[f"mean_{measure}_at_scale"]
        assert (gaps.abs() < 4 * errors.sqrt()).all()


def test_the_documents_quote_the_gaps_of_the_tables():
    claim = next(row for row in read_claims() if row.id == "cotta-table-1-guesses-six-seeded")
    trust = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    for name in ("more-games", "players"):
        means = pl.read_csv(ROOT / "resources" / "paper-scale" / f"{name}.csv")
        row = means.row(by_predicate=PLAYER_OF_THE_GAP, named=True)
        gap = f"{row['guesses_gap']:.1f}"
        mean = f"{row['mean_guesses']:.3f} ± {row['guesses_error']:.3f}"
        assert f"| {row['games']:,} | {mean} | {gap} |" in trust
        assert f"{row['games']:,} games" in claim.remark
        assert gap in claim.remark
    for ending, agree in ("", 16), ("-keeping", 17):
        means = pl.read_csv(ROOT / "resources" / "paper-scale" / "more-games.csv")
        means = means.filter(pl.col("contest").is_in([f"four-six{ending}", f"four-eight{ending}"]))
        gaps = pl.concat([means["guesses_gap"], means["evaluations_gap"]])
        assert (gaps.abs() <= 3).sum() == agree
    assert "16 of the 24 means agree under the main reading, and 17" in trust


def test_the_page_counts_each_verdict_apart():
    verdicts = [HOLDS, HOLDS, HOLDS_READ, HOLDS_OTHER, FAILS]
    origins = ["recorded", "this run", "recorded", "this run", "recorded"]
    rows = pl.DataFrame({"verdict": verdicts, "origin": origins}).with_columns(source=pl.lit("A"))
    (entry,) = site.confirmed(rows, {})
    assert entry == {
        "what": "A",
        "of": None,
        "decided": 5,
        "held": 2,
        "held_read": 1,
        "held_other": 1,
        "recorded": 3,
    }


def test_ids_of_claims_differ():
    names = [claim.id for claim in read_claims()]
    assert len(names) == len({*names})
