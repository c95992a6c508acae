"""Tabulate and draw guesses made at once, beside published figures and play with answers."""

import polars as pl

from codebreaker.files import read_frame
from codebreaker.report.chapters.variants import (
    static_chart,
    static_finding,
    static_page,
    static_play,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs, output = snakemake.input, snakemake.output
    found = [read_frame(inputs.found), pl.read_csv(inputs.recorded)]
    table = static_play(found, read_frame(inputs.rounds))
    write_table(table, static_page(table), output.tables)
    save(static_chart(table), output.figures[0], snakemake.params.png_scale)
    log.info("%s", static_finding(table))
