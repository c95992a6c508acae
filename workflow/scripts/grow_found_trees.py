"""Grow the trees of the weights that were found for a game, one for each model."""

from codebreaker.game_io import read_game
from codebreaker.jobs import job
from codebreaker.policy import found_policy
from codebreaker.tree import grow
from codebreaker.tree_io import labels_of, write_tree, write_tree_text
from codebreaker.weights import read_weights

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
