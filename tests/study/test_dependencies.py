"""Which files a script depends on."""

import ast
from pathlib import Path

import pytest
from conftest import ROOT

from codebreaker.policies.criteria import CRITERIA
from codebreaker.study import dependencies
from codebreaker.study.dependencies import ROOT as PACKAGE
from codebreaker.study.dependencies import digest_of, modules_of

SCRIPTS = ROOT / "workflow" / "scripts"


def names(script):
    """The modules that a script uses, relative to the package."""
    return {Path(path).relative_to(PACKAGE).as_posix() for path in modules_of(script)}


def test_imports_are_followed():
    found = names(SCRIPTS / "grow_tree.py")
    packages = {"trees/__init__.py", "trees/kernels/__init__.py"}
    assert {*packages, "trees/tree.py", "policies/criteria.py", "types.py"} <= found
    assert any(name.startswith("trees/kernels/") for name in found - packages)


USED = {
    "report/charts/style.py": (
        {
            *("build_site", "compare_families", "compare_moves", "compare_players"),
            *("draw_figures", "draw_frontier", "draw_scaling", "draw_weights", "plot_terminals"),
        },
        {"check_sources", "compare_gur", "grow_tree", "solve_exactly", "write_report"},
    ),
    "report/tables/claims.py": (
        {"check_sources", "describe_results", "build_site"},
        {"compare_gur", "draw_figures"},
    ),
    "search/prices.py": ({"price_moves"}, {"solve_exactly", "grow_tree"}),
    "study/config/searches.py": (set(), {"grow_tree", "optimise_weights", "write_report"}),
    "trees/grow.py": ({"grow_tree", "solve_exactly"}, {"tabulate_game", "describe_machine"}),
    "weights/genetic.py": ({"optimise_weights"}, {"grow_tree", "write_report", "guide_weights"}),
}
"""Modules, with scripts that use them and scripts that don't."""


@pytest.mark.parametrize("module", USED)
def test_a_script_depends_on_what_it_uses_alone(module):
    using, others = USED[module]
    assert all((ROOT / "src" / "codebreaker" / module).is_file() for module in USED)
    assert {script for script in using if module not in names(SCRIPTS / f"{script}.py")} == set()
    assert {script for script in others if module in names(SCRIPTS / f"{script}.py")} == set()


def test_no_script_depends_on_the_configuration_or_the_command_line():
    for script in SCRIPTS.glob("*.py"):
        found = names(script)
        assert not {name for name in found if name.startswith(("study/config", "cli"))}, script.stem


@pytest.mark.parametrize(
    ("line", "module"),
    [
        ("if TYPE_CHECKING:\n    pass\nelse:\n    import codebreaker.errors", "errors.py"),
        ("import codebreaker.trees.grow", "trees/grow.py"),
        ("from codebreaker import errors", "errors.py"),
        ("from codebreaker.games.mastermind import Mastermind", "games/mastermind.py"),
        ("def late():\n    from codebreaker.report.tables import gur", "report/tables/gur.py"),
    ],
)
def test_every_form_of_import_counts(tmp_path, line, module):
    script = tmp_path / "script.py"
    script.write_text(f"import json\n{line}\n", encoding="utf-8")
    assert {module, "__init__.py"} <= names(script)


def test_imports_for_type_checkers_do_not_count(tmp_path):
    script = tmp_path / "script.py"
    lines = (
        "import codebreaker",
        "if TYPE_CHECKING:",
        "    from codebreaker.trees.grow import grow",
    )
    script.write_text("\n".join(lines), encoding="utf-8")
    assert names(script) == {"__init__.py"}


