"""Growing game trees: a policy compiled over a set of candidates."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple, Protocol

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel, refuse_prior
from codebreaker.policies.strategy import (
    Strategy,
    check_fits,
    check_fixed,
    check_opening,
    check_without_table,
    fixed_guesses,
)
from codebreaker.sets.hard import allowed_after, narrow
from codebreaker.sets.partition import all_secrets
from codebreaker.sets.primitives import Sets
from codebreaker.trees import on_demand, with_table
from codebreaker.trees.frontier import (
    Frontier,
    first_candidates,
    is_candidate,
    scoring_rule,
    split,
)
from codebreaker.trees.tree import GameTree
from codebreaker.types import AnyPool, FeedbackIds, Indices, Totals

Backend = Literal["cpu", "cuda", "numpy"]
"""What scores guesses: compiled code, or plain NumPy for small sets (`trees.small`)."""

MEMBERS_PER_PART = 1 << 16  # candidates that a thread processes at a time, to save memory


class PlaysEndgames(Protocol):
    """Plays some candidate sets exactly; implemented by `search.endgames`."""

    def plays_all(self, frontier: Frontier) -> bool:
        """Return whether all sets are played exactly, so that no guess needs a score."""

    def play(self, frontier: Frontier, guesses: Indices) -> None:
        """Replace the guesses at the nodes that are played exactly."""


class Level(NamedTuple):
    """One turn of a growing tree or forest."""

    frontier: Frontier
    guesses: Indices  # (n_nodes,)
    feedback: FeedbackIds  # (n_members,), of each candidate to its node's guess


def grow(
    game: GameModel,
    strategy: Strategy,
    threads: int = 1,
    backend: Backend = "cpu",
    start: Frontier | None = None,
    endgames: PlaysEndgames | None = None,
) -> GameTree:
    """Grow a policy's tree from the first turn, or from a frontier of one node.

    Threads and backend only matter in games without a table, and don't change the tree. A policy
    that plays exactly needs `endgames`. Raises `CodebreakerError` if the policy doesn't fit the
    game or can't solve it.

    >>> from codebreaker.games.registry import make_game
    >>> from codebreaker.policies.strategy import Strategy
    >>> tree = grow(make_game("mm-4-6"), Strategy("most-parts"))
    >>> tree.total_guesses, tree.profile.tolist()
    (5668, [1, 12, 72, 635, 569, 7])
    """
    if start is None:
        start = start_in(game, strategy.guess_pool)
    play = partial(choose, game, strategy, threads=threads, backend=backend, endgames=endgames)
    return make_tree(levels(game, start, play, threads))


def forest_totals(
    game: GameModel, strategy: Strategy, start: Frontier, endgames: PlaysEndgames | None = None
) -> Totals:
    """Return a policy's total guesses from each node of a frontier on, (n_nodes,) int64."""
    totals = np.zeros(len(start.parents), dtype=np.int64)
    roots = np.arange(len(totals))
    for level in levels(game, start, partial(choose, game, strategy, endgames=endgames)):
        if level.frontier.turn > start.turn:
            roots = roots[level.frontier.parents]
        np.add.at(totals, roots, level.frontier.sizes)
    return totals


def choose(
    game: GameModel,
    strategy: Strategy,
    frontier: Frontier,
    threads: int = 1,
    backend: Backend = "cpu",
    endgames: PlaysEndgames | None = None,
) -> Indices:
    """Return a policy's guess at each node of a frontier, (n_nodes,); errors are as for `grow`."""
    check_fits(strategy, game.name, game.feedback_labels)
    if not game.has_table:
        check_without_table(strategy, game.name)
    if strategy.plays.joined is not None:
        refuse_prior(game, f"policy {strategy.slug}")
    if strategy.plays_exactly and endgames is None:
        raise CodebreakerError(f"policy {strategy.slug} needs the exact search for its endgames")
    if strategy.guess_pool == "hard" and frontier.pools is None:
        raise CodebreakerError(f"policy {strategy.slug} needs the moves before: grow its tree")
    fixed = fixed_at(game, strategy, frontier)
    free = np.flatnonzero(fixed < 0)
    if len(free) < len(fixed):
        if len(free):
            alone = replace(strategy, opening=None)
            fixed[free] = choose(game, alone, frontier.subset(free), threads, backend, endgames)
        return fixed
    if endgames is not None and endgames.plays_all(frontier):
        guesses = first_candidates(game, frontier)
        endgames.play(frontier, guesses)
        return guesses
    guesses = _choose_by_score(game, strategy, frontier, threads, backend)
    if (guesses < 0).any():
        raise CodebreakerError(
            f"game {game.name} can't be solved by policy {strategy.slug}: at turn {frontier.turn} "
            "no allowed guess separates the remaining candidates"
        )
    if strategy.reverses_others and not strategy.reverses:
        others = np.flatnonzero(~is_candidate(game, frontier, guesses))
        if len(others):
            backwards = replace(strategy, tie_break="consistent then reversed lexicographic")
            left = frontier.subset(others)
            guesses[others] = _choose_by_score(game, backwards, left, threads, backend)
    if endgames is not None and frontier.turn > 1:
        endgames.play(frontier, guesses)
    return guesses


