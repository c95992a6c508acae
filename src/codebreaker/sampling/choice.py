"""A good guess after some moves of a game of any size.

It is the guess with the highest entropy over the candidates, or over a sample of them, among three
kinds of guesses: the candidates of the sample; all codes where they are few enough; and otherwise
the neighbours of the best guesses so far, step by step while they improve. The first guess needs no
sample: it is the best of all classes of equivalent guesses, exactly. So is the second where one
code of each class can be compared over all candidates.

Where all candidates are known and few, totals decide between the best guesses by entropy: minimum
totals in endgames, and totals of rollouts in larger sets.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, sqrt
from typing import NamedTuple

import numpy as np

from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import id_type
from codebreaker.games.model import TableGame
from codebreaker.sampling.candidates import (
    LEVEL,
    Candidates,
    How,
    Interval,
    exactly,
    find_candidates,
    history_of,
    list_candidates,
    number_of_secrets,
    space_of,
)
from codebreaker.sampling.first_guess import first_guesses, part_sizes
from codebreaker.sampling.kernels import scoring
from codebreaker.sampling.kernels.rollout import roll_out
from codebreaker.sampling.kernels.space import History, Symbols, is_consistent
from codebreaker.sampling.second_guess import second_guesses
from codebreaker.sampling.settings import SAMPLES
from codebreaker.search.small import SmallSearch, TooMuchWorkError
from codebreaker.statistics import critical
from codebreaker.types import Bits, FeedbackIds, Hashes, Scores

ALL_CODES_PAIRS = 1 << 25
"""Pairs of a code and a member up to which all codes are compared, about 0.1 s."""

MOST_CODES = 1 << 21
"""Maximum number of all codes that are compared, however few the members are."""

SECOND_PAIRS = 1 << 29
"""Pairs of a class and a candidate up to which second guesses are exact, about 0.6 s."""

IMPROVED = 4
"""Number of best guesses whose neighbours are compared."""

MOST_ROUNDS = 6
"""Maximum number of steps from neighbour to neighbour."""

ENDGAME = 40
"""Candidates up to which the minimum total decides, if all of them are known."""

ENDGAME_GUESSES = 200
"""Number of best guesses by entropy that endgames are searched with, besides the candidates."""

ROLLED_OUT = 2000
"""Candidates up to which rollouts decide, if all of them are known and are more than `ENDGAME`."""

ROLLOUT_GUESSES = 40
"""Number of best guesses by entropy whose rollouts are compared."""

ENDGAME_WORK = 1 << 21
"""Work of the search of an endgame, after which entropy decides: about 0.1 s."""

TIES = 1e-9
"""Entropies in bits that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class SampledGuess:
    """A guess, (pegs,), and what it was chosen by.

    `members` of the candidates were compared for each of `compared` guesses. `entropy` is in bits,
    over the members; `left` are the candidates expected after the guess's feedback.
    """

    guess: Symbols
    is_candidate: bool
    candidates: Candidates
    members: int
    compared: int
    entropy: float
    left: Interval


class _Packed(NamedTuple):
    """Codes as bits, (n, n_words): see `scoring.pack_codes`."""

    places: Bits
    copies: Bits


class _Scored(NamedTuple):
    """Guesses, (n, pegs), and their entropies, (n,)."""

    guesses: Symbols
    entropies: Scores


class _Judge:
    """Scores guesses over members of a set of candidates."""

    def __init__(self, rules: CodeRules, members: Symbols) -> None:
        """Prepare to score over members, (n, pegs)."""
        self._rules = rules
        self._ids = rules.ids_by_pegs()
        self._packed = _pack(members, rules.colours)
        sizes = np.arange(len(members) + 1, dtype=np.float64)
        self.logs = sizes * np.log2(np.maximum(sizes, 1))
        self.members = members
        self.compared = 0

    def score(self, guesses: Symbols, packed: _Packed | None = None) -> _Scored:
        """Return guesses with their scores; `packed` are the same guesses as bits."""
        bits = _pack(guesses, self._rules.colours) if packed is None else packed
        entropies = np.zeros(len(guesses))
        scoring.score_guesses(*bits, *self._packed, self._ids, self.logs, entropies)
        self.compared += len(guesses)
        return _Scored(guesses, entropies)


