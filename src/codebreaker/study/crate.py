"""A run described as an RO-Crate: its inputs, outputs, software and authors.

Follows the Process Run Crate profile 0.5: one action, the workflow's run, with the files that it
read and wrote.
"""

import hashlib
import mimetypes
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rocrate.model import ContextEntity, Person
from rocrate.rocrate import ROCrate

PROFILE = "https://w3id.org/ro/wfrun/process/0.5"


def describe_run(
    folder: Path,
    outputs: Iterable[Path],
    inputs: Iterable[Path],
    software: Mapping[str, str],
    citation: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the JSON-LD of `ro-crate-metadata.json` for the results in a folder.

    `software` has versions by name, `citation` the fields of CITATION.cff. Inputs lie outside the
    folder, so that the crate has their names and digests only.
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
    run = add(
        *("CreateAction", "#run"),
        name="A run of the Snakemake workflow",
        instrument=[
            add("SoftwareApplication", f"#{name}", name=name, softwareVersion=version)
            for name, version in software.items()
        ],
        object=read,
        result=written,
        agent=crate.creator,
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
