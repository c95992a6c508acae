"""Entropy with wrong answers: against Bayes's rule and the definition of information."""

from math import log2

import numpy as np
import pytest
from conftest import defined, game_called

from codebreaker.players.doubtful import DoubtfulPlayer, entropy_with_errors
from codebreaker.players.kernels.doubtful import tell_information
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow


def probability_of(game, answers, guess, secret, told, error):
    right = game.grade(guess, secret)
    if right == game.grade(secret, secret):
        return float(told == right)
    if told == right:
        return 1 - error
    return error / (len(answers) - 1) if told in answers else 0.0


def bits(probabilities):
    return -sum(probability * log2(probability) for probability in probabilities if probability > 0)


def literal(name):
    game = defined(name)
    labels = list(game_called(name).feedback_labels)
    labels.remove(game.grade(game.secrets[0], game.secrets[0]))
    return game, labels


@pytest.mark.parametrize("error", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("name", ["mm-2-3", "bc-2-4", "black-2-3"])
def test_information_is_that_of_the_answer_less_that_of_the_error(name, error):
    game, answers = literal(name)
    played, solved = game_called(name), game.grade(game.secrets[0], game.secrets[0])
    probabilities = np.random.default_rng(1).random((2, len(game.secrets)))
    probabilities /= probabilities.sum()
    told = np.empty(played.n_guesses)
    tell_information(played.by_secret, played.solved, probabilities, error, told)
    for guess, found in zip(game.guesses, told, strict=True):
        states = [
            (s, e, probabilities[k, i])
            for i, s in enumerate(game.secrets)
            for k, e in ((0, error), (1, 0.0))
        ]
        given = {
            (s, e): [probability_of(game, answers, guess, s, one, e) for one in (*answers, solved)]
            for s, e, _ in states
        }
        total = [sum(p * given[s, e][i] for s, e, p in states) for i in range(len(answers) + 1)]
        noise = sum(p * bits(given[s, e]) for s, e, p in states)
        assert found == pytest.approx(bits(total) - noise)


@pytest.mark.parametrize("once", [False, True])
def test_probabilities_follow_bayes_rule(once):
    name, error = "mm-2-3", 0.1
    (game, answers), played = literal(name), game_called(name)
    player = DoubtfulPlayer(played, error, once, 0)
    right = played.table[:, 4].tolist()
    moves = [(1, right[1]), (5, (right[5] + 1) % 3), (2, right[2])]
    assert played.solved not in [told for _, told in moves]
    probabilities = player.start()
    for guess, told in moves:
        probabilities = player.learn(probabilities, guess, told)
    likelihood = []
    for secret in game.secrets:
        worlds = {0: 1.0}  # the probability of all answers so far, by the number of wrong ones
        for guess, told in moves:
            label, after = played.feedback_labels[told], {}
            for wrong, probability in worlds.items():
                right = game.grade(game.guesses[guess], secret) == label
                own = 0.0 if once and wrong else error
                more = probability_of(game, answers, game.guesses[guess], secret, label, own)
                after[wrong + (not right)] = (
                    after.get(wrong + (not right), 0.0) + probability * more
                )
            worlds = after
        likelihood.append(sum(worlds.values()))
    expected = np.array(likelihood) / sum(likelihood)
    assert probabilities.sum(axis=0) == pytest.approx(expected)


def test_without_errors_it_is_entropy():
    game = game_called("mm-3-4")
    total = grow(game, Strategy("entropy", opening="112")).total_guesses
    table = entropy_with_errors(game, "112", [0.2], 1, 1)
    assert table["mean"][0] == round(total / game.n_secrets, 4)
    assert table["mean"].to_list() == sorted(table["mean"])
    assert table["wrong"].to_list() == ["never", "at most once", "any"]
