"""Tabulate and draw the secrets solved within each number of guesses."""

from codebreaker.report.chapters.rounds import tabulate_rounds
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", tabulate_rounds(snakemake.input, snakemake.output, snakemake.params))
