"""Write Kooi's Tables 1 to 12: computed cells beside published ones."""

from pathlib import Path

from codebreaker.game_io import read_game
from codebreaker.jobs import job
from codebreaker.metrics import read_strategies
from codebreaker.report import kooi
from codebreaker.report.comparison import write_tables

with job(snakemake.log[0]) as log:
    tables = kooi.tables(
        read_game(snakemake.input.two_pegs),
        read_game(snakemake.input.game),
        read_strategies(snakemake.input.strategies),
    )
    write_tables(tables, Path(snakemake.output.tables[0]).parent)
    for table in tables:
        log.info("%s: %d cells differ", table.name, len(table.differences))
