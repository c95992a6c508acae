"""Build what a version consists of in build/release; run by `make release`. Nothing is uploaded.

The wheel and the source archive are built from the last commit, checked and installed in a new
environment; the results of the last run are packed with their description. Two builds of one
commit have the same bytes, as all times in them are the commit's.
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

from packaging.metadata import Metadata

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "build" / "release"

BUILD = "from flit_core.buildapi import build_{kind}; print(build_{kind}({folder!r}))"

TRIED = "import codebreaker as cb; print(cb.grow(cb.game('mm-3-4'), 'entropy').total)"
"""What has to run in a new environment."""


def git(*command: str) -> bytes:
    """Return what Git writes."""
    return subprocess.run(["git", "-C", ROOT, *command], check=True, capture_output=True).stdout


def run(*command: str | Path, folder: Path = TARGET, **variables: str) -> str:
    """Run a command in a folder, without the packages of this one, and return what it writes."""
    known = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    environment = {**known, **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def export(folder: Path, address: str | None, date: str) -> None:
    """Write the files of the last commit, with the address and date at which it is published."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")
    if address is None:
        return
    given = {"repository-code": address, "url": address, "date-released": date}
    for key, value in given.items():
        fill_in(folder / "CITATION.cff", f'# {key}: ""', f"{key}: {value}")
    fill_in(folder / "pyproject.toml", "# [project.urls]", "[project.urls]")
    for key in ("Repository", "Homepage"):
        fill_in(folder / "pyproject.toml", f'# {key} = ""', f'{key} = "{address}"')


def fill_in(path: Path, old: str, new: str) -> None:
    """Replace a line that stands once in a file."""
    text = path.read_text(encoding="utf-8")
    if text.count(f"\n{old}\n") != 1:
        sys.exit(f"error: {path.name} should have the line {old!r} once")
    path.write_text(text.replace(f"\n{old}\n", f"\n{new}\n"), encoding="utf-8")


def build(source: Path, kind: str, epoch: str, target: Path = TARGET) -> Path:
    """Build a wheel or an sdist in a folder, and return it."""
    program = BUILD.format(kind=kind, folder=str(target))
    name = run(sys.executable, "-c", program, folder=source, SOURCE_DATE_EPOCH=epoch)
    return target / name.strip()


def check_metadata(wheel: Path) -> str:
    """Return the version in a wheel, whose metadata have to be valid."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Metadata.from_email(archive.read(name), validate=True)
    return str(metadata.version)


def try_out(package: Path, requirements: Path, python: str) -> None:
    """Install a package in a new environment of a Python, and use it there."""
    folder = TARGET / "environment"
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    pip = (folder / "bin" / "python", "-m", "pip", "install", "--quiet")
    run(*pip, "--require-hashes", "-r", requirements)
    run(*pip, "--require-hashes", "-r", requirements.with_name("lock-build.txt"))
    run(*pip, "--no-deps", "--no-build-isolation", package)
    run(folder / "bin" / "python", "-c", TRIED)
    run(folder / "bin" / "codebreaker", "--version")
    shutil.rmtree(folder)


def pack(folder: Path, archive: Path, top: str, epoch: int) -> None:
    """Pack a folder's files without hidden ones, in the order of their names."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    shown = [path for path in paths if not re.search(r"/\.", str(path.relative_to(folder.parent)))]
    with (
        archive.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=epoch) as raw,
        tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in shown:
            entry = tarfile.TarInfo(f"{top}/{path.relative_to(folder)}")
            entry.size = path.stat().st_size
            entry.mtime = epoch
            entry.mode = 0o644
            with path.open("rb") as content:
                tar.addfile(entry, content)


def main() -> None:
    """Build, check and pack a release."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", help="of the repository in which the version is published")
    parser.add_argument("--date", help="of publication, as 2026-11-29; otherwise the commit's")
    parser.add_argument("--python", action="append", help="in which to try it out; several times")
    given = parser.parse_args()
    if git("status", "--porcelain"):
        sys.exit("error: there are changes that aren't committed: commit them, or put them aside")
    epoch, committed = git("show", "-s", "--format=%ct %cs").decode().split()
    crate = ROOT / "results" / "ro-crate-metadata.json"
    if not crate.exists():
        sys.exit("error: there are no results to pack: run make first")
    if git("rev-parse", "HEAD").decode().strip() not in crate.read_text(encoding="utf-8"):
        print(f"the results are of another commit: delete {crate.relative_to(ROOT)} and run make")
    shutil.rmtree(TARGET, ignore_errors=True)
    source = TARGET / "source"
    source.mkdir(parents=True)
    export(source, given.address, given.date or committed)
    wheel = build(source, "wheel", epoch)
    sdist = build(source, "sdist", epoch)
    version = check_metadata(wheel)
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert version == project["version"]
    for python in given.python or [sys.executable]:
        for package in (wheel, sdist):
            try_out(package, source / "envs" / "lock.txt", python)
            print(f"{package.name}: installed and used with {run(python, '--version').strip()}")
    results = TARGET / f"codebreaker-{version}-results.tar.gz"
    pack(ROOT / "results", results, f"codebreaker-{version}-results", int(epoch))
    built = [wheel, sdist, results]
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in built]
    (TARGET / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    shutil.rmtree(source)
    print("".join(sums), end="")
    if given.address is None:
        print("without an address: to publish it, give make release ADDRESS=https://...")


if __name__ == "__main__":
    main()
