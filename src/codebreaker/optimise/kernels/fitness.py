"""The fitness of individuals on the CPU: the total guesses of the trees that their weights grow.

All individuals play turn by turn (`add_totals`). At each candidate set an individual chooses the
option with the highest score: the weighted entropy of Gür 2025, equation 1, or another criterion
with weights. Most individuals resemble a reference individual, so a few options with the best
reference scores (the leaders) usually decide. `README.md` draws the arrays.
"""

from typing import NamedTuple

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sets import option_memo
from codebreaker.sets.option_memo import LEADERS, OptionMemo, OptionWorkspace, ScoredGame
from codebreaker.sets.primitives import Sets, insert_leader, steps_between, unpack_cell
from codebreaker.sets.transposition import TranspositionTable, find, key_of, read, store
from codebreaker.types import Hashes, Indices, Scores, Totals


class Phenotypes(NamedTuple):
    """What genes encode: weights (n, n_turns, n_feedback) float64 and orders (n, n_turns) int32.

    In kernels weights are exact integers and rows are padded with 0. An order is an index into
    `Problem.criteria`.
    """

    weights: Scores
    orders: Indices


@njit(nogil=True)
def add_totals(
    rules: ScoredGame,
    memo: OptionMemo,
    work: OptionWorkspace,
    start: Indices,
    individuals: Phenotypes,
    reference: Phenotypes,
    version: int,
    totals: Totals,
) -> bool:
    """Add the guesses from the start sets on to `totals`, (n,); return False if the memo is full.

    `start` has the ids of the start sets. `reference` is one individual, whose `version` increases
    whenever it changes.
    """
    n = len(individuals.weights)
    n_active = len(start)
    steps = _steps(individuals, reference)
    # All individuals begin at all start sets.
    for a in range(n_active):
        work.active[a] = start[a]
        for i in range(n):
            work.individual_of[a * n + i] = i
        work.first[a] = a * n
    work.first[n_active] = n_active * n
    # Turn by turn: choose at all active sets, then move to those that follow.
    while n_active > 0:
        if not _find_all_options(rules, memo, work, n_active):
            return False
        _choose(rules, memo, work, n_active, individuals, steps, reference, version)
        n_active = _advance(rules, memo, work, n_active, totals)
    return n_active == 0


@inner
def _steps(individuals: Phenotypes, reference: Phenotypes) -> Scores:
    """Return the summed rises and falls from the reference's weights, (n, n_turns, 2).

    The rise is −1 where leaders can't be used: weights far from the reference, or another order.
    """
    n, n_turns, _ = individuals.weights.shape
    steps = np.full((n, n_turns, 2), -1.0)
    for i in range(n):
        for row in range(n_turns):
            if individuals.orders[i, row] == reference.orders[0, row]:
                steps[i, row, 0], steps[i, row, 1] = steps_between(
                    reference.weights[0, row], individuals.weights[i, row]
                )
    return steps


@inner
def _find_all_options(
    rules: ScoredGame, memo: OptionMemo, work: OptionWorkspace, n_active: int
) -> bool:
    """Find the options of the active sets; return False if the memo is full."""
    for a in range(n_active):
        set_id = work.active[a]
        if (
            memo.option_at[set_id] == option_memo.UNKNOWN
            and option_memo.find_options(rules, memo, work, set_id) == option_memo.FULL
        ):
            return False
    return True


@inner
def _find_leaders(
    rules: ScoredGame, memo: OptionMemo, work: OptionWorkspace, set_id: int, reference: Phenotypes
) -> None:
    """Find the options of a set with the highest reference scores."""
    leaders = memo.leaders[set_id]
    bounds = memo.leader_scores[set_id]
    scores = work.scores
    size = memo.size[set_id]
    row = memo.turn[set_id] - 1
    at = rules.terms_at[reference.orders[0, row], size]
    option_memo.value_cells(rules, work, size, at, reference.weights[0, row])
    option_memo.score_all(memo, set_id, work.values, scores)
    bounds[:] = -np.inf
    for k in range(memo.option_count[set_id]):
        insert_leader(leaders, bounds, k, scores[k])


