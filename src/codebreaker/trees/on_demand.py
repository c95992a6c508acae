"""Frontiers of games without a table: nothing is stored that grows with the square of the codes."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np

from codebreaker.games.model import CodeGame
from codebreaker.policies.policy import Policy
from codebreaker.trees import frontier as frontiers
from codebreaker.trees.frontier import ForestWeights, Frontier
from codebreaker.trees.kernels import colours as pools
from codebreaker.trees.kernels import on_demand as demand
from codebreaker.trees.kernels import rows
from codebreaker.trees.kernels.colours import CodeGrid
from codebreaker.trees.kernels.on_demand import Ceilings
from codebreaker.trees.kernels.sets import ScoringRule, Sets
from codebreaker.types import FeedbackIds, Indices, Offsets, Scores

MOST_BOUNDED = 64
"""The largest sets whose scores are bounded by the pairs that a partition leaves together."""

MOST_FEW = 255
"""The largest sets whose cells are counted in bytes."""

PARTS_A_THREAD = 8
"""Into about so many parts for each thread a turn's work is divided."""


def choose(game: CodeGame, policy: Policy, frontier: Frontier, threads: int) -> Indices:
    """Return the guess that the policy plays at each node, (n_nodes,) int32.

    Raises `CodebreakerError` where no guess of the pool tells two candidates apart.
    """

    def by_counting(some: Frontier, rule: ScoringRule, guesses: Indices) -> None:
        guesses[:] = some.only_members
        _choose_open(grid_of(game), some, rule, guesses, threads)

    return frontiers.choose_by(by_counting, game, policy, frontier)


def choose_in_forest(
    game: CodeGame,
    forest: Frontier,
    rule: ScoringRule,
    rows: ForestWeights,
    guesses: Indices,
    threads: int,
) -> None:
    """Choose a guess where it is −1, at nodes of many trees, by the weights of each tree.

    The rows' weights take the place of the rule's.
    """
    for tree in np.unique(rows.tree_of[guesses < 0]):
        nodes = np.flatnonzero((rows.tree_of == tree) & (guesses < 0))
        own = rule._replace(
            terms_at=rule.terms_at[nodes],
            tolerances=rule.tolerances[nodes],
            weights=rows.weights[tree],
        )
        found = guesses[nodes]
        _choose_open(grid_of(game), frontiers.part(forest, nodes), own, found, threads)
        guesses[nodes] = found


def _choose_open(
    grid: CodeGrid, some: Frontier, rule: ScoringRule, guesses: Indices, threads: int
) -> None:
    """Choose a guess where it is −1."""
    nodes = np.arange(len(guesses), dtype=np.int32)
    node_of = np.full(len(grid.codes), -1, np.int32)
    node_of[some.sets.members] = np.repeat(nodes, some.sizes)
    sizes = np.where(guesses < 0, some.sizes, 0).astype(np.int64)
    leaders = np.zeros((len(nodes), grid.n_colours), np.uint8)
    if not rule.consistent_only:
        pools.find_leaders(grid, some.sets, np.flatnonzero(sizes), node_of, rule.reverses, leaders)
    known = _ceilings(rule, sizes, grid.n_feedback)

    def choose_part(part: tuple[FeedbackIds, Offsets]) -> None:
        kind, nodes = part
        pool = some.sets.members[:0]
        if not rule.consistent_only:
            pool = pools.list_pool(grid, kind, rule.reverses)
        demand.choose_nodes(grid, some.sets, nodes, pool, rule, known, node_of, guesses)

    parts = _parts(leaders, sizes * sizes if rule.consistent_only else sizes, threads)
    if threads == 1:
        for part in parts:
            choose_part(part)
        return
    with ThreadPoolExecutor(threads) as workers:
        list(workers.map(choose_part, parts))


def feedback_of_sets(game: CodeGame, frontier: Frontier, guesses: Indices) -> FeedbackIds:
    """Return the feedback id of each node's guess to each of its members, (n_members,) uint8."""
    members, offsets = frontier.sets
    found: FeedbackIds = rows.feedback_of_sets(grid_of(game), members, offsets, guesses)
    return found


