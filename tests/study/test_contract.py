"""What Snakemake records of rules: settings that it can compare, and versions of what computes."""

import tomllib

import numpy as np
import pytest
from conftest import ROOT
from snakemake.persistence import UNREPRESENTABLE, PersistenceBase

from codebreaker.policies.strategy import Strategy
from codebreaker.study import contract
from codebreaker.study.contract import LIBRARIES, contents_of, settings, versions_of

WORKFLOW = ROOT / "workflow"

# Libraries of the package that change no result, and why.
EXEMPT = {
    "psutil": "says when a job started",
    "platformdirs": "finds the folder of caches",
    "pydantic": "checks settings, and is read before a rule has them",
    "pyyaml": "reads the study, whose settings are recorded",
    "snakemake": "runs the rules",
}


def recorded(value):
    """Return what Snakemake records of a parameter's value."""
    return PersistenceBase._serialize_param_builtin(None, value)


@pytest.mark.parametrize(
    "value",
    [Strategy("entropy"), [Strategy("entropy")], {"a": [1, {"b": np.int64(3)}]}, {2, 1}, ROOT],
)
def test_a_setting_that_snakemake_would_not_compare_is_refused(value):
    for given in (value, lambda wildcards: value):
        with pytest.raises(TypeError, match=r"^parameter mine has a \w+: Snakemake records no"):
            settings(mine=given)["mine"]("wildcards")


def test_snakemake_itself_records_nothing_of_a_strategy_and_all_of_its_settings():
    """The reason for the check, which can go once Snakemake records or refuses such values."""
    one, other = Strategy("entropy"), Strategy("entropy", opening="1123")
    assert recorded(one) is UNREPRESENTABLE
    assert recorded(one.settings) != recorded(other.settings)
    assert Strategy(**other.settings) == other


def test_settings_stay_what_they_are():
    given = {"a": 1, "b": ["x", None, 2.5], "c": {"d": (True, {})}}
    made = settings(**given, later=lambda wildcards, input: {"of": wildcards})
    assert {name: made[name] for name in given} == given
    assert made["later"]("mm-4-6", []) == {"of": "mm-4-6"}
    assert made["later"].__wrapped__.__code__.co_varnames == ("wildcards", "input")


def test_another_version_of_a_library_is_another_version_of_the_programs_that_use_it(monkeypatch):
    before = set(versions_of(WORKFLOW, "grow_tree"))
    monkeypatch.setattr(contract, "_version", lambda name: f"{name} 99")
    after = set(versions_of(WORKFLOW, "grow_tree"))
    assert {line.split()[0] for line in before - after} >= {"numba", "numpy", "polars"}
    assert after - before <= {f"{name} 99" for name in LIBRARIES.values()}


def test_every_library_of_the_package_is_recorded_or_exempt_with_a_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["report"], *extras["workflow"]]
    names = {entry.split(">")[0] for entry in needed}
    assert names - set(LIBRARIES.values()) == set(EXEMPT)


def test_a_checkers_versions_name_no_library():
    assert versions_of(WORKFLOW, "check_certificates", "game_rules")[0].startswith("check_cert")
    assert not {line.split()[0] for line in versions_of(WORKFLOW, "check_certificates")} & set(
        LIBRARIES.values()
    )


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="there is no program grow_trees in scripts or checkers"):
        versions_of(WORKFLOW, "grow_trees")


def test_contents_have_names_and_leave_out_what_is_missing(tmp_path):
    (tmp_path / "a.csv").write_text("1\n", encoding="utf-8")
    (line,) = contents_of(tmp_path / "a.csv", tmp_path / "b.csv")
    assert line.split()[0] == "a.csv"
    (tmp_path / "a.csv").write_text("2\n", encoding="utf-8")
    assert contents_of(tmp_path / "a.csv") != [line]
