"""Chapters of the report: a function per rule, named like it, returns its log message."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from codebreaker.report.names import TABLES

Files = Any
"""Files or parameters of a rule by name."""

Render = Callable[[Files, Files, Files], str]

CHAPTERS = TABLES["chapters"]
"""The chapter of each rule."""


def path_of(rule: str) -> Path:
    """Return a rule's chapter."""
    return Path(__file__).parent / f"{CHAPTERS[rule]}.py"


def renderer(rule: str) -> Render:
    """Return the function that renders for a rule; only its chapter is imported."""
    render: Render = getattr(import_module(f"{__name__}.{CHAPTERS[rule]}"), rule)
    return render
