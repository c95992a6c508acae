"""Compare weights, orders of entropies, and both, at equal numbers of evaluations."""

from codebreaker.files import read_frame
from codebreaker.policies.weights import read_weights
from codebreaker.report.chapters.weights import Run, compare_runs, families_chart, families_page
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
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
    write_table(table, families_page(table, runs), snakemake.output.tables)
    save(families_chart(runs), snakemake.output.figures[0], params.png_scale)
    log.info("%s", table)
