"""The choice of guesses in games without a table, on a CUDA device: those of the CPU."""

from functools import lru_cache

import numpy as np
from numba import cuda

from codebreaker.criteria import Criterion
from codebreaker.errors import CodebreakerError
from codebreaker.frontier import Frontier, choose_by
from codebreaker.game import CodeGame
from codebreaker.kernels import cells
from codebreaker.kernels import demand_cuda as kernels
from codebreaker.kernels.demand_cuda import MOST_COLOURS, MOST_PEGS
from codebreaker.on_demand import grid_of
from codebreaker.policy import Policy
from codebreaker.types import Codes

SCORES_MIB = 1024
"""Device memory for the scores of nodes that are worked on together, in MiB."""


def choose(game: CodeGame, policy: Policy, frontier: Frontier) -> Codes:
    """Return the guess that the policy plays at each node, (n_nodes,) int32.

    Raises `CodebreakerError` where the game or the criterion doesn't suit the device, or no guess
    of the pool tells two candidates apart.
    """
    check(game, policy.criterion_at(frontier.turn))

    def by_device(some: Frontier, rule: cells.Rule, guesses: Codes) -> None:
        members, offsets = some.sets
        guesses[:] = np.where(some.sizes == 1, members[offsets[:-1]], kernels.NOTHING)
        node_of = np.full(game.n_secrets, -1, np.int32)
        node_of[members] = np.repeat(np.arange(len(guesses), dtype=np.int32), some.sizes)
        nodes = np.flatnonzero(some.sizes > 1).astype(np.int32)
        if not len(nodes):
            return
        codes, told = _codes(game), _rule(rule)
        sets = [cuda.to_device(array) for array in (members, offsets, node_of)]
        at_once = max(SCORES_MIB * 2**20 // (8 * game.n_guesses), 1)
        for start in range(0, len(nodes), at_once):
            part = nodes[start : start + at_once]
            known = kernels.Nodes(sets[0], sets[1], sets[2], cuda.to_device(part))
            before = cuda.device_array((len(part), game.n_colours), np.int8)
            scores = cuda.device_array((len(part), game.n_guesses), np.float64)
            picked = cuda.device_array(len(part), np.int32)
            blocks = min(-(-game.n_guesses // kernels.THREADS), 1 << 10)
            if not rule.consistent_only:
                kernels.find_alike[len(part), kernels.THREADS](codes, known, rule.reverses, before)
            kernels.score[(len(part), blocks), kernels.THREADS](codes, known, before, told, scores)
            kernels.pick[len(part), kernels.THREADS](known, told, scores, picked)
            guesses[part] = picked.copy_to_host()

    return choose_by(by_device, game, policy, frontier)


def check(game: CodeGame, criterion: Criterion) -> None:
    """Raise `CodebreakerError` where a game or a criterion doesn't suit the kernels."""
    pegs = game.codes.shape[1]
    if pegs > MOST_PEGS or game.n_colours > MOST_COLOURS or game.n_feedback > kernels.FEEDBACKS:
        raise CodebreakerError(
            f"game {game.name} is too large for the backend cuda, which takes {MOST_PEGS} pegs and "
            f"{MOST_COLOURS} colours: take the backend cpu"
        )
    if criterion.ties == "float":
        raise CodebreakerError(
            f"criterion {criterion.name} has no exact scores, which the backend cuda needs: "
            "take the backend cpu"
        )


@lru_cache(maxsize=2)
def _codes(game: CodeGame) -> kernels.Codes:
    """Return a game's codes on the device."""
    grid, pegs = grid_of(game), game.codes.shape[1]
    shifts = 4 * np.arange(pegs - 1, -1, -1, dtype=np.int64)
    by_peg = (game.codes.astype(np.int64) << shifts).sum(axis=1)
    by_colour = (game.counts.astype(np.int64) << 4 * np.arange(game.n_colours)).sum(axis=1)
    return kernels.Codes(
        colours=cuda.to_device(game.codes),
        place=cuda.to_device(grid.place),
        index_of=cuda.to_device(grid.index_of),
        by_peg=cuda.to_device(by_peg),
        by_colour=cuda.to_device(by_colour),
        ids=cuda.to_device(game.ids.ravel()),
        n_colours=game.n_colours,
        repeats=grid.repeats,
    )


def _rule(rule: cells.Rule) -> kernels.Rule:
    """Return a rule on the device."""
    per_log_parts = len(rule.log_parts) > 0
    return kernels.Rule(
        terms=cuda.to_device(rule.terms),
        terms_at=cuda.to_device(rule.terms_at),
        tolerances=cuda.to_device(rule.tolerances),
        weights=cuda.to_device(rule.weights),
        log_parts=cuda.to_device(rule.log_parts if per_log_parts else np.ones(1)),
        per_log_parts=per_log_parts,
        takes_min=rule.takes_min,
        consistent_only=rule.consistent_only,
        prefers_consistent=rule.prefers_consistent,
        reverses=rule.reverses,
    )
