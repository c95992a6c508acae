"""Join the metrics of all games."""

import polars as pl

from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies, write_strategies

with job(snakemake) as log:
    table = pl.concat(read_strategies(path) for path in snakemake.input.games)
    write_strategies(table, snakemake.output.strategies, snakemake.output.text)
    log.info("%d strategies", table.height)
