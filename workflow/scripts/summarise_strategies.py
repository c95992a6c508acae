"""Tabulate the metrics of all game trees, one row per strategy."""

from codebreaker.analysis.metrics import write_strategies
from codebreaker.analysis.priors import strategies_by_chance
from codebreaker.games.io import read_game
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    games = map(read_game, snakemake.input.priors)
    table = strategies_by_chance(map(read_tree, snakemake.input.trees), games)
    write_strategies(table, snakemake.output.strategies, snakemake.output.text)
    log.info("%d strategies", table.height)
