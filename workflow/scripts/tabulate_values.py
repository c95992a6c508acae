"""Tabulate the values of games with the play of both sides, and draw the codemaker's."""

import json
from pathlib import Path

import polars as pl

from codebreaker.report.charts.style import save
from codebreaker.report.charts.values import chart
from codebreaker.report.tables import values as tables
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs, output = snakemake.input, snakemake.output
    told = [json.loads(Path(path).read_text(encoding="utf-8")) for path in inputs.values]
    values, chances = tables.values(told, pl.read_csv(inputs.checked)), tables.chances(told)
    fair = tables.fair_trees(pl.read_csv(inputs.recorded), values)
    pages = tables.pages(values, chances, tables.mixtures(told), fair)
    for at, (table, page) in enumerate(pages):
        write_table(table, page, output.tables[2 * at : 2 * at + 2])
    if output.get("figures"):
        save(chart(chances, values), output.figures[0], snakemake.params.png_scale)
    log.info("%d games", values.height)
