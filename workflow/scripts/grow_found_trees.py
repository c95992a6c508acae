"""Grow the trees of the weights that were found for a game, one for each model."""

from codebreaker.games.io import read_game
from codebreaker.policies.policy import found_policy
from codebreaker.policies.weights import read_weights
from codebreaker.study.jobs import job
from codebreaker.trees.grow import grow
from codebreaker.trees.io import labels_of, write_tree, write_tree_text

with job(snakemake.log[0]) as log:
    game = read_game(snakemake.input.game)
    for model, path, table, text in zip(
        snakemake.params.models,
        snakemake.input.found,
        snakemake.output.trees,
        snakemake.output.texts,
        strict=True,
    ):
        weights = read_weights(path)
        told = weights.provenance
        policy = found_policy(model, weights, told["opening"], told.get("endgames", 0))
        tree = grow(game, policy)
        labels = labels_of(game, policy, tree)
        write_tree(tree, labels, table)
        write_tree_text(game, tree, labels, text)
        log.info("%s: %d guesses", policy.slug, tree.total_guesses)
