"""Find the guesses that wrong answers add."""

from codebreaker.files import write_frame
from codebreaker.games.registry import make_game
from codebreaker.players.doubtful import cost_of_a_lie, entropy_with_errors
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params, output, errors = snakemake.params, snakemake.output, snakemake.params.errors
    lies = cost_of_a_lie(map(make_game, params.games))
    write_frame(lies, output.lies)
    log.info("%d games", lies.height)
    game, probabilities = make_game(errors["played"]), errors["probabilities"]
    met = entropy_with_errors(
        game, errors["opening"], probabilities, errors["repetitions"], params.seed
    )
    write_frame(met, output.errors)
    log.info("%s: %s guesses on average", game.name, met["mean"].to_list())
