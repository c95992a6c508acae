"""Refuse tables where Polars would hang: in a process that was forked after its import.

Polars has a pool of threads. A forked process has none of them, but may have the locks that they
held, so that its first table would wait for ever.
"""

import os
import sys

from codebreaker.errors import CodebreakerError

_polars_works = True


def check_tables(what: str) -> None:
    """Raise `CodebreakerError` in a forked process where Polars would hang.

    `what` needs tables: a phrase that starts the message.
    """
    if not _polars_works:
        raise CodebreakerError(
            f"{what} needs Polars, which doesn't work in a process that was forked after its use: "
            "start processes by multiprocessing.get_context('spawn')"
        )


def _note_fork() -> None:
    """Remember, in a forked process, whether its parent had imported Polars."""
    global _polars_works
    _polars_works = "polars" not in sys.modules


if hasattr(os, "register_at_fork"):  # Windows has no forks
    os.register_at_fork(after_in_child=_note_fork)
