"""Compute the quantities that the sources' texts mention and no table of theirs holds."""

from codebreaker.analysis.metrics import read_strategies
from codebreaker.games.io import read_game
from codebreaker.report.tables import markdown
from codebreaker.report.tables.quantities import quantities
from codebreaker.study.jobs import job

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    found = quantities(game, read_strategies(snakemake.input.strategies))
    page = markdown.page("Quantities that the sources' texts mention", found)
    markdown.write_table(found, page, snakemake.output.tables)
    log.info("%d quantities", found.height)
