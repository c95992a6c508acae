"""Select the best weights among a model's seeds."""

from codebreaker.policies.weights import read_weights, select_best, write_weights
from codebreaker.study.jobs import job

with job(snakemake) as log:
    best = select_best([read_weights(path) for path in snakemake.input.found])
    write_weights(best, snakemake.output.best)
    log.info("%s: %s", best.name, best.provenance["total_guesses_by_seed"])
