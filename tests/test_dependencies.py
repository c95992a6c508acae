"""Which files a script depends on."""

from pathlib import Path

import pytest
from conftest import ROOT

from codebreaker.study.dependencies import ROOT as PACKAGE
from codebreaker.study.dependencies import modules_of

SCRIPTS = ROOT / "workflow" / "scripts"


def names(script):
    """The modules that a script uses, relative to the package."""
    return {Path(path).relative_to(PACKAGE).as_posix() for path in modules_of(script)}


def test_imports_are_followed():
    found = names(SCRIPTS / "grow_trees.py")
    assert {"tree.py", "kernels/__init__.py", "kernels/cpu.py", "criteria.py", "types.py"} <= found
    assert not {name for name in found if name.startswith(("report/", "config", "metrics"))}


def test_rules_depend_on_what_they_use_alone():
    assert "kernels/cpu.py" not in names(SCRIPTS / "tabulate_game.py")
    assert "report/style.py" in names(SCRIPTS / "draw_figures.py")
    assert "report/style.py" not in names(SCRIPTS / "compare_gur.py")


@pytest.mark.parametrize(
    ("line", "module"),
    [
        ("import codebreaker.trees.grow", "tree.py"),
        ("from codebreaker import metrics", "metrics.py"),
        ("from codebreaker.games.mastermind import Mastermind", "games/mastermind.py"),
        ("def late():\n    from codebreaker.report import gur", "report/gur.py"),
    ],
)
def test_every_form_of_import_counts(tmp_path, line, module):
    script = tmp_path / "script.py"
    script.write_text(f"import json\n{line}\n", encoding="utf-8")
    assert {module, "__init__.py"} <= names(script)
