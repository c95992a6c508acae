"""Mix the trees of a game at random, and tabulate what that gains against the worst secret."""

import polars as pl

from codebreaker.files import read_frame
from codebreaker.games.model import read_game
from codebreaker.report.chapters.rounds import mixtures, mixtures_page, tabulate_mixtures
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    paths = snakemake.input
    game = read_game(paths.game)
    rounds = read_frame(paths.rounds).filter(pl.col("game") == game.name)
    mixed = mixtures(game, [read_tree(path) for path in paths.trees], rounds)
    table = tabulate_mixtures(mixed, game)
    write_table(table, mixtures_page(table, game), snakemake.output.tables)
    log.info("%d rows", table.height)
