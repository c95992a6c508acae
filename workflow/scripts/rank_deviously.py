"""Rank players and strategies against a codemaker who answers so as to delay them."""

import polars as pl

from codebreaker.analysis.devious import strategies_row
from codebreaker.files import read_frame
from codebreaker.games.io import read_game
from codebreaker.report.charts import devious as charts
from codebreaker.report.charts.style import save
from codebreaker.report.tables import devious as tables
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    inputs, output = snakemake.input, snakemake.output
    games = {game.name: game for game in map(read_game, inputs.games)}
    trees = [read_tree(path) for path in inputs.trees]
    rows = [strategies_row(games[key.game], tree, key) for tree, key in trees if key.game in games]
    strategies = tables.named(pl.DataFrame(rows, infer_schema_length=None))
    means = pl.read_csv(inputs.means).filter(pl.col("contest") == snakemake.params.contest)
    table = tables.ranking(read_frame(inputs.played), means, strategies)
    write_table(table, tables.to_markdown(table), output.tables)
    write_table(strategies, tables.strategies_to_markdown(strategies), output.strategies)
    save(charts.chart(table), output.figures[0], snakemake.params.png_scale)
    log.info("%s", charts.finding(table))