def choose_guess(
    rules: CodeRules, history: History, state: Hashes, samples: int = SAMPLES
) -> SampledGuess:
    """Return a guess after moves; errors are those of `find_candidates`.

    `state` (1,) is the state of the random numbers, which this changes.
    """
    if not len(history.blacks):
        return _first_guess(rules)
    if len(history.blacks) == 1:
        guess = tuple(history.guesses[:, 0].tolist())
        second = _second_guess(rules, guess, int(history.blacks[0]), int(history.commons[0]))
        if second is not None:
            return second
    candidates = find_candidates(rules, history, samples, state)
    members = candidates.codes
    if len(members) > samples:
        rng = np.random.default_rng(int(state[0]))
        chosen = rng.choice(len(members), samples, replace=False)
        members = members[np.sort(chosen)]
    judge = _Judge(rules, members)
    scored = judge.score(members)
    if len(members) > 2:
        scored = _with_others(rules, judge, scored)
    return _chosen(rules, history, candidates, judge, scored)


def _chosen(
    rules: CodeRules, history: History, candidates: Candidates, judge: _Judge, scored: _Scored
) -> SampledGuess:
    """Return the best of scored guesses, by totals where all candidates are known and few."""
    members = judge.members
    is_exact = candidates.how is How.LISTED and len(members) == len(candidates.codes)
    if is_exact and 2 < len(members) <= ENDGAME:
        scored = _last_guesses(rules, members, scored)
    elif is_exact and ENDGAME < len(members) <= ROLLED_OUT:
        scored = _rolled_out(rules, judge, scored)
    best, is_candidate = _best(rules, history, scored)
    guess = scored.guesses[best]
    return SampledGuess(
        guess=guess,
        is_candidate=is_candidate,
        candidates=candidates,
        members=len(members),
        compared=judge.compared,
        entropy=float(scored.entropies[best]),
        left=_expected_left(rules, guess, candidates),
    )


@lru_cache(maxsize=8)
def _first_guess(rules: CodeRules) -> SampledGuess:
    """Return the first guess with the highest entropy, the first of equals; it is cached."""
    guesses = first_guesses(rules)
    n = number_of_secrets(rules)
    entropies = np.zeros(len(guesses))
    left = np.zeros(len(guesses))
    for number, guess in enumerate(guesses):
        sizes = part_sizes(rules, guess)
        shares = sizes[sizes > 0] / n
        entropies[number] = -(shares @ np.log2(shares))
        left[number] = n * (shares @ shares)
    best = int(np.flatnonzero(entropies > entropies.max() - TIES)[0])
    guess = guesses[best]
    # Where secrets have no repeats, a guess with one can't be the secret.
    is_candidate = not rules.distinct or len(np.unique(guess)) == rules.pegs
    return SampledGuess(
        guess=guess,
        is_candidate=is_candidate,
        candidates=Candidates(guesses[:0], guesses[:0], How.COUNTED, exactly(n)),
        members=0,
        compared=len(guesses),
        entropy=float(entropies[best]),
        left=exactly(float(left[best])),
    )


@lru_cache(maxsize=64)
def _second_guess(
    rules: CodeRules, first: tuple[int, ...], black: int, common: int
) -> SampledGuess | None:
    """Return the guess after one move with the highest entropy over all candidates.

    One code of each class of equivalent guesses is compared. Returns None where the codes are more
    than `MOST_CODES`, the candidates can't be listed, the classes can't be told apart, or
    `SECOND_PAIRS` is passed. Contests ask again and again: the last answers are cached.
    """
    n_codes, _ = rules.table_shape
    if n_codes > MOST_CODES:
        return None
    history = history_of(rules, [(first, (black, common - black))])
    candidates = list_candidates(rules, history)
    if candidates is None or len(candidates.codes) < 3:
        return None
    classes = second_guesses(np.array(first, np.uint8), all_codes(rules), rules.colours)
    if classes is None or len(classes) * len(candidates.codes) > SECOND_PAIRS:
        return None
    judge = _Judge(rules, candidates.codes)
    return _chosen(rules, history, candidates, judge, judge.score(classes))


def _with_others(rules: CodeRules, judge: _Judge, scored: _Scored) -> _Scored:
    """Return scored candidates together with all codes, or with neighbours of the best."""
    n_codes, _ = rules.table_shape
    if n_codes <= MOST_CODES and n_codes * len(judge.members) <= ALL_CODES_PAIRS:
        codes = all_codes(rules)
        return judge.score(codes, _all_packed(rules))
    best = scored
    highest = 0.0
    for _ in range(MOST_ROUNDS):
        # The best guesses so far; the search ends when no neighbour is better than all of them.
        order = np.argsort(-best.entropies, kind="stable")[:IMPROVED]
        best = _Scored(best.guesses[order], best.entropies[order])
        if best.entropies[0] <= highest + TIES:
            break
        highest = float(best.entropies[0])
        nearby = judge.score(neighbours(rules, best.guesses))
        best = _joined(best, nearby)
        scored = _joined(scored, nearby)
    return scored


