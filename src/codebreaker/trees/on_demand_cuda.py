"""The choice of guesses in games without a table, on a CUDA device; they equal the CPU's."""

from functools import lru_cache

import numpy as np
from numba import cuda

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame
from codebreaker.policies.criterion import Criterion
from codebreaker.sets.codes import grid_of
from codebreaker.sets.primitives import ScoringRule, Sets
from codebreaker.trees.frontier import ForestWeights, Frontier
from codebreaker.trees.kernels import on_demand_cuda as kernels
from codebreaker.trees.kernels.on_demand_cuda import MOST_COLOURS, MOST_PEGS
from codebreaker.types import Indices

SCORES_MIB = 1024
"""Device memory for the scores of the nodes of one launch, in MiB."""


def choose(
    game: CodeGame, frontier: Frontier, rule: ScoringRule, guesses: Indices, criterion: Criterion
) -> None:
    """Choose each node's guess by a rule into guesses, (n_nodes,) int32; −1 if none splits it.

    Raises `CodebreakerError` if the device does not support the game or the criterion.
    """
    check(game, criterion)
    guesses[:] = frontier.sole_candidates
    one_tree = ForestWeights(rule.weights[np.newaxis], np.zeros(len(guesses), np.int64))
    choose_in_forest(game, frontier, rule, one_tree, guesses)


def choose_in_forest(
    game: CodeGame, forest: Frontier, rule: ScoringRule, rows: ForestWeights, guesses: Indices
) -> None:
    """Replace each guess of −1 at the nodes of a forest, with each tree's own weights.

    The rows replace the rule's weights. One launch takes as many nodes as SCORES_MIB allows.
    """
    nodes = np.flatnonzero(guesses < 0)
    if not len(nodes):
        return
    at_once = min(max(SCORES_MIB * 2**20 // (8 * game.n_guesses), 1), len(nodes))
    codes, device_rule = _codes(game), _device_rule(rule, rows)
    before = cuda.device_array((at_once, game.n_colours), np.int8)
    scores = cuda.device_array((at_once, game.n_guesses), np.float64)
    picked = cuda.device_array(at_once, np.int32)
    blocks = min(-(-game.n_guesses // kernels.THREADS), 1 << 10)
    for start in range(0, len(nodes), at_once):
        batch = nodes[start : start + at_once]
        sets = Sets(*map(cuda.to_device, forest.subset(batch).sets))
        own = device_rule._replace(
            terms_at=cuda.to_device(device_rule.terms_at[batch]),
            tolerances=cuda.to_device(device_rule.tolerances[batch]),
            row_of=cuda.to_device(device_rule.row_of[batch]),
        )
        n = len(batch)
        if not rule.consistent_only:
            kernels.find_equivalent[n, kernels.THREADS](codes, sets, rule.reverses, before)
        kernels.score[(n, blocks), kernels.THREADS](codes, sets, before, own, scores)
        kernels.pick[n, kernels.THREADS](sets, own, scores, picked)
        guesses[batch] = picked.copy_to_host()[:n]


def check(game: CodeGame, criterion: Criterion) -> None:
    """Raise `CodebreakerError` if the kernels don't support a game or a criterion."""
    pegs = game.codes.shape[1]
    if pegs > MOST_PEGS or game.n_colours > MOST_COLOURS or game.n_feedback > kernels.FEEDBACKS:
        raise CodebreakerError(
            f"game {game.name} is too large for the backend cuda, which supports up to {MOST_PEGS} "
            f"pegs and {MOST_COLOURS} colours: use the backend cpu",
            "backend",
        )
    if criterion.ties == "float":
        raise CodebreakerError(
            f"criterion {criterion.name} has no exact scores, which the backend cuda needs: "
            "use the backend cpu",
            "backend",
        )


@lru_cache(maxsize=2)
def _codes(game: CodeGame) -> kernels.DeviceCodes:
    """Return a game's codes on the device."""
    grid, pegs = grid_of(game), game.codes.shape[1]
    shifts = 4 * np.arange(pegs - 1, -1, -1, dtype=np.int64)
    by_peg = (game.codes.astype(np.int64) << shifts).sum(axis=1)
    by_colour = (game.counts.astype(np.int64) << 4 * np.arange(game.n_colours)).sum(axis=1)
    return kernels.DeviceCodes(
        colours=cuda.to_device(game.codes),
        place=cuda.to_device(grid.place),
        index_of=cuda.to_device(grid.index_of),
        by_peg=cuda.to_device(by_peg),
        by_colour=cuda.to_device(by_colour),
        ids=cuda.to_device(game.ids.ravel()),
        n_colours=game.n_colours,
        repeats=grid.repeats,
    )


def _device_rule(rule: ScoringRule, rows: ForestWeights) -> kernels.DeviceRule:
    """Return a rule on the device, except for its columns by node, which stay on the host."""
    per_log_parts = len(rule.log_parts) > 0
    return kernels.DeviceRule(
        terms=cuda.to_device(rule.terms),
        terms_at=rule.terms_at,
        tolerances=rule.tolerances,
        weights=cuda.to_device(rows.weights),
        row_of=rows.tree_of,
        log_parts=cuda.to_device(rule.log_parts if per_log_parts else np.ones(1)),
        per_log_parts=per_log_parts,
        takes_min=rule.takes_min,
        consistent_only=rule.consistent_only,
        prefers_consistent=rule.prefers_consistent,
        reverses=rule.reverses,
    )
