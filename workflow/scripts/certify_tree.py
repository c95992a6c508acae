"""Write the certificate of a tree, for the checker that plays every secret."""

from codebreaker.games.model import read_game
from codebreaker.search.certificate import unproven, write_certificate
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    tree, key = read_tree(snakemake.input.tree)
    write_certificate(game, unproven(game, tree, key.guess_pool), snakemake.output.certificate)
    log.info("%d guesses", tree.total_guesses)
