"""Compile the loops of a phase on the smallest games, before its jobs start."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from codebreaker.duel.value import find_value
from codebreaker.files import write_text
from codebreaker.games.model import GameModel, read_game, write_game
from codebreaker.games.registry import make_game, rules_of
from codebreaker.optimise.backend import choose_engine
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import Task, run_tasks
from codebreaker.optimise.settings import Params
from codebreaker.players.board import make_board
from codebreaker.players.contest import Series, play_batch
from codebreaker.players.registry import PLAYERS
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy
from codebreaker.proofs.guided import find_weights
from codebreaker.proofs.settings import GuidedWeights
from codebreaker.search.rounds import count_rounds
from codebreaker.study.jobs import job
from codebreaker.trees.grow import grow


def small_game() -> GameModel:
    """Return a game as jobs read it, whose arrays differ in type from those in memory."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.npz"
        write_game(make_game("mm-2-4"), path)
        return read_game(path)


def trees() -> None:
    """Compile the growth of trees, with a table and without one."""
    for game in (small_game(), rules_of("mm-3-4").on_demand()):
        for name in ("entropy", "worst-case"):
            grow(game, Strategy(name))


def search() -> None:
    """Compile exact search and guided weights."""
    game = small_game()
    count_rounds(game, True, 1)
    find_weights(game, criterion("entropy"), "guided", GuidedWeights(opening="12", steps=9), 16)


def values() -> None:
    """Compile the search by weights of secrets that the value of a game needs."""
    find_value(small_game(), 16)


def weights() -> None:
    """Compile the genetic algorithm."""
    for names in (["entropy"], ["entropy", "tsallis-2"]):
        problem = Problem(small_game(), tuple(map(criterion, names)), 3, "12")
        with TemporaryDirectory() as folder:
            task = Task(problem, Params(), 0, 2)
            run_tasks([task], choose_engine("cpu", problem, 16, 1, 0), [Path(folder) / "run.npz"])


def players() -> None:
    """Compile the players."""
    board = make_board("mm-2-4")
    for spec in PLAYERS.values():
        play_batch(Series(spec, board, 1, 1), np.arange(2, dtype=np.int32), 0)


with job(snakemake) as log:
    parts = {
        "trees": trees,
        "search": search,
        "values": values,
        "weights": weights,
        "players": players,
    }
    parts[snakemake.wildcards.part]()
    write_text(snakemake.output.done, "compiled")
