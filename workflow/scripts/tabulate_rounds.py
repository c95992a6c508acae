"""Tabulate and draw what can be won in a given number of rounds, beside the study's strategies."""

from codebreaker.files import read_frame, write_frame
from codebreaker.report.chapters.rounds import frontiers, most_won, rounds_chart, rounds_page
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies

with job(snakemake) as log:
    output = snakemake.output
    counted = read_frame(snakemake.input.rounds)
    strategies = read_strategies(snakemake.input.strategies)
    table, frontier = most_won(counted, strategies), frontiers(counted)
    write_table(table, rounds_page(table, frontier), output.tables)
    write_frame(frontier, output.frontier)
    if output.get("figures"):
        save(rounds_chart(frontier, strategies), output.figures[0], snakemake.params.png_scale)
    log.info("%d rows, %d points on the frontiers", table.height, frontier.height)
