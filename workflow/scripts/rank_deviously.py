"""Rank players and strategies against a devious codemaker."""

from codebreaker.report.chapters.codemaker import rank_deviously
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", rank_deviously(snakemake.input, snakemake.output, snakemake.params))
