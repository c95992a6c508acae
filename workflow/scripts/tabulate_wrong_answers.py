"""Tabulate and draw what wrong answers cost."""

import polars as pl

from codebreaker.analysis.wrong_answers import with_recorded
from codebreaker.files import read_frame
from codebreaker.report.charts import wrong_answers as charts
from codebreaker.report.charts.style import save
from codebreaker.report.tables import wrong_answers as tables
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    output, scale = snakemake.output, snakemake.params.png_scale
    inputs = snakemake.input
    recorded = pl.read_csv(inputs.recorded, schema_overrides={"first guess": pl.String})
    lies = with_recorded(read_frame(inputs.lies), recorded)
    errors = read_frame(inputs.errors)
    write_table(lies, tables.lies_to_markdown(lies), output.lies)
    write_table(errors, tables.errors_to_markdown(errors), output.errors)
    save(charts.lie_chart(lies), output.lie_figures[0], scale)
    save(charts.errors_chart(errors), output.error_figures[0], scale)
    log.info("%s", charts.lie_finding(lies))
