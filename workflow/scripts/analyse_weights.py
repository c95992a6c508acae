"""Analyse published and found weights: deviations, ablation, rounding, and the seeds' agreement."""

from codebreaker.games.model import read_game
from codebreaker.policies.weights import read_weights
from codebreaker.report.tables import markdown_page, write_table
from codebreaker.study.jobs import job
from codebreaker.weights.effects import (
    ablation_table,
    convergence_table,
    deviation_table,
    policies_of,
    rounding_table,
    seed_table,
)

with job(snakemake) as log:
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
        paths = [snakemake.output[key] for key in (name, f"{name}_md")]
        write_table(table, markdown_page(f"Weights: {name}", table), paths)
        log.info("%s: %d rows", name, table.height)
