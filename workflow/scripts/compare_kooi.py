"""Write Kooi's tables, with the published cells beside the computed ones, and draw the figures."""

from pathlib import Path

from codebreaker.analysis.metrics import read_strategies
from codebreaker.games.io import read_game
from codebreaker.report.charts.kooi import figures
from codebreaker.report.charts.style import save
from codebreaker.report.tables import kooi
from codebreaker.report.tables.comparison import write_tables
from codebreaker.study.jobs import job

with job(snakemake) as log:
    two_pegs, game = (read_game(path) for path in (snakemake.input.two_pegs, snakemake.input.game))
    tables = kooi.tables(two_pegs, game, read_strategies(snakemake.input.strategies))
    write_tables(tables, Path(snakemake.output.tables[0]).parent)
    for table in tables:
        log.info("%s: %d cells differ", table.name, len(table.differences))
    for name, chart in figures(two_pegs).items():
        folder = Path(snakemake.output.figures[0]).parent
        save(chart, folder / name, snakemake.params.png_scale)
