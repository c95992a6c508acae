"""Tabulate and draw what can be won in a given number of rounds, beside the study's strategies."""

from codebreaker.analysis.metrics import read_strategies
from codebreaker.files import read_frame, write_frame
from codebreaker.report.charts import rounds as charts
from codebreaker.report.charts.style import save
from codebreaker.report.tables import rounds as tables
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    output = snakemake.output
    counted = read_frame(snakemake.input.rounds)
    strategies = read_strategies(snakemake.input.strategies)
    table, frontier = tables.most_won(counted, strategies), tables.frontiers(counted)
    write_table(table, tables.to_markdown(table, frontier), output.tables)
    write_frame(frontier, output.frontier)
    if output.get("figures"):
        save(charts.chart(frontier, strategies), output.figures[0], snakemake.params.png_scale)
    log.info("%d rows, %d points on the frontiers", table.height, frontier.height)
