"""Search for a model's weights, guided by the exact cost-to-go."""

from codebreaker.games.model import read_game
from codebreaker.policies.families import criterion
from codebreaker.policies.weights import write_weights
from codebreaker.proofs.guided import find_weights
from codebreaker.proofs.proof import write_proof
from codebreaker.proofs.settings import GuidedWeights
from codebreaker.study.jobs import job

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    name = snakemake.wildcards.model
    model = GuidedWeights(**snakemake.params.model)
    log.info("%s: from %s, one row per %s", name, model.opening, model.by)
    entropy = criterion("entropy")
    memo_mib = snakemake.params.memo_mib
    weights, proof = find_weights(game, entropy, name, model, memo_mib)
    write_weights(weights, snakemake.output.weights)
    facts = weights.provenance
    write_proof(game, {"model": name} | facts, proof, snakemake.output.bound)
    figures = (facts[name] for name in ("total_guesses", "max_guesses", "bound"))
    log.info("%d guesses, at most %d; none takes fewer than %d", *figures)
