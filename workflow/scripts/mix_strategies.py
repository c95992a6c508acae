"""Mix the trees of a game at random, and tabulate what that gains against the worst secret."""

import polars as pl

from codebreaker.analysis.mixtures import mixtures
from codebreaker.files import read_frame
from codebreaker.games.io import read_game
from codebreaker.report.tables.markdown import write_table
from codebreaker.report.tables.mixtures import tabulate, to_markdown
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    paths = snakemake.input
    game = read_game(paths.game)
    rounds = read_frame(paths.rounds).filter(pl.col("game") == game.name)
    mixed = mixtures(game, [read_tree(path) for path in paths.trees], rounds)
    table = tabulate(mixed, game)
    write_table(table, to_markdown(table, game), snakemake.output.tables)
    log.info("%d rows", table.height)
