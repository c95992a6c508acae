"""What a job took: the seconds, CPU seconds and memory of its process and of those that it started.

Snakemake's own measurements are samples, of which the last one counts: most jobs of a study end
before their second sample, and lose most of their CPU seconds.
"""

import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from codebreaker.files import read_json, write_text

MAXRSS_PER_MIB = 2**20 if sys.platform == "darwin" else 2**10
"""The unit of a process's largest memory, as the kernel counts it."""


@dataclass(frozen=True)
class Effort:
    """What a job took."""

    seconds: float
    """From the start of its process, imports included."""

    cpu_seconds: float
    """Of all threads, by user and system."""

    peak_mib: float
    """Memory of the largest process."""


def effort_so_far() -> Effort:
    """Return what this process has taken, with the processes that it started and that ended."""
    import psutil  # Snakemake needs it, the library doesn't

    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    return Effort(
        seconds=round(time.time() - psutil.Process().create_time(), 3),
        cpu_seconds=round(cpu, 3),
        peak_mib=round(max(own.ru_maxrss, others.ru_maxrss) / MAXRSS_PER_MIB, 1),
    )


def write_effort(path: str | Path) -> None:
    """Write what this process has taken so far."""
    write_text(path, json.dumps(asdict(effort_so_far())) + "\n")


def read_effort(path: str | Path) -> Effort:
    """Read what a job took; raise `DamagedFileError` if the file has changed."""
    return read_json(path, Effort)


def main(file: str, *command: str) -> int:
    """Run a command that is no script of Snakemake's, and write what it took if it succeeds."""
    code = subprocess.run(command).returncode
    if code == 0:
        write_effort(file)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
