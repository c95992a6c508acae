"""Improve a policy by rollout."""

from dataclasses import replace
from pathlib import Path

from codebreaker.games.model import read_game
from codebreaker.study.jobs import job
from codebreaker.trees.io import strategy_of_tree, write_tree, write_tree_text
from codebreaker_records.rollout import roll_out
from codebreaker_records.settings import Rollout

with job(snakemake) as log:
    params = snakemake.params
    output = snakemake.output
    game = read_game(snakemake.input.game)
    name = snakemake.wildcards.rollout
    decided = Path(f"{output.tree}.decided.npz")
    rollout = Rollout.of_settings(params.rollout)
    base = rollout.base
    tree = roll_out(game, rollout, snakemake.threads, params.memo_mib, decided, params.version)
    strategy = strategy_of_tree(game, replace(base, policy=name, rule=base.plays), tree, name)
    write_tree(tree, strategy, output.tree)
    write_tree_text(game, tree, strategy, output.text)
    decided.unlink(missing_ok=True)
    log.info("%d guesses, at most %d", tree.total_guesses, tree.max_guesses)
