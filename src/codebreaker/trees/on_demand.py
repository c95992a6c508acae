"""Choosing guesses without a table; memory is linear in the number of codes."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from codebreaker.games.model import CodeGame
from codebreaker.sets import codes
from codebreaker.sets.codes import find_representatives, grid_of, list_pool
from codebreaker.sets.primitives import ScoringRule, Sets
from codebreaker.trees.frontier import ForestWeights, Frontier, score_bounds
from codebreaker.trees.kernels import on_demand as kernel
from codebreaker.types import Counts, FeedbackIds, Indices, Positions, SymbolMatrix

PARTS_PER_THREAD = 8  # approximate number of parts of a turn's work


def choose(
    game: CodeGame,
    frontier: Frontier,
    rule: ScoringRule,
    guesses: Indices,
    threads: int,
    rows: ForestWeights | None = None,
) -> None:
    """Replace guesses of −1, (n_nodes,), if one splits the set; `rows` are a forest's weights."""
    if rows is not None:
        for tree in np.unique(rows.tree_of[guesses < 0]):
            nodes = np.flatnonzero((rows.tree_of == tree) & (guesses < 0))
            rule_of_tree = rule._replace(
                terms_at=rule.terms_at[nodes],
                tolerances=rule.tolerances[nodes],
                weights=rows.weights[tree],
            )
            chosen = guesses[nodes]
            choose(game, frontier.subset(nodes), rule_of_tree, chosen, threads)
            guesses[nodes] = chosen
        return
    # 1. The colours that are equivalent at each node: of guesses that differ only by these, one is
    #    scored.
    grid = grid_of(game)
    sets = frontier.sets
    nodes = np.arange(len(guesses))
    node_of = np.full(len(grid.codes), -1, np.int32)
    node_of[sets.members] = np.repeat(nodes, frontier.sizes)
    sizes = np.where(guesses < 0, frontier.sizes, 0).astype(np.int64)
    representatives = np.zeros((len(nodes), grid.n_colours), grid.codes.dtype)
    if not rule.consistent_only:
        find_representatives(
            grid, sets, np.flatnonzero(sizes), node_of, rule.reverses, representatives
        )
    # 2. Nodes with the same representatives share a pool of guesses; threads take parts of nodes.
    limits = score_bounds(rule, sizes, grid.n_feedback)

    def choose_part(part: tuple[SymbolMatrix, Positions]) -> None:
        """Choose at nodes whose colours have the same representatives."""
        common_representatives, nodes = part
        pool = sets.members[:0]
        if not rule.consistent_only:
            pool = list_pool(grid, common_representatives, rule.reverses)
        kernel.choose_nodes(grid, sets, nodes, pool, rule, limits, node_of, guesses)

    parts = _divide(representatives, sizes * sizes if rule.consistent_only else sizes, threads)
    with ThreadPoolExecutor(threads) as workers:
        list((map if threads == 1 else workers.map)(choose_part, parts))


def feedback_of_sets(game: CodeGame, sets: Sets, guesses: Indices) -> FeedbackIds:
    """Return the feedback id of each node's guess to each of its members, (n_members,) uint8."""
    ids: FeedbackIds = codes.feedback_of_sets(grid_of(game), sets, guesses)
    return ids


def _divide(
    representatives: SymbolMatrix, work: Counts, threads: int
) -> list[tuple[SymbolMatrix, Positions]]:
    """Divide the nodes into parts of similar work and equal representatives, largest first."""
    nodes = np.flatnonzero(work)
    if len(nodes) < 2:
        return [(representatives[node], nodes) for node in nodes]
    most = work.sum() // (PARTS_PER_THREAD * threads) + 1
    distinct, which = np.unique(representatives[nodes], axis=0, return_inverse=True)
    grouped = nodes[np.argsort(which.ravel(), kind="stable")]
    ends = np.cumsum(np.bincount(which.ravel()))
    parts = [
        (common_representatives, piece)
        for common_representatives, group in zip(
            distinct, np.split(grouped, ends[:-1]), strict=True
        )
        for piece in np.split(group, np.flatnonzero(np.diff(np.cumsum(work[group]) // most)) + 1)
    ]
    return sorted(parts, key=lambda part: -int(work[part[1]].sum()))
