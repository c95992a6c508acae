"""Grow the game tree of a policy or of found weights, and write it as a table and as text."""

import time

from codebreaker.games.model import read_game
from codebreaker.policies.strategy import recorded_strategy
from codebreaker.policies.weights import read_weights
from codebreaker.search.endgames import endgames_of
from codebreaker.study.jobs import job
from codebreaker.trees.grow import expected_guesses, grow
from codebreaker.trees.io import key_of, write_tree, write_tree_text

with job(snakemake) as log:
    game, policy = read_game(snakemake.input.game), snakemake.params.policy
    for path in snakemake.input.weights:
        policy = recorded_strategy(snakemake.params.model, read_weights(path))
    started = time.perf_counter()
    tree = grow(game, policy, endgames=endgames_of(game, policy))
    milliseconds = 1e3 * (time.perf_counter() - started)
    key = key_of(game, policy, tree, snakemake.wildcards.policy)
    write_tree(tree, key, snakemake.output.tree)
    write_tree_text(game, tree, key, snakemake.output.text)
    figures = tree.total_guesses, tree.max_guesses, expected_guesses(game, tree), milliseconds
    log.info("%d guesses, at most %d, %s on average; grown in %.1f ms", *figures)
