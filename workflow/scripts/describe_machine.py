"""Record the machine and the versions of its software."""

from codebreaker.report.chapters.effort import describe_machine, machine_page
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake):
    table = describe_machine()
    write_table(table, machine_page(table), snakemake.output.tables)
