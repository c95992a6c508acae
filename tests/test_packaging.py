"""The environment's descriptions are in step, and nothing names a registry or a machine."""

import re
import subprocess
import tomllib

import pytest
import yaml
from conftest import ROOT

from codebreaker.report.charts.strategies import FIGURES
from codebreaker.report.charts.weights import WEIGHT_FIGURES

CONDA_NAMES = {"snakemake-minimal": "snakemake"}


def pins_of(lock):
    """The entries of a lock, one per package."""
    return re.split(r"\n(?=[a-z])", (ROOT / "envs" / lock).read_text(encoding="utf-8"))


def locked(lock="lock.txt"):
    """The versions of a lock, by package."""
    pins = map(re.compile(r"([a-z0-9_.-]+)==([^ ;]+)").match, pins_of(lock))
    return dict(pin.groups() for pin in pins if pin)


def required(extra=None):
    """The names that pyproject.toml requires: for a run, or an extra or dependency group."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    extras = project["optional-dependencies"] | settings["dependency-groups"]
    entries = extras[extra] if extra else project["dependencies"]
    return {re.split(r"[<>=~ []", entry)[0].lower() for entry in entries}


@pytest.mark.parametrize("extra", [None, "build", "test", "cuda", "slurm"])
def test_locks_pin_all_that_is_required_with_hashes_and_agree(extra):
    lock = f"lock-{extra}.txt" if extra else "lock.txt"
    pins, common = locked(lock), locked()
    assert required(extra) <= set(pins)
    assert [name for name in pins if pins[name] != common.get(name, pins[name])] == []
    assert all("--hash=sha256:" in pin for pin in pins_of(lock))


def test_a_run_installs_no_tools_of_tests():
    assert not (required("test") - {"pyyaml"}) & (set(locked()) | set(locked("lock-build.txt")))


def test_the_package_is_built_with_what_is_locked():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(settings["build-system"]["requires"]) <= set(settings["dependency-groups"]["build"])


def test_the_slurm_profile_names_every_group_of_rules():
    profile = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text(encoding="utf-8"))
    rules = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk")
    )
    groups = {entry.split("=")[0] for entry in profile["group-components"]}
    named = re.findall(r"group:\n +(.*)", rules)
    assert groups == {name for line in named for name in re.findall('"([a-z]+)"', line)}


def test_the_conda_environment_has_the_locked_versions():
    data = yaml.safe_load((ROOT / "envs" / "environment.yaml").read_text(encoding="utf-8"))
    pins = dict(
        entry.split("=", 1) for entry in data["dependencies"] if re.search(r"[a-z0-9]=\d", entry)
    )
    found = {CONDA_NAMES.get(name, name): version for name, version in pins.items()}
    versions = {name: re.sub(r"\.post\d+$", "", version) for name, version in locked().items()}
    assert found == {name: versions[name] for name in required()}
    assert {"pip", *required("build")} <= set(data["dependencies"])


def test_no_file_names_a_registry_or_a_path_of_a_machine():
    tracked = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    words = re.compile(
        r"py" + r"pi\.org|python" + r"hosted|ana" + r"conda\.(org|com)|/ho" + r"me/|/ro" + r"ot/"
    )
    for name in tracked:
        path = ROOT / name
        if path.is_file() and path.suffix not in {".png", ".parquet"}:
            assert not words.search(path.read_text(encoding="utf-8")), name


def test_the_workflow_lists_every_figure():
    for phase, names in (("report", FIGURES), ("weights", WEIGHT_FIGURES)):
        rules = (ROOT / "workflow" / "rules" / f"{phase}.smk").read_text(encoding="utf-8")
        kind = {"report": "STRATEGY", "weights": "WEIGHT"}[phase]
        listed = rules.split(f"{kind}_CHARTS = [")[1].split("]")[0]
        assert re.findall(r'"([a-z-]+)"', listed) == list(names)


def test_scripts_are_adapters():
    for path in (ROOT / "workflow" / "scripts").glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 60, path.name


def test_checkers_share_no_code_with_what_they_check():
    checkers = list((ROOT / "workflow" / "checkers").glob("*.py"))
    assert checkers
    for path in checkers:
        source = path.read_text(encoding="utf-8")
        assert "import codebreaker" not in source, path.name
        assert "from codebreaker" not in source, path.name
