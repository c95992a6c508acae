"""Analyse published and found weights, and the seeds' agreement."""

from codebreaker.games.model import read_game
from codebreaker.optimise import deviations, effects
from codebreaker.policies.weights import read_weights
from codebreaker.report.tables import markdown_page, write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    models = snakemake.params.models
    best = dict(zip(models, map(read_weights, snakemake.input.best), strict=True))
    runs = {
        model: [read_weights(path) for path in snakemake.input.found if f"/{model}/" in path]
        for model in models
    }
    strategies = deviations.strategies_of_weights(best)
    seeds = effects.seed_table(runs)
    tables = {
        "deviations": deviations.deviation_table(strategies),
        "ablation": effects.ablation_table(game, strategies),
        "rounding": effects.rounding_table(game, strategies),
        "seeds": seeds,
        "convergence": effects.convergence_table(seeds),
        "replayed": effects.replay_table(game, effects.read_runs(snakemake.input.runs)),
    }
    for line in effects.compared_with_published(tables["ablation"]):
        log.info(line)
    for name, table in tables.items():
        write_table(table, markdown_page(f"Weights: {name}", table), snakemake.output[name])
        log.info("%s: %d rows", name, table.height)
