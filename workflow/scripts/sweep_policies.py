"""Grow all policies of a game's sweep in one batch."""

import numpy as np

from codebreaker.files import write_frame
from codebreaker.games.model import read_game
from codebreaker.optimise.run import read_population
from codebreaker.study.jobs import job
from codebreaker.trees.batch import grow_all
from codebreaker.trees.sweep import family_policies, individuals_of, sweep

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    params = snakemake.params
    families = family_policies(params.orders, params.shares, params.openings, params.guess_pools)
    for name, path in zip(params.models, snakemake.input.populations, strict=True):
        met = read_population(name, path)
        some = np.linspace(0, len(met) - 1, min(params.individuals, len(met))).astype(int)
        families.setdefault(individuals_of(name), []).extend(met[i] for i in some)
    policies = [one for some in families.values() for one in some]
    log.info("%d policies of %d families", len(policies), len(families))
    grown = grow_all(game, policies, snakemake.threads, params.memo_mib)
    write_frame(sweep(families, grown), snakemake.output.policies)
    log.info("%d different trees; the minimum total is %d", len(set(grown.key)), grown.totals.min())
