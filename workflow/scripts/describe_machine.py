"""Record the machine and the versions of its software."""

from codebreaker.files import write_frame, write_text
from codebreaker.report.tables.machine import describe, to_markdown
from codebreaker.study.jobs import job

with job(snakemake.log[0]):
    table = describe()
    csv, markdown = snakemake.output.tables
    write_frame(table, csv)
    write_text(markdown, to_markdown(table))
