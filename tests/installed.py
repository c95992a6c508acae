"""An environment with a wheel of the package and its base requirements, and nothing else.

It is a real virtual environment, whose packages are links to those of this one.
"""

import os
import re
import subprocess
import sys
import venv
from importlib.metadata import distribution
from pathlib import Path

from conftest import ROOT
from packaging.requirements import Requirement

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def build_wheel(folder: Path) -> Path:
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder))
    subprocess.run([*PIP, "wheel", *options, str(ROOT)], check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def install(wheel: Path, requirements: list[str], folder: Path) -> Path:
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    options = ("--no-deps", "--no-index", "--no-compile")
    subprocess.run([*PIP, "--python", str(python), "install", *options, str(wheel)], check=True)
    [packages] = folder.glob("lib/python3*/site-packages")
    for name in closure(requirements):
        link(name, packages)
    return python


def closure(requirements: list[str]) -> set[str]:
    found: set[str] = set()
    pending = [Requirement(entry) for entry in requirements]
    while pending:
        required = pending.pop()
        applies = required.marker is None or required.marker.evaluate({"extra": ""})
        name = re.sub("[-_.]+", "-", required.name).lower()
        if applies and name not in found:
            found.add(name)
            pending += [Requirement(entry) for entry in distribution(name).requires or ()]
    return found


def link(name: str, packages: Path) -> None:
    files = distribution(name).files
    assert files, name
    for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
        source = Path(str(distribution(name).locate_file(top)))
        if not (packages / top).exists():
            (packages / top).symlink_to(source)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the environment in a folder, without the paths of this checkout."""
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
