"""Write Gür's tables, with the published cells beside the computed ones, and their deviations."""

from pathlib import Path

from codebreaker.policies.weights import read_weights
from codebreaker.report.chapters.gur import deviation_measures, gur_tables, table_2
from codebreaker.report.tables import markdown_page, write_table, write_tables
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies

with job(snakemake) as log:
    tables = gur_tables(read_strategies(snakemake.input.strategies))
    tables += [table_2(read_weights(path)) for path in snakemake.input.found]
    write_tables(tables, Path(snakemake.output.tables[0]).parent)
    measures = deviation_measures()
    page = markdown_page("Gür 2025, section 6.2: deviations of the stage weights", measures)
    write_table(measures, page, snakemake.output.deviations)
    for table in tables:
        log.info("%s: %d cells differ", table.name, len(table.differences))
