"""Compare weights, orders of entropies, and both, at equal numbers of evaluations."""

from codebreaker.report.chapters.weights import compare_families
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", compare_families(snakemake.input, snakemake.output, snakemake.params))
