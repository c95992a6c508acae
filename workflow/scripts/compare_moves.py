"""Tabulate and draw the turns at which strategies lose guesses to optimal play."""

from pathlib import Path

import polars as pl

from codebreaker.analysis.metrics import read_strategies
from codebreaker.analysis.moves import lost_by_turn
from codebreaker.files import write_frame, write_text
from codebreaker.report.charts import moves
from codebreaker.report.charts.style import save
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    output, strategies = snakemake.output, read_strategies(snakemake.input.strategies)
    prices = {Path(path).parent.name: pl.read_parquet(path) for path in snakemake.input.prices}
    table = moves.name_strategies(lost_by_turn(prices, strategies))
    write_frame(table, output.tables[0])
    write_text(output.tables[1], moves.to_markdown(table))
    save(moves.chart(table), Path(output.figures[0]).with_suffix(""), snakemake.params.png_scale)
    log.info("%s", moves.finding(table))
