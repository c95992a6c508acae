"""Tabulate what is proven about every game."""

from codebreaker.exact.certificate import Certificate
from codebreaker.files import read_json, write_frame, write_text
from codebreaker.report.tables.optima import optima, to_markdown
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    table = optima([read_json(path, Certificate) for path in snakemake.input.certificates])
    csv, markdown = snakemake.output.tables
    write_frame(table, csv)
    write_text(markdown, to_markdown(table))
    log.info("%d optima", table.height)
