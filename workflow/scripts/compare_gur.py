"""Write Gür's tables, with the published cells beside the computed ones, and their deviations."""

from pathlib import Path

from codebreaker.analysis.metrics import read_strategies
from codebreaker.policies.weights import read_weights
from codebreaker.report.tables import gur, markdown
from codebreaker.report.tables.comparison import write_tables
from codebreaker.study.jobs import job

with job(snakemake) as log:
    tables = gur.tables(read_strategies(snakemake.input.strategies))
    tables += [gur.table_2(read_weights(path)) for path in snakemake.input.found]
    write_tables(tables, Path(snakemake.output.tables[0]).parent)
    measures = gur.deviation_measures()
    page = markdown.page("Gür 2025, section 6.2: deviations of the stage weights", measures)
    markdown.write_table(measures, page, snakemake.output.deviations)
    for table in tables:
        log.info("%s: %d cells differ", table.name, len(table.differences))
