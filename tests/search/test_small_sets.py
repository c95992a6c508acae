"""The search of small sets in plain NumPy, against all trees and against the compiled search."""

from functools import cache

import numpy as np
import pytest
from conftest import notation_of

from codebreaker.games.registry import make_game
from codebreaker.games.tables import table_game, weighted
from codebreaker.search.small import SmallSearch, TooMuchWorkError
from codebreaker.search.weighted import cost_to_go_of

WON = "won"


def random_game(seed):
    """Return a game of few secrets, of which some are no guesses of use, and maybe a prior."""
    draw = np.random.default_rng(seed)
    n_secrets = int(draw.integers(2, 8))
    n_guesses = n_secrets + int(draw.integers(0, 4))
    n_feedback = int(draw.integers(2, 6))
    table = draw.integers(n_feedback - 1, size=(n_guesses, n_secrets))
    table[np.arange(n_secrets), np.arange(n_secrets)] = n_feedback - 1
    names = [f"g{number}" for number in range(n_guesses)]
    feedback = [*map(str, range(n_feedback - 1)), WON]
    game = table_game(table, names, names[:n_secrets], feedback, WON)
    if draw.integers(2):
        return game
    weights = draw.integers(1, 9, size=n_secrets).tolist()
    return weighted(game, dict(zip(names, weights, strict=False)))


def minimum_of_all_trees(game, members):
    """Return the minimum weighted total by the definition: every guess at every set."""
    weights = dict(enumerate([1] * game.n_secrets if game.prior is None else game.prior.tolist()))
    table = game.table.tolist()

    @cache
    def minimum(candidates):
        totals = []
        for row in table:
            parts = {}
            for secret in candidates:
                parts.setdefault(row[secret], set()).add(secret)
            won = parts.pop(game.solved, set())
            if won or len(parts) > 1:
                below = sum(minimum(frozenset(part)) for part in parts.values())
                totals.append(sum(weights[secret] for secret in candidates) + below)
        return min(totals)

    return minimum(frozenset(members.tolist()))


@pytest.mark.parametrize("seed", range(60))
def test_minima_are_those_of_all_trees(seed):
    game = random_game(seed)
    members = np.arange(game.n_secrets, dtype=np.int32)
    best = SmallSearch(game).best(members)
    assert best.total == minimum_of_all_trees(game, members)
    below = [
        minimum_of_all_trees(game, members[game.table[best.guess] == answer])
        for answer in np.unique(game.table[best.guess]).tolist()
        if answer != game.solved
    ]
    whole = len(members) if game.prior is None else int(game.prior.sum())
    assert best.total == whole + sum(below)


def game_of_few_answers(seed):
    """Return a random game whose guesses get fewer answers than the game has."""
    draw = np.random.default_rng(seed)
    n_secrets = int(draw.integers(10, 40))
    n_answers = int(draw.integers(2, 5))
    n_feedback = int(draw.integers(n_answers, n_answers + 3))
    n_others = int(draw.integers(3, 30))
    between_secrets = np.zeros((n_secrets, n_secrets), dtype=np.int64)
    if seed % 3:
        between_secrets = draw.integers(n_answers, size=(n_secrets, n_secrets))
    np.fill_diagonal(between_secrets, n_feedback)
    table = np.vstack([between_secrets, draw.integers(n_answers, size=(n_others, n_secrets))])
    names = [f"g{number:03}" for number in range(n_secrets + n_others)]
    feedback = [*map(str, range(n_feedback)), WON]
    return table_game(table, names, names[:n_secrets], feedback, WON)


@pytest.mark.parametrize("seed", [1, 2, 4, 5, 549, 669, 789, 870, 915])
def test_minima_with_few_answers_are_those_of_the_compiled_search(seed):
    """No part of a guess is solved if it can't be the secret, and bounds must allow for that."""
    game = game_of_few_answers(seed)
    members = np.arange(game.n_secrets, dtype=np.int32)
    assert SmallSearch(game).best(members).total == cost_to_go_of(game).of(members, 1)


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("mm-4-6", ["1122:1,1"]),
        ("mm-4-6", ["1234:0,2"]),
        ("mm-4-6", ["1111:1,0", "1223:0,1"]),
        ("bc-4-6", ["0123:0,2"]),
        ("black-3-5", ["112:1"]),
        ("mm-3-8", ["112:0,2"]),
        ("mm-3-6-distinct", ["112:1,0"]),
    ],
    ids=str,
)
@pytest.mark.slow
def test_minima_after_moves_are_those_of_the_compiled_search(name, moves):
    notation = notation_of(name)
    game = notation.game
    members = np.arange(game.n_secrets, dtype=np.int32)
    history = notation.moves(moves)
    for guess, feedback in history:
        members = members[game.feedback(guess, members) == feedback]
    best = SmallSearch(game).best(members, [guess for guess, _ in history])
    assert best.total == cost_to_go_of(game).of(members, 1)
    if len(members) < 60:
        assert SmallSearch(game).best(members).total == best.total  # without symmetry


def test_with_a_prior_equivalent_guesses_are_told_apart():
    game = make_game("mm-2-4")
    members = np.arange(game.n_secrets, dtype=np.int32)
    likely = weighted(game, {code: 1 + 50 * (code == "43") for code in game.secrets})
    best = SmallSearch(likely).best(members, [])
    assert (
        best.total == cost_to_go_of(likely).of(members, 1) == minimum_of_all_trees(likely, members)
    )


def test_much_work_is_refused():
    game = make_game("mm-4-4")
    members = np.arange(game.n_secrets, dtype=np.int32)
    with pytest.raises(TooMuchWorkError, match="mm-4-4: the search of"):
        SmallSearch(game, work=1000).best(members)
