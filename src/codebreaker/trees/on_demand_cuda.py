"""Choosing guesses without a table on a CUDA device, as on the CPU."""

from functools import lru_cache

import numpy as np
from numba import cuda

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame
from codebreaker.policies.criterion import Criterion
from codebreaker.sets.codes import bits_of, grid_of
from codebreaker.sets.primitives import ScoringRule, Sets
from codebreaker.trees.frontier import ForestWeights, Frontier, separation_decides
from codebreaker.trees.kernels import on_demand_cuda as kernels
from codebreaker.trees.kernels.on_demand import separate
from codebreaker.trees.kernels.on_demand_cuda import MOST_COLOURS, MOST_PEGS
from codebreaker.types import Indices

SCORES_MIB = 1024  # device memory for the scores of one launch


def choose(
    game: CodeGame,
    frontier: Frontier,
    rule: ScoringRule,
    guesses: Indices,
    rows: ForestWeights | None = None,
) -> None:
    """Replace each guess of −1 as `on_demand.choose`; the game has passed `check_supported`."""
    if rows is None:
        sizes = np.where(guesses < 0, frontier.sizes, 0).astype(np.int64)
        decided = np.flatnonzero(separation_decides(rule, sizes, game.n_feedback))
        separate(grid_of(game), frontier.sets, decided, rule, guesses)
        rows = ForestWeights(rule.weights[np.newaxis], np.zeros(len(guesses), np.int64))
    nodes = np.flatnonzero(guesses < 0)
    if not len(nodes):
        return
    at_once = min(max(SCORES_MIB * 2**20 // (8 * game.n_guesses), 1), len(nodes))
    codes = device_codes(game)
    shared = rule._replace(
        terms=cuda.to_device(rule.terms),
        weights=cuda.to_device(rows.weights),
        log_parts=cuda.to_device(rule.log_parts if len(rule.log_parts) else np.ones(1)),
    )
    before = cuda.device_array((at_once, game.n_colours), np.int8)
    scores = cuda.device_array((at_once, game.n_guesses), np.float64)
    picked = cuda.device_array(at_once, np.int32)
    blocks = min(-(-game.n_guesses // kernels.THREADS), 1 << 10)
    for start in range(0, len(nodes), at_once):
        batch = nodes[start : start + at_once]
        sets = Sets(*map(cuda.to_device, frontier.subset(batch).sets))
        row_of = cuda.to_device(rows.tree_of[batch])
        rule_of_batch = shared._replace(
            terms_at=cuda.to_device(rule.terms_at[batch]),
            tolerances=cuda.to_device(rule.tolerances[batch]),
        )
        n = len(batch)
        if not rule.consistent_only:
            kernels.find_equivalent[n, kernels.THREADS](codes, sets, rule.reverses, before)
        kernels.score[(n, blocks), kernels.THREADS](
            codes, sets, before, rule_of_batch, row_of, scores
        )
        kernels.pick[n, kernels.THREADS](sets, rule_of_batch, scores, picked)
        guesses[batch] = picked.copy_to_host()[:n]


def check_supported(game: CodeGame, criterion: Criterion) -> None:
    """Raise `CodebreakerError` for an unsupported game or criterion."""
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
def device_codes(game: CodeGame) -> kernels.DeviceCodes:
    """Return a game's codes on the device."""
    grid = grid_of(game)
    bits = bits_of(game.codes, game.n_colours)
    words = np.stack(bits, axis=1).view(np.int64)  # (n_codes, 2, n_words)
    arrays = (game.codes, grid.place_values, grid.index_of, words, game.ids.ravel())
    on_device = map(cuda.to_device, arrays)
    return kernels.DeviceCodes._make([*on_device, game.n_colours, grid.repeats])
