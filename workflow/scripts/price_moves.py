"""Compute what each move of every strategy costs, for games whose least total is known."""

import polars as pl

from codebreaker.exact.cost_to_go import CostToGo
from codebreaker.exact.prices import price, prices_frame
from codebreaker.files import write_frame
from codebreaker.games.io import read_game
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake.log[0]) as log:
    trees = [read_tree(path) for path in snakemake.input.trees]
    for path, target in zip(snakemake.input.games, snakemake.output.prices, strict=True):
        game = read_game(path)
        known = {key.tree: tree for tree, key in trees if key.game == game.name}
        cost_to_go = CostToGo(game, memo_mib=snakemake.params.memo_mib)
        priced = [
            prices_frame(name, tree, price(tree, known["optimal"], cost_to_go))
            for name, tree in known.items()
        ]
        write_frame(pl.concat(priced), target)
        log.info("%s: %d trees", game.name, len(priced))
