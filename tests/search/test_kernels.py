"""Frames, symmetries, bounds and the memo."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import from_python, game_called, games_with_candidates
from hypothesis import given, settings
from hypothesis import strategies as st

from codebreaker import Game
from codebreaker.search.cost_to_go import CostToGo, allocate, empty_memo, forget
from codebreaker.search.kernels import frames, options, weighted
from codebreaker.search.kernels import search as kernel
from codebreaker.search.kernels.cost_bounds import find_shortcut
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.search.settings import GUESSES, Charges
from codebreaker.sets import transposition
from codebreaker.sets.transposition import EXACT, UNSEEN, find


def partition_of(game, guess, members):
    row = game.table[guess, members]
    return frozenset(frozenset(members[row == f].tolist()) for f in set(row.tolist()))


@given(drawn=games_with_candidates())
@pytest.mark.slow
def test_a_frame_has_each_partition_of_its_set_and_counts_the_parts_of_subsets(drawn):
    game, members = drawn
    search = allocate(game, "all", 1)
    rules = members, search.guess_of_secret, game.n_feedback
    frame = from_python(frames.make_frame)(search.frame, *rules)
    for guess in range(game.n_guesses):
        cells = partition_of(game, guess, members)
        column = frame.column_of[guess]
        if column < 0:
            assert len(cells) == 1
            continue
        labels = frame.labels[column]
        assert cells == {frozenset(members[labels == f].tolist()) for f in set(labels.tolist())}
        assert frame.parts[column] == len(cells)
    columns = frame.column_of[game.guess_of_secret[members]]
    assert len(set(columns.tolist())) == len(members)
    assert (np.diff(frame.parts.astype(int)) <= 0).all()
    subset = members[::2]
    parts = np.zeros(game.n_guesses, np.uint16)
    from_python(frames.count_parts)(frame, subset, len(frame.guesses), search.plane_words, parts)
    for column, guess in enumerate(frame.guesses):
        assert parts[column] == len(partition_of(game, guess, subset))
    by_secret = from_python(frames.frame_of_table)(search.frame, search.by_secret, *rules)
    np.testing.assert_equal(list(by_secret), list(frame))


def game_of_answers(table, n_answers):
    """Return a game of a table whose answer 0 wins."""
    names = [f"{number:02}" for number in range(len(table))]
    labels = [f"answer {number}" for number in range(n_answers)]
    return Game.from_table(table.tolist(), names, names, labels, labels[0])._table_game


@pytest.mark.slow
def test_answers_whose_ids_differ_by_256_are_told_apart():
    """A guess has the same four answers in both games, but ids of two bytes in one of them."""
    drawn = np.random.default_rng(1)
    answers = drawn.integers(1, 5, (60, 60))
    np.fill_diagonal(answers, 0)
    apart = np.array([0, 3, 259, 7, 263])[answers] + drawn.integers(0, 30, (60, 1)) * (answers > 0)
    one_byte = game_of_answers(answers, 5)
    two_bytes = game_of_answers(apart, 300)
    assert (one_byte.table.dtype, two_bytes.table.dtype) == (np.uint8, np.uint16)
    search = allocate(two_bytes, "all", 1)
    for size in (12, 30, 60):
        members = np.sort(drawn.choice(60, size, replace=False)).astype(np.int32)
        frame = from_python(frames.make_frame)(search.frame, members, search.guess_of_secret, 300)
        for guess in range(60):
            labels = frame.labels[frame.column_of[guess]]
            cells = frozenset(frozenset(members[labels == f].tolist()) for f in {*labels.tolist()})
            assert cells == partition_of(one_byte, guess, members)
        costs = [CostToGo(game, memo_mib=1).of(members, 1) for game in (one_byte, two_bytes)]
        assert costs[0] == costs[1]


def minimum_cost(game, charges, members, left, known):
    """Return a set's minimum cost by trying all guesses; `charges` are by guesses left."""
    if not members:
        return 0
    if charges[left] >= INFEASIBLE:
        return INFEASIBLE
    if (members, left) not in known:
        costs = (cost_after(game, charges, guess, members, left, known) for guess in game.table)
        known[members, left] = min(costs)
    return known[members, left]


def cost_after(game, charges, guess, members, left, known):
    """Return the minimum cost after a guess, a row of the table, that divides or solves the set."""
    no_limit = len(charges) - 1
    after = left - 1 if 0 < left < no_limit else no_limit
    cells = {}
    for member in members:
        cells.setdefault(int(guess[member]), []).append(member)
    cells.pop(game.solved, None)
    if [*members] in cells.values():
        return INFEASIBLE  # no strategy gains by a guess that leaves the set as it is
    below = (minimum_cost(game, charges, tuple(cell), after, known) for cell in cells.values())
    return min(len(members) * int(charges[left]) + sum(below), INFEASIBLE)


