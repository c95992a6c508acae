"""Record the machine and the versions of its software."""

from codebreaker.files import atomic_write, write_text
from codebreaker.report.tables.machine import describe, to_markdown
from codebreaker.study.jobs import job

with job(snakemake.log[0]):
    table = describe()
    csv, markdown = snakemake.output.tables
    with atomic_write(csv) as draft:
        table.write_csv(draft)
    write_text(markdown, to_markdown(table))
