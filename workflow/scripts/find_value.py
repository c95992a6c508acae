"""Find the value of a game, and write a certificate of it."""

from codebreaker.duel.value import find_value, write_value
from codebreaker.games.model import read_game
from codebreaker.study.jobs import job

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    value = find_value(game, snakemake.params.memo_mib)
    write_value(game, value, snakemake.output.value)
    log.info("%s: %s", game.name, value.value)
