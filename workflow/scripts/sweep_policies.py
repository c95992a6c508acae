"""Grow all policies of a game's sweep as one frontier, and tabulate what they come to."""

import numpy as np

from codebreaker.analysis.families import family_policies
from codebreaker.analysis.metrics import sweep
from codebreaker.games.io import read_game
from codebreaker.optimise.io import read_population, write_frame
from codebreaker.study.jobs import job
from codebreaker.trees.batch import grow_all

with job(snakemake.log[0]) as log:
    game, asked = read_game(snakemake.input.game), snakemake.params
    families = family_policies(asked.orders, asked.shares, asked.openings, asked.guess_pools)
    for name, path in zip(asked.models, snakemake.input.populations, strict=True):
        met = read_population(name, path)
        some = np.linspace(0, len(met) - 1, min(asked.individuals, len(met))).astype(int)
        families.setdefault(f"{name}, met on the way", []).extend(met[i] for i in some)
    policies = [one for some in families.values() for one in some]
    log.info("%d policies of %d families", len(policies), len(families))
    grown = grow_all(game, policies, snakemake.threads, asked.memo_mib)
    write_frame(sweep(families, grown), snakemake.output.policies)
    log.info("%d different trees; the least total is %d", len(set(grown.key)), grown.totals.min())
