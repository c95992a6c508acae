"""Draw the charts of weights and of the search for them."""

from codebreaker.report.chapters.weights import draw_weights
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", draw_weights(snakemake.input, snakemake.output, snakemake.params))
