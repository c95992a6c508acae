"""Compute the quantities that the sources' texts mention and no table of theirs holds."""

from codebreaker.games.model import read_game
from codebreaker.report.chapters.kooi import quantities
from codebreaker.report.tables import markdown_page, write_table
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    found = quantities(game, read_strategies(snakemake.input.strategies))
    page = markdown_page("Quantities that the sources' texts mention", found)
    write_table(found, page, snakemake.output.tables)
    log.info("%d quantities", found.height)
