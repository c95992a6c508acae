"""Find the minimum total after each opening."""

from codebreaker.games.model import read_game
from codebreaker.report.tables import write_page
from codebreaker.search.openings import opening_totals
from codebreaker.study.jobs import job

with job(snakemake) as log:
    table = opening_totals(read_game(snakemake.input.game), snakemake.params.memo_mib)
    write_page(table, snakemake.output.tables, "The minimum total after each opening", table)
    log.info("%s", table.rows())