def fixed_at(game: GameModel, strategy: Strategy, frontier: Frontier) -> Indices:
    """Return the guess of the opening at each node, (n_nodes,); −1 where the policy chooses.

    From turn 2 on it chooses at sets of one, and where the fixed guess would tell nothing.
    """
    free = np.full(len(frontier.parents), -1, dtype=np.int32)
    opening = strategy.forced_opening
    if opening is None:
        return free
    labels = fixed_guesses(opening, game.guesses)
    if len(labels) > 1:
        check_fixed(opening, strategy.guess_pool)
    if frontier.turn > len(labels):
        return free
    label = labels[frontier.turn - 1]
    check_opening(label, strategy.guess_pool, game.name, label in game.secrets)
    fixed = np.full(len(free), game.guesses.index(label), dtype=np.int32)
    if frontier.turn == 1:
        return fixed
    ids = feedback_of_sets(game, frontier.sets, fixed)
    starts = frontier.sets.offsets[:-1]
    tells = np.minimum.reduceat(ids, starts) < np.maximum.reduceat(ids, starts)
    return np.where(tells, fixed, free)


def _choose_by_score(
    game: GameModel, strategy: Strategy, frontier: Frontier, threads: int, backend: Backend
) -> Indices:
    """Return the guess with the best score at each node, (n_nodes,); −1 if none splits its set."""
    if frontier.pools is not None:
        return _choose_allowed(game, strategy, frontier, frontier.pools)
    weights = strategy.weights
    previous = 0
    if weights is not None and weights.by_context:
        previous, *others = np.unique(frontier.feedback).tolist()
        if others:
            guesses = np.empty(len(frontier.parents), dtype=np.int32)
            for feedback in (previous, *others):
                nodes = np.flatnonzero(frontier.feedback == feedback)
                part = frontier.subset(nodes)
                guesses[nodes] = _choose_by_score(game, strategy, part, threads, backend)
            return guesses
    rule = scoring_rule(game, strategy, frontier, previous)
    if game.has_table:
        uses_numpy = backend == "numpy" and strategy.is_single_score
        choose_with_table = with_table.choose_in_numpy if uses_numpy else with_table.choose
        return choose_with_table(game.with_table(), strategy, frontier, rule)
    guesses = frontier.sole_candidates
    if backend == "cuda":
        from codebreaker.trees import on_demand_cuda

        on_demand_cuda.check_supported(game.on_demand(), strategy.criterion_at(frontier.turn))
        on_demand_cuda.choose(game.on_demand(), frontier, rule, guesses)
    else:
        on_demand.choose(game.on_demand(), frontier, rule, guesses, threads)
    return guesses


def _choose_allowed(
    game: GameModel, strategy: Strategy, frontier: Frontier, pools: list[Indices]
) -> Indices:
    """Return the best allowed guess at each node: that of a game with only these guesses."""
    full = game.with_table()
    guesses = first_candidates(game, frontier)
    for node in np.flatnonzero(frontier.sizes > 1).tolist():
        allowed = pools[node]
        alone = frontier.subset(np.array([node])).with_pool(None)
        small = replace(
            full,
            guesses=tuple(full.guesses[guess] for guess in allowed),
            table=full.table[allowed],
            guess_of_secret=np.searchsorted(allowed, full.guess_of_secret).astype(np.int32),
        )
        guesses[node] = allowed[_choose_by_score(small, strategy, alone, 1, "cpu")[0]]
    return guesses


def plays_candidates(game: GameModel, tree: GameTree) -> bool:
    """Return whether all guesses of a tree are candidates."""
    return all(
        is_candidate(game, level.frontier, level.guesses).all() for level in walk(game, tree)
    )


def obeys_hard_mode(game: GameModel, tree: GameTree) -> bool:
    """Return whether all guesses of a tree obey hard mode."""
    start = Frontier.initial(game).with_pool(allowed_after(game))
    return all(
        guess in allowed
        for level in levels(game, start, lambda at: tree.guess[tree.turn == at.turn])
        for guess, allowed in zip(level.guesses, level.frontier.pools or (), strict=True)
    )


def levels(
    game: GameModel, start: Frontier, choose: Callable[[Frontier], Indices], threads: int = 1
) -> Iterator[Level]:
    """Grow a tree or forest turn by turn; `choose` returns the guess at each node of a frontier."""
    frontier = start
    while len(frontier.parents):
        guesses = choose(frontier)
        feedback, below = _descend(game, frontier, guesses, threads)
        yield Level(frontier, guesses, feedback)
        frontier = with_narrowed_pools(game, frontier, guesses, below)


