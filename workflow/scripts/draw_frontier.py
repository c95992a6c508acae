"""Tabulate and draw the frontier of a game's strategies by mean and maximum."""

from pathlib import Path

import polars as pl

from codebreaker.files import read_frame, write_frame
from codebreaker.players.random_consistent import read_expectation
from codebreaker.report.chapters.pareto import (
    all_strategies,
    family_table,
    frontier_chart,
    frontier_page,
    frontier_table,
    name_points,
    orders_chart,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies

with job(snakemake) as log:
    game = snakemake.wildcards.game
    sweep = read_frame(snakemake.input.sweep)
    players = [vars(read_expectation(path)) for path in snakemake.input.players]
    for path in snakemake.input.contests:
        players += pl.read_csv(path).filter(pl.col("game") == game).to_dicts()
    strategies = read_strategies(snakemake.input.strategies)
    points = name_points(all_strategies(sweep, strategies, players, game))
    write_table(frontier_table(points), frontier_page(points, game), snakemake.output.tables)
    write_frame(family_table(points), snakemake.output.families)
    folder, scale = Path(snakemake.output.figures[0]).parent, snakemake.params.png_scale
    save(frontier_chart(points, game), folder / f"pareto-{game}", scale)
    save(orders_chart(sweep, game), folder / f"orders-{game}", scale)
    log.info("%d of %d strategies are on the frontier", points["frontier"].sum(), points.height)
