"""Draw all charts of the table of strategies as SVG, PNG and self-contained HTML."""

from pathlib import Path

from codebreaker.analysis.metrics import read_strategies
from codebreaker.report.charts.strategies import FIGURES
from codebreaker.report.charts.style import save
from codebreaker.study.jobs import job

with job(snakemake) as log:
    strategies = read_strategies(snakemake.input.strategies)
    folder = Path(snakemake.output.figures[0]).parent
    for number, (name, draw) in enumerate(FIGURES.items(), start=1):
        save(draw(strategies), folder / name, snakemake.params.png_scale)
        log.info("%d/%d %s", number, len(FIGURES), name)
