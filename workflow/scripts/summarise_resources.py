"""Tabulate what each rule took, and how fast the searches for weights were."""

from codebreaker.report.tables.markdown import page, write_table
from codebreaker.report.tables.resources import search_speeds, summarise, to_markdown
from codebreaker.study.jobs import job

with job(snakemake) as log:
    table = summarise(snakemake.input.measured)
    write_table(table, to_markdown(table), snakemake.output.tables)
    if snakemake.input.speeds:
        speeds = search_speeds(snakemake.input.speeds)
        text = page("Speed of the searches for weights", speeds)
        write_table(speeds, text, snakemake.output.searches)
    log.info("%d rules", table.height)
