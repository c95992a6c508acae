"""Numbers of a set's pegs and colours, and the memo that keeps sets by them."""

import numpy as np
import pytest
from conftest import from_python, game_called
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.search.cost_to_go import CostToGo, allocate
from codebreaker.search.kernels import options
from codebreaker.sets.numbering import number_set

GAMES = ["mm-3-4", "mm-2-5", "mm-4-3", "bc-3-5", "black-3-4", "mm-3-4-distinct"]

SHARE = 0.85
"""Minimum share of random sets whose keys stay the same after a random change."""


def digits_of(game):
    """Return a game's codes by the characters of their labels, (n_guesses, pegs)."""
    labels = np.array([list(label) for label in game.guesses])
    return np.unique(labels, return_inverse=True)[1].reshape(labels.shape)


def changed(game, members, seed):
    """Return secrets with their pegs in another order, and other names for the colours."""
    drawn = np.random.default_rng(seed)
    codes = digits_of(game)
    n_colours = codes.max() + 1
    pegs = codes.shape[1]
    order = drawn.permutation(pegs)
    names = [drawn.permutation(n_colours) for _ in range(pegs)]
    if not game.name.startswith("black"):
        names = names[:1] * pegs
    index = {tuple(code): guess for guess, code in enumerate(codes.tolist())}
    secret_of = {int(guess): secret for secret, guess in enumerate(game.guess_of_secret)}
    images = []
    for member in members:
        code = codes[game.guess_of_secret[member]]
        image = tuple(int(names[peg][code[peg]]) for peg in order)
        images.append(secret_of[index[image]])
    return np.array(sorted(images), dtype=np.int32)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
def test_numbers_keep_all_feedback_and_lead_back_to_guesses(name):
    game = game_called(name)
    search = allocate(game, "all", 1)
    codes = digits_of(game)
    n_colours = codes.max() + 1
    index = {tuple(code): guess for guess, code in enumerate(codes.tolist())}
    drawn = np.random.default_rng(5)
    every = np.arange(game.n_secrets, dtype=np.int32)
    for _ in range(20):
        size = drawn.integers(1, min(30, game.n_secrets))
        members = drawn.choice(game.n_secrets, size, replace=False).astype(np.int32)
        images = []
        for guess in range(game.n_guesses):
            number = from_python(options.number_for_memo)(search, members, guess)
            # Both ways number the set, whichever was numbered before.
            from_python(number_set)(search.codes, search.numbers, game.guess_of_secret, every)
            assert from_python(options.guess_from_memo)(search, members, number) == guess
            from_python(number_set)(search.codes, search.numbers, game.guess_of_secret, every)
            digits = np.base_repr(number, n_colours).zfill(codes.shape[1])[-codes.shape[1] :]
            images.append(index[tuple(int(digit, n_colours) for digit in digits)])
        assert sorted(images) == list(range(game.n_guesses))
        secret_of = {int(guess): secret for secret, guess in enumerate(game.guess_of_secret)}
        moved = [secret_of[images[guess]] for guess in game.guess_of_secret]
        assert (game.table[np.ix_(images, moved)] == game.table).all()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
def test_equal_sets_mostly_have_equal_keys_and_others_have_not(name):
    game = game_called(name)
    search = allocate(game, "all", 1)
    drawn = np.random.default_rng(7)
    n_equal = 0
    set_of = {}
    for seed in range(100):
        size = drawn.integers(3, 20)
        members = drawn.choice(game.n_secrets, size, replace=False).astype(np.int32)
        key = from_python(options.key_of_set)(search, members, 2)
        n_equal += key == from_python(options.key_of_set)(search, changed(game, members, seed), 2)
        assert key != from_python(options.key_of_set)(search, members, 3)
        # Sets with one key have the same partitions, as numbers of sizes of cells.
        sizes = sorted(
            tuple(sorted(np.bincount(row[members], minlength=game.n_feedback).tolist()))
            for row in game.table
        )
        assert set_of.setdefault(key, sizes) == sizes
    assert n_equal >= 100 * SHARE


def least_total(game, members, known):
    """Return a set's minimum total by trying all guesses."""
    if len(members) <= 1:
        return len(members)
    if members not in known:
        known[members] = min(
            total
            for guess in range(game.n_guesses)
            if (total := total_after(game, guess, members, known)) is not None
        )
    return known[members]


def total_after(game, guess, members, known):
    """Return a set's minimum total with a guess, None if the guess divides nothing."""
    cells = {}
    for member in members:
        cells.setdefault(int(game.table[guess, member]), []).append(member)
    if len(cells) == 1 and game.solved not in cells:
        return None
    cells.pop(game.solved, None)
    below = (least_total(game, tuple(cell), known) for cell in cells.values())
    return len(members) + sum(below)


@given(
    name=st.sampled_from(["mm-3-3", "mm-2-5", "bc-3-4", "black-3-3", "mm-3-4-distinct"]),
    pool=st.sampled_from(["all", "consistent"]),
    data=st.data(),
)
@pytest.mark.slow
def test_the_memo_gives_equal_sets_their_own_optimal_guesses(name, pool, data):
    game = game_called(name)
    secrets = st.integers(0, game.n_secrets - 1)
    drawn = data.draw(st.lists(secrets, min_size=3, max_size=9, unique=True))
    members = np.array(sorted(drawn), dtype=np.int32)
    cost_to_go = CostToGo(game, memo_mib=1, guess_pool=pool)
    total, _ = cost_to_go.best(members)
    for seed in range(3):
        image = changed(game, members, seed)
        found, guess = cost_to_go.best(image)
        assert found == total
        if pool == "all":
            known = {}
            assert found == least_total(game, tuple(image.tolist()), known)
            assert found == total_after(game, guess, tuple(image.tolist()), known)
        else:
            assert guess in game.guess_of_secret[image]
