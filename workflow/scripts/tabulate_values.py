"""Tabulate the values of games with both sides' mixed strategies."""

from codebreaker.report.chapters.codemaker import tabulate_values
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", tabulate_values(snakemake.input, snakemake.output, snakemake.params))
