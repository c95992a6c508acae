"""Rank players and strategies against a codemaker who answers so as to delay them."""

import polars as pl

from codebreaker.files import read_frame
from codebreaker.games.model import read_game
from codebreaker.players.devious import strategies_row
from codebreaker.report.chapters.codemaker import (
    devious_chart,
    devious_finding,
    longest_plays_page,
    named_strategies,
    ranking,
    ranking_page,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    inputs, output = snakemake.input, snakemake.output
    games = {game.name: game for game in map(read_game, inputs.games)}
    trees = [read_tree(path) for path in inputs.trees]
    rows = [strategies_row(games[key.game], tree, key) for tree, key in trees if key.game in games]
    strategies = named_strategies(pl.DataFrame(rows, infer_schema_length=None))
    means = pl.read_csv(inputs.means).filter(pl.col("contest") == snakemake.params.contest)
    table = ranking(read_frame(inputs.played), means, strategies)
    write_table(table, ranking_page(table), output.tables)
    write_table(strategies, longest_plays_page(strategies), output.strategies)
    save(devious_chart(table), output.figures[0], snakemake.params.png_scale)
    log.info("%s", devious_finding(table))
