"""Compute a game's feedback table and write it to a file."""

from codebreaker.game_io import write_game
from codebreaker.games import make_game
from codebreaker.jobs import job

with job(snakemake.log[0]) as log:
    game = make_game(snakemake.wildcards.game, snakemake.params.table_limit_mib)
    write_game(game, snakemake.output.game)
    log.info("%s: %d guesses by %d secrets", game.name, game.n_guesses, game.n_secrets)
