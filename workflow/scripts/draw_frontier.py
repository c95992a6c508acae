"""Tabulate and draw the frontier of a game's strategies by mean and maximum."""

from pathlib import Path

import polars as pl

from codebreaker.analysis.dominance import all_strategies, family_table, frontier_table
from codebreaker.analysis.metrics import read_strategies
from codebreaker.files import write_frame, write_text
from codebreaker.players.io import read_expectation
from codebreaker.report.charts import pareto
from codebreaker.report.charts.style import save
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    game = snakemake.wildcards.game
    sweep = pl.read_parquet(snakemake.input.sweep)
    players = [vars(read_expectation(path)) for path in snakemake.input.players]
    for path in snakemake.input.contests:
        players += pl.read_csv(path).filter(pl.col("game") == game).to_dicts()
    strategies = read_strategies(snakemake.input.strategies)
    told = pareto.name_points(all_strategies(sweep, strategies, players, game))
    for frame, path in (
        (frontier_table(told), snakemake.output.tables[0]),
        (family_table(told), snakemake.output.families),
    ):
        write_frame(frame, path)
    write_text(snakemake.output.tables[1], pareto.to_markdown(told, game))
    folder, scale = Path(snakemake.output.figures[0]).parent, snakemake.params.png_scale
    save(pareto.chart(told, game), folder / f"pareto-{game}", scale)
    save(pareto.by_order(sweep, game), folder / f"orders-{game}", scale)
    log.info("%d of %d strategies are on the frontier", told["frontier"].sum(), told.height)
