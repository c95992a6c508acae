"""Write a certificate of each tree of a game, for the checker that plays every secret."""

from codebreaker.exact.certificate import unproven, write_certificate
from codebreaker.games.io import read_game
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake.log[0]) as log:
    game = read_game(snakemake.input.game)
    for path, output in zip(snakemake.input.trees, snakemake.output.certificates, strict=True):
        tree, key = read_tree(path)
        write_certificate(game, unproven(game, tree, key.guess_pool), output)
        log.info("%s: %d guesses", key.tree, tree.total_guesses)
