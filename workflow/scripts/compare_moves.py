"""Tabulate and draw the turns at which strategies lose guesses to optimal play."""

from codebreaker.report.chapters.strategies import compare_moves
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", compare_moves(snakemake.input, snakemake.output, snakemake.params))
