"""Compute the regret of each move of a game's strategies."""

import polars as pl

from codebreaker.advice.regret import regrets_frame, tree_regrets
from codebreaker.files import write_frame
from codebreaker.games.model import read_game
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    trees = {strategy.tree: tree for tree, strategy in map(read_tree, snakemake.input.trees)}
    cost_to_go = CostToGo(game, memo_mib=snakemake.params.memo_mib)
    regrets = [
        regrets_frame(name, tree, tree_regrets(tree, trees["optimal"], cost_to_go))
        for name, tree in trees.items()
    ]
    write_frame(pl.concat(regrets), snakemake.output.regrets)
    log.info("%d trees", len(regrets))
