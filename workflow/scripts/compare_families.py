"""Compare weights, orders of entropies, and both, at equal numbers of evaluations."""

from codebreaker.analysis.runs import Run, compare_runs
from codebreaker.files import read_frame
from codebreaker.policies.weights import read_weights
from codebreaker.report.charts import families
from codebreaker.report.charts.style import save
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs, params = snakemake.input, snakemake.params
    runs = [
        Run(model, genes, population, read_frame(history), read_weights(found))
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
    write_table(table, families.to_markdown(table, runs), snakemake.output.tables)
    save(families.chart(runs), snakemake.output.figures[0], params.png_scale)
    log.info("%s", table)
