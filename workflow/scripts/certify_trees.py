"""Write the certificates of trees."""

from functools import lru_cache
from pathlib import Path

from codebreaker.games.model import read_game
from codebreaker.search.certificate import unproven, write_certificate
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    paths = {Path(path).parent.name: path for path in snakemake.input.games}
    game_called = lru_cache(1)(lambda name: read_game(paths[name]))  # tables may be large
    for path, certificate in zip(snakemake.input.trees, snakemake.output.certificates, strict=True):
        tree, key = read_tree(path)
        game = game_called(key.game)
        write_certificate(game, unproven(game, tree, key.guess_pool), certificate)
        log.info("%s: %d guesses", path, tree.total_guesses)
