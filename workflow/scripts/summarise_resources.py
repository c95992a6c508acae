"""Tabulate what each rule took: jobs, seconds, processor seconds and peak memory."""

from codebreaker.report.tables.markdown import write_table
from codebreaker.report.tables.resources import summarise, to_markdown
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    table = summarise(snakemake.input.measured)
    write_table(table, to_markdown(table), snakemake.output.tables)
    log.info("%d rules", table.height)
