"""The page of a benchmark: where it ran, and one table."""

import platform
import sys
from collections.abc import Iterable
from pathlib import Path

import numba

from codebreaker.files import write_text

ROOT = Path(__file__).resolve().parents[1]


def processor() -> str:
    """Return the processor's name."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def machine(where: str) -> str:
    """Return where a benchmark ran, with versions."""
    return f"{where}; Python {platform.python_version()}, numba {numba.__version__}"


def publish(
    name: str, title: str, about: str, head: str, rows: Iterable[str], *after: str, texts: int = 1
) -> None:
    """Print a page and write it beside the program; the first columns of its table are texts."""
    numbers = head.count("|") - 1 - texts
    ruler = "| --- " * texts + "| ---: " * numbers + "|"
    below = [line for paragraph in after for line in ("", paragraph)]
    script = Path(sys.argv[0]).resolve()
    command = f"python {script.relative_to(ROOT)}"
    reader = f"For readers who plan a run; `{command}` measures again. {about}"
    text = "\n".join([f"# {title}", "", reader, "", head, ruler, *rows, *below])
    write_text(script.with_name(name), text)
    print(text)
