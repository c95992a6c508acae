"""Tabulate what is proven about every game."""

from codebreaker.files import read_json
from codebreaker.report.chapters.rounds import optima, optima_page
from codebreaker.report.tables import write_table
from codebreaker.search.certificate import Certificate
from codebreaker.study.jobs import job

with job(snakemake) as log:
    table = optima([read_json(path, Certificate) for path in snakemake.input.certificates])
    write_table(table, optima_page(table), snakemake.output.tables)
    log.info("%d optima", table.height)
