"""What the workflow's rules took, from Snakemake's benchmark files."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from codebreaker.files import read_frame
from codebreaker.report.tables import markdown

FOLDER = "resources"
"""The folder of the benchmark files; below it each rule has a folder, or a single file."""


def rule_of(path: str | Path) -> str:
    """Return the rule that a benchmark file belongs to."""
    parts = Path(path).parts
    return parts[parts.index(FOLDER) + 1].removesuffix(".tsv")


def summarise(paths: Iterable[str | Path]) -> pl.DataFrame:
    """Return one row per rule, the most expensive first: jobs, seconds, and memory in MiB.

    Snakemake samples processor time and memory, twice a second at first and every 30 s later, so
    the last moments of a job are missing, or all of a very short one.
    """
    numbers = ("s", "cpu_time", "max_rss")
    jobs = pl.concat(
        pl.read_csv(path, separator="\t", null_values=["NA", "-"])
        .select(pl.col(numbers).cast(pl.Float64))
        .with_columns(rule=pl.lit(rule_of(path)))
        for path in paths
    )
    return (
        jobs.group_by("rule")
        .agg(
            jobs=pl.len(),
            seconds=pl.col("s").sum().round(1),
            longest_job_seconds=pl.col("s").max().round(1),
            processor_seconds=pl.col("cpu_time").sum().round(1),
            peak_mib=pl.col("max_rss").max().fill_null(0).round().cast(pl.Int64),
        )
        .sort("seconds", descending=True)
    )


def search_speeds(paths: Iterable[str | Path]) -> pl.DataFrame:
    """Return the individuals per second of the searches for weights, over all seeds of a model.

    `paths` are the speeds by generation of seeds, in folders of games and models.
    """
    rows = []
    for path in paths:
        speeds = read_frame(path)["individuals_per_second"]
        game, model = Path(path).parts[-3:-1]
        rows.append((game, model, len(speeds), (1 / speeds).sum()))
    by_seed = pl.DataFrame(rows, ["game", "model", "generations", "times"], orient="row")
    speed = pl.col("generations").sum() / pl.col("times").sum()
    return by_seed.group_by("game", "model", maintain_order=True).agg(
        pl.len().alias("seeds"),
        pl.col("generations").sum(),
        speed.round(0).cast(pl.Int64).alias("individuals_per_second"),
    )


def to_markdown(table: pl.DataFrame) -> str:
    """Return the table as Markdown."""
    return markdown.page("Time and memory by rule", table)
