"""Put the terminals into one table: overall, by the number of words, and by their length."""

from codebreaker.files import whole, write_text
from codebreaker.jobs import job
from codebreaker.report.terminals import read_terminals, tabulate, to_markdown

with job(snakemake.log[0]) as log:
    table = tabulate(read_terminals(snakemake.input.terminals))
    csv, markdown = snakemake.output.tables
    with whole(csv) as draft:
        table.write_csv(draft)
    write_text(markdown, to_markdown(table, snakemake.params.attempts))
    log.info("%d rows", table.height)