@inner(fastmath=option_memo.EXACT_SUMS)
def _choose(
    rules: ScoredGame,
    memo: OptionMemo,
    work: OptionWorkspace,
    n_active: int,
    individuals: Phenotypes,
    steps: Scores,
    reference: Phenotypes,
    version: int,
) -> None:
    """Fill `chosen`: each entry's winning option, the first in tie order of those that tie.

    Leaders decide where they can, by a bound. With weights w and reference weights r, an option's
    score exceeds its reference score by the sum over its cells of (w − r) · term. This is at most
    the summed rises of weights times the largest term, minus the summed falls times the smallest:
    the `slack`, one number for all options of a set. `bounds` has the reference scores of the
    leaders, descending, and behind them the best one of all other options.

    `steps` are those of `_steps`; `version` is that of the reference, with which the leaders of
    each set were found last.
    """
    # Local names for what the inner loops read.
    terms = rules.terms
    reach = rules.reach
    terms_at = rules.terms_at
    tolerances = rules.tolerances
    ranks = memo.rank
    leaders = memo.leaders
    bounds = memo.leader_scores
    option_at = memo.option_at
    option_count = memo.option_count
    sizes = memo.size
    turns = memo.turn
    front = work.front
    scores = work.scores
    active = work.active
    firsts = work.first
    individual_of = work.individual_of
    chosen = work.chosen
    weights = individuals.weights
    orders = individuals.orders
    width = front.shape[1]
    for a in range(n_active):
        set_id = active[a]
        first_option = option_at[set_id]
        n_options = option_count[set_id]
        row = turns[set_id] - 1
        size = sizes[set_id]
        shift = option_memo.shift_of(size)
        # By leader of this set: its terms by feedback id, filled in when it is first scored.
        n_front = 0
        for entry in range(firsts[a], firsts[a + 1]):
            i = individual_of[entry]
            order = orders[i, row]
            at = terms_at[order, size]
            tolerance = tolerances[order, size]
            near = steps[i, row, 0] >= 0.0  # else leaders can't be used
            best = -np.inf
            tried = 0
            slack = 0.0
            if near:
                if memo.version[set_id] != version:
                    _find_leaders(rules, memo, work, set_id, reference)
                    memo.version[set_id] = version
                # 1. Score leaders, best reference score first, until the bound of the next shows
                #    that neither it nor a later one ties with the best so far.
                largest, smallest = reach[order, size]
                slack = steps[i, row, 0] * largest - steps[i, row, 1] * smallest
                while tried < LEADERS and bounds[set_id, tried] + slack >= best - tolerance:
                    if tried == n_front:
                        # All individuals here that are near have the reference's order, so these
                        # terms serve the next ones, too.
                        front[n_front] = 0.0
                        leader = first_option + leaders[set_id, n_front]
                        for j in range(option_memo.cells_of(memo, work, set_id, leader)):
                            f, count = unpack_cell(work.option_cells[0, j], shift)
                            front[n_front, f] = terms[at + count]
                        n_front += 1
                    # Gür 2025, equation 1, over all feedback ids; terms of empty cells are 0.
                    score = 0.0
                    for f in range(width):
                        score += weights[i, row, f] * front[tried, f]
                    scores[tried] = score
                    best = max(best, score)
                    tried += 1
            # All leaders that tie are among those tried: the bounds of later ones are lower.
            threshold = best - tolerance
            winner = option_memo.UNKNOWN
            if near and bounds[set_id, LEADERS] + slack < threshold:
                # 2. No option that isn't a leader ties either: the winner is the first in tie order
                #    of the leaders that do.
                for j in range(tried):
                    if scores[j] >= threshold:
                        option = first_option + leaders[set_id, j]
                        if winner == option_memo.UNKNOWN or ranks[option] < ranks[winner]:
                            winner = option
            else:
                # 3. Otherwise score all options.
                option_memo.value_cells(rules, work, size, at, weights[i, row])
                threshold = option_memo.score_all(memo, set_id, work.values, scores) - tolerance
                for k in range(n_options):
                    if scores[k] >= threshold and (
                        winner == option_memo.UNKNOWN or ranks[first_option + k] < ranks[winner]
                    ):
                        winner = first_option + k
            chosen[entry] = winner


@inner
def _advance(
    rules: ScoredGame, memo: OptionMemo, work: OptionWorkspace, n_active: int, totals: Totals
) -> int:
    """Move each individual to the cells of its chosen options; return the number of sets, or FULL.

    The total guesses of a tree are the sum of its sets' sizes: each set adds its size here, and
    cells with one candidate, where the game ends with the next guess, add 1 each.
    """
    heads = work.heads
    next_link = work.next_link
    link_individual = work.link_individual
    active = work.active
    coming = work.coming
    individual_of = work.individual_of
    firsts = work.first
    chosen = work.chosen
    link_at = memo.link_at
    links = memo.links
    sizes = memo.size
    # 1. Put individuals into the linked lists of the sets that follow.
    n_coming = 0
    n_links = 0
    for a in range(n_active):
        set_id = active[a]
        for entry in range(firsts[a], firsts[a + 1]):
            i = individual_of[entry]
            children = link_at[chosen[entry]]
            if children == option_memo.UNKNOWN:
                children = option_memo.follow_option(rules, memo, memo, work, set_id, chosen[entry])
                if children == option_memo.FULL:
                    return option_memo.FULL
            n_single = links[children]
            totals[i] += sizes[set_id] + n_single
            for c in range(links[children + 1]):
                child = links[children + 2 + c]
                if heads[child] < 0:
                    coming[n_coming] = child
                    n_coming += 1
                next_link[n_links] = heads[child]
                link_individual[n_links] = i
                heads[child] = n_links
                n_links += 1
    # 2. Make them this turn's entries, set by set, and clear the heads for the next turn.
    n_entries = 0
    for a in range(n_coming):
        active[a] = coming[a]
        firsts[a] = n_entries
        link = heads[coming[a]]
        heads[coming[a]] = -1
        while link >= 0:
            individual_of[n_entries] = link_individual[link]
            n_entries += 1
            link = next_link[link]
    firsts[n_coming] = n_entries
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
def look_up(memo: TranspositionTable, keys: Hashes, guesses: Indices) -> None:
    """Fill in cached guesses where a guess is −1."""
    for node in range(len(keys)):
        if guesses[node] < 0:
            slot = find(memo.slots, memo.used[1], (keys[node, 0], keys[node, 1]))
            _, _, guess = read(memo.slots, slot)
            guesses[node] = guess


@njit(nogil=True)
def insert(memo: TranspositionTable, keys: Hashes, guesses: Indices) -> None:
    """Cache guesses by their keys; empty the memo whenever it is three quarters full."""
    for node in range(len(keys)):
        if 4 * memo.used[0] >= 3 * len(memo.slots):
            memo.slots[:] = 0
            memo.used[0] = 0
        store(memo, (keys[node, 0], keys[node, 1]), 0, np.int64(guesses[node]))
