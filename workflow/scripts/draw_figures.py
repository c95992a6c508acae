"""Draw all charts of the table of strategies as SVG, PNG and self-contained HTML."""

from pathlib import Path

from codebreaker.report.chapters.strategies import STRATEGY_CHARTS
from codebreaker.report.style import save
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies

with job(snakemake) as log:
    strategies = read_strategies(snakemake.input.strategies)
    folder = Path(snakemake.output.figures[0]).parent
    names = [Path(path).stem for path in snakemake.output.figures if path.endswith(".svg")]
    for number, name in enumerate(names, start=1):
        save(STRATEGY_CHARTS[name](strategies), folder / name, snakemake.params.png_scale)
        log.info("%d/%d %s", number, len(names), name)
