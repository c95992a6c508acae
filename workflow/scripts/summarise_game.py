"""Tabulate the metrics of a game's trees, one row per strategy."""

from codebreaker.files import write_frame
from codebreaker.games.model import read_game
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree
from codebreaker.trees.metrics import strategies

with job(snakemake) as log:
    trees = [read_tree(path) for path in snakemake.input.trees]
    priors = [read_game(path) for path in snakemake.input.prior]
    table = strategies(trees, priors)
    write_frame(table, snakemake.output.strategies)
    log.info("%d strategies", table.height)
