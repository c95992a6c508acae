"""Write Gür's Tables 1, 3 and 4: computed cells beside published ones."""

from pathlib import Path

from codebreaker.jobs import job
from codebreaker.metrics import read_strategies
from codebreaker.report import gur
from codebreaker.report.comparison import write_tables

with job(snakemake.log[0]) as log:
    tables = gur.tables(read_strategies(snakemake.input.strategies))
    write_tables(tables, Path(snakemake.output.tables[0]).parent)
    for table in tables:
        log.info("%s: %d cells differ", table.name, len(table.differences))
