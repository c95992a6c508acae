"""Search for weights for all but one of several games together."""

import math

from codebreaker.games.registry import make_game
from codebreaker.optimise.run import find_joint_weights
from codebreaker.optimise.settings import Params
from codebreaker.policies.weights import write_weights
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params = snakemake.params
    model = snakemake.params.model
    names = [name for name in model["games"] if name != snakemake.wildcards.held]
    weights = find_joint_weights(
        [make_game(name, math.inf) for name in names],
        model["turns"],
        model["opening"],
        Params(**params.preset),
        model["seed"],
        model["generations"],
        params.memo_mib,
    )
    write_weights(weights, snakemake.output.weights)
    log.info("%s: fitness %d", ", ".join(names), weights.provenance["fitness"])
