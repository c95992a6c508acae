"""Tabulate and draw what wrong answers cost."""

import polars as pl

from codebreaker.files import read_frame
from codebreaker.players.doubtful import with_recorded
from codebreaker.report.chapters.variants import (
    errors_chart,
    errors_page,
    lie_chart,
    lie_finding,
    lies_page,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    output, scale = snakemake.output, snakemake.params.png_scale
    inputs = snakemake.input
    recorded = pl.read_csv(inputs.recorded, schema_overrides={"first guess": pl.String})
    lies = with_recorded(read_frame(inputs.lies), recorded)
    errors = read_frame(inputs.errors)
    write_table(lies, lies_page(lies), output.lies)
    write_table(errors, errors_page(errors), output.errors)
    save(lie_chart(lies), output.lie_figures[0], scale)
    save(errors_chart(errors), output.error_figures[0], scale)
    log.info("%s", lie_finding(lies))
