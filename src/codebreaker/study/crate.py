"""A run described as an RO-Crate: its inputs, outputs, software and authors.

Follows the Process Run Crate profile 0.5: one action, the workflow's run, with the files that it
read and wrote.
"""

import hashlib
import mimetypes
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rocrate.model import ContextEntity, Person
from rocrate.rocrate import ROCrate

from codebreaker.runtime.effort import read_effort

PROFILE = "https://w3id.org/ro/wfrun/process/0.5"


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
    crate = ROCrate()

    def add(kind: str, key: str, /, **properties: Any) -> ContextEntity:  # noqa: ANN401 (JSON)
        """Add an entity other than a file."""
        entity = ContextEntity(crate, key, {"@type": kind, **properties})
        crate.add(entity)
        return entity

    def person(author: Mapping[str, str]) -> Person:
        """Add an author, who has a given and a family name or one name."""
        parts = (author.get(part) for part in ("given-names", "family-names", "name"))
        name = " ".join(filter(None, parts))
        entity = Person(crate, f"#{name}", {"name": name})
        crate.add(entity)
        return entity

    crate.name = citation["title"]
    crate.license = f"https://spdx.org/licenses/{citation['license']}"
    crate.description = f"The results of one run of {citation['title']}."
    crate.creator = [person(author) for author in citation["authors"]]
    crate.root_dataset["conformsTo"] = add("CreativeWork", PROFILE, name="Process Run Crate")
    written = [
        crate.add_file(None, str(path.relative_to(folder)), properties=facts(path))
        for path in sorted(set(outputs))
    ]
    read = [add("CreativeWork", f"#{path}", **facts(path)) for path in inputs]
    known = {"agent": add("Person", "#agent", name=ran.agent)} if ran.agent else {}
    if ran.commit:
        source = add("SoftwareSourceCode", "#workflow", name="workflow", version=ran.commit)
        read.append(source)
    run = add(
        *("CreateAction", "#run"),
        name="A run of the Snakemake workflow",
        startTime=ran.began.isoformat(timespec="seconds"),
        endTime=ran.ended.isoformat(timespec="seconds"),
        instrument=[
            add("SoftwareApplication", f"#{name}", name=name, softwareVersion=version)
            for name, version in software.items()
        ],
        object=read,
        result=written,
        **known,
    )
    crate.root_dataset["mentions"] = run
    return crate.metadata.generate()  # type: ignore[no-any-return]


def facts(path: Path) -> dict[str, str]:
    """Return a file's name, size in bytes, media type and digest as properties of its entity."""
    content = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    digest = hashlib.sha256(content).hexdigest()
    size = str(len(content))
    return {"name": path.name, "contentSize": size, "encodingFormat": kind, "sha256": digest}
