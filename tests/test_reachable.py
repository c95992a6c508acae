"""Each module of the package is reached from the command line, the library, agents or a rule."""

import ast
import re

import pytest
from conftest import ROOT

from codebreaker.runtime.sources import ROOT as PACKAGE
from codebreaker.runtime.sources import modules_of

WORKFLOW = ROOT / "workflow"
RULES = [ROOT / "Snakefile", *sorted(WORKFLOW.rglob("*.smk"))]
SCRIPT = re.compile(r'^ +"\.\./scripts/(\w+\.py)"$', re.MULTILINE)


def scripts_of_rules():
    """Return the scripts that rules run."""
    names = {name for path in RULES for name in SCRIPT.findall(path.read_text(encoding="utf-8"))}
    return [WORKFLOW / "scripts" / name for name in sorted(names)]


def without_snakemake(path, folder):
    """Return a file with the imports of some rules, whose other statements are not Python's."""
    lines = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("from codebreaker")
    ]
    assert not any(line.endswith("(") for line in lines), path
    imports = folder / f"{path.stem}.py"
    imports.write_text("\n".join(lines), encoding="utf-8")
    return imports


def homes_of_the_library(folder):
    """Return a file with the imports of the package's names, which are made on first use."""
    code = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    lines = [ast.unparse(node) for node in ast.walk(code) if isinstance(node, ast.ImportFrom)]
    homes = folder / "library.py"
    homes.write_text("\n".join(lines), encoding="utf-8")
    return homes


@pytest.mark.slow
def test_each_module_is_reached_from_the_command_line_the_library_or_a_rule(tmp_path):
    starts = [
        PACKAGE / "__main__.py",
        PACKAGE / "agents" / "__init__.py",
        *(PACKAGE / "agents").glob("for_*.py"),
        homes_of_the_library(tmp_path),
        *scripts_of_rules(),
        *(without_snakemake(path, tmp_path) for path in RULES),
    ]
    reached = {*starts, *modules_of(*starts)}
    modules = set(PACKAGE.rglob("*.py"))
    assert sorted(str(path.relative_to(PACKAGE)) for path in modules - reached) == []


def test_each_script_is_run_by_a_rule():
    assert scripts_of_rules() == sorted((WORKFLOW / "scripts").glob("*.py"))


def test_the_table_of_packages_has_their_lines():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page[page.index("| layer | lines |") :].partition("\n\n")[0].splitlines()[2:]
    listed = set()
    for row in table:
        layer, lines, *_ = (cell.strip() for cell in row.strip("|").split("|"))
        names = re.findall(r"`(\w+)`", layer)
        files = [path for name in names for path in (PACKAGE / name).rglob("*.py")]
        written = sum(len(path.read_bytes().splitlines()) for path in files or PACKAGE.glob("*.py"))
        assert int(lines.replace(",", "")) == pytest.approx(written, rel=0.1), layer
        listed |= {*names}
    assert listed == {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"data"}
