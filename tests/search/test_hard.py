"""Wordle's hard mode against literal play."""

from itertools import product
from math import inf

import numpy as np
import pytest
from conftest import CRITERION_NAMES, same
from definitions import Definition, marks, minimum_of_all_trees, play, total_after
from hypothesis import example, given
from hypothesis import strategies as st

from codebreaker import Game, State, grow, solve, suggest
from codebreaker.advice.resolve import Settings, resolve
from codebreaker.errors import CodebreakerError
from codebreaker.policies.registry import JOINED, STEPS
from codebreaker.search.hard import HardCostToGo
from codebreaker.search.kernels.costs import INFEASIBLE
from codebreaker.sets.hard import allowed_after

TIES = "consistent then lexicographic"


def defined(secrets, others):
    """Return a game of words, given as texts, and its definition in hard mode."""
    listed = sorted(secrets.split())
    words = sorted({*listed, *others.split()})
    return Game.from_words(listed, words), Definition(words, listed, marks, "hard")


@st.composite
def games(draw, letters, length):
    every = ["".join(word) for word in product(letters, repeat=length)]
    words = draw(st.permutations(every))[: draw(st.integers(4, 27))]
    return defined(" ".join(words[: draw(st.integers(3, len(words)))]), " ".join(words))


@given(games("abc", 3), st.sampled_from([*CRITERION_NAMES, *STEPS, *JOINED]))
@pytest.mark.slow
def test_policies_choose_among_the_allowed_guesses(drawn, policy):
    game, definition = drawn
    for pool in ("all", "hard"):
        tree = grow(game, policy, guess_pool=pool, tie_break=TIES)
        games_played = {secret: tree.play(secret) for secret in game.secrets}
        assert tree.obeys_hard_mode == all(
            guess in definition.allowed((), moves[:turn])
            for moves in games_played.values()
            for turn, (guess, _) in enumerate(moves)
        )
    guesses = {secret: [guess for guess, _ in moves] for secret, moves in games_played.items()}
    assert guesses == play(policy, definition, tie_break=TIES)
    for guess, secret in product(game.guesses, game.secrets[:1]):
        state = State(game, [(guess, marks(guess, secret))])
        assert [*state.allowed_in_hard_mode] == definition.allowed((), state.moves)


# Games in which the allowed guesses of later turns matter.
LATER = defined("ab ad ag eg fg gg hg", "aa af be bg cb ce cg da dg ee ff hb hc")
SAME_SETS = defined("ag bg cg ed eg gg hg", "ac ad af bb be bf bh dd dg eb fg fh")


@given(games("abcd", 2), st.sampled_from([None, 2, 3, 4]), st.integers(0, 3))
@example(LATER, None, 0)
@example(SAME_SETS, None, 0)
@pytest.mark.slow
def test_the_minimum_is_that_of_all_trees(drawn, limit, first):
    game, definition = drawn
    known = {}
    opening = game.guesses[first]
    turns = limit or inf
    whole = minimum_of_all_trees(definition, definition.secrets, known, turns=turns)
    after = total_after(definition, opening, definition.secrets, known, turns=turns)
    for forced, least in ((None, whole), (opening, after)):
        options = {"guess_pool": "hard", "max_guesses": limit, "opening": forced}
        if least == inf:
            with pytest.raises(CodebreakerError, match=f"within {limit} guesses"):
                solve(game, **options)
            continue
        tree = solve(game, **options).tree
        assert (tree.total, tree.obeys_hard_mode) == (least, True)
        assert tree.maximum <= turns
    every = np.arange(len(game.secrets), dtype=np.int32)
    total, _ = HardCostToGo(game._table_game, limit).best(every, allowed_after(game._table_game))
    assert total == whole or (total >= INFEASIBLE and whole == inf)
    if limit is None:
        assert grow(game, "entropy", opening, guess_pool="hard", exact_from=2).total == after


def test_advice_obeys_hard_mode(caches):
    # After cxx and exx the same secrets are left, but dbc and dbe are allowed.
    game, definition = defined("ace aec bce bec dce dec", "cxx exx dbc dbe")
    plain, cached = (
        resolve(game._notation, "entropy", Settings(guess_pool="hard"), cached=cached)
        for cached in (False, True)
    )
    for guess, secret in product(game.guesses, game.secrets):
        if guess != secret:
            state = State(game, [(guess, marks(guess, secret))])
            moves = game._notation.moves([":".join(*state.moves)])
            assert same(cached.suggest(moves).outlook.tree, plain.suggest(moves).outlook.tree)
            allowed = definition.allowed((), state.moves)
            assert suggest(state, "entropy", guess_pool="hard").guess in allowed
    with pytest.raises(CodebreakerError, match="hard mode forbids dbe"):
        plain.suggest(game._notation.moves(["cxx:ybb", "dbe:bbg"]))
    with pytest.raises(CodebreakerError, match="hard mode forbids dbe"):
        plain.check_guess(game._notation.moves(["cxx:ybb"]), game._guess_index("dbe"))
    with pytest.raises(CodebreakerError, match="mm-2-2 has no hard mode"):
        grow("mm-2-2", "entropy", guess_pool="hard")
    with pytest.raises(CodebreakerError, match="checkpoints"):
        solve(Game.from_words(["abc", "bcd"]), guess_pool="hard", checkpoints=".")


def test_a_table_whose_labels_look_like_marks_has_no_hard_mode():
    table = [[1, 2, 0], [2, 2, 1], [0, 1, 0]]
    names = ["rr", "ss", "xx"]
    game = Game.from_table(table, names, ["rr", "xx", "ss"], ["g", "y", "b"], "y")
    actions = (
        lambda: grow(game, "entropy", guess_pool="hard"),
        lambda: solve(game, guess_pool="hard"),
        lambda: suggest(game, guess_pool="hard"),
        lambda: State(game).allowed_in_hard_mode,
        lambda: grow(game, "entropy").obeys_hard_mode,
    )
    for action in actions:
        with pytest.raises(CodebreakerError, match="table has no hard mode"):
            action()
