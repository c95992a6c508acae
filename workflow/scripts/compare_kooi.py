"""Write Kooi's tables, with the published cells beside the computed ones, and draw the figures."""

from pathlib import Path

from codebreaker.games.model import read_game
from codebreaker.report.chapters.kooi import kooi_tables
from codebreaker.report.chapters.kooi_figures import kooi_figures
from codebreaker.report.style import save
from codebreaker.report.tables import write_tables
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies

with job(snakemake) as log:
    two_pegs, game = (read_game(path) for path in (snakemake.input.two_pegs, snakemake.input.game))
    tables = kooi_tables(two_pegs, game, read_strategies(snakemake.input.strategies))
    write_tables(tables, Path(snakemake.output.tables[0]).parent)
    for table in tables:
        log.info("%s: %d cells differ", table.name, len(table.differences))
    for name, chart in kooi_figures(two_pegs).items():
        folder = Path(snakemake.output.figures[0]).parent
        save(chart, folder / name, snakemake.params.png_scale)
