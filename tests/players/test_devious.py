"""The devious codemaker: his answers and their value, against literal expectations."""

from functools import cache

import numpy as np
import pytest
from conftest import defined, game_called
from definitions import partition, score_entropy, sizes

from codebreaker.players.board import code_index, make_board
from codebreaker.players.contest import Series
from codebreaker.players.devious import Codemaker, longest_play, play_deviously, rule_of
from codebreaker.players.registry import PLAYERS
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow
from codebreaker.trees.tree import follow

NAMES = ["mm-2-2", "mm-2-3", "mm-3-2", "mm-3-3", "bc-2-4", "black-2-3", "marks-wide"]


def drawn_guesses(name, game, candidates):
    """The guesses that a player draws from, by the definitions."""
    if name == "random-consistent" or (len(candidates) <= 2 and name.endswith("-consistent")):
        return candidates
    pool = candidates if name.endswith("-consistent") else game.guesses
    every = {guess: sizes(guess, candidates, game.grade) for guess in pool}
    entropy = {guess: score_entropy(cells, lambda _: 1) for guess, cells in every.items()}
    parts = {guess: len(cells) for guess, cells in every.items()}
    by_rule = {
        "entropy": entropy,
        "most-parts": parts,
        "expected-size": {g: -sum(n * n for n in cells.values()) for g, cells in every.items()},
        "knuth": {g: -max(cells.values()) for g, cells in every.items()},
    }
    bests = {
        rule: {g for g in pool if scores[g] > max(scores.values()) - 1e-9}
        for rule, scores in by_rule.items()
    }
    if name.startswith("plus2"):
        most = max(parts[guess] for guess in bests["entropy"])
        return [guess for guess in bests["entropy"] if parts[guess] == most]
    if name.startswith("plus"):
        both = bests["entropy"] & bests["most-parts"]
        return list(both or bests["entropy"] | bests["most-parts"])
    best = next(best for rule, best in bests.items() if name.startswith(rule))
    if name == "knuth" or name.endswith("consistent-first"):
        best = (best & set(candidates)) or best
    return [min(best)] if name == "knuth" else list(best)


RULED = [name for name, spec in PLAYERS.items() if rule_of(spec) is not None]


def literal(player, name):
    """What the codemaker attains after a guess, and from a set of candidates, by the definition."""
    game = defined(name)

    def after(guess, candidates):
        cells = partition(guess, candidates, game.grade)
        cells.pop(game.grade(guess, guess), None)
        return max((expected(tuple(cell)) for cell in cells.values()), default=0)

    @cache
    def expected(candidates):
        guesses = drawn_guesses(player, game, list(candidates)) if candidates[1:] else candidates
        return 1 + np.mean([after(guess, candidates) for guess in guesses])

    return after, expected


@pytest.mark.parametrize("name", NAMES)
def test_random_consistent_play_is_delayed_as_long_as_can_be(name):
    _, expected = literal("random-consistent", name)
    codemaker = Codemaker(game_called(name), memo_mib=1)
    assert codemaker.expected_guesses() == pytest.approx(expected(tuple(defined(name).secrets)))


@pytest.mark.parametrize("name", RULED)
@pytest.mark.parametrize("played", ["mm-3-3", "mm-2-4"])
def test_players_who_draw_one_of_the_best_guesses_are_delayed_most(name, played):
    game, (after, _) = game_called(played), literal(name, played)
    for opening in range(0, game.n_guesses, 7):
        codemaker = Codemaker(game, rule_of(PLAYERS[name]), opening)
        first = defined(played).guesses[opening]
        most = after(first, defined(played).secrets)
        assert codemaker.expected_guesses() == pytest.approx(1 + most)


@pytest.mark.parametrize("name", ["mm-2-3", "mm-3-3", "matches-wide"])
def test_each_answer_delays_random_consistent_play_most(name):
    game, (after, expected) = game_called(name), literal("random-consistent", name)
    plain, codemaker, draw = defined(name), Codemaker(game, memo_mib=1), np.random.default_rng(0)
    for size in (1, 2, 3, 4, 5, game.n_secrets):
        members = np.sort(draw.permutation(game.n_secrets)[:size]).astype(np.int32)
        secrets = [plain.secrets[member] for member in members]
        for guess in range(game.n_guesses):
            cells = partition(plain.guesses[guess], secrets, plain.grade)
            told = codemaker.answer(guess, members)
            left = [plain.secrets[s] for s in members[game.table[guess, members] == told]]
            assert left in cells.values()
            if len(cells) > 1:
                assert told != game.solved
                most = after(plain.guesses[guess], secrets)
                assert expected(tuple(left)) == pytest.approx(most)


@pytest.mark.parametrize("name", ["random-consistent", *RULED])
def test_games_end_with_the_only_code_left_and_have_the_expected_length(name):
    game, spec, opening = game_called("mm-3-4"), PLAYERS[name], code_index("mm-3-4", "112")
    rule = rule_of(spec)
    codemaker = Codemaker(game) if rule is None else Codemaker(game, rule, opening)
    series, lengths = Series(spec, make_board("mm-3-4"), opening, 1), []
    for moves in play_deviously(series, codemaker, 60):
        guess, told = moves[-1]
        assert told == game.solved
        assert all(game.table[one, guess] == answer for one, answer in moves)
        lengths.append(len(moves))
    error = np.std(lengths) / len(lengths) ** 0.5
    assert abs(np.mean(lengths) - codemaker.expected_guesses()) <= 4 * error


def test_a_strategy_is_delayed_up_to_its_maximum():
    game = game_called("mm-3-4")
    tree = grow(game, Strategy("entropy"))
    play = longest_play(game, tree)
    assert len(play) == tree.max_guesses
    assert follow(game, tree, play[-1][0]) == play


def test_the_rule_of_players_who_search_or_sample_is_not_known():
    assert set(RULED) >= {"entropy-consistent", "plus2-consistent", "entropy-all", "knuth"}
    assert not {"random-consistent", "entropy-consistent-half", "eGA-seeded"} & set(RULED)
