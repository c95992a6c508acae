"""Choosing guesses by a feedback table, in games that have one."""

import numpy as np

from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import representatives_of_guesses
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.criterion import MEASURES
from codebreaker.policies.strategy import Strategy
from codebreaker.sets.primitives import ScoringRule, Sets
from codebreaker.trees.frontier import Frontier, scoring_rule, separation_decides
from codebreaker.trees.kernels import table, table_rules
from codebreaker.trees.small import best_by_score
from codebreaker.types import FeedbackIds, Indices


def choose(game: TableGame, strategy: Strategy, frontier: Frontier, rule: ScoringRule) -> Indices:
    """Return the guess with the best score at each node, (n_nodes,); −1 if none splits its set."""
    with_table = table.Table(game.by_secret, game.guess_of_secret)
    sets = frontier.sets
    guesses = np.empty(len(frontier.parents), dtype=np.int32)
    if strategy.plays.joined is not None:
        parts = scoring_rule(game, strategy, frontier, criterion=CRITERIA["most-parts"])
        then = strategy.plays.joined == "then"
        table_rules.choose_jointly(with_table, sets, rule, parts, then, guesses)
    elif strategy.looks_ahead:
        then_one = 1 in strategy.plays.steps
        prior = np.empty(0, np.int64) if game.prior is None else game.prior
        representatives = representatives_of_guesses(game)
        table_rules.choose_two_steps(
            with_table, sets, prior, rule, then_one, representatives, guesses
        )
    elif game.prior is not None:
        measure = MEASURES.index(strategy.criterion_at(frontier.turn).measure)
        table_rules.choose_by_prior(
            game.table, with_table, sets, game.prior, measure, rule, guesses
        )
    else:
        decides = separation_decides(rule, frontier.sizes, game.n_feedback)
        table.choose(with_table, sets, rule, decides, guesses)
    return guesses


def choose_in_numpy(
    game: TableGame, strategy: Strategy, frontier: Frontier, rule: ScoringRule
) -> Indices:
    """Return the guesses of `choose` without compiled code, for a criterion with one score."""
    measure = strategy.criterion_at(frontier.turn).measure
    chosen = [
        best_by_score(game, members, rule, node, measure)
        for node, members in enumerate(frontier.cells)
    ]
    return np.array(chosen, dtype=np.int32)


def feedback_of_sets(game: TableGame, sets: Sets, guesses: Indices) -> FeedbackIds:
    """Return the feedback id of each node's guess to each of its members, (n_members,)."""
    members, offsets = sets
    return game.table[np.repeat(guesses, np.diff(offsets)), members]
