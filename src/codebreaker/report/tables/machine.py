"""The machine that computed the results, and the versions of its software."""

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, distributions, requires, version
from pathlib import Path

import polars as pl

from codebreaker import __version__
from codebreaker.errors import CodebreakerError
from codebreaker.extras import DISTRIBUTION
from codebreaker.report.tables import markdown


def describe(processors: Path = Path("/proc/cpuinfo")) -> pl.DataFrame:
    """Return the machine, Python and the direct dependencies, one row each, without host names."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    rows = {
        "processor": _processor(processors),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "operating system": f"{platform.system()}, {platform.machine()}",
        platform.python_implementation(): platform.python_version(),
        "codebreaker": __version__,
        **versions(),
    }
    return pl.DataFrame({"what": list(rows), "value": list(rows.values())})


def versions() -> dict[str, str]:
    """Return the versions of the package's requirements by name, those of extras if installed."""
    found: dict[str, str] = {}
    try:
        for entry in requires(DISTRIBUTION) or []:
            name, extra = re.split(r"[^A-Za-z0-9_.-]", entry)[0], "extra ==" in entry
            if not extra or _is_installed(name):
                found[name] = version(name)
    except PackageNotFoundError as missing:
        raise CodebreakerError(f"{missing.name} is not installed: install it again") from None
    return dict(sorted(found.items()))


def _is_installed(name: str) -> bool:
    return any(distributions(name=name))


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table as Markdown."""
    return markdown.page("Machine and versions", table)


def _processor(info: Path) -> str:
    """Return the processor's name as reported by Linux, or else by Python."""
    names = re.findall(r"^model name\s*:\s*(.+)$", info.read_text(), re.M) if info.exists() else []
    return names[0] if names else platform.processor() or platform.machine()
