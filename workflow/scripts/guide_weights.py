"""Find the weights of a game's models by the exact cost-to-go."""

from codebreaker.criteria import criterion
from codebreaker.game_io import read_game
from codebreaker.guided.search import Model, find_weights
from codebreaker.guided.stage import Settings
from codebreaker.jobs import job
from codebreaker.weights import write_weights

with job(snakemake.log[0]) as log:
    game, params = read_game(snakemake.input.game), snakemake.params
    for (name, asked), path in zip(params.models.items(), snakemake.output.weights, strict=True):
        opening, by, most = (asked.pop(key) for key in ("opening", "by", "max_guesses"))
        model = Model(name, opening, by == "turn and feedback", most)
        log.info("%s: from %s, a row for each %s", name, opening, by)
        weights = find_weights(
            game, criterion("entropy"), model, Settings(**asked), params.memo_mib
        )
        write_weights(weights, path)
        told = weights.provenance
        log.info(
            "%s: %d guesses, at most %d; none takes fewer than %d",
            name,
            told["total_guesses"],
            told["max_guesses"],
            told["bound"],
        )
