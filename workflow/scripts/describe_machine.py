"""Record the machine and the versions of its software."""

from codebreaker.report.chapters.effort import describe_machine
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", describe_machine(snakemake.input, snakemake.output, snakemake.params))
