"""Grow all policies of a game's sweep, and tabulate their results."""

import numpy as np

from codebreaker.files import write_frame
from codebreaker.games.model import read_game
from codebreaker.optimise.run import read_population
from codebreaker.study.jobs import job
from codebreaker.trees.sweep import sweep
from codebreaker.trees.swept_families import family_policies, individuals_of

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    params = snakemake.params
    families = family_policies(params.orders, params.shares, params.openings)
    for name, path in zip(params.models, snakemake.input.populations, strict=True):
        population = read_population(name, path)
        n = min(params.individuals, len(population))
        indices = np.linspace(0, len(population) - 1, n).astype(int)
        families.setdefault(individuals_of(name), []).extend(population[i] for i in indices)
    swept = sweep(game, families)
    write_frame(swept, snakemake.output.policies)
    log.info("%d policies of %d families", swept.height, len(families))
    lowest = swept["total_guesses"].min()
    log.info("%d different trees; the minimum total is %d", swept["tree"].n_unique(), lowest)
