"""Compare a game's first guesses."""

from codebreaker.files import write_frame
from codebreaker.games.registry import rules_of
from codebreaker.study.jobs import job
from codebreaker.trees.first_guesses import compare_first_guesses

with job(snakemake) as log:
    game = rules_of(snakemake.wildcards.game).on_demand()
    compared = compare_first_guesses(game, snakemake.params.policies, snakemake.threads)
    write_frame(compared, snakemake.output.compared)
    for row in compared.iter_rows():
        log.info("%s", row)
