"""Draw all charts from the table of strategies, as SVG, PNG and self-contained HTML."""

from pathlib import Path

from codebreaker.jobs import job
from codebreaker.metrics import read_strategies
from codebreaker.report.figures import FIGURES
from codebreaker.report.style import save

with job(snakemake.log[0]) as log:
    strategies = read_strategies(snakemake.input.strategies)
    folder = Path(snakemake.output.figures[0]).parent
    for number, (name, draw) in enumerate(FIGURES.items(), start=1):
        save(draw(strategies), folder / name, snakemake.params.png_scale)
        log.info("%d/%d %s", number, len(FIGURES), name)
