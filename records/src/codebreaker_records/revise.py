"""Revise a known tree: search its candidate sets again, each as a small game with a table."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel, TableGame
from codebreaker.policies.strategy import Strategy
from codebreaker.runtime.progress import report_progress
from codebreaker.search.cost_to_go import CostToGo, guesses_left_at
from codebreaker.sets import codes
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import Level, choose, levels, make_tree, walk
from codebreaker.trees.tree import GameTree
from codebreaker.types import GuessPool, Indices, Offsets

POLICY_TURN = 3
"""The turn whose sets another policy may play, if the tree is too deep below them."""

LARGEST = 600
"""Maximum size of the sets of a recorded tree that are searched again."""

LOOKUPS = 1 << 28
"""What the search of a set that is too deep may take."""


class Play(NamedTuple):
    """The guess at a turn's candidate set."""

    turn: int
    members: Indices
    guess: int


class Step(NamedTuple):
    """The sets of a turn to search again, and how; sizes are numbers of candidates."""

    turn: int
    exact: int = 60  # maximum size at which all guesses are tried
    width: int = 20  # guesses tried at larger sets
    smallest: int = 3  # minimum size, unless a set is too deep
    largest: int = 10**9
    lookups: int = 1 << 30  # a set that needs more keeps its guesses


def revise(
    game: GameModel,
    tree: GameTree,
    step: Step,
    guess_limit: int | None,
    pool: GuessPool = "all",
    threads: int = 1,
    failed: dict[bytes, int] | None = None,
) -> GameTree:
    """Return a tree with better play at the sets of a turn, where the search finds it.

    At sets beyond `guess_limit`, any play within it is better; without any, they stay too deep.
    Sets in `failed` aren't searched again; failures are added, with the guesses left.
    """
    failed = {} if failed is None else failed

    def search(members: Indices, total: int, last: int) -> Iterator[Play]:
        """Yield better plays at a set with this total and last turn, if the search finds any."""
        n = len(members)
        too_deep = guess_limit is not None and last > guess_limit
        may_improve = n >= step.smallest and total > 2 * n - 1  # no set needs fewer guesses
        if 2 < n <= step.largest and (too_deep or may_improve):
            small, guesses = game_of_set(game, members)
            limit = small.facts.no_limit if too_deep else total
            left = guesses_left_at(step.turn, guess_limit)
            # Sets with the same partitions fail alike, under the same settings of the search.
            partitions = np.unique(np.ascontiguousarray(small.table).view(f"V{n}"))
            beam = (step.exact, step.width)
            settings = repr((beam, step.lookups, pool, limit)).encode()
            key = sha256(settings + partitions.tobytes()).digest()
            if failed.get(key, -1) < left:
                search = CostToGo(small, guess_limit, 256, step.lookups, pool, beam)
                for play in _better(small, search, step.turn, limit):
                    yield Play(play.turn, members[play.members], int(guesses[play.guess]))
                    left = -1  # it didn't fail
                failed[key] = max(failed.get(key, -1), left)

    return replaced(game, tree, step.turn, search, threads)


def within(game: GameModel, tree: GameTree, guess_limit: int, policy: Strategy) -> GameTree:
    """Return a tree whose sets beyond a limit of guesses are played in another way.

    They are searched again, late turns first. If this isn't enough, another policy plays
    the sets of turn 3 that they come from, and what is still too deep is searched again. Raises
    `CodebreakerError` if that isn't enough either.
    """

    def by_policy(members: Indices, _total: int, last: int) -> Iterator[Play]:
        """Yield the policy's plays at a set that is too deep."""
        if last > guess_limit:
            play = partial(choose, game, policy)
            yield from _plays(levels(game, Frontier.of_set(members, POLICY_TURN, -1), play))

    tree = _searched_within(game, tree, guess_limit)
    if tree.max_guesses > guess_limit:
        tree = replaced(game, tree, POLICY_TURN, by_policy)
        tree = _searched_within(game, tree, guess_limit)
    if tree.max_guesses > guess_limit:
        raise CodebreakerError(
            f"{game.name}: the tree still takes {tree.max_guesses} guesses: name another policy"
        )
    return tree


