"""Every kind of file that the workflow and the assistant write: of a small game, and read again."""

from functools import cache
from pathlib import Path

import polars as pl
from conftest import game_called, grown

from codebreaker.advice.cached import TreeCache
from codebreaker.files import DATA, read_frame, read_json, write_frame, write_text
from codebreaker.games.model import read_game, write_game
from codebreaker.games.registry import rules_of
from codebreaker.players import random_consistent
from codebreaker.players.board import make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, log_frame, play_games, read_log
from codebreaker.players.registry import player_spec
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import read_weights, write_weights
from codebreaker.search.certificate import Certificate, find_optimum, write_certificate
from codebreaker.search.settings import Target
from codebreaker.study.jobs import check_digests
from codebreaker.trees.io import read_tree, write_tree, write_tree_text
from codebreaker.trees.metrics import read_strategies, strategies, write_strategies
from codebreaker.weights import genetic, run
from codebreaker.weights.problem import Problem

NAME, POLICY = "mm-3-3", Strategy("entropy")


@cache
def tree_of():
    return grown(game_called(NAME), POLICY)


@cache
def search():
    problem = Problem(game_called(NAME), (criterion("entropy"),), 2, "112")
    task = run.Task(problem, genetic.Params(population=4, elite=1), 0, 2)
    return task, run.Run(genetic.init(0, problem.n_genes, task.params))


def play(folder):
    """Play a contest; its first batch is taken from the folder or written there."""
    series = Series(player_spec("random-consistent"), make_board(NAME), 1, 1)
    return play_games(series, draw_secrets(27, 1, 1), 1, folder)


def write_results(folder):
    game, (tree, key), (task, done) = game_called(NAME), tree_of(), search()
    write_game(game, folder / "game.npz")
    write_game(rules_of("mm-3-4").on_demand(), folder / "codes.npz")
    write_tree(tree, key, folder / "tree.parquet")
    write_tree_text(game, tree, key, folder / "tree.txt")
    TreeCache(game, POLICY, folder / "kept").put("tree", tree)
    frame = strategies([(tree, key)])
    write_strategies(frame, folder / "strategies.parquet", folder / "strategies.csv")
    moves = {"code": list(game.secrets), "moves": [[1, 2]] * game.n_secrets}
    write_frame(pl.DataFrame(moves), folder / "moves.parquet")
    write_certificate(game, find_optimum(game, Target(), 1, 60), folder / "certificate.json")
    expected = random_consistent.expected_profile(game)
    random_consistent.write_expectation(game, "any", expected, folder / "expected.json")
    write_weights(run.best_weights(task, done, "stage", "cpu"), folder / "weights.json")
    run.write_population(task, done, folder / "population.npz")
    run.save_checkpoint(task, done, folder / "checkpoint.npz")
    labels = mastermind_rules(NAME).labels()
    log = log_frame("small", NAME, "random-consistent", play(folder), labels)
    write_frame(log, folder / "log.parquet")
    write_text(folder / "claims.csv", (DATA / "known_totals.csv").read_text(encoding="utf-8"))


READERS = {
    "game.npz": read_game,
    "codes.npz": read_game,
    "population.npz": lambda path: run.read_population("found", path),
    "tree.parquet": lambda path: read_tree(path)[0],
    "strategies.parquet": read_strategies,
    "moves.parquet": read_frame,
    "log.parquet": read_log,
    "certificate.json": lambda path: read_json(path, Certificate),
    "expected.json": random_consistent.read_expectation,
    "weights.json": read_weights,
    "strategies.csv": pl.read_csv,
    "claims.csv": pl.read_csv,
    "tree.txt": Path.read_bytes,
    ".digests/tree.txt": lambda path: check_digests(["results/tree.txt"]),
    "kept/tree": lambda path: (
        TreeCache(game_called(NAME), POLICY, path.parent).get("tree") or tree_of()[0]
    ),
    "batch-0.npz": lambda path: play(path.parent),
    "checkpoint.npz": lambda path: run.load_checkpoint(search()[0], path) or search()[1],
}
"""What reads each file; the last three are made again where they can't be read."""
