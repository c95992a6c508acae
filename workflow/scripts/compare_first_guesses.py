"""Compare the first guesses of a game, each followed by the classic policies."""

from codebreaker.analysis.first_guesses import compare_first_guesses
from codebreaker.files import write_frame
from codebreaker.games.io import read_game
from codebreaker.study.jobs import job

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    compared = compare_first_guesses(game, snakemake.params.policies, snakemake.threads)
    write_frame(compared, snakemake.output.compared)
    for row in compared.iter_rows():
        log.info("%s", row)
