"""The frame of every workflow step: its log, and user-facing errors in one line."""

import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codebreaker.errors import CodebreakerError, Setting
from codebreaker.progress import QUIET

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


@contextmanager
def job(log_path: str | Path) -> Iterator[logging.Logger]:
    """Log a step to its file and, unless jobs are quiet, to stderr.

    Exits with code 1 and one line on an error, which Snakemake shows from the file.
    """
    Path(log_path).parent.mkdir(parents=True, exist_ok=True)
    log = logging.getLogger("codebreaker")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.handlers = [
        logging.FileHandler(log_path, mode="w", encoding="utf-8"),
        *([] if QUIET in os.environ else [logging.StreamHandler()]),
    ]
    if sys.stderr.isatty() and QUIET not in os.environ:  # there progress is a bar
        log.handlers[-1].addFilter(lambda record: not getattr(record, "progress", False))
    for handler in log.handlers:
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", datefmt="%H:%M:%S"))
    started = time.perf_counter()
    try:
        yield log
        log.info("done in %.1f s", time.perf_counter() - started)
    except CodebreakerError as error:
        log.error("error: %s", explain(error))
        sys.exit(1)
    except Exception:
        log.exception("error: this is a bug in codebreaker, please report it with these lines")
        sys.exit(1)
    finally:
        for handler in log.handlers:
            handler.close()
