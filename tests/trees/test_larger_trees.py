"""The tool that grows trees of larger games, subtree by subtree."""

import sys

import polars as pl
import pytest
from conftest import ROOT

import codebreaker as cb


@pytest.fixture
def tool(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import record_larger_trees

    monkeypatch.setattr(record_larger_trees, "SUBTREES", tmp_path)
    yield record_larger_trees
    sys.modules.pop("record_larger_trees")


@pytest.mark.parametrize("endgames", [0, 12])
def test_a_killed_run_goes_on_and_adds_up_to_the_whole_tree(tool, monkeypatch, capsys, endgames):
    wanted = tool.Grown("mm-4-6", "1123", endgames)
    published = pl.DataFrame(
        {
            "game": ["mm-4-6"],
            "kind": ["tree"],
            "guesses": [4.5],
            "total": [5831],
            "max_guesses": [6],
            "source": [""],
        }
    )
    published.write_csv(tool.SUBTREES / "published.csv")
    monkeypatch.setattr(tool, "FOLDER", tool.SUBTREES)
    grow = tool.grow
    grown = []

    def grow_three(*args, **settings):
        if len(grown) == 3:
            raise KeyboardInterrupt
        grown.append(settings["start"])
        return grow(*args, **settings)

    monkeypatch.setattr(tool, "grow", grow_three)
    with pytest.raises(KeyboardInterrupt):
        tool._row(wanted)
    assert len(capsys.readouterr().out.splitlines()) == 3
    monkeypatch.setattr(tool, "grow", grow)
    row = tool._row(wanted)
    whole = cb.grow("mm-4-6", "entropy", opening="1123", endgames=endgames)
    assert row["total_guesses"] == whole.total
    assert row["published_total"] == 5831  # as published: 4.5 is rounded
    assert row["profile"] == " ".join(map(str, whole.profile))
    assert row["max_guesses"] == len(whole.profile)
    # 1123 has 13 answers that don't solve it. The second run left the first three subtrees alone.
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(set(lines)) == 13 - 3


@pytest.mark.parametrize("name", ["trees", "within"])
def test_recorded_trees_solve_all_secrets_in_fewer_guesses_than_were_published(name):
    rows = pl.read_csv(ROOT / "resources" / "larger-games" / f"{name}.csv").to_dicts()
    assert rows
    for row in rows:
        _, pegs, colours = row["game"].split("-")
        solved_at = list(map(int, row["profile"].split()))
        assert sum(solved_at) == int(colours) ** int(pegs)
        total = sum(turn * solved for turn, solved in enumerate(solved_at, 1))
        assert total == row["total_guesses"] < row["published_total"]
        assert len(solved_at) == row["max_guesses"]
        if name == "within":
            assert row["max_guesses"] <= row["published_max_guesses"] < row["entropy_max_guesses"]
            assert total >= row["entropy_total"]
