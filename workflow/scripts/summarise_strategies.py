"""Tabulate the metrics of all game trees, one row per strategy."""

from codebreaker.games.model import read_game
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree
from codebreaker.trees.metrics import strategies, write_strategies

with job(snakemake) as log:
    games = map(read_game, snakemake.input.priors)
    table = strategies(map(read_tree, snakemake.input.trees), games)
    write_strategies(table, snakemake.output.strategies, snakemake.output.text)
    log.info("%d strategies", table.height)
