"""Draw all charts of the table of strategies as SVG, PNG and Vega-Lite."""

from codebreaker.report.chapters.strategies import draw_figures
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", draw_figures(snakemake.input, snakemake.output, snakemake.params))
