"""Tabulate the values of games with the play of both sides, and draw the codemaker's."""

import json
from pathlib import Path

import polars as pl

from codebreaker.report.chapters.codemaker import (
    chance_table,
    chances_chart,
    fair_table,
    mixture_table,
    value_pages,
    value_table,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs, output = snakemake.input, snakemake.output
    told = [json.loads(Path(path).read_text(encoding="utf-8")) for path in inputs.values]
    values, chances = value_table(told, pl.read_csv(inputs.checked)), chance_table(told)
    fair = fair_table(pl.read_csv(inputs.recorded), values)
    pages = value_pages(values, chances, mixture_table(told), fair)
    for at, (table, page) in enumerate(pages):
        write_table(table, page, output.tables[2 * at : 2 * at + 2])
    if output.get("figures"):
        save(chances_chart(chances, values), output.figures[0], snakemake.params.png_scale)
    log.info("%d games", values.height)
