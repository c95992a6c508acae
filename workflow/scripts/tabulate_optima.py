"""Tabulate the proven optima of every game."""

from codebreaker.report.chapters.rounds import tabulate_optima
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", tabulate_optima(snakemake.input, snakemake.output, snakemake.params))
