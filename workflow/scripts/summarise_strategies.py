"""Put the metrics of all game trees into one table of strategies."""

from codebreaker.analysis.metrics import strategies, write_strategies
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake.log[0]) as log:
    given = snakemake.input
    table = strategies(read_tree(path) for path in (*given.trees, *given.found, *given.exact))
    write_strategies(table, snakemake.output.strategies, snakemake.output.text)
    log.info("%d strategies", table.height)
