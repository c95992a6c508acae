"""Render the tables and charts of a rule."""

from codebreaker.report.chapters import renderer
from codebreaker.study.jobs import job

with job(snakemake) as log:
    render = renderer(snakemake.rule)
    log.info("%s", render(snakemake.input, snakemake.output, snakemake.params))
