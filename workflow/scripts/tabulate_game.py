"""Compute a game's feedback table, or only its codes where the table would be too large."""

import math
from dataclasses import replace

from codebreaker.games.model import write_game
from codebreaker.games.registry import make_game
from codebreaker.games.tables import weighted
from codebreaker.games.words import WordFiles, read_prior
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params = snakemake.params
    words = snakemake.input.words
    lists = {
        name: WordFiles(*words, alphabet=letters) for name, letters in params.alphabets.items()
    }
    limit_mib = math.inf if params.with_table else 0
    game = make_game(snakemake.wildcards.game, limit_mib, lists)
    for path in snakemake.input.prior:
        game = replace(weighted(game, read_prior(path, game)), name=game.name)
    write_game(game, snakemake.output.game)
    log.info("%s: %d guesses by %d secrets", game.name, game.n_guesses, game.n_secrets)
