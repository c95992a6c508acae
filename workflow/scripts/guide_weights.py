"""Find the weights of a game's models by the exact cost-to-go."""

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
    for (name, asked), (path, bound) in zip(params.models.items(), outputs, strict=True):
        opening, by, most = (asked.pop(key) for key in ("opening", "by", "max_guesses"))
        model = GuidedModel(name, opening, by == "turn and feedback", most)
        log.info("%s: from %s, a row for each %s", name, opening, by)
        weights, proof = find_weights(
            game, criterion("entropy"), model, GuidedSettings(**asked), params.memo_mib
        )
        write_weights(weights, path)
        told = weights.provenance
        write_proof(game, {"model": name} | told, proof, bound)
        log.info(
            "%s: %d guesses, at most %d; none takes fewer than %d",
            name,
            told["total_guesses"],
            told["max_guesses"],
            told["bound"],
        )
