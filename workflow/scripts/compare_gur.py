"""Write Gür's Tables 1, 3 and 4, with the published cells beside the computed ones."""

from pathlib import Path

from codebreaker.analysis.metrics import read_strategies
from codebreaker.report.tables import gur
from codebreaker.report.tables.comparison import write_tables
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    tables = gur.tables(read_strategies(snakemake.input.strategies))
    write_tables(tables, Path(snakemake.output.tables[0]).parent)
    for table in tables:
        log.info("%s: %d cells differ", table.name, len(table.differences))
