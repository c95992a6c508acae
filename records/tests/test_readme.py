"""The README says what this project imports, and has targets that exist."""

import ast
import re

from conftest import HERE, ROOT

README = (HERE / "README.md").read_text(encoding="utf-8")
SOURCE = ROOT / "src"
PROGRAMS = ("benchmarks", "record", "src", "workflow")


def is_module(name):
    path = SOURCE.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def imported_by(code):
    """Yield the dotted names of the modules that code imports."""
    for node in ast.walk(code):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if is_module(name) else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def imported():
    """Return the modules of `codebreaker` that the project's files import."""
    modules = set()
    for folder in PROGRAMS:
        for path in [*(HERE / folder).rglob("*.py"), *(HERE / folder).rglob("*.smk")]:
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".smk":  # Snakemake's own statements are not Python's
                lines = [line for line in text.splitlines() if line.startswith("from codebreaker")]
                text = "\n".join(lines)
            modules |= {*imported_by(ast.parse(text))}
    return {name for name in modules if name.startswith("codebreaker.")}


def listed():
    section = README.split("## What it imports")[1]
    rows = re.findall(r"^\| `(codebreaker[\w.]*)` \| (.*) \|$", section, re.MULTILINE)
    return {
        f"{package}.{name}" for package, names in rows for name in re.findall(r"`(\w+)`", names)
    }


def test_the_imports_are_those_that_the_readme_lists():
    assert listed() == imported()


def test_targets_and_files_exist():
    targets = re.findall(r"^\| `make ([\w-]+)`", README, re.MULTILINE)
    text = (HERE / "records.mk").read_text(encoding="utf-8")
    assert len(targets) == 6
    for target in targets:
        assert f"\n{target}:" in text
    modules = HERE / "src" / "codebreaker_records"
    for name in re.findall(r"`([\w/-]+\.(?:py|yaml))`", README):
        assert (HERE / name).exists() or (modules / name).exists(), name
    for link in re.findall(r"\]\(([^)#]*)", README):
        assert (HERE / link).exists(), link