def _searched_within(game: GameModel, tree: GameTree, guess_limit: int) -> GameTree:
    """Return a tree whose sets that are too deep were searched again, late turns first."""
    for turn in range(tree.max_guesses, POLICY_TURN, -1):
        if tree.max_guesses > guess_limit:
            step = Step(turn, smallest=game.n_secrets, largest=LARGEST, lookups=LOOKUPS)
            tree = revise(game, tree, step, guess_limit)
    return tree


def replaced(
    game: GameModel,
    tree: GameTree,
    turn: int,
    better: Callable[[Indices, int, int], Iterable[Play]],
    threads: int = 1,
) -> GameTree:
    """Return a tree with better plays, by a turn's sets, their totals and their last turns."""
    # The guess at each set, by turn and members: first the tree's, then the better ones.
    decided = dict[tuple[int, bytes], int]()
    for level in walk(game, tree):
        for members, guess in zip(level.frontier.cells, level.guesses.tolist(), strict=True):
            decided[level.frontier.turn, members.tobytes()] = guess

    def look_up(frontier: Frontier) -> Indices:
        """Return the decided guess at each node."""
        played = [decided[frontier.turn, members.tobytes()] for members in frontier.cells]
        return np.array(played, np.int32)

    totals, last = below(tree)
    nodes = np.flatnonzero(tree.turn == turn).tolist()
    sets = [level.frontier.cells for level in walk(game, tree) if level.frontier.turn == turn]

    def plays(node: int, members: Indices) -> list[Play]:
        """Return better plays at a node of the turn."""
        return [*better(members, int(totals[node]), int(last[node]))]

    with ThreadPoolExecutor(threads) as workers:
        for done, better_plays in enumerate(workers.map(plays, nodes, *sets), 1):
            for play in better_plays:
                decided[play.turn, play.members.tobytes()] = play.guess
            report_progress(f"turn {turn}", done, len(nodes))
    return make_tree(levels(game, Frontier.initial(game), look_up))


def _better(game: TableGame, search: CostToGo, turn: int, total: int) -> Iterator[Play]:
    """Yield the plays of a tree, if one is below a total."""
    every = np.arange(game.n_secrets, dtype=np.int32)
    try:
        if search.of(every, turn, total) >= total:
            return
    except CodebreakerError:  # too many look-ups
        return
    yield from _plays(levels(game, Frontier.of_set(every, turn, -1), search.play))


def _plays(found: Iterable[Level]) -> Iterator[Play]:
    """Yield the guess at each set of a tree's levels."""
    for level in found:
        for cell, guess in zip(level.frontier.cells, level.guesses.tolist(), strict=True):
            yield Play(level.frontier.turn, cell, guess)


def game_of_set(game: GameModel, members: Indices) -> tuple[TableGame, Indices]:
    """Return a set as a game, and its guesses, (n,) int32; without a table, one of each class."""
    if game.has_table:
        guesses = np.arange(game.n_guesses, dtype=np.int32)
        table = np.ascontiguousarray(game.with_table().table[:, members])
        guess_of_secret = game.guesses_of(members)
    else:
        grid = codes.grid_of(game.on_demand())
        guesses = np.union1d(codes.pool_of_set(grid, members), members).astype(np.int32)
        planes = codes.unfold(grid, guesses)
        id_of = np.zeros(256, np.uint8)  # feedback ids by their raw bytes
        rows = np.empty((len(members), planes.colours.shape[1]), np.uint8)
        for row, member in zip(rows, members, strict=True):
            for at in range(0, len(row), codes.TILE):
                codes.fill_row(grid.codes[member], planes, at, row[at : at + codes.TILE])
        id_of[grid.raws] = grid.id_of_raw
        table = np.ascontiguousarray(id_of[rows[:, : len(guesses)]].T)
        guess_of_secret = np.searchsorted(guesses, members).astype(np.int32)
    small = TableGame(
        name=game.name,
        guesses=tuple(map(str, guesses.tolist())),
        secrets=tuple(map(str, members.tolist())),
        feedback_labels=game.feedback_labels,
        solved=game.solved,
        table=table,
        guess_of_secret=guess_of_secret,
    )
    return small, guesses


def below(tree: GameTree) -> tuple[Offsets, Indices]:
    """Return the total and last turn of each node's subtree."""
    totals = tree.n_candidates.astype(np.int64)
    last = tree.turn.copy()
    for node in range(len(tree.parent) - 1, 0, -1):
        totals[tree.parent[node]] += totals[node]
        last[tree.parent[node]] = max(last[tree.parent[node]], last[node])
    return totals, last
