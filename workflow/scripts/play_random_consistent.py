"""Compute the expected results of random consistent play."""

from codebreaker.games.model import read_game
from codebreaker.players.expectation import mean_guesses, write_expectation
from codebreaker.players.random_consistent import expected_profile
from codebreaker.study.jobs import job

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    profile = expected_profile(game, snakemake.params.memo_mib)
    write_expectation(game, "random-consistent", profile, snakemake.output.expected)
    log.info("%s: %.6f guesses, at most %d", game.name, mean_guesses(profile), len(profile))
