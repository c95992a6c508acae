"""Record the machine and the versions of its software."""

from codebreaker.report.tables.machine import describe, to_markdown
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake):
    table = describe()
    write_table(table, to_markdown(table), snakemake.output.tables)
