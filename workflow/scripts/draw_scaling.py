"""Tabulate and draw how time, memory and guesses grow with the number of codes."""

import polars as pl

from codebreaker.report.charts import scaling
from codebreaker.report.charts.style import save
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    output = snakemake.output
    table = pl.concat(map(pl.read_csv, snakemake.input.measured)).sort("codes", "policy")
    write_table(table, scaling.to_markdown(table), output.tables)
    save(scaling.chart(table), output.figures[0], snakemake.params.png_scale)
    log.info("%s", scaling.finding(table))
