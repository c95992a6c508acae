"""Tabulate the terminals: overall, by number of words, and by word length."""

from codebreaker.analysis.terminals import read_terminals, terminal_means
from codebreaker.files import write_frame, write_text
from codebreaker.report.charts.terminals import to_markdown
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    table = terminal_means(read_terminals(snakemake.input.terminals))
    csv, markdown = snakemake.output.tables
    write_frame(table, csv)
    write_text(markdown, to_markdown(table, snakemake.params.attempts))
    log.info("%d rows", table.height)
