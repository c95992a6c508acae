"""The optional extras of an installation: their modules, and how to install a missing one."""

from importlib.util import find_spec
from typing import Literal

from codebreaker.errors import CodebreakerError

DISTRIBUTION = "codebreaker-mastermind"

Extra = Literal["cli", "cuda", "report", "slurm", "workflow"]

MODULES: dict[Extra, tuple[str, ...]] = {
    "cli": ("jinja2", "rich", "typer"),
    "cuda": ("numba_cuda",),
    "report": ("altair", "jinja2", "markdown_it", "vl_convert"),
    "slurm": ("snakemake_executor_plugin_slurm",),
    "workflow": ("snakemake", "yaml"),
}


class MissingExtraError(CodebreakerError, ImportError):
    """Something needs an extra that is not installed; the message says how to install it."""

    def __init__(self, user: str, extra: Extra) -> None:
        super().__init__(f"{user} needs the extra {extra}: {remedy(extra)}")


def remedy(extra: Extra) -> str:
    """Return the command that installs an extra."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def has_extra(extra: Extra) -> bool:
    """Return whether all modules of an extra can be imported."""
    return all(find_spec(module) is not None for module in MODULES[extra])


def require(extra: Extra, user: str) -> None:
    """Raise `MissingExtraError` unless an extra is installed; `user` is what needs it."""
    if not has_extra(extra):
        raise MissingExtraError(user, extra)
