"""Search for the weights of a game's models, guided by the exact cost-to-go."""

from codebreaker.games.io import read_game
from codebreaker.guided.proof import write_proof
from codebreaker.guided.search import GuidedModel, find_weights
from codebreaker.guided.stage import GuidedSettings
from codebreaker.policies.criteria import criterion
from codebreaker.policies.weights import write_weights
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    game, params = read_game(snakemake.input.game), snakemake.params
    outputs = zip(snakemake.output.weights, snakemake.output.bounds, strict=True)
    for (name, settings), (path, bound) in zip(params.models.items(), outputs, strict=True):
        opening, by, limit = (settings.pop(key) for key in ("opening", "by", "guess_limit"))
        model = GuidedModel(name, opening, by == "turn and feedback", limit)
        log.info("%s: from %s, one row per %s", name, opening, by)
        weights, proof = find_weights(
            game, criterion("entropy"), model, GuidedSettings(**settings), params.memo_mib
        )
        write_weights(weights, path)
        facts = weights.provenance
        write_proof(game, {"model": name} | facts, proof, bound)
        log.info(
            "%s: %d guesses, at most %d; none takes fewer than %d",
            name,
            facts["total_guesses"],
            facts["max_guesses"],
            facts["bound"],
        )
