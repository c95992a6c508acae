"""Play weights on games other than the one that they were found for."""

from codebreaker.report.chapters.transfer import transfer_weights
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", transfer_weights(snakemake.input, snakemake.output, snakemake.params))
