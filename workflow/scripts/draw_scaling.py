"""Tabulate and draw how time, memory and guesses grow with the number of codes."""

import polars as pl

from codebreaker.report.chapters.effort import scaling_chart, scaling_finding, scaling_page
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    output = snakemake.output
    table = pl.concat(map(pl.read_csv, snakemake.input.measured)).sort("codes", "policy")
    write_table(table, scaling_page(table), output.tables)
    save(scaling_chart(table), output.figures[0], snakemake.params.png_scale)
    log.info("%s", scaling_finding(table))
