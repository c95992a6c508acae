"""Search for a model's weights, guided by the exact cost-to-go."""

from codebreaker.games.model import read_game
from codebreaker.policies.families import criterion
from codebreaker.policies.weights import write_weights
from codebreaker.study.jobs import job
from codebreaker.weights.guided import GuidedModel, GuidedSettings, find_weights
from codebreaker.weights.proof import write_proof

with job(snakemake) as log:
    game, settings = read_game(snakemake.input.game), dict(snakemake.params.model)
    opening, by, limit = (settings.pop(key) for key in ("opening", "by", "guess_limit"))
    name = snakemake.wildcards.model
    model = GuidedModel(name, opening, by == "turn and feedback", limit)
    log.info("%s: from %s, one row per %s", name, opening, by)
    weights, proof = find_weights(
        game, criterion("entropy"), model, GuidedSettings(**settings), snakemake.params.memo_mib
    )
    write_weights(weights, snakemake.output.weights)
    facts = weights.provenance
    write_proof(game, {"model": name} | facts, proof, snakemake.output.bound)
    log.info(
        "%d guesses, at most %d; none takes fewer than %d",
        facts["total_guesses"],
        facts["max_guesses"],
        facts["bound"],
    )
