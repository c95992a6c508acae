"""A good guess after some moves of a game of any size.

1. The first guess needs no sample: it is the best of all classes of equivalent guesses, exactly. So
   is the second where one code of each class can be compared over all candidates.
2. Later guesses have the highest entropy over the candidates, or over a sample of them, among three
   kinds of guesses: the candidates of the sample; all codes where they are few enough; and
   otherwise the neighbours of the best guesses so far, step by step while they improve.
3. Where all candidates are known and few, totals decide between the best guesses by entropy:
   minimum totals in endgames, and totals of rollouts in larger sets.

The criterion is in `entropy`, the limits are in `settings`.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, sqrt

import numpy as np

from codebreaker.games.codes import CodeRules
from codebreaker.sampling.candidates import (
    CONFIDENCE,
    Candidates,
    How,
    find_candidates,
    history_of,
    list_candidates,
    number_of_codes,
    number_of_secrets,
    space_of,
)
from codebreaker.sampling.entropy import TIES, Judge, ScoredGuesses, all_codes
from codebreaker.sampling.first_guess import first_guesses, part_sizes
from codebreaker.sampling.interval import Interval, exactly
from codebreaker.sampling.kernels import scoring
from codebreaker.sampling.kernels.space import History, Symbols, is_consistent
from codebreaker.sampling.second_guess import second_guesses
from codebreaker.sampling.settings import (
    ALL_CODES_PAIRS,
    ENDGAME,
    IMPROVED,
    MOST_CODES,
    MOST_ROUNDS,
    ROLLED_OUT,
    SAMPLES,
    SECOND_PAIRS,
)
from codebreaker.sampling.totals import best_by_minimum_total, best_by_rollouts
from codebreaker.sets.partition import entropy_of
from codebreaker.statistics import critical
from codebreaker.types import Hashes


@dataclass(frozen=True, eq=False)
class SampledGuess:
    """A guess, (pegs,), and what it was chosen by.

    `n_compared` guesses were compared over `n_members` of the candidates; 0 for a first guess,
    whose parts are counted without a list of them. `entropy` is in bits, over these members.
    `left` is the number of candidates expected after the guess's feedback.
    """

    guess: Symbols
    is_candidate: bool
    candidates: Candidates
    n_members: int
    n_compared: int
    entropy: float
    left: Interval

    @property
    def is_exact(self) -> bool:
        """Whether guesses were compared over all candidates."""
        if self.candidates.how is How.COUNTED:
            return True
        return self.candidates.are_all and self.n_members == len(self.candidates.codes)


def choose_guess(
    rules: CodeRules, history: History, state: Hashes, samples: int = SAMPLES
) -> SampledGuess:
    """Return a guess after moves; errors are those of `find_candidates`.

    `state` (1,) is the state of the random numbers, which this changes.
    """
    n_moves = len(history.blacks)
    if n_moves == 0:
        return _first_guess(rules)
    if n_moves == 1:
        guess = tuple(history.guesses[:, 0].tolist())
        second = _second_guess(rules, guess, int(history.blacks[0]), int(history.commons[0]))
        if second is not None:
            return second
    candidates = find_candidates(rules, history, samples, state)
    judge = Judge(rules, _members(candidates, samples, state))
    scored = judge.score(judge.members)
    if len(judge.members) > 2:  # of two candidates, none is better than either
        scored = _with_others(rules, judge, scored)
    return _choose_among(rules, history, candidates, judge, scored)


def _members(candidates: Candidates, samples: int, state: Hashes) -> Symbols:
    """Return the candidates that guesses are compared over, at most `samples`, in order."""
    codes = candidates.codes
    if len(codes) <= samples:
        return codes
    generator = np.random.default_rng(int(state[0]))
    chosen = generator.choice(len(codes), samples, replace=False)
    return codes[np.sort(chosen)]


def _choose_among(
    rules: CodeRules,
    history: History,
    candidates: Candidates,
    judge: Judge,
    scored: ScoredGuesses,
) -> SampledGuess:
    """Return the best of scored guesses, by totals where all candidates are known and few.

    `judge` has scored the guesses over members of the candidates.
    """
    members = judge.members
    n_members = len(members)
    if candidates.are_all and n_members == len(candidates.codes):
        if 2 < n_members <= ENDGAME:
            scored = best_by_minimum_total(rules, members, scored)
        elif ENDGAME < n_members <= ROLLED_OUT:
            scored = best_by_rollouts(rules, judge, scored)
    best, is_candidate = _best(rules, history, scored)
    guess = scored.guesses[best]
    return SampledGuess(
        guess=guess,
        is_candidate=is_candidate,
        candidates=candidates,
        n_members=n_members,
        n_compared=judge.n_compared,
        entropy=float(scored.entropies[best]),
        left=_expected_left(rules, guess, candidates),
    )


@lru_cache(maxsize=8)
def _first_guess(rules: CodeRules) -> SampledGuess:
    """Return the first guess with the highest entropy, the first of equals; it is cached."""
    guesses = first_guesses(rules)
    n_secrets = number_of_secrets(rules)
    entropies = np.zeros(len(guesses))
    left = np.zeros(len(guesses))
    for number, guess in enumerate(guesses):
        sizes = part_sizes(rules, guess)
        shares = sizes[sizes > 0] / n_secrets
        entropies[number] = entropy_of(sizes)
        left[number] = n_secrets * (shares @ shares)
    best = int(np.flatnonzero(entropies > entropies.max() - TIES)[0])
    guess = guesses[best]
    # Where secrets have no repeats, a guess with one can't be the secret.
    is_candidate = not rules.distinct or len(np.unique(guess)) == rules.pegs
    return SampledGuess(
        guess=guess,
        is_candidate=is_candidate,
        candidates=Candidates(guesses[:0], guesses[:0], How.COUNTED, exactly(n_secrets)),
        n_members=0,
        n_compared=len(guesses),
        entropy=float(entropies[best]),
        left=exactly(float(left[best])),
    )


@lru_cache(maxsize=64)
def _second_guess(
    rules: CodeRules, first: tuple[int, ...], black: int, common: int
) -> SampledGuess | None:
    """Return the guess after one move with the highest entropy over all candidates.

    One code of each class of equivalent guesses is compared. Returns None where the codes are more
    than `MOST_CODES`, the candidates can't be listed or are fewer than three, the classes can't be
    told apart, or `SECOND_PAIRS` is passed. The move is given by its colours, its black pegs and
    its colours in common, as arrays can't be keys: contests ask again and again, so that the last
    answers are cached.
    """
    if number_of_codes(rules) > MOST_CODES:
        return None
    history = history_of(rules, [(first, (black, common - black))])
    candidates = list_candidates(rules, history)
    if candidates is None or len(candidates.codes) < 3:
        return None
    classes = second_guesses(np.array(first, np.uint8), all_codes(rules), rules.colours)
    if classes is None or len(classes) * len(candidates.codes) > SECOND_PAIRS:
        return None
    judge = Judge(rules, candidates.codes)
    return _choose_among(rules, history, candidates, judge, judge.score(classes))


def _with_others(rules: CodeRules, judge: Judge, scored: ScoredGuesses) -> ScoredGuesses:
    """Return scored candidates together with all codes, or with neighbours of the best."""
    # 1. All codes, the candidates among them, where they are few enough.
    n_codes = number_of_codes(rules)
    if n_codes <= MOST_CODES and n_codes * len(judge.members) <= ALL_CODES_PAIRS:
        return judge.score_all_codes()
    # 2. Otherwise a local search from the best guesses so far. It ends when no neighbour is better
    #    than all of them.
    best = scored
    highest = 0.0
    for _ in range(MOST_ROUNDS):
        best = best.best(IMPROVED)
        if best.entropies[0] <= highest + TIES:
            break
        highest = float(best.entropies[0])
        nearby = judge.score(neighbours(rules, best.guesses))
        best = best.joined(nearby)
        scored = scored.joined(nearby)
    return scored


def neighbours(rules: CodeRules, codes: Symbols) -> Symbols:
    """Return the codes that differ from one of some codes, (n, pegs), in a peg or by a swap."""
    nearby = list[Symbols]()
    for peg in range(rules.pegs):
        recoloured = np.repeat(codes, rules.colours, axis=0)
        recoloured[:, peg] = np.tile(np.arange(rules.colours, dtype=np.uint8), len(codes))
        nearby.append(recoloured)
        for other in range(peg):
            swapped = codes.copy()
            swapped[:, peg] = codes[:, other]
            swapped[:, other] = codes[:, peg]
            nearby.append(swapped)
    distinct = np.unique(np.concatenate(nearby), axis=0)
    if rules.unique:
        ordered = np.sort(distinct, axis=1)
        distinct = distinct[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
    return distinct


def _best(rules: CodeRules, history: History, scored: ScoredGuesses) -> tuple[int, bool]:
    """Return the index of the best guess, and whether it is a candidate.

    Of equal guesses candidates come first, and then those first in lexicographic order.
    """
    tied = np.flatnonzero(scored.entropies > scored.entropies.max() - TIES)
    guesses = scored.guesses[tied]
    space = space_of(rules)
    are_candidates = np.array([is_consistent(space, history, guess) for guess in guesses])
    # The last key of `lexsort` decides first.
    order = np.lexsort((*guesses.T[::-1], ~are_candidates))
    first = order[0]
    return int(tied[first]), bool(are_candidates[first])


def _expected_left(rules: CodeRules, guess: Symbols, candidates: Candidates) -> Interval:
    """Return how many candidates are expected after a guess's feedback, never less than one.

    It is the number of candidates times the probability that two of them get the same feedback: the
    sum of squared shares of the parts. From a sample this sum is estimated without bias by pairs of
    different members. Its standard error and that of the number of candidates are added in relative
    terms.
    """
    feedback = scoring.feedback_of(guess, candidates.held_out, rules.colours, rules.ids_by_pegs())
    sizes = np.bincount(feedback)
    n = int(sizes.sum())
    number = candidates.number
    if candidates.are_all:
        return exactly(float(sizes @ sizes) / n)
    if n < 2:
        return Interval(number.value, 1.0, number.high)
    # Members that walked are different candidates: a secret meets itself, and the others by
    # `together`. Members that were drawn may be equal, and meet themselves within it.
    itself = 1.0 if candidates.how is How.WALKED else 0.0
    together = float(sizes @ (sizes - 1)) / (n * (n - 1))
    if together == 0:
        # No two members have the same feedback: by the rule of three, fewer than 3 in n pairs do.
        return Interval(1.0, 1.0, max(itself + (number.high - itself) * 3 / n, 1.0))
    shares = sizes / n
    variance = 4 / n * max(float((shares**3).sum()) - float((shares**2).sum()) ** 2, 0.0)
    relative = critical(CONFIDENCE, n) * sqrt(variance) / together
    relative_number = (number.high - number.low) / (2 * number.value)
    factor = exp(sqrt(relative**2 + relative_number**2))
    met = (number.value - itself) * together
    value = max(itself + met, 1.0)
    low = max(itself + met / factor, 1.0)
    high = max(itself + met * factor, 1.0)
    return Interval(value, low, min(high, number.high))