def descend(game: CodeGame, frontier: Frontier, guesses: Indices, threads: int) -> Frontier:
    """Return the next turn's nodes, as `frontier.split` does, found in parts by some threads."""
    (members, offsets), parents, feedback = frontier.sets, frontier.parents, frontier.feedback
    shares = np.linspace(0, len(members), PARTS_A_THREAD * threads + 1)
    cuts = np.unique(np.searchsorted(offsets, shares))

    def descend_part(start: int, stop: int) -> Frontier:
        first, last = offsets[start], offsets[stop]
        sets = Sets(members[first:last], offsets[start : stop + 1] - first)
        some = Frontier(frontier.turn, sets, parents[start:stop], feedback[start:stop])
        return frontiers.split(game, some, feedback_of_sets(game, some, guesses[start:stop]))

    with ThreadPoolExecutor(threads) as workers:
        below = list(workers.map(descend_part, cuts[:-1], cuts[1:]))
    return Frontier(
        frontier.turn + 1,
        Sets(
            np.concatenate([one.sets.members for one in below]),
            np.append(0, np.cumsum(np.concatenate([one.sizes for one in below]))),
        ),
        np.concatenate([one.parents + np.int32(at) for one, at in zip(below, cuts, strict=False)]),
        np.concatenate([one.feedback for one in below]),
    )


@lru_cache(maxsize=4)
def grid_of(game: CodeGame) -> CodeGrid:
    """Return a game as the kernels take it."""
    pegs = game.codes.shape[1]
    place = game.n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    index_of = np.full(game.n_colours**pegs, -1, np.int32)
    index_of[game.codes @ place] = np.arange(game.n_secrets, dtype=np.int32)
    repeats = game.n_secrets == len(index_of)
    least = 0 if repeats else max(2 * pegs - game.n_colours, 0)
    pairs = [
        (b, c) for c in range(least, pegs + 1) for b in range(c + 1) if (b, c) != (pegs - 1, pegs)
    ]
    pairs = sorted(pairs, key=lambda pair: game.ids[pair])
    ids = np.array([game.ids[pair] for pair in pairs], np.int64)
    return CodeGrid(
        codes=game.codes,
        counts=game.counts,
        place=place,
        index_of=index_of,
        raws=np.array([b + (pegs + 1) * c for b, c in pairs], np.uint8),
        id_of_raw=ids,
        ids=game.ids,
        n_colours=game.n_colours,
        n_feedback=game.n_feedback,
        most_few=MOST_FEW if np.array_equal(ids, np.arange(game.n_feedback)) else 0,
        repeats=repeats,
    )


def _parts(leaders: FeedbackIds, work: Offsets, threads: int) -> list[tuple[FeedbackIds, Offsets]]:
    """Divide the nodes that have work into parts of about equal work, the most of it first.

    `leaders` (n_nodes, n_colours) are those of the nodes' colours; the nodes of a part have them in
    common. `work` is (n_nodes,).
    """
    nodes = np.flatnonzero(work)
    if not len(nodes):
        return []
    most = work.sum() // (PARTS_A_THREAD * threads) + 1
    kinds, kind_of = np.unique(leaders[nodes], axis=0, return_inverse=True)
    by_kind = nodes[np.argsort(kind_of.ravel(), kind="stable")]
    ends = np.cumsum(np.bincount(kind_of.ravel()))
    parts = [
        (kind, piece)
        for kind, group in zip(kinds, np.split(by_kind, ends[:-1]), strict=True)
        for piece in np.split(group, np.flatnonzero(np.diff(np.cumsum(work[group]) // most)) + 1)
    ]
    return sorted(parts, key=lambda part: -int(work[part[1]].sum()))


def _ceilings(rule: ScoringRule, sizes: Offsets, n_feedback: int) -> Ceilings:
    """Return what is known of the highest scores at the nodes of a turn, by their sizes."""
    low, high = float(rule.weights.min()), float(rule.weights.max())
    known = Ceilings(
        highest=np.full(len(sizes), np.inf),
        bounds=np.empty(0),
        at=np.full(len(sizes), -1, np.int64),
        decides=np.zeros(len(sizes), np.bool_),
    )
    flat, filled = [known.bounds], 0
    for size in np.unique(sizes[sizes > 1]).tolist():
        nodes = np.flatnonzero(sizes == size)
        start = rule.terms_at[nodes[0]]
        terms = rule.terms[start : start + size + 1]
        if not terms[:size].any():
            known.highest[nodes] = 0.0
        if size > MOST_BOUNDED or len(rule.log_parts):
            continue
        bounds = _best_by_pairs(terms.tobytes(), rule.takes_min)
        bounds = np.where(bounds > 0, high, low) * bounds
        best, rest = bounds.max(), bounds[1:].max()
        tolerance = rule.tolerances[nodes[0]] + rule.tolerance_part * abs(best)
        known.highest[nodes], known.at[nodes] = best, filled
        known.decides[nodes] = low == high and size <= n_feedback and rest < best - tolerance
        flat.append(bounds)
        filled += len(bounds)
    return known._replace(bounds=np.concatenate(flat))


@lru_cache(maxsize=4096)
def _best_by_pairs(terms: bytes, takes_min: bool) -> Scores:
    bounds: Scores = demand.best_by_pairs(np.frombuffer(terms), takes_min)
    return bounds
