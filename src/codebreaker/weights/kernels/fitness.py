"""The fitness of individuals on the CPU: the total guesses of the trees that their weights grow.

The best options under a reference decide for similar weights: a score exceeds its reference by at
most the largest term times all rises of weights, minus the smallest term times all falls.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.sets import option_memo
from codebreaker.sets.compile import njit
from codebreaker.sets.memo import Memo, find, key_of, read, store
from codebreaker.sets.option_memo import LEADERS, OptionMemo, ScoredGame, Workspace
from codebreaker.sets.primitives import Sets, insert_leader, steps_between
from codebreaker.types import Hashes, Indices, Scores, Totals


class Phenotypes(NamedTuple):
    """Weights (n, n_turns, n_feedback) float64, exact in kernels; orders (n, n_turns) int32."""

    weights: Scores
    orders: Indices


@njit(nogil=True)
def add_totals(
    rules: ScoredGame,
    memo: OptionMemo,
    work: Workspace,
    start: Indices,
    individuals: Phenotypes,
    reference: Phenotypes,
    version: int,
    totals: Totals,
) -> bool:
    """Add the guesses from the start sets on; return False if the memo is full."""
    n, n_active, steps = len(individuals.weights), len(start), _steps(individuals, reference)
    for a in range(n_active):
        work.active[a] = start[a]
        for i in range(n):
            work.here[a * n + i] = i
        work.first[a] = a * n
    work.first[n_active] = n_active * n
    while n_active > 0:
        if not _prepare(rules, memo, work, n_active):
            return False
        _choose(rules, memo, work, n_active, individuals, steps, reference, version)
        n_active = _advance(rules, memo, work, n_active, totals)
    return n_active == 0


@njit(nogil=True)
def _steps(individuals: Phenotypes, reference: Phenotypes) -> Scores:
    """Return the steps to individuals, (n, n_turns, 2); −1 where the reference's order differs."""
    n, n_turns, _ = individuals.weights.shape
    steps = np.full((n, n_turns, 2), -1.0)
    for i in range(n):
        for row in range(n_turns):
            if individuals.orders[i, row] == reference.orders[0, row]:
                own, known = individuals.weights[i, row], reference.weights[0, row]
                steps[i, row, 0], steps[i, row, 1] = steps_between(known, own)
    return steps


@njit(nogil=True)
def _prepare(rules: ScoredGame, memo: OptionMemo, work: Workspace, n_active: int) -> bool:
    for a in range(n_active):
        set_id = work.active[a]
        if (
            memo.option_at[set_id] == option_memo.UNKNOWN
            and option_memo.find_options(rules, memo, work, set_id) == option_memo.FULL
        ):
            return False
    return True


@njit(nogil=True)
def _rank(
    rules: ScoredGame, memo: OptionMemo, work: Workspace, set_id: int, reference: Phenotypes
) -> None:
    """Find the options of a set with the highest reference scores."""
    leaders, bounds, scores = memo.leaders[set_id], memo.leader_scores[set_id], work.scores
    size, row = memo.size[set_id], memo.turn[set_id] - 1
    at = rules.terms_at[reference.orders[0, row], size]
    option_memo.value_cells(rules, work, size, at, reference.weights[0, row])
    option_memo.score_all(memo, set_id, work.values, scores)
    bounds[:] = -np.inf
    for k in range(memo.option_count[set_id]):
        insert_leader(leaders, bounds, k, scores[k])


