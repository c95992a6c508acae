"""Find the values of some games, and write a certificate of each."""

from codebreaker.duel.value import find_value, write_value
from codebreaker.games.model import read_game
from codebreaker.study.jobs import job

with job(snakemake) as log:
    for path, target in zip(snakemake.input.games, snakemake.output.values, strict=True):
        game = read_game(path)
        value = find_value(game, snakemake.params.memo_mib)
        write_value(game, value, target)
        log.info("%s: %s", game.name, value.value)
