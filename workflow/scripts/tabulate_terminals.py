"""Tabulate the terminals, and draw how often they are solved within the attempts."""

from codebreaker.report.chapters.terminals import tabulate_terminals
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", tabulate_terminals(snakemake.input, snakemake.output, snakemake.params))
