"""What every workflow step does: logs, errors in one line, and digests of files."""

import errno
import gc
import logging
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from codebreaker.errors import CodebreakerError, Setting, check_environment
from codebreaker.files import checked_read, write_text
from codebreaker.runtime.effort import write_effort
from codebreaker.runtime.progress import QUIET
from codebreaker.runtime.seals import CHANGED, digest_of_file
from codebreaker.runtime.sources import ROOT

KEYS: dict[Setting, str] = {
    "alphabet": "config key word_lists.LIST.alphabet",
    "backend": "config key optimise.backend",
    "gpus": "option --resources gpu=N",
    "memo_mib": "option --set-resources RULE:mem_mb=N",
    "strategies": "config key strategies, or exact.games for an optimum",
    "table_mib": "config key limits.table_mib",
    "time_limit_s": "config key exact.time_limit_s",
    "word_lists": "config key word_lists",
}

FOLDER = ".jobs/digests"
"""Where digests are, in the hidden folder of what only jobs read."""

GARBAGE = 100_000
"""New objects, less those that were freed, after which Python collects garbage."""


def explain(error: CodebreakerError) -> str:
    """Return an error's message with the config key or option to change."""
    key = KEYS.get(error.setting) if error.setting else None
    return f"{error} ({key})" if key else str(error)


class Outputs(Iterable[str], Protocol):
    """A job's output files, some of which have names."""

    def get(self, name: str) -> str | None:
        """Return the file with a name, if there is one."""


class SnakemakeJob(Protocol):
    """The part of Snakemake's object that steps use: input and output files, and the log."""

    input: Iterable[str]
    output: Outputs
    log: Sequence[str]


@contextmanager
def job(step: SnakemakeJob) -> Iterator[logging.Logger]:
    """Log a step, and check and record digests; exit with code 1 and one line on an error."""
    # Most jobs take a second, in which the collector of garbage would look again and again at what
    # was imported, and find nothing to collect.
    gc.freeze()
    gc.set_threshold(GARBAGE)
    log = _open_log(Path(step.log[0]))
    started = time.perf_counter()
    try:
        check_digests(step.input)
        yield log
        if effort := step.output.get("effort"):
            write_effort(effort)
        record_digests(step.output)
        log.info("done in %.1f s", time.perf_counter() - started)
    except Exception as error:
        if remedy := _remedy(error):
            log.error("error: %s", remedy)
        else:
            log.exception("error: this is a bug in codebreaker, please report it with these lines")
        sys.exit(1)
    finally:
        for handler in log.handlers:
            with suppress(OSError):
                handler.close()


def _remedy(error: Exception) -> str | None:
    """Return in one line what is wrong and what to do; None for a bug."""
    if isinstance(error, CodebreakerError):
        return explain(error)
    if isinstance(error, MemoryError):
        return "not enough memory: use fewer --cores, or change the rule's mem_mb"
    if type(error).__module__ == "polars.exceptions":
        why = " ".join(str(error).split())
        return f"a table can't be read ({why}): delete it, and run again"
    if not isinstance(error, OSError):
        return None
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or error.errno is None:
        return f"{error.strerror or error}{where}: free disk space, and run again"
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return f"{error.strerror}{where}: let this user write there, and run again"
    return f"{error.strerror}{where}: solve this, and run again"


def _open_log(path: Path) -> logging.Logger:
    """Return the package's logger, which writes to a job's log and, if wanted, to the terminal."""
    log = logging.getLogger("codebreaker")
    log.setLevel(logging.INFO)
    log.propagate = False
    logging.raiseExceptions = False  # a full disk under a log must not fail its job
    shown = logging.StreamHandler()
    log.handlers = []
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        log.handlers = [logging.FileHandler(path, mode="w", encoding="utf-8")]
    if QUIET not in os.environ or not log.handlers:
        log.handlers.append(shown)
    if sys.stderr.isatty():  # there progress is a bar
        shown.addFilter(lambda record: not getattr(record, "progress", False))
    for handler in log.handlers:
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", datefmt="%H:%M:%S"))
    return log


def check_place() -> None:
    """Raise `CodebreakerError` if no study can be run in this folder or environment."""
    check_environment()
    if Path("results").is_file():
        raise CodebreakerError("results must be a folder, but is a file here: move it away")
    folder = str(Path.cwd())
    if folder != folder.encode(errors="replace").decode():
        raise CodebreakerError(f"the name of {folder!r} is not UTF-8: run in another folder")


def check_package(project: Path) -> None:
    """Raise `CodebreakerError` if a project's workflow would run another package than its own."""
    own = project / "src" / "codebreaker"
    if own.is_dir() and own.resolve() != ROOT.resolve() and _modules(own) != _modules(ROOT):
        raise CodebreakerError(
            f"the workflow in {project} would run the package in {ROOT}, which differs from its "
            f"own: set PYTHONPATH={own.parent}, or make an environment there"
        )


def _modules(package: Path) -> dict[str, bytes]:
    """Return the contents of a package's modules by their paths in it."""
    return {str(path.relative_to(package)): path.read_bytes() for path in package.rglob("*.py")}


def check_paths(paths: Iterable[str | Path]) -> None:
    """Raise `CodebreakerError` for a path that Snakemake would fill in, such as `{game}.txt`."""
    for path in paths:
        if {"{", "}"} & set(os.path.relpath(path)):
            raise CodebreakerError(f"{path} has braces, Snakemake's sign of a wildcard: rename it")


def check_digests(paths: Iterable[str | Path]) -> None:
    """Raise `DamagedFileError` for a file that has changed since its job wrote it."""
    for path in _files(paths):
        with suppress(OSError):
            recorded = record_of(path).read_text(encoding="utf-8", errors="replace")
            with checked_read(path):
                if recorded.split()[:1] != [digest_of_file(path)]:
                    raise ValueError(CHANGED)


def record_digests(paths: Iterable[str | Path]) -> None:
    """Record the digests of a job's outputs."""
    for path in _files(paths):
        with checked_read(path):
            digest = digest_of_file(path)
        write_text(record_of(path), digest)


def record_of(path: Path) -> Path:
    """Return a file's digest file: `results/.jobs/digests/b.csv` for `results/b.csv`."""
    if path.is_absolute():
        return path.parent / FOLDER / path.name
    return Path(path.parts[0], FOLDER, *path.parts[1:])


def _files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """Yield given files and the files in given folders, but none of the working folder."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.is_file())
        elif path.is_file() and len(path.parts) > 1:
            yield path
