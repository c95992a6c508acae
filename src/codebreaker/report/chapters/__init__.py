"""Chapters of the report: a function per rule, named like it, returns its log message."""

from typing import Any

Files = Any
"""Files or parameters of a rule by name."""
