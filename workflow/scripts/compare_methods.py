"""Play and time several players."""

from codebreaker.players.methods import compare_methods
from codebreaker.report.chapters.effort import methods_page
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params = snakemake.params
    name = snakemake.wildcards.table
    table = compare_methods(**params.methods, seed=params.seed)
    write_table(table, methods_page(name, table), snakemake.output.tables)
    for row in table.iter_rows(named=True):
        log.info("%s: %.4f guesses", row["player"], row["mean_guesses"])
