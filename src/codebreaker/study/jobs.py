"""The frame of every workflow step: its log, and user-facing errors in one line."""

import errno
import logging
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, Protocol

from codebreaker.errors import CodebreakerError, Setting
from codebreaker.progress import QUIET
from codebreaker.study.digests import check_digests, record_digests

KEYS: dict[Setting, str] = {
    "backend": "config key optimise.backend",
    "gpus": "option --resources gpu=N",
    "memo_mib": "config key limits.memo_mib",
    "strategies": "config key strategies, or exact.games for an optimum",
    "table_mib": "config key limits.table_mib",
    "time_limit_s": "config key exact.time_limit_s",
    "word_lists": "config key word_lists",
}
"""The workflow's name of each setting that it has."""


def explain(error: CodebreakerError) -> str:
    """Return an error's message with the workflow's name of the setting to change."""
    key = KEYS.get(error.setting) if error.setting else None
    return f"{error} ({key})" if key else str(error)


class Step(Protocol):
    """What a script gets from Snakemake: the files of its step."""

    @property
    def input(self) -> Iterable[str]:
        """The files that it reads."""

    @property
    def output(self) -> Iterable[str]:
        """The files that it writes."""

    @property
    def log(self) -> Sequence[str]:
        """Its log."""


@contextmanager
def job(step: Step) -> Iterator[logging.Logger]:
    """Log a step to its file and, unless jobs are quiet, to stderr.

    Exits with code 1 and one line on an error, which Snakemake shows from the file. An input that
    has changed since another job wrote it is such an error.
    """
    log = _open_log(Path(step.log[0]))
    started = time.perf_counter()
    try:
        check_digests(step.input)
        yield log
        record_digests(step.output)
        log.info("done in %.1f s", time.perf_counter() - started)
    except CodebreakerError as error:
        _fail(log, explain(error))
    except MemoryError:
        _fail(log, "not enough memory: use fewer --cores, or lower config key limits.memo_mib")
    except OSError as error:
        _fail(log, explain_os(error))
    except Exception as error:
        if type(error).__module__ == "polars.exceptions":
            _fail(
                log,
                f"a table can't be read ({' '.join(str(error).split())}): delete it, and run again",
            )
        log.exception("error: this is a bug in codebreaker, please report it with these lines")
        sys.exit(1)
    finally:
        for handler in log.handlers:
            with suppress(OSError):
                handler.close()


def explain_os(error: OSError) -> str:
    """Return what to do about an error of the operating system."""
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or error.errno is None:
        return f"{error.strerror or error}{where}: free disk space, and run again"
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return f"{error.strerror}{where}: let this user write there, and run again"
    return f"{error.strerror}{where}: mend this, and run again"


def _open_log(path: Path) -> logging.Logger:
    """Return the log of a step; one that can't be written to goes to stderr alone."""
    log = logging.getLogger("codebreaker")
    log.setLevel(logging.INFO)
    log.propagate = False
    logging.raiseExceptions = False  # a full disk under a log must not fail its job
    shown, log.handlers = logging.StreamHandler(), []
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


def _fail(log: logging.Logger, message: str) -> NoReturn:
    log.error("error: %s", message)
    sys.exit(1)
