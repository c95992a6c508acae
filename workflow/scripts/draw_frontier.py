"""Tabulate and draw the frontier of a game's strategies by mean and maximum."""

from codebreaker.report.chapters.pareto import draw_frontier
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", draw_frontier(snakemake.input, snakemake.output, snakemake.params))
