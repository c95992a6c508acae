"""Tabulate and draw the turns at which strategies lose guesses to optimal play."""

from pathlib import Path

from codebreaker.analysis.metrics import read_strategies
from codebreaker.analysis.moves import lost_by_turn
from codebreaker.files import read_frame
from codebreaker.report.charts import moves
from codebreaker.report.charts.style import save
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    output, strategies = snakemake.output, read_strategies(snakemake.input.strategies)
    prices = {Path(path).parent.name: read_frame(path) for path in snakemake.input.prices}
    table = moves.name_strategies(lost_by_turn(prices, strategies))
    write_table(table, moves.to_markdown(table), output.tables)
    save(moves.chart(table), output.figures[0], snakemake.params.png_scale)
    log.info("%s", moves.finding(table))
