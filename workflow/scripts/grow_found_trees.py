"""Grow the trees of the weights that were found for a game, one for each model."""

from pathlib import Path

from codebreaker.exact.endgames import endgames_of
from codebreaker.games.io import read_game
from codebreaker.policies.policy import recorded_policy
from codebreaker.policies.weights import read_weights
from codebreaker.study.jobs import job
from codebreaker.trees.grow import grow
from codebreaker.trees.io import key_of, write_tree
from codebreaker.trees.transcripts import write_tree_text

with job(snakemake.log[0]) as log:
    game, models = read_game(snakemake.input.game), snakemake.params.models
    outputs = zip(snakemake.output.trees, snakemake.output.texts, strict=True)
    for model, path, (table, text) in zip(models, snakemake.input.found, outputs, strict=True):
        policy = recorded_policy(model, read_weights(path))
        tree = grow(game, policy, endgames=endgames_of(game, policy))
        key = key_of(game, policy, tree, Path(table).stem)
        write_tree(tree, key, table)
        write_tree_text(game, tree, key, text)
        log.info("%s: %d guesses", key.tree, tree.total_guesses)
