"""User-facing errors of one line, and optional extras."""

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

Setting = Literal[
    "alphabet",
    "backend",
    "exact",
    "gpus",
    "memo_mib",
    "strategies",
    "table_mib",
    "time_limit_s",
    "word_lists",
]
"""Settings that an error may ask to change; callers translate them to keys or options."""


LONGEST_NAME = 60
LONGEST_KEY = 200
LONGEST_REASON = 200
LONGEST_LINE = 700  # it holds the names of all policies


class CodebreakerError(Exception):
    """Wrong input; the message says how to fix it, and may name the `setting` to change."""

    def __init__(self, message: str, setting: Setting | None = None) -> None:
        super().__init__(message)
        self.setting = setting


class DamagedFileError(CodebreakerError):
    """A file written by this package can't be read back."""

    def __init__(self, path: object, why: object) -> None:
        reason = str(why).splitlines()[0] if str(why) else type(why).__name__
        if len(reason) > LONGEST_REASON:  # it may quote the file
            reason = f"{reason[:LONGEST_REASON]}..."
        super().__init__(
            f"{path} is damaged or incomplete ({reason}): delete it and compute it again"
        )


def printable(text: str) -> str:
    """Return text with unprintable characters, such as terminal escapes, spelled out."""
    return "".join(
        character if character.isprintable() or character in "\n\t" else ascii(character)[1:-1]
        for character in text
    )


def shortened(message: str, longest: int = LONGEST_LINE) -> str:
    """Return a message as one printable line; of a long one, only both ends."""
    line = printable(" ".join(message.split()))
    if len(line) <= longest:
        return line
    return f"{line[: longest // 2]} ... {line[-longest // 2 :]}"


def quoted(name: object) -> str:
    """Return a name in quotes; of a long one, only both ends.

    >>> quoted("entrpy")
    "'entrpy'"
    """
    return shortened(repr(name), LONGEST_NAME)


def counted(number: int, thing: str, plural: str = "s") -> str:
    """Return a number of things, with the plural unless it is 1.

    >>> counted(1, "peg"), counted(1296, "secret")
    ('1 peg', '1,296 secrets')
    """
    return f"{number:,} {thing}{plural * (number != 1)}"


def nearest(name: str, known: Iterable[str], likeness: float = 0.5) -> str | None:
    """Return the known name that is most like a name, in any case, or None if none is like it.

    The `likeness` is the share of equal characters that it needs at least, from 0 to 1.

    >>> nearest("Max_Entropy", ["entropy", "max-entropy"])
    'max-entropy'
    """
    written = {other.lower(): other for other in known}
    near = get_close_matches(str(name).lower(), written, n=1, cutoff=likeness)
    return written[near[0]] if near else None


def unknown(kind: str, name: str, known: Iterable[str]) -> CodebreakerError:
    """Return the error for an unknown name, with the nearest known one."""
    known = list(known)
    near = nearest(name, known)
    if near is not None:
        return CodebreakerError(f"unknown {kind} {quoted(name)}: did you mean {near!r}?")
    return CodebreakerError(f"unknown {kind} {quoted(name)}: known are {', '.join(known)}")


def check_environment() -> None:
    """Raise `CodebreakerError` for environment variables that break Numba or Polars."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise CodebreakerError("NUMBA_DISABLE_JIT turns off compilation, which is needed: unset it")
    for name in ("NUMBA_NUM_THREADS", "POLARS_MAX_THREADS"):
        value = os.environ.get(name, "1")
        if not value.isdecimal() or int(value) < 1:
            raise CodebreakerError(f"{name} is {value!r}: set it to 1 or more, or unset it")


DISTRIBUTION = "codebreaker-mastermind"

Extra = Literal["agents", "cli", "cuda", "pandas", "report", "slurm", "workflow"]

MODULES: dict[Extra, tuple[str, ...]] = {
    "agents": ("gymnasium",),
    "cli": ("jinja2", "rich", "typer"),
    "cuda": ("numba_cuda",),
    "pandas": ("pandas", "pyarrow"),
    "report": ("altair", "jinja2", "markdown_it", "vl_convert"),
    "slurm": ("snakemake_executor_plugin_slurm",),
    "workflow": ("psutil", "rocrate", "snakemake"),
}


class MissingExtraError(CodebreakerError, ImportError):
    """An extra is not installed; the message says how to install it."""

    def __init__(self, user: str, extra: Extra) -> None:
        super().__init__(f"{user} needs the extra {extra}: {remedy(extra)}")


def remedy(extra: Extra) -> str:
    """Return the command that installs what an extra needs, wherever the package came from."""
    from importlib.metadata import PackageNotFoundError, requires  # slow to import

    try:
        required = requires(DISTRIBUTION) or []
    except PackageNotFoundError:  # its source is used where it is not installed
        return f"pip install '.[{extra}]' in the folder of codebreaker's source"
    parts = [requirement.partition(";") for requirement in required]
    names = [name.strip() for name, _, marker in parts if re.search(rf"\b{extra}\b", marker)]
    return "pip install " + " ".join(f"'{name}'" for name in names)


def has_extra(extra: Extra) -> bool:
    """Return whether an extra can be imported."""
    return all(find_spec(module) is not None for module in MODULES[extra])


def has_driver() -> bool:
    """Return whether this machine has NVIDIA's driver."""
    from ctypes.util import find_library  # slow to import

    return Path("/proc/driver/nvidia/version").exists() or find_library("cuda") is not None


def require(extra: Extra, user: str) -> None:
    """Raise `MissingExtraError` unless an extra, which `user` needs, is installed."""
    if not has_extra(extra):
        raise MissingExtraError(user, extra)


def check_seed(seed: int) -> None:
    """Raise `CodebreakerError` for a negative seed."""
    if seed < 0:
        raise CodebreakerError(f"the seed {seed} is negative: choose 0 or more")
