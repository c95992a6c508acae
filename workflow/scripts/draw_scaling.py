"""Tabulate and draw how time, memory and guesses grow with the number of codes."""

from pathlib import Path

import polars as pl

from codebreaker.files import write_frame, write_text
from codebreaker.report.charts import scaling
from codebreaker.report.charts.style import save
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    output = snakemake.output
    table = pl.concat(map(pl.read_csv, snakemake.input.measured)).sort("codes", "policy")
    write_frame(table, output.tables[0])
    write_text(output.tables[1], scaling.to_markdown(table))
    save(
        scaling.chart(table),
        Path(output.figures[0]).with_suffix(""),
        snakemake.params.png_scale,
    )
    log.info("%s", scaling.finding(table))
