"""Which sources a thing depends on."""

import shutil

import pytest
from conftest import ROOT, python

from codebreaker.runtime.caches import Cache
from codebreaker.runtime.sources import ROOT as PACKAGE
from codebreaker.runtime.sources import digest_of, modules_of

SCRIPTS = ROOT / "workflow" / "scripts"


def names(*files):
    return {path.relative_to(PACKAGE).as_posix() for path in modules_of(*files)}


@pytest.mark.slow
def test_no_script_depends_on_the_configuration_or_the_command_line():
    for script in SCRIPTS.glob("*.py"):
        used = names(script)
        assert not {name for name in used if name.startswith(("study/config", "cli"))}, script.stem


def test_checkers_share_no_code_with_what_they_check():
    checkers = list((ROOT / "workflow" / "checkers").glob("*.py"))
    assert checkers
    assert [path.name for path in checkers if names(path)] == []


def test_a_script_depends_on_what_it_uses_alone():
    assert "optimise/genetic.py" in names(SCRIPTS / "optimise_weights.py")
    for script in ("grow_tree", "write_report"):
        assert "optimise/genetic.py" not in names(SCRIPTS / f"{script}.py")
    assert "trees/grow.py" in names(SCRIPTS / "solve_exactly.py")
    assert "trees/grow.py" not in names(SCRIPTS / "draw_scaling.py")


def test_every_form_of_import_counts_but_those_for_type_checkers(tmp_path):
    imports = {
        "import codebreaker.trees.grow": "trees/grow.py",
        "from codebreaker import errors": "errors.py",
        "from codebreaker.trees.grow import grow": "trees/grow.py",
        "def late():\n    from codebreaker.trees import grow": "trees/grow.py",
        "if TYPE_CHECKING:\n    pass\nelse:\n    import codebreaker.errors": "errors.py",
    }
    for number, (text, module) in enumerate(imports.items()):
        script = tmp_path / f"{number}.py"
        script.write_text(f"import json\n{text}\n", encoding="utf-8")
        assert {module, "__init__.py"} <= names(script)
    script = tmp_path / "types.py"
    text = "import codebreaker\nif TYPE_CHECKING:\n    import codebreaker.trees.grow"
    script.write_text(text, encoding="utf-8")
    assert "trees/grow.py" not in names(script)


def test_a_digest_covers_the_script_itself_but_for_texts_without_effect(tmp_path):
    texts = ("x = 1", '"""A docstring."""\nx = 1  # a remark', "x = 2")
    digests = []
    for number, text in enumerate(texts):
        script = tmp_path / str(number) / "script.py"
        script.parent.mkdir()
        script.write_text(text, encoding="utf-8")
        digests.append(digest_of(script))
    assert digests[0] == digests[1] != digests[2]


PRINT = """
from codebreaker.runtime.sources import ROOT, digests_of
for name, digest in digests_of(ROOT / "cli" / "listing.py").items():
    print(name, digest)
"""


@pytest.fixture
def edited(tmp_path, caches):
    """Return a function that edits a file of a copy of the package, and returns the digests."""
    copy = tmp_path / "src" / "codebreaker"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("data"))
    (copy / "data").symlink_to(PACKAGE / "data")

    def digests(name, added=""):
        path = copy / name
        before = path.read_text(encoding="utf-8")
        path.write_text(before + added, encoding="utf-8")
        run = python("-c", PRINT, environment={"PYTHONPATH": str(tmp_path / "src")}, check=True)
        path.write_text(before, encoding="utf-8")
        return dict(line.rsplit(" ", 1) for line in run.stdout.splitlines())

    return digests


@pytest.mark.parametrize(
    ("name", "added"),
    [
        ("policies/criteria.py", "EDITED = 1"),
        ("policies/catalogue.toml", "# edited"),
        ("trees/grow.py", "EDITED = 1"),
    ],
)
@pytest.mark.slow
def test_digests_name_what_was_edited_code_or_data(edited, name, added):
    before = edited(name)
    after = edited(name, f"\n{added}\n")
    assert {module for module in before if before[module] != after[module]} == {name}


@pytest.mark.slow
def test_a_remark_is_no_edit(edited):
    assert edited("trees/grow.py", "\n# A remark.\n") == edited("trees/grow.py")


@pytest.mark.slow
def test_digests_stay_what_they_are_whatever_happens_to_what_was_kept(edited, caches):
    before = edited("trees/grow.py")
    (kept,) = (caches / "codebreaker" / "sources").iterdir()
    for damage in (b"{", b'{"a": [1]}'):
        Cache(kept.parent).write(kept.name, damage)
        assert edited("trees/grow.py") == before
        assert kept.stat().st_size > 1000