def with_narrowed_pools(
    game: GameModel, frontier: Frontier, guesses: Indices, below: Frontier
) -> Frontier:
    """Return the frontier below some guesses with the guesses that hard mode allows there."""
    pools = frontier.pools
    if pools is None:
        return below
    moves = zip(below.parents.tolist(), below.feedback.tolist(), strict=True)
    narrowed = [
        narrow(game, pools[parent], int(guesses[parent]), feedback) for parent, feedback in moves
    ]
    return replace(below, pools=narrowed)


def start_in(game: GameModel, pool: AnyPool | None) -> Frontier:
    """Return the first turn's frontier, in hard mode with the allowed guesses."""
    return Frontier.initial(game).with_pool(allowed_after(game) if pool == "hard" else None)


def _descend(
    game: GameModel, frontier: Frontier, guesses: Indices, threads: int
) -> tuple[FeedbackIds, Frontier]:
    """Return the feedback ids of all members to their node's guess, and the next frontier.

    Without a table, sets may be large: threads descend from parts of the nodes, which are joined.
    """
    members, offsets = frontier.sets
    parents = frontier.parents
    feedback = frontier.feedback

    def descend_part(start: int, stop: int) -> tuple[FeedbackIds, Frontier]:
        """Descend from the nodes from `start` to `stop`."""
        first = offsets[start]
        last = offsets[stop]
        sets = Sets(members[first:last], offsets[start : stop + 1] - first)
        nodes = Frontier(frontier.turn, sets, parents[start:stop], feedback[start:stop])
        ids = feedback_of_sets(game, sets, guesses[start:stop])
        return ids, split(game, nodes, ids)

    if game.has_table:
        return descend_part(0, len(guesses))
    # 1. Cut between nodes, so that parts have about equal numbers of members.
    n_parts = min(on_demand.PARTS_PER_THREAD * threads, 1 + len(members) // MEMBERS_PER_PART)
    cuts = np.unique(np.searchsorted(offsets, np.linspace(0, len(members), n_parts + 1)))
    with ThreadPoolExecutor(threads) as workers:
        parts = list(workers.map(descend_part, cuts[:-1], cuts[1:]))
    # 2. Join the parts: their nodes are numbered from 0 in each, and members from each first node.
    ids, below = zip(*parts, strict=True)
    sets = Sets(
        np.concatenate([part.sets.members for part in below]),
        np.append(0, np.cumsum(np.concatenate([part.sizes for part in below]))),
    )
    parents = np.concatenate(
        [part.parents + np.int32(cut) for part, cut in zip(below, cuts, strict=False)]
    )
    feedback = np.concatenate([part.feedback for part in below])
    return np.concatenate(ids), Frontier(frontier.turn + 1, sets, parents, feedback)


def feedback_of_sets(game: GameModel, sets: Sets, guesses: Indices) -> FeedbackIds:
    """Return the feedback id of each node's guess to each of its members, (n_members,)."""
    if game.has_table:
        return with_table.feedback_of_sets(game.with_table(), sets, guesses)
    return on_demand.feedback_of_sets(game.on_demand(), sets, guesses)


def make_tree(grown: Iterator[Level]) -> GameTree:
    """Return the tree with these levels."""
    every = list(grown)
    above = np.cumsum([0, 0, *(len(level.guesses) for level in every)])
    parents = [
        np.where(level.frontier.parents < 0, -1, level.frontier.parents + at)
        for level, at in zip(every, above, strict=False)
    ]
    turns = [np.full(len(level.guesses), level.frontier.turn, dtype=np.int32) for level in every]
    return GameTree(
        parent=np.concatenate(parents).astype(np.int32),
        turn=np.concatenate(turns),
        feedback=np.concatenate([level.frontier.feedback for level in every]),
        guess=np.concatenate([level.guesses for level in every]),
        n_candidates=np.concatenate([level.frontier.sizes for level in every]),
    )


def walk(game: GameModel, tree: GameTree, members: Indices | None = None) -> Iterator[Level]:
    """Yield a tree's levels; by default the root's candidates are all secrets."""
    members = all_secrets(game) if members is None else members
    start = Frontier.of_set(members, int(tree.turn[0]), int(tree.feedback[0]))
    return levels(game, start, lambda level: tree.guess[tree.turn == level.turn])


def guesses_by_secret(game: GameModel, tree: GameTree, members: Indices | None = None) -> Totals:
    """Return the guesses that each secret of `walk` needs, 0 for others, (n_secrets,) int64."""
    guesses: Totals = np.zeros(game.n_secrets, dtype=np.int64)
    for level in walk(game, tree, members):
        guesses[level.frontier.sets.members] += 1
    return guesses


def expected_guesses(game: GameModel, tree: GameTree, members: Indices | None = None) -> Fraction:
    """Return a tree's mean guesses by the prior; `members` are as for `walk`."""
    if game.prior is None:
        return Fraction(tree.total_guesses, int(tree.n_candidates[0]))
    guesses = guesses_by_secret(game, tree, members)
    total = sum(map(int.__mul__, guesses.tolist(), game.prior.tolist()))
    return Fraction(total, int(game.prior[guesses > 0].sum()))
