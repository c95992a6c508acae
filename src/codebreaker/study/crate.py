"""A run described as an RO-Crate: its inputs, outputs, software and authors.

Follows the Process Run Crate profile 0.5, which extends RO-Crate 1.1: one action, the workflow's
run, with the files that it read and wrote.
"""

import hashlib
import mimetypes
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from codebreaker.runtime.effort import read_effort

PROFILE = "https://w3id.org/ro/wfrun/process/0.5"

SPECIFICATION = "1.1"
"""The version of RO-Crate that the profile extends."""

LICENCES = {"MIT": "Do what you like with it if you keep the notice of copyright and licence."}
"""What the licence of results allows, by its SPDX identifier."""

ADDRESSES = ("homepage", "source", "repository", "documentation")
"""What a package's metadata call its addresses, the best first."""


@dataclass(frozen=True)
class Ran:
    """When a run began and ended, by the machine's clock, by whom, and with which commit."""

    began: datetime
    ended: datetime
    agent: str | None
    """A name, if the run's folder has one for commits."""

    commit: str | None
    """The commit of the workflow, if it is in a repository; `-dirty` follows if files differ."""


def ran_with(efforts: Iterable[Path], project: Path) -> Ran:
    """Return when jobs ran, given what they took, and what Git knows of a project's folder."""
    ended = {path: path.stat().st_mtime for path in efforts}
    began = [time - read_effort(path).seconds for path, time in ended.items()]
    return Ran(
        datetime.fromtimestamp(min(began), UTC),
        datetime.fromtimestamp(max(ended.values()), UTC),
        _told_by_git(project, "config", "user.name"),
        _told_by_git(project, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"),
    )


def _told_by_git(folder: Path, *question: str) -> str | None:
    """Return Git's answer about a folder; None without Git, a repository or an answer."""
    try:
        told = subprocess.run(["git", "-C", folder, *question], capture_output=True, text=True)
    except OSError:
        return None
    return told.stdout.strip() or None


def describe_run(
    folder: Path,
    outputs: Iterable[Path],
    inputs: Iterable[Path],
    software: Mapping[str, str],
    citation: Mapping[str, Any],
    ran: Ran,
) -> dict[str, Any]:
    """Return the JSON-LD of `ro-crate-metadata.json` for the results in a folder.

    `software` has versions by name, `citation` the fields of CITATION.cff. Inputs lie outside the
    folder, so that the crate has their names and digests only. The authors of the workflow are the
    results' creators; its agent is who ran it.
    """
    crate = ROCrate(version=SPECIFICATION)
    crate.metadata.extra_terms["sha256"] = "http://schema.org/sha256"

    def add(kind: str | list[str], key: str, /, **properties: Any) -> ContextEntity:  # noqa: ANN401 (JSON)
        """Add an entity other than a file."""
        entity = ContextEntity(crate, key, {"@type": kind, **properties})
        crate.add(entity)
        return entity

    def writer(author: Mapping[str, str]) -> ContextEntity:
        """Add an author: a group has one name, a person a given and a family name."""
        if "name" in author:
            return add("Organization", f"#{author['name']}", name=author["name"])
        name = f"{author['given-names']} {author['family-names']}"
        return add("Person", f"#{name}", name=name)

    def application(name: str, version: str) -> ContextEntity:
        """Add a program or library that ran."""
        address = address_of(name)
        known = {"url": address} if address else {}
        key = address or f"#{name}"
        return add("SoftwareApplication", key, name=name, softwareVersion=version, **known)

    crate.name = citation["title"]
    licence = citation["license"]
    address_of_licence = f"https://spdx.org/licenses/{licence}"
    allows = LICENCES[licence]
    crate.license = add("CreativeWork", address_of_licence, name=licence, description=allows)
    crate.description = f"The results of one run of {citation['title']}."
    authors = [writer(author) for author in citation["authors"]]
    crate.root_dataset["author"] = authors if len(authors) > 1 else authors[0]
    profile = add(["CreativeWork", "Profile"], PROFILE, name="Process Run Crate", version="0.5")
    crate.root_dataset["conformsTo"] = profile
    written = [
        crate.add_file(None, str(path.relative_to(folder)), properties=facts(path))
        for path in sorted(set(outputs))
    ]
    read = [add("CreativeWork", f"#{path}", **facts(path)) for path in inputs]
    known = {"agent": add("Person", "#agent", name=ran.agent)} if ran.agent else {}
    if ran.commit:
        kind = ["CreativeWork", "SoftwareSourceCode"]
        source = add(kind, "#workflow", name="The workflow", version=ran.commit)
        read.append(source)
    run = add(
        *("CreateAction", "#run"),
        name="A run of the Snakemake workflow",
        description=f"One run of {citation['title']}.",
        startTime=ran.began.isoformat(timespec="seconds"),
        endTime=ran.ended.isoformat(timespec="seconds"),
        instrument=[application(name, version) for name, version in software.items()],
        object=read,
        result=written,
        **known,
    )
    crate.root_dataset["mentions"] = run
    return crate.metadata.generate()  # type: ignore[no-any-return]


def address_of(name: str) -> str | None:
    """Return the address of an installed library's home, if its metadata name one."""
    if name == "CPython":
        return "https://www.python.org"
    try:
        package = metadata(name)
    except PackageNotFoundError:
        return None
    pairs = (text.split(", ", 1) for text in package.get_all("Project-URL") or [])
    addresses = {label.lower(): address for label, address in pairs}
    if "Home-page" in package:
        addresses["homepage"] = package["Home-page"]
    return next((addresses[label] for label in ADDRESSES if label in addresses), None)


def facts(path: Path) -> dict[str, str]:
    """Return a file's name, size in bytes, media type and digest as properties of its entity."""
    content = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    digest = hashlib.sha256(content).hexdigest()
    size = str(len(content))
    return {"name": path.name, "contentSize": size, "encodingFormat": kind, "sha256": digest}
