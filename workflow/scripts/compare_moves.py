"""Tabulate and draw the turns at which strategies lose guesses to optimal play."""

from pathlib import Path

from codebreaker.files import read_frame
from codebreaker.report.chapters.moves import (
    lost_by_turn,
    moves_chart,
    moves_finding,
    moves_page,
    name_strategies,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies

with job(snakemake) as log:
    output, strategies = snakemake.output, read_strategies(snakemake.input.strategies)
    prices = {Path(path).parent.name: read_frame(path) for path in snakemake.input.prices}
    table = name_strategies(lost_by_turn(prices, strategies))
    write_table(table, moves_page(table), output.tables)
    save(moves_chart(table), output.figures[0], snakemake.params.png_scale)
    log.info("%s", moves_finding(table))
