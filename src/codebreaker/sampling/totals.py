"""Guesses with the lowest total over few candidates, all of which are known.

Entropy chooses which guesses are compared. Up to `ENDGAME` candidates are played by the minimum
total; in larger sets rollouts give each guess the total that entropy would need after it.
"""

import numpy as np

from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import id_type
from codebreaker.games.model import TableGame
from codebreaker.sampling.entropy import Judge, ScoredGuesses
from codebreaker.sampling.kernels import scoring
from codebreaker.sampling.kernels.rollout import roll_out
from codebreaker.sampling.kernels.space import Symbols
from codebreaker.sampling.settings import ENDGAME_GUESSES, ENDGAME_WORK, ROLLOUT_GUESSES
from codebreaker.search.small import SmallSearch, TooMuchWorkError
from codebreaker.sets.partition import entropy_of
from codebreaker.types import FeedbackIds


def best_by_minimum_total(
    rules: CodeRules, members: Symbols, scored: ScoredGuesses
) -> ScoredGuesses:
    """Return the guess with the minimum total over the candidates `members`, (n, pegs).

    The members themselves and the best scored guesses are searched, now and at each later turn. All
    scored guesses are returned if the search takes too long.
    """
    guesses = np.concatenate([members, scored.best(ENDGAME_GUESSES).guesses])
    # The search takes any game with a table, which here has these guesses alone. The first of them
    # are the secrets, so that a secret's index is that of its guess.
    table = feedback_table(rules, guesses, members)
    labels = rules.feedback_labels()
    names = tuple(map(str, range(len(guesses))))
    every = np.arange(len(members), dtype=np.int32)
    game = TableGame(
        name=rules.name,
        guesses=names,
        secrets=names[: len(members)],
        feedback_labels=labels,
        solved=len(labels) - 1,
        table=table,
        guess_of_secret=every,
    )
    try:
        best = SmallSearch(game, ENDGAME_WORK).best(every)
    except TooMuchWorkError:
        return scored
    entropy = entropy_of(np.bincount(table[best.guess]))
    return ScoredGuesses(guesses[best.guess : best.guess + 1], np.array([entropy]))


def best_by_rollouts(rules: CodeRules, judge: Judge, scored: ScoredGuesses) -> ScoredGuesses:
    """Return, of the best scored guesses, those with the lowest total in rollouts.

    The members of `judge` are all candidates.
    """
    members = judge.members
    best = scored.best(ROLLOUT_GUESSES)
    totals = np.zeros(len(best.guesses), np.int64)
    solved = len(rules.feedback_labels()) - 1
    roll_out(
        feedback_table(rules, best.guesses, members),
        feedback_table(rules, members, members),
        solved,
        judge.logs,
        totals,
    )
    lowest = totals == totals.min()
    return ScoredGuesses(best.guesses[lowest], best.entropies[lowest])


def feedback_table(rules: CodeRules, guesses: Symbols, secrets: Symbols) -> FeedbackIds:
    """Return the feedback ids of guesses, (n_guesses, pegs), to secrets: (n_guesses, n_secrets)."""
    ids = rules.ids_by_pegs()
    rows = [scoring.feedback_of(guess, secrets, rules.colours, ids) for guess in guesses]
    return np.array(rows, id_type(len(rules.feedback_labels())))
