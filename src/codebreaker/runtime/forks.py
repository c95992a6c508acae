"""Refuse tables where Polars would hang: in a process that was forked after its import."""

import os
import sys

from codebreaker.errors import CodebreakerError

_state = {"works": True}


def check_tables(what: str) -> None:
    """Raise `CodebreakerError` in a forked process where Polars would hang."""
    if not _state["works"]:
        raise CodebreakerError(
            f"{what} needs Polars, which doesn't work in a process that was forked after its use: "
            "start processes by multiprocessing.get_context('spawn')"
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _state.update(works="polars" not in sys.modules))
