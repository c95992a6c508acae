"""Tabulate and draw how time, memory and guesses scale with the number of codes."""

from pathlib import Path

import polars as pl

from codebreaker.files import whole, write_text
from codebreaker.jobs import job
from codebreaker.report import scaling
from codebreaker.report.style import save

with job(snakemake.log[0]) as log:
    output = snakemake.output
    table = pl.concat(map(pl.read_csv, snakemake.input.measured)).sort("codes", "policy")
    with whole(output.tables[0]) as draft:
        table.write_csv(draft)
    write_text(output.tables[1], scaling.to_markdown(table))
    save(
        scaling.chart(table),
        Path(output.figures[0]).with_suffix(""),
        snakemake.params.png_scale,
    )
    log.info("%s", scaling.finding(table))
