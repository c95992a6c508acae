"""Tabulate what is proven about every game."""

from codebreaker.exact.certificate import Certificate
from codebreaker.files import atomic_write, read_json, write_text
from codebreaker.report.tables.optima import optima, to_markdown
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    table = optima([read_json(path, Certificate) for path in snakemake.input.certificates])
    csv, markdown = snakemake.output.tables
    with atomic_write(csv) as draft:
        table.write_csv(draft)
    write_text(markdown, to_markdown(table))
    log.info("%d optima", table.height)
