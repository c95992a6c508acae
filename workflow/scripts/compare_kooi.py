"""Write Kooi's tables."""

from codebreaker.report.chapters.kooi import compare_kooi
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", compare_kooi(snakemake.input, snakemake.output, snakemake.params))