def test_a_digest_covers_the_criteria_that_are_used_and_no_others(monkeypatch):
    """Those that are given, and those whose names stand in the code."""
    script, entries = SCRIPTS / "grow_tree.py", dependencies._entries()
    assert set(entries) == set(CRITERIA)
    before = {name: digest_of(script, [name]) for name in (*CRITERIA, "root")}
    assert len(set(before.values())) > 2
    others = {"root": "a new one", "worst-case": "an edited one"}
    monkeypatch.setattr(dependencies, "_entries", lambda: entries | others)
    after = {name: digest_of(script, [name]) for name in before}
    assert {name for name in before if before[name] != after[name]} == set(others)
    monkeypatch.setattr(dependencies, "_entries", lambda: entries | {"entropy": "an edited one"})
    assert digest_of(script) != before["root"]


def test_the_code_of_a_criterion_includes_what_it_uses_of_its_module():
    tree = ast.parse("def cell(x):\n    return x + scale\nscale, other = 2.0, 3.0\nscale = 2.0\n")
    defined = {"cell": tree.body[0], "scale": tree.body[2], "unused": tree.body[1]}
    used = dependencies._used(ast.parse("f(cell)"), defined)
    assert used[1:] == [tree.body[0], tree.body[2]]


def test_a_digest_covers_the_script_itself(tmp_path):
    digests = []
    for text in ("x = 1", "x = 1  # a remark", "x = 2"):
        (tmp_path / "script.py").write_text(text, encoding="utf-8")
        dependencies._read.cache_clear()
        digests.append(digest_of(tmp_path / "script.py"))
    assert digests[0] == digests[1] != digests[2]


@pytest.fixture
def reader(caches):
    """Read modules as a process of its own does, with what others have kept."""

    def read(*paths):
        kept = dependencies._Kept()
        sources = [kept.of(path) for path in paths]
        kept._save()
        return sources

    return read


def test_what_was_read_is_kept_by_the_text_of_a_module(reader, tmp_path, monkeypatch):
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("import codebreaker.errors", encoding="utf-8")
    (first,) = reader(one)
    assert (tmp_path / "codebreaker" / "sources.json").is_file()
    other.write_text("x = 'new'", encoding="utf-8")
    (second,) = reader(other)
    monkeypatch.setattr(dependencies, "_read_anew", None)  # nothing is read anew
    assert reader(one, other) == [first, second]
    assert second.strings == ["new"]


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"a": 1}', '{"a": [1]}', "null"])
def test_a_damaged_file_of_what_was_read_counts_as_none(reader, tmp_path, damage):
    module, kept = tmp_path / "one.py", tmp_path / "codebreaker" / "sources.json"
    module.write_text("x = 'text'", encoding="utf-8")
    before = reader(module)
    kept.write_text(damage, encoding="utf-8")
    assert reader(module) == before
    assert kept.stat().st_size > 100


def test_the_oldest_of_what_was_read_is_dropped(reader, tmp_path, monkeypatch):
    monkeypatch.setattr(dependencies, "MOST_KEPT", 3)
    modules = [tmp_path / f"{k}.py" for k in range(5)]
    for k, module in enumerate(modules):
        module.write_text(f"x = {k}", encoding="utf-8")
    reader(*modules)
    reader(modules[2])
    assert len(dependencies._Kept()._sources) == 3
    reader(modules[0])
    read = []
    anew = dependencies._read_anew
    monkeypatch.setattr(
        dependencies, "_read_anew", lambda path, text: read.append(path) or anew(path, text)
    )
    reader(*modules)
    assert {modules[1], modules[3]} <= set(read)
    assert not {modules[0], modules[2], modules[4]} & set(read)


def test_a_folder_that_others_may_write_to_is_not_trusted(reader, tmp_path, monkeypatch):
    module, folder = tmp_path / "one.py", tmp_path / "codebreaker"
    module.write_text("x = 'text'", encoding="utf-8")
    before = reader(module)
    folder.chmod(0o777)
    read = []
    anew = dependencies._read_anew
    monkeypatch.setattr(
        dependencies, "_read_anew", lambda path, text: read.append(path) or anew(path, text)
    )
    assert reader(module) == before
    assert read == [module]
