"""Trees of small candidate sets in plain NumPy, without compiled code.

The kernels of `trees/kernels` take seconds to compile, and a player who asks for one guess doesn't
need them. The guesses are the same: scores are exact integers, added up in any order.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import GameModel, TableGame
from codebreaker.policies.criterion import Measure
from codebreaker.sets.hard import narrow
from codebreaker.sets.partition import MOST_COLUMNS, count_table, numbered_cells, unsolved
from codebreaker.sets.primitives import ScoringRule
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.tree import GameTree
from codebreaker.types import Counts, Indices, Prior, Scores

MOST_PAIRS = 1 << 21
"""Maximum pairs of a guess and a candidate in a small set: all codes of MM(4,6)."""


def is_small(game: GameModel, members: Indices) -> bool:
    """Return whether a tree from a candidate set on is grown here in about a second."""
    return game.has_table and len(members) * game.n_guesses <= MOST_PAIRS


def grow_small(game: GameModel, start: Frontier, choose: Callable[[Frontier], Indices]) -> GameTree:
    """Grow the tree of a frontier of one node; `choose` returns the guess at such a frontier."""
    parents = list[int]()
    turns = list[int]()
    feedback = list[int]()
    guesses = list[int]()
    sizes = list[int]()
    level = [(-1, start)]
    while level:
        below = list[tuple[int, Frontier]]()
        for parent, node in level:
            members = node.sets.members
            guess = int(choose(node)[0])
            index = len(guesses)
            parents.append(parent)
            turns.append(node.turn)
            feedback.append(int(node.feedback[0]))
            guesses.append(guess)
            sizes.append(len(members))
            for answer, part in unsolved(game, guess, members).items():
                child = Frontier.of_set(part, node.turn + 1, answer)
                if node.pools is not None:
                    child = child.with_pool(narrow(game, node.pools[0], guess, answer))
                below.append((index, child))
        level = below
    return GameTree(
        parent=np.array(parents, dtype=np.int32),
        turn=np.array(turns, dtype=np.int32),
        feedback=np.array(feedback, dtype=np.int32),
        guess=np.array(guesses, dtype=np.int32),
        n_candidates=np.array(sizes, dtype=np.int32),
    )


def best_by_score(
    game: TableGame, members: Indices, rule: ScoringRule, node: int, measure: Measure
) -> int:
    """Return the guess that a rule chooses at its node with these candidates; −1 if none splits.

    Without a prior every `measure` is the number of candidates in a part. Compare
    `trees.kernels.table.choose` and `table_rules.choose_by_prior`, which are for many sets.
    """
    own_guesses = game.guess_of_secret[members]
    if len(members) == 1:
        return int(own_guesses[0])
    scores = _scores(game, members, rule, node, measure)
    allowed = own_guesses if rule.consistent_only else np.arange(game.n_guesses)
    best = float(scores[allowed].max())
    if best == -np.inf:
        return -1
    lowest = best - rule.tolerances[node] - rule.tolerance_part * abs(best)
    tied = allowed[scores[allowed] >= lowest]
    if rule.prefers_consistent or rule.consistent_only:
        candidates = np.flatnonzero(scores[own_guesses] >= lowest)
        if game.prior is not None and rule.prefers_consistent and len(candidates):
            weights = game.prior[members[candidates]]
            candidates = candidates[weights == weights.max()]
        if len(candidates):
            tied = own_guesses[candidates]
    return int(tied.max() if rule.reverses else tied.min())


def _scores(
    game: TableGame, members: Indices, rule: ScoringRule, node: int, measure: Measure
) -> Scores:
    """Return all guesses' scores, (n_guesses,); −inf for guesses that don't split the set."""
    if game.n_feedback > MOST_COLUMNS:
        return _scores_by_cells(game, members, rule, node, measure)
    counts = count_table(game, members)
    sizes = counts
    masses = counts
    if game.prior is not None:
        masses = _mass_table(game, members, game.prior)
        sizes = masses if measure == "weight" else counts
    terms = rule.terms[rule.terms_at[node] :]
    scores: NDArray[np.float64] = np.full(game.n_guesses, np.inf if rule.takes_min else 0.0)
    for feedback in range(game.n_feedback):
        filled = counts[:, feedback] > 0
        values = terms[sizes[:, feedback]]
        if game.prior is not None and measure == "mean number":
            values = values / np.maximum(counts[:, feedback], 1) * masses[:, feedback]
        values = rule.weights[feedback] * values
        folded = np.minimum(scores, values) if rule.takes_min else scores + values
        scores = np.where(filled, folded, scores)
    if len(rule.log_parts):
        scores /= rule.log_parts[np.count_nonzero(counts, axis=1)]
    return scores


def _scores_by_cells(
    game: TableGame, members: Indices, rule: ScoringRule, node: int, measure: Measure
) -> Scores:
    """Return the scores of `_scores` where a game has thousands of feedback ids.

    Most have no members, so a guess's columns are not its feedback ids but its cells: as many as
    the set has members.
    """
    labels = game.table[:, members]
    cells = numbered_cells(labels)
    shape = cells.shape
    guesses = np.arange(game.n_guesses)
    counts: Counts = np.zeros(shape, dtype=np.int64)
    masses: Counts = np.zeros(shape, dtype=np.int64)
    weights = np.ones(shape)
    for j, member in enumerate(members.tolist()):
        counts[guesses, cells[:, j]] += 1
        masses[guesses, cells[:, j]] += 1 if game.prior is None else game.prior[member]
        weights[guesses, cells[:, j]] = rule.weights[labels[:, j]]
    terms = rule.terms[rule.terms_at[node] :]
    values = terms[masses if measure == "weight" else counts]
    if game.prior is not None and measure == "mean number":
        values = values / np.maximum(counts, 1) * masses
    values = weights * values
    filled = counts > 0
    scores: Scores = np.where(filled, values, 0.0).sum(axis=1)
    if rule.takes_min:
        scores = np.where(filled, values, np.inf).min(axis=1)
    if len(rule.log_parts):
        scores /= rule.log_parts[np.count_nonzero(filled, axis=1)]
    return scores


def _mass_table(game: TableGame, members: Indices, prior: Prior) -> Counts:
    """Return the weight of each guess's parts, (n_guesses, n_feedback)."""
    masses = np.zeros((game.n_guesses, game.n_feedback), dtype=np.int64)
    guesses = np.arange(game.n_guesses)
    for member in members.tolist():
        masses[guesses, game.table[:, member]] += prior[member]
    return masses
