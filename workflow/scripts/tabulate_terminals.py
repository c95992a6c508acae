"""Tabulate the terminals: overall, by number of words, and by word length."""

from codebreaker.players.terminals import read_terminals, terminal_means
from codebreaker.report.chapters.terminals import terminals_page
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    table = terminal_means(read_terminals(snakemake.input.terminals))
    text = terminals_page(table, snakemake.params.attempts, snakemake.params.resets)
    write_table(table, text, snakemake.output.tables)
    log.info("%d rows", table.height)
