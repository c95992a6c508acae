"""Write Gür's tables."""

from codebreaker.report.chapters.gur import compare_gur
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", compare_gur(snakemake.input, snakemake.output, snakemake.params))