def _last_guesses(rules: CodeRules, members: Symbols, scored: _Scored) -> _Scored:
    """Return the guess with the minimum total over few candidates, among the best by entropy.

    All scored guesses are returned if the search takes too long.
    """
    order = np.argsort(-scored.entropies, kind="stable")[:ENDGAME_GUESSES]
    guesses = np.concatenate([members, scored.guesses[order]])
    labels = rules.feedback_labels()
    table = _feedback_table(rules, guesses, members)
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
    feedback = np.bincount(table[best.guess])
    shares = feedback[feedback > 0] / len(members)
    entropy = -float(shares @ np.log2(shares))
    return _Scored(guesses[best.guess : best.guess + 1], np.array([entropy]))


def _rolled_out(rules: CodeRules, judge: _Judge, scored: _Scored) -> _Scored:
    """Return the best guesses by entropy that have the lowest total in rollouts."""
    members = judge.members
    order = np.argsort(-scored.entropies, kind="stable")[:ROLLOUT_GUESSES]
    guesses = scored.guesses[order]
    totals = np.zeros(len(guesses), np.int64)
    solved = len(rules.feedback_labels()) - 1
    roll_out(
        _feedback_table(rules, guesses, members),
        _feedback_table(rules, members, members),
        solved,
        judge.logs,
        totals,
    )
    lowest = totals == totals.min()
    return _Scored(guesses[lowest], scored.entropies[order][lowest])


def _feedback_table(rules: CodeRules, guesses: Symbols, secrets: Symbols) -> FeedbackIds:
    """Return the feedback ids of guesses to secrets, (n_guesses, n_secrets)."""
    ids = rules.ids_by_pegs()
    rows = [scoring.feedback_of(guess, secrets, rules.colours, ids) for guess in guesses]
    return np.array(rows, id_type(len(rules.feedback_labels())))


def _joined(first: _Scored, second: _Scored) -> _Scored:
    """Return the guesses of both, with their scores."""
    guesses = np.concatenate([first.guesses, second.guesses])
    return _Scored(guesses, np.concatenate([first.entropies, second.entropies]))


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


def _best(rules: CodeRules, history: History, scored: _Scored) -> tuple[int, bool]:
    """Return the best guess, and whether it is a candidate: candidates first, then in order."""
    tied = np.flatnonzero(scored.entropies > scored.entropies.max() - TIES)
    guesses = scored.guesses[tied]
    space = space_of(rules)
    are_candidates = np.array([is_consistent(space, history, guess) for guess in guesses])
    order = np.lexsort((*guesses.T[::-1], ~are_candidates))
    first = order[0]
    return int(tied[first]), bool(are_candidates[first])


def _expected_left(rules: CodeRules, guess: Symbols, candidates: Candidates) -> Interval:
    """Return the candidates expected after a guess's feedback: at least the secret itself.

    From a sample, the probability that two members have the same feedback is estimated without bias
    by pairs of different members. Its standard error and that of the number of candidates are added
    in relative terms.
    """
    feedback = scoring.feedback_of(guess, candidates.others, rules.colours, rules.ids_by_pegs())
    sizes = np.bincount(feedback)
    n = int(sizes.sum())
    number = candidates.number
    if candidates.how is How.LISTED:
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
    relative = critical(LEVEL, n) * sqrt(variance) / together
    relative_number = (number.high - number.low) / (2 * number.value)
    factor = exp(sqrt(relative**2 + relative_number**2))
    met = (number.value - itself) * together
    ends = [max(itself + times, 1.0) for times in (met, met / factor, met * factor)]
    value, low, high = ends
    return Interval(value, low, min(high, number.high))


def _pack(codes: Symbols, n_colours: int) -> _Packed:
    """Return codes, (n, pegs), as bits."""
    words = -(-codes.shape[1] * n_colours // 64)
    places = np.zeros((len(codes), words), np.uint64)
    copies = np.zeros((len(codes), words), np.uint64)
    scoring.pack_codes(codes, n_colours, places, copies)
    return _Packed(places, copies)


@lru_cache(maxsize=2)
def all_codes(rules: CodeRules) -> Symbols:
    """Return every code that may be guessed, (n_codes, pegs); the last games' are cached."""
    return rules.codes().astype(np.uint8)


@lru_cache(maxsize=2)
def _all_packed(rules: CodeRules) -> _Packed:
    """Return every code that may be guessed, as bits; the last games' are cached."""
    return _pack(all_codes(rules), rules.colours)
