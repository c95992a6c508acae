"""Cite the recorded best known strategies and first guesses."""

from codebreaker.report.chapters.best_known import cite_best_known
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", cite_best_known(snakemake.input, snakemake.output, snakemake.params))
