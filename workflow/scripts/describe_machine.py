"""Describe the machine, and the versions of what computes."""

from codebreaker.files import whole, write_text
from codebreaker.jobs import job
from codebreaker.report.machine import describe, to_markdown

with job(snakemake.log[0]):
    table = describe()
    csv, markdown = snakemake.output.tables
    with whole(csv) as draft:
        table.write_csv(draft)
    write_text(markdown, to_markdown(table))
