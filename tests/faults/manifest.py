"""Comparing two runs file by file, with the exceptions that the project names in one place."""

from pathlib import Path

from codebreaker.report.guide import MAY_DIFFER, may_differ
from codebreaker.study.digests import FOLDER


def listed():
    """The exceptions as docs/trust.md has them."""
    return (
        "\n".join(f"- `results/{pattern}`: {why};" for pattern, why in MAY_DIFFER.items())[:-1]
        + "."
    )


def files_of(folder: Path):
    """The files that two runs must share, by their names relative to the results, with content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not may_differ(name.removeprefix(f"{FOLDER}/")):
            found[name] = path.read_bytes()
    return found


def differences(one: Path, other: Path):
    """The names of files that one run has and the other hasn't, or that differ."""
    first, second = files_of(one), files_of(other)
    return sorted(name for name in {**first, **second} if first.get(name) != second.get(name))
