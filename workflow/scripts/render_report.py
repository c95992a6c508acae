"""Render the tables and charts of a rule, by the chapter of the report that they belong to."""

from codebreaker.report.chapters import renderer
from codebreaker.study.jobs import job

with job(snakemake) as log:
    render = renderer(snakemake.rule)
    log.info("%s", render(snakemake.input, snakemake.output, snakemake.params))
