"""Grow the game trees of all of a game's policies, and write them as tables and as text."""

import time

from codebreaker.games.io import read_game
from codebreaker.policies.policy import make_policy
from codebreaker.study.jobs import job
from codebreaker.trees.grow import grow
from codebreaker.trees.io import labels_of, write_tree, write_tree_text

with job(snakemake.log[0]) as log:
    game = read_game(snakemake.input.game)
    asked = list(
        zip(
            snakemake.params.strategies,
            snakemake.output.trees,
            snakemake.output.texts,
            strict=True,
        )
    )
    for number, (strategy, table, text) in enumerate(asked, start=1):
        started = time.perf_counter()
        policy = make_policy(**strategy)
        tree = grow(game, policy)
        grown = time.perf_counter() - started
        labels = labels_of(game, policy, tree)
        write_tree(tree, labels, table)
        write_tree_text(game, tree, labels, text)
        log.info(
            "%d/%d %s: %d guesses, at most %d; grown in %.1f ms",
            number,
            len(asked),
            policy.slug,
            tree.total_guesses,
            tree.turn.max(),
            1e3 * grown,
        )
