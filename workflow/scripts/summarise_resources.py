"""Tabulate what each rule took, and how fast the searches for weights were."""

from codebreaker.report.chapters.effort import resources_page, search_speeds, summarise
from codebreaker.report.tables import markdown_page, write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    table = summarise(snakemake.input.measured)
    write_table(table, resources_page(table), snakemake.output.tables)
    if snakemake.input.speeds:
        speeds = search_speeds(snakemake.input.speeds)
        text = markdown_page("Speed of the searches for weights", speeds)
        write_table(speeds, text, snakemake.output.searches)
    log.info("%d rules", table.height)
