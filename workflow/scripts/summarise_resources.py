"""Tabulate time and memory of each rule, and the speed of the searches for weights."""

from codebreaker.report.chapters.effort import summarise_resources
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", summarise_resources(snakemake.input, snakemake.output, snakemake.params))
