"""Errors that a user can mend, each told in one line."""

from collections.abc import Iterable
from difflib import get_close_matches


class CodebreakerError(Exception):
    """Something in the input is wrong; the message names it and the remedy, in one line."""


class DamagedFileError(CodebreakerError):
    """A cached file is not whole."""

    def __init__(self, path: object, why: object) -> None:
        reason = str(why).splitlines()[0] if str(why) else type(why).__name__
        super().__init__(
            f"{path} is damaged or half-written ({reason}): delete it and run snakemake again"
        )


def unknown(kind: str, name: str, known: Iterable[str]) -> CodebreakerError:
    """Say that a name is not known, and which known name is nearest."""
    known = list(known)
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    if near:
        return CodebreakerError(f"unknown {kind} {name!r}: did you mean {near[0]!r}?")
    return CodebreakerError(f"unknown {kind} {name!r}: known are {', '.join(known)}")
