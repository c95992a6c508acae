"""Set all strategies of a game beside each other: tables and a chart of their frontier."""

from pathlib import Path

import polars as pl

from codebreaker.files import whole, write_text
from codebreaker.jobs import job
from codebreaker.metrics import read_strategies
from codebreaker.report import pareto
from codebreaker.report.style import save

with job(snakemake.log[0]) as log:
    game = snakemake.wildcards.game
    told = pareto.points(
        pl.read_parquet(snakemake.input.sweep), read_strategies(snakemake.input.strategies), game
    )
    for frame, path in (
        (pareto.frontier(told), snakemake.output.frontier),
        (pareto.families(told), snakemake.output.families),
    ):
        with whole(path) as draft:
            frame.write_csv(draft)
    write_text(snakemake.output.text, pareto.to_markdown(told, game))
    stem = Path(snakemake.output.figures[0]).with_suffix("")
    save(pareto.chart(told, game), stem, snakemake.params.png_scale)
    log.info("%d of %d strategies are on the frontier", told["frontier"].sum(), told.height)
