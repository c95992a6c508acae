"""Write Gür's table of the search's settings."""

from codebreaker.report.chapters.gur import compare_gur_search
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", compare_gur_search(snakemake.input, snakemake.output, snakemake.params))
