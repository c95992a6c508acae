"""Tabulate and draw time, memory and guesses by the number of codes."""

from codebreaker.report.chapters.scaling import draw_scaling
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", draw_scaling(snakemake.input, snakemake.output, snakemake.params))
