"""Tabulate and draw the players' contests, and test their differences."""

from codebreaker.report.chapters.players import compare_players
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", compare_players(snakemake.input, snakemake.output, snakemake.params))