@settings(max_examples=300)
@given(
    name=st.sampled_from(["mm-3-3", "mm-2-5", "mm-4-2", "bc-3-4", "black-3-3"]),
    charges=st.sampled_from([(GUESSES, 0), (Charges(1, 4, 2), 0), (Charges(2, 5, 2), 1)]),
    left=st.integers(1, 5) | st.none(),
    data=st.data(),
)
@pytest.mark.slow
def test_no_bound_on_a_set_or_a_guess_exceeds_its_minimum_cost(name, charges, left, data):
    """Add a bound here: the set, a subset of its frame's, and the limit are drawn."""
    game = game_called(name)
    search = allocate(game, "all", 1, *charges)
    left = len(search.charges) - 1 if left is None else left
    secrets = st.integers(0, game.n_secrets - 1)
    drawn = data.draw(st.lists(secrets, min_size=3, max_size=11, unique=True))
    wider = np.array(sorted(drawn), dtype=np.int32)
    members = np.array(sorted(drawn[: data.draw(st.integers(3, 8))]), dtype=np.int32)
    frame = from_python(frames.make_frame)(
        search.frame, wider, search.guess_of_secret, search.n_feedback
    )
    known = {}
    minimum = minimum_cost(game, search.charges, tuple(members.tolist()), left, known)
    of_game = search.guess_of_secret, search.n_feedback
    # 1. Of the set.
    guess, cost = from_python(find_shortcut)(frame, *of_game, search.charges, members, left)
    assert cost == minimum if guess >= 0 else cost <= minimum
    bound, is_exact = from_python(kernel.quick_bound)(search, frame, members, left, INFEASIBLE + 1)
    assert bound == minimum if is_exact else bound <= minimum
    # 2. Of guesses. Those below the limit are listed, or one with the same partition.
    limit = data.draw(st.integers(bound, max(bound, min(minimum + 3, INFEASIBLE))))
    pool = search.frame.guesses
    frame, listing = from_python(options.list_options)(search, frame, 1, members, left, limit, pool)
    bounds = search.option_bounds[1, : listing.n_options].tolist()
    packed = search.options[1, : listing.n_options].tolist()
    columns = [options.unpack_option(option)[0] for option in packed]
    bound_of = dict(zip(columns, bounds, strict=True))
    assert listing.lowest == min(bounds, default=INFEASIBLE)
    for guess, row in enumerate(game.table):
        after = cost_after(game, search.charges, row, tuple(members.tolist()), left, known)
        assert after >= bound_of.get(frame.column_of[guess], min(limit, INFEASIBLE))
    # 3. Of cells, by size: any subset of the set costs as much.
    if listing.n_options and left > 0:
        below = left - 1 if left < len(search.charges) - 1 else left
        for size in range(1, len(members)):
            cell = tuple(members[:size].tolist())
            least = minimum_cost(game, search.charges, cell, below, known)
            assert search.cell_bounds[1, size] <= least


@pytest.mark.parametrize("name", ["mm-3-4", "mm-4-3", "bc-3-5", "mm-3-4-distinct", "black-3-4"])
@pytest.mark.slow
def test_exchanges_that_are_found_map_a_set_onto_itself_and_keep_feedback(name):
    game = game_called(name)
    search = allocate(game, "all", 1)
    exchanges = search.exchanges
    set_exchanges = search.set_exchanges
    secret_of = {int(guess): secret for secret, guess in enumerate(game.guess_of_secret)}
    for guess in range(0, game.n_guesses, 7):
        members = np.flatnonzero(game.table[guess] == game.table[guess, 0]).astype(np.int32)
        search.marks[:] = 0
        search.marks[game.guess_of_secret[members]] = 1
        n = from_python(frames.find_exchanges)(
            search.codes, exchanges, members, game.guess_of_secret, search.marks, 1, set_exchanges
        )
        for order, renaming in set_exchanges[:n].tolist():
            image = [
                from_python(frames.exchanged)(search.codes, exchanges, order, renaming, guess)
                for guess in range(game.n_guesses)
            ]
            moved = [secret_of[image[game.guess_of_secret[member]]] for member in members]
            assert sorted(moved) == members.tolist()
            assert (game.table[np.ix_(image, moved)] == game.table[:, members]).all()


@given(
    name=st.sampled_from(
        ["mm-4-3", "mm-3-5", "bc-3-6", "mm-3-4-distinct", "mm-5-2", "black-3-4", "black-4-3"]
    ),
    data=st.data(),
)
def test_symmetries_change_no_minimum_total(name, data):
    game = game_called(name)
    guesses = st.integers(0, game.n_guesses - 1)
    first = data.draw(guesses)
    second = data.draw(guesses)
    pattern = game.table[first].astype(int) * game.n_feedback + game.table[second]
    members = np.flatnonzero(pattern == data.draw(st.sampled_from(sorted(set(pattern.tolist())))))
    members = members.astype(np.int32)[:60]
    without = CostToGo(replace(game, symmetry=None), memo_mib=1)
    assert CostToGo(game, memo_mib=1).of(members, 1) == without.of(members, 1)


@pytest.mark.parametrize("slots", [1 << 11, 1 << 15])
@pytest.mark.parametrize(("kind", "words"), [(transposition, 3), (weighted, 4)])
def test_a_memo_keeps_what_it_has_room_for_as_it_grows_and_nothing_once_emptied(kind, words, slots):
    memo = empty_memo(4, slots, words)
    store = from_python(kind.store)
    read = from_python(kind.read)
    keys = [tuple(key) for key in np.random.default_rng(1).integers(1, 2**64, (9000, 2), np.uint64)]

    def states():
        return [read(memo.slots, from_python(find)(memo.slots, memo.used[1], key)) for key in keys]

    for repeats in range(1, 3):
        for number, key in enumerate(keys):
            assert store(memo, key, number + repeats, number) == number + repeats
        kept = min(len(keys), slots * 3 // 4)
        assert memo.used[0] == kept
        unseen = [(UNSEEN, 0, -1)] * (len(keys) - kept)
        assert states() == [(EXACT, k + repeats, k) for k in range(kept)] + unseen
    forget(memo)
    assert not memo.slots.any()
    assert {state for state, _, _ in states()} == {UNSEEN}
