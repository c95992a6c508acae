"""Analyse published and found weights: deviations, ablation, rounding, and the seeds' agreement."""

from codebreaker.analysis.weights import (
    ablation_table,
    convergence_table,
    deviation_table,
    policies_of,
    rounding_table,
    seed_table,
)
from codebreaker.files import write_frame, write_text
from codebreaker.games.io import read_game
from codebreaker.policies.weights import read_weights
from codebreaker.report.tables.markdown import frame_table
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    game = read_game(snakemake.input.game)
    models = snakemake.params.models
    best = {
        model: read_weights(path) for model, path in zip(models, snakemake.input.best, strict=True)
    }
    found = {
        model: [read_weights(path) for path in snakemake.input.found if f"/{model}/" in path]
        for model in models
    }
    policies, seeds = policies_of(best), seed_table(found)
    tables = {
        "deviations": deviation_table(policies),
        "ablation": ablation_table(game, policies),
        "rounding": rounding_table(game, policies),
        "seeds": seeds,
        "convergence": convergence_table(seeds),
    }
    for name, table in tables.items():
        write_frame(table, snakemake.output[name])
        write_text(snakemake.output[f"{name}_md"], f"# Weights: {name}\n\n{frame_table(table)}")
        log.info("%s: %d rows", name, table.height)
