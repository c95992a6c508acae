"""Grow the game tree of a strategy, and write it as a table and as text."""

from pathlib import Path

from codebreaker.games.model import read_game
from codebreaker.policies.strategy import Strategy, recorded_strategy
from codebreaker.policies.weights import read_weights
from codebreaker.study.jobs import job
from codebreaker.trees.grow import grow
from codebreaker.trees.io import strategy_of_tree, write_tree, write_tree_text

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    if snakemake.params.strategy is None:
        weights = Path(snakemake.input.found[0])
        strategy = recorded_strategy(weights.parent.name, read_weights(weights))
    else:
        strategy = Strategy(**snakemake.params.strategy)
    endgames = None
    if strategy.plays_exactly:
        from codebreaker.search.endgames import endgames_of  # takes 0.06 CPU seconds to import

        endgames = endgames_of(game, strategy)
    tree = grow(game, strategy, endgames=endgames)
    key = strategy_of_tree(game, strategy, tree, snakemake.wildcards.policy)
    write_tree(tree, key, snakemake.output.tree)
    write_tree_text(game, tree, key, snakemake.output.text)
    log.info("%d guesses, at most %d", tree.total_guesses, tree.max_guesses)
