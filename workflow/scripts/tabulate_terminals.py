"""Tabulate the terminals: overall, by number of words, and by word length."""

from codebreaker.analysis.terminals import read_terminals, terminal_means
from codebreaker.report.charts.terminals import to_markdown
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    table = terminal_means(read_terminals(snakemake.input.terminals))
    text = to_markdown(table, snakemake.params.attempts, snakemake.params.resets)
    write_table(table, text, snakemake.output.tables)
    log.info("%d rows", table.height)
