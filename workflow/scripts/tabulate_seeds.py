"""Count how many seeds of evolutionary players stay feasible (Cotta et al. 2010)."""

from codebreaker.report.chapters.cotta import tabulate_seeds
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", tabulate_seeds(snakemake.output, snakemake.params))