@njit(nogil=True, fastmath=option_memo.EXACT_SUMS)
def _choose(
    rules: ScoredGame,
    memo: OptionMemo,
    work: Workspace,
    n_active: int,
    individuals: Phenotypes,
    steps: Scores,
    reference: Phenotypes,
    version: int,
) -> None:
    """Choose each individual's winning option at each of its sets: by score, then tie order."""
    terms, reach, ranks = rules.terms, rules.reach, memo.rank
    leaders, bounds, option_at = memo.leaders, memo.leader_scores, memo.option_at
    sizes, turns, option_count = memo.size, memo.turn, memo.option_count
    front, scores, firsts, chosen = work.front, work.scores, work.first, work.chosen
    active, here, terms_at, tolerances = (
        work.active, work.here, rules.terms_at, rules.tolerances,
    )  # fmt: skip
    weights, orders = individuals.weights, individuals.orders
    width = front.shape[1]
    for a in range(n_active):
        set_id = active[a]
        first, count, row = option_at[set_id], option_count[set_id], turns[set_id] - 1
        size, shift = sizes[set_id], option_memo.shift_of(sizes[set_id])
        n_front = 0
        for entry in range(firsts[a], firsts[a + 1]):
            i = here[entry]
            order = orders[i, row]
            at, tolerance = terms_at[order, size], tolerances[order, size]
            near, best, tried, slack = steps[i, row, 0] >= 0.0, -np.inf, 0, 0.0
            if near:
                if memo.version[set_id] != version:
                    _rank(rules, memo, work, set_id, reference)
                    memo.version[set_id] = version
                up, down = reach[order, size]
                slack = steps[i, row, 0] * up - steps[i, row, 1] * down
                while tried < LEADERS and bounds[set_id, tried] + slack >= best - tolerance:
                    if tried == n_front:
                        front[n_front] = 0.0
                        leader = first + leaders[set_id, n_front]
                        for j in range(option_memo.cells_of(memo, work, set_id, leader)):
                            cell = work.found[0, j]
                            term = terms[at + (cell & ((1 << shift) - 1))]
                            front[n_front, cell >> shift] = term
                        n_front += 1
                    score = 0.0
                    for f in range(width):
                        score += weights[i, row, f] * front[tried, f]
                    scores[tried] = score
                    best = max(best, score)
                    tried += 1
            threshold, winner = best - tolerance, option_memo.UNKNOWN
            if near and bounds[set_id, LEADERS] + slack < threshold:
                for j in range(tried):
                    if scores[j] >= threshold:
                        option = first + leaders[set_id, j]
                        if winner == option_memo.UNKNOWN or ranks[option] < ranks[winner]:
                            winner = option
            else:
                option_memo.value_cells(rules, work, size, at, weights[i, row])
                threshold = option_memo.score_all(memo, set_id, work.values, scores) - tolerance
                for k in range(count):
                    if scores[k] >= threshold and (
                        winner == option_memo.UNKNOWN or ranks[first + k] < ranks[winner]
                    ):
                        winner = first + k
            chosen[entry] = winner


@njit(nogil=True)
def _advance(
    rules: ScoredGame, memo: OptionMemo, work: Workspace, n_active: int, totals: Totals
) -> int:
    """Move each individual to the cells of its chosen options; return their number, or FULL."""
    heads, nexts, who = work.heads, work.nexts, work.who
    active, coming, here = work.active, work.coming, work.here
    firsts, chosen, link_at, links = work.first, work.chosen, memo.link_at, memo.links
    sizes = memo.size
    n_coming, entries = 0, 0
    for a in range(n_active):
        set_id = active[a]
        for entry in range(firsts[a], firsts[a + 1]):
            i, link = here[entry], link_at[chosen[entry]]
            if link == option_memo.UNKNOWN:
                link = option_memo.follow_option(rules, memo, memo, work, set_id, chosen[entry])
                if link == option_memo.FULL:
                    return option_memo.FULL
            totals[i] += sizes[set_id] + links[link]
            for c in range(links[link + 1]):
                child = links[link + 2 + c]
                if heads[child] < 0:
                    coming[n_coming] = child
                    n_coming += 1
                nexts[entries], who[entries], heads[child] = heads[child], i, entries
                entries += 1
    filled = 0
    for a in range(n_coming):
        active[a], firsts[a] = coming[a], filled
        entry, heads[coming[a]] = heads[coming[a]], -1
        while entry >= 0:
            here[filled] = who[entry]
            filled += 1
            entry = nexts[entry]
    firsts[n_coming] = filled
    return n_coming


@njit(nogil=True)
def keys_of(words: Hashes, sets: Sets, row_hashes: Hashes) -> Hashes:
    """Return the key of each node's set under its row of weights, (n_nodes, 2) uint64."""
    keys = np.empty((len(row_hashes), 2), np.uint64)
    for node in range(len(keys)):
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        keys[node, 0], keys[node, 1] = key_of(words, members, row_hashes[node])
    return keys


@njit(nogil=True)
def look_up(memo: Memo, keys: Hashes, guesses: Indices) -> None:
    """Fill in cached guesses where a guess is −1."""
    for node in range(len(keys)):
        if guesses[node] < 0:
            slot = find(memo.slots, memo.used[1], (keys[node, 0], keys[node, 1]))
            _, _, guess = read(memo.slots, slot)
            guesses[node] = guess


@njit(nogil=True)
def insert(memo: Memo, keys: Hashes, guesses: Indices) -> None:
    """Cache guesses by their keys; empty the memo whenever it is three quarters full."""
    for node in range(len(keys)):
        if 4 * memo.used[0] >= 3 * len(memo.slots):
            memo.slots[:] = 0
            memo.used[0] = 0
        store(memo, (keys[node, 0], keys[node, 1]), 0, np.int64(guesses[node]))
