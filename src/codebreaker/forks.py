"""Forks wait for imports and compilations of other threads, whose locks would stay locked."""

import os
import sys
from importlib import import_module
from pathlib import Path

from codebreaker.errors import CodebreakerError

WAITED_FOR = ("codebreaker", "llvmlite", "numba", "numpy", "polars")

THREADS = Path("/proc/self/task")

_with_tables = {"parent": True, "child": True}
"""Whether Polars works after the next fork, and here."""


def check_tables(what: str) -> None:
    """Raise `CodebreakerError` in a forked process without Polars' threads: it would hang."""
    if not _with_tables["child"]:
        raise CodebreakerError(
            f"{what} needs Polars, which doesn't work in a process that was forked after its use: "
            "start processes by multiprocessing.get_context('spawn')"
        )


def _before() -> None:
    for name in [*sys.modules]:
        if name.partition(".")[0] in WAITED_FOR:
            import_module(name)
    if compiler := sys.modules.get("numba.core.compiler_lock"):
        compiler.global_compiler_lock.acquire()
    if "polars" in sys.modules and THREADS.exists():
        names = [(one / "comm").read_text() for one in THREADS.iterdir()]
        _with_tables["parent"] = "polars-0\n" not in names


def _after() -> None:
    if compiler := sys.modules.get("numba.core.compiler_lock"):
        compiler.global_compiler_lock.release()


def _after_in_child() -> None:
    _with_tables["child"] = _with_tables["parent"]
    _after()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after_in_child)
