"""Cite the recorded games of the strategy `sampled`, and draw time, memory and guesses."""

from codebreaker.report.chapters.larger_games import cite_larger_games
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", cite_larger_games(snakemake.input, snakemake.output, snakemake.params))
