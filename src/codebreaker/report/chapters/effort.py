"""Time and memory: the machine, the rules of a run, and methods timed on the same secrets."""

import os
import platform
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distributions, requires, version
from pathlib import Path

import polars as pl

from codebreaker.constants import VERSION
from codebreaker.errors import DISTRIBUTION, CodebreakerError
from codebreaker.files import read_frame
from codebreaker.report.chapters import Files
from codebreaker.report.tables import (
    markdown_page,
    markdown_table,
    notes_of,
    with_error,
    write_page,
)
from codebreaker.runtime.effort import read_effort

NOTES = notes_of(__file__)
MEASURED_FOLDER = "effort"


def machine(processors: Path = Path("/proc/cpuinfo")) -> pl.DataFrame:
    """Return the machine and the versions of its software, without host names."""
    text = processors.read_text() if processors.exists() else ""
    names = re.findall(r"^model name\s*:\s*(.+)$", text, re.M)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    rows = {
        "processor": names[0] if names else platform.processor() or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "operating system": f"{platform.system()}, {platform.machine()}",
        platform.python_implementation(): platform.python_version(),
        "codebreaker": VERSION,
        **versions(),
    }
    return pl.DataFrame({"what": list(rows), "value": list(rows.values())})


def versions() -> dict[str, str]:
    """Return the versions of requirements, and of installed extras."""
    installed: dict[str, str] = {}
    try:
        for entry in requires(DISTRIBUTION) or []:
            name = re.split(r"[^A-Za-z0-9_.-]", entry)[0]
            extra = "extra ==" in entry
            if not extra or any(distributions(name=name)):
                installed[name] = version(name)
    except PackageNotFoundError as missing:
        raise CodebreakerError(f"{missing.name} is not installed: install it again") from None
    return dict(sorted(installed.items()))


def workflow_rule_of(path: str | Path) -> str:
    """Return the rule of a file that says what a job took."""
    parts = Path(path).parts
    return parts[parts.index(MEASURED_FOLDER) + 1].removesuffix(".json")


def summarise(paths: Iterable[str | Path]) -> pl.DataFrame:
    """Return jobs, seconds and MiB by rule."""
    rows = [{"rule": workflow_rule_of(path), **vars(read_effort(path))} for path in paths]
    return (
        pl.DataFrame(rows)
        .group_by("rule")
        .agg(
            jobs=pl.len(),
            seconds=pl.col("seconds").sum().round(1),
            longest_job_seconds=pl.col("seconds").max().round(1),
            cpu_seconds=pl.col("cpu_seconds").sum().round(1),
            peak_mib=pl.col("peak_mib").max().round().cast(pl.Int64),
        )
        .sort("seconds", descending=True)
    )


def _search_speeds(paths: Iterable[str | Path]) -> pl.DataFrame:
    """Return individuals per second of each model, over all its seeds.

    The speed is the number of generations divided by the sum of their times per individual.
    """
    rows = []
    for path in paths:
        speeds = read_frame(path)["individuals_per_second"]
        game, model = Path(path).parts[-3:-1]
        if len(speeds):
            rows.append((game, model, len(speeds), (1 / speeds).sum()))
    by_seed = pl.DataFrame(rows, ["game", "model", "generations", "times"], orient="row")
    speed = pl.col("generations").sum() / pl.col("times").sum()
    return by_seed.group_by("game", "model", maintain_order=True).agg(
        pl.len().alias("seeds"),
        pl.col("generations").sum(),
        speed.round(0).cast(pl.Int64).alias("individuals_per_second"),
    )


def methods_page(name: str, table: pl.DataFrame) -> str:
    """Return a table of methods as Markdown."""
    won = next(column for column in table.columns if column.startswith("won_within_"))
    rows = [
        (
            *(row["player"], row["options"], row["opening"], str(row["games"]), f"{row[won]:.2%}"),
            with_error(f"{row['mean_guesses']:.4f}", row["guesses_error"], 4),
            str(row["max_guesses"]),
            with_error(f"{row['difference']:+.4f}", row["difference_error"], 4) if number else "",
            *(f"{row['mean_evaluations']:,.0f}", f"{row['ms_per_game']:.3f}"),
        )
        for number, row in enumerate(table.iter_rows(named=True))
    ]
    header = (
        *("player", "options", "opening", "games", f"won within {won.removeprefix('won_within_')}"),
        *("guesses", "max", "difference", "evaluations", "ms per game"),
    )
    cells = markdown_table(header, rows, right=header[3:])
    return markdown_page(f"Methods: {name}", cells, NOTES["Methods"])


def describe_machine(_inputs: Files, output: Files, _params: Files) -> str:
    """Record the machine."""
    table = machine()
    write_page(table, output.tables, "Machine and versions", table)
    return f"{table.height} rows"


def summarise_resources(inputs: Files, output: Files, _params: Files) -> str:
    """Tabulate the time and memory of rules, and the speed of searches."""
    table = summarise(inputs.efforts)
    write_page(table, output.tables, "Time and memory by rule", table)
    if inputs.speeds:
        speeds = _search_speeds(inputs.speeds)
        write_page(speeds, output.searches, "Speed of the searches for weights", speeds)
    return f"{table.height} rules"
