"""Select the best of the weights that a model's seeds found."""

from codebreaker.jobs import job
from codebreaker.optimise_io import best_of
from codebreaker.weights import read_weights, write_weights

with job(snakemake.log[0]) as log:
    best = best_of([read_weights(path) for path in snakemake.input.found])
    write_weights(best, snakemake.output.best)
    log.info("%s: %s", best.name, best.provenance["total_guesses_by_seed"])
