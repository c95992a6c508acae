"""Write the certificate of a large tree, for the checker that plays every secret."""

from codebreaker.games.model import read_game
from codebreaker.search.certificate import unproven, write_certificate
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    tree, strategy = read_tree(snakemake.input.tree)
    optimum = unproven(game, tree, strategy.guess_pool)
    write_certificate(game, optimum, snakemake.output.certificate)
    log.info("%d guesses", tree.total_guesses)
