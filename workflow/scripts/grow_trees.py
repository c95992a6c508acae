"""Grow game trees, and write each as a table and as text; up-to-date files stay."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from codebreaker.games.model import read_game
from codebreaker.policies.strategy import recorded_strategy
from codebreaker.policies.weights import read_weights
from codebreaker.search.endgames import endgames_of
from codebreaker.study.jobs import are_kept, job, record_digests
from codebreaker.trees.grow import grow
from codebreaker.trees.io import strategy_of_tree, write_tree, write_tree_text


def _grow_tree(one: dict, *files: str) -> str:
    game = game_called(one["game"])
    policy = one["policy"]
    if policy is None:
        found = read_weights(weights[one["game"], one["model"]])
        policy = recorded_strategy(one["model"], found)
    values = policy.weights and (policy.weights, policy.weights.values.tolist())
    origin = one["code"], game.digest, policy, values
    if are_kept(files, *origin):
        return "as it was"
    tree = grow(game, policy, endgames=endgames_of(game, policy))
    key = strategy_of_tree(game, policy, tree, one["name"])
    write_tree(tree, key, files[0])
    write_tree_text(game, tree, key, files[1])
    record_digests(files, *origin)
    return f"{tree.total_guesses} guesses, at most {tree.max_guesses}"


with job(snakemake) as log:
    output = snakemake.output
    trees = snakemake.params.trees
    paths = {Path(path).parent.name: path for path in snakemake.input.games}
    game_called = cache(lambda name: read_game(paths[name]))
    weights = {Path(path).parts[-3:-1]: path for path in snakemake.input.get("found", [])}
    with ThreadPoolExecutor(snakemake.threads) as pool:
        grown = pool.map(_grow_tree, trees, output.trees, output.texts)
        for one, said in zip(trees, grown, strict=True):
            log.info("%s %s: %s", one["game"], one["name"], said)
