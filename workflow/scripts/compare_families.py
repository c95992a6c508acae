"""Compare weights, orders of entropies, and both, at equal numbers of evaluations."""

from pathlib import Path

import polars as pl

from codebreaker.analysis.runs import Run, compare_runs
from codebreaker.files import write_frame, write_text
from codebreaker.policies.weights import read_weights
from codebreaker.report.charts import families
from codebreaker.report.charts.style import save
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    inputs, params = snakemake.input, snakemake.params
    runs = [
        Run(model, genes, population, pl.read_parquet(history), read_weights(found))
        for model, genes, population, history, found in zip(
            params.models,
            params.genes,
            params.populations,
            inputs.histories,
            inputs.found,
            strict=True,
        )
    ]
    table = compare_runs(runs)
    write_frame(table, snakemake.output.tables[0])
    write_text(snakemake.output.tables[1], families.to_markdown(table, runs))
    save(families.chart(runs), Path(snakemake.output.figures[0]).with_suffix(""), params.png_scale)
    log.info("%s", table)
