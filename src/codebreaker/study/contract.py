"""What Snakemake records of a rule's jobs, so that a change of it runs them again.

Snakemake compares the parameters of a planned job with those that it has recorded. It records
numbers, texts, lists and dictionaries; of any other value it records nothing, without a word, so
that no change of it would be seen. Hence rules pass their settings through `settings`, which
refuses such values, and name what they compute with by `versions_of` and `contents_of`.
"""

import functools
import hashlib
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from codebreaker.runtime.sources import digests_of, libraries_of

FOLDERS = ("scripts", "checkers")
"""Where the programs of rules are, in the folder of a workflow."""

LIBRARIES = {
    "altair": "altair",
    "highspy": "highspy",
    "jinja2": "jinja2",
    "llvmlite": "llvmlite",
    "markdown_it": "markdown-it-py",
    "numba": "numba",
    "numpy": "numpy",
    "polars": "polars",
    "rocrate": "rocrate",
    "vl_convert": "vl-convert-python",
}
"""Libraries whose version may change what a job writes: the distribution of each import's name.

The others find folders, check settings or write to terminals.
"""

SPEAKING = frozenset(
    {
        "errors.py",
        "runtime/arguments.py",
        "runtime/effort.py",
        "runtime/progress.py",
        "study/jobs.py",
    }
)
"""Modules of errors, logs, progress and measurements: no result depends on what they say."""

RECORDED = (type(None), bool, int, float, str)
"""The types of values that are recorded, beside lists, tuples and dictionaries of them."""


def settings(**values: Any) -> dict[str, Any]:  # noqa: ANN401 (values of any type are checked)
    """Return a rule's settings by their names, for its `params`.

    A function of wildcards is called by Snakemake for each job, and what it returns is checked
    then. Raises TypeError for a value that Snakemake would not record.
    """
    return {name: _checked(name, value) for name, value in values.items()}


def _checked(name: str, value: Any) -> Any:  # noqa: ANN401 (of any type)
    """Return a setting, or the function of a setting with a check of what it returns."""
    if not callable(value):
        _check(name, value)
        return value

    @functools.wraps(value)  # Snakemake reads the function's parameters
    def checked(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 (of any type)
        result = value(*arguments, **named)
        _check(name, result)
        return result

    return checked


def _check(name: str, value: object) -> None:
    """Raise TypeError for a value, or a part of it, that Snakemake would not record."""
    if isinstance(value, dict):
        parts: Iterable[object] = (*value.keys(), *value.values())
    elif isinstance(value, list | tuple):
        parts = value
    elif type(value) in RECORDED:
        return
    else:
        kind = type(value).__name__
        raise TypeError(f"parameter {name} has a {kind}: Snakemake records no change of it")
    for part in parts:
        _check(name, part)


def versions_of(workflow: Path, *programs: str) -> list[str]:
    """Return the versions of all that programs of a workflow's folder run, one text for each part.

    Digests of the programs and of the package's modules that they import, and the versions of the
    libraries that both import. Raises ValueError for a program that isn't there.
    """
    files = [_program(workflow, name) for name in programs]
    digests = digests_of(*files)
    return [
        *(f"{name} {digest}" for name, digest in digests.items() if name not in SPEAKING),
        *(_version(LIBRARIES[name]) for name in libraries_of(*files) if name in LIBRARIES),
    ]


def _program(workflow: Path, name: str) -> Path:
    """Return the file of a program."""
    files = [workflow / folder / f"{name}.py" for folder in FOLDERS]
    for file in files:
        if file.is_file():
            return file
    raise ValueError(f"there is no program {name} in {' or '.join(FOLDERS)} of {workflow}")


@functools.cache
def _version(distribution: str) -> str:
    """Return a library with its version, or that it isn't installed."""
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return f"{distribution} not installed"


def digest_of_versions(versions: Iterable[str]) -> str:
    """Return one digest of versions, by which a checkpoint is known."""
    return hashlib.sha256(" ".join(versions).encode()).hexdigest()[:16]


def contents_of(*paths: str | Path) -> list[str]:
    """Return names and digests of files, as a changed file may have an old time.

    A file that isn't there is left out: Snakemake says that it is missing.
    """
    return [
        f"{Path(path).name} {hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]}"
        for path in paths
        if Path(path).exists()
    ]


def by_try(number: int) -> Callable[[object, int], int]:
    """Return memory or time that grows with each attempt of a job."""
    return lambda wildcards, attempt: number * attempt
