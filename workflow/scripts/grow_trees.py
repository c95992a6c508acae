"""Grow the game trees of all of a game's policies, and write them as tables and as text."""

import time
from pathlib import Path

from codebreaker.exact.endgames import endgames_of
from codebreaker.games.io import read_game
from codebreaker.study.jobs import job
from codebreaker.trees.grow import grow
from codebreaker.trees.io import key_of, write_tree
from codebreaker.trees.transcripts import write_tree_text

with job(snakemake.log[0]) as log:
    game, policies = read_game(snakemake.input.game), snakemake.params.policies
    outputs = zip(snakemake.output.trees, snakemake.output.texts, strict=True)
    for policy, (table, text) in zip(policies, outputs, strict=True):
        started = time.perf_counter()
        tree = grow(game, policy, endgames=endgames_of(game, policy))
        milliseconds = 1e3 * (time.perf_counter() - started)
        key = key_of(game, policy, tree, Path(table).stem)
        write_tree(tree, key, table)
        write_tree_text(game, tree, key, text)
        log.info(
            "%s: %d guesses, at most %d; grown in %.1f ms",
            key.tree,
            tree.total_guesses,
            tree.max_guesses,
            milliseconds,
        )
