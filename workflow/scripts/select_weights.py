"""Select the best weights among the seeds of each model."""

from itertools import islice

from codebreaker.optimise.io import select_best
from codebreaker.policies.weights import read_weights, write_weights
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    found = map(read_weights, snakemake.input.found)
    for n_seeds, path in zip(snakemake.params.n_seeds, snakemake.output.best, strict=True):
        best = select_best(list(islice(found, n_seeds)))
        write_weights(best, path)
        log.info("%s: %s", best.name, best.provenance["total_guesses_by_seed"])
