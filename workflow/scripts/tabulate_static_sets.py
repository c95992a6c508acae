"""Tabulate and draw guesses made at once, beside published figures and play with answers."""

import polars as pl

from codebreaker.analysis.static_play import static_play
from codebreaker.files import read_frame
from codebreaker.report.charts import static_play as charts
from codebreaker.report.charts.style import save
from codebreaker.report.tables import static_play as tables
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs, output = snakemake.input, snakemake.output
    found = [read_frame(inputs.found), pl.read_csv(inputs.recorded)]
    table = static_play(found, read_frame(inputs.rounds))
    write_table(table, tables.to_markdown(table), output.tables)
    save(charts.chart(table), output.figures[0], snakemake.params.png_scale)
    log.info("%s", charts.finding(table))
