"""Compute the quantities that only the texts of the sources mention, not their tables."""

from codebreaker.report.chapters.kooi import compute_quantities
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", compute_quantities(snakemake.input, snakemake.output, snakemake.params))
