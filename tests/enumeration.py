"""A second solver: small games by enumeration, from the definitions alone.

It shares no code with the package. Guesses and secrets are labels, as people type them. Sets of
candidates are tuples of labels, totals count each secret by its weight, and every guess of the pool
is tried. `Puzzle` has a game's rules and its optimal play, `Puzzle.played` the tree of a policy.

A new criterion of `definitions.SCORES` is played without a change here; say in `in_bits` if its
scores are entropies. A new policy with weights needs its packaged file in WEIGHTED. A new kind of
feedback needs its answer in ANSWERS.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite
from pathlib import Path
from typing import NamedTuple

from definitions import (
    JOINED,
    LOOKING_AHEAD,
    allowed_in_hard_mode,
    break_ties,
    grade,
    mass,
    matches,
    score_with_prior,
)
from definitions import marks as marks_of

WEIGHT_FILES = Path(__file__).parent.parent / "src" / "codebreaker" / "data" / "weights"
WEIGHTED = {
    "fixed-weighted": "gur-2025-fixed",
    "stage-weighted": "gur-2025-stage",
    "stage-weighted-unrounded": "gur-2025-stage-unrounded",
    "stage-weighted-turns-4-6-uniform": "gur-2025-stage",
    "stage-weighted-repository": "gur-2025-stage",
    "stage-weighted-5630": "stage-5630",
    "context-weighted-5625": "context-5625",
    "context-weighted-5626": "context-5626",
    "stage-weighted-179273": "stage-179273",
    "endgame-weighted-179064": "endgame-179064",
}
"""The policies with weights, and the packaged files of these."""

REGISTERED_CRITERIA = {
    "root": lambda cells, weights: sum(weights(a) * n**0.5 for a, n in cells.items()),
    "smallest": lambda cells, weights: min(weights(a) * n for a, n in cells.items()),
}
"""Criteria that the tests register."""

POWERS = {f"{family}-{order}": order for family in ("renyi", "tsallis") for order in range(2, 9)}
"""Entropies whose order is an integer rank by the sum of powers, which is exact."""

WITHIN_BITS = (1e-9, 1e-5)
WITHIN_FLOATS = (1e-14, 1e-8)
"""Scores tie within the first difference, and not beyond the second; between them rounding decides.

Entropies tie within 1e-6 bits, other scores if they are equal but for rounding.
"""

DEFAULT_TIES = "consistent then lexicographic"
PEGS = "pegs"
PLACES = "matches"
MARKS = "marks"


class NearTieError(Exception):
    """Scores lie so close to the tolerance that rounding decides."""


def pegs_of(guess, secret):
    """Return the black and white pegs as people type them: 1,2."""
    black, white = grade(guess, secret)
    return f"{black},{white}"


def places_of(guess, secret):
    """Return the number of right symbols at their positions, as people type it."""
    return str(matches(guess, secret))


ANSWERS = {PEGS: pegs_of, PLACES: places_of, MARKS: marks_of}


class Games(NamedTuple):
    """A tree's total, and each secret's guesses, or None where optimal play may differ."""

    total: int
    guesses: dict | None


@dataclass(eq=False)
class Puzzle:
    """A game by its definition: sorted guesses and secrets, and the answer to a guess."""

    guesses: tuple
    secrets: tuple
    answer: Callable
    weights: dict | None = None
    has_marks: bool = False
    has_table: bool = True
    peg_pairs: tuple | None = None
    """The pairs of pegs that can be answered, if feedback is black and white pegs."""

    record: bool | None = False
    """Whether the package records a tree of this game; None if it may take it for another."""

    _parts: dict = field(default_factory=dict, repr=False)
    _options: dict = field(default_factory=dict, repr=False)
    _known: dict = field(default_factory=dict, repr=False)
    _chosen: dict = field(default_factory=dict, repr=False)

    def restricted(self, secrets):
        """Return the game with the same guesses and rules, and fewer secrets."""
        weights = self.weights
        kept = None if weights is None else {secret: weights[secret] for secret in secrets}
        return self._with(tuple(sorted(secrets)), kept)

    def weighted(self, weights):
        """Return the game with a prior; secrets of weight 0 are dropped."""
        kept = {secret: weight for secret, weight in weights.items() if weight}
        return self._with(tuple(sorted(kept)), kept)

    def _with(self, secrets, weights):
        if weights is not None and len({*weights.values()}) == 1:
            weights = None
        is_whole = self.record and secrets == self.secrets and weights is None
        record = None if is_whole else False
        return Puzzle(
            self.guesses,
            secrets,
            self.answer,
            weights,
            self.has_marks,
            peg_pairs=self.peg_pairs,
            record=record,
        )

    def mass(self, candidates):
        """Return the number of candidates, or the sum of their weights."""
        return mass(candidates, self.weights)

    def parts(self, guess, candidates):
        """Return the candidates by the answer to a guess, with the solved part."""
        key = guess, candidates
        if key not in self._parts:
            cells = {}
            for secret in candidates:
                cells.setdefault(self.answer(guess, secret), []).append(secret)
            self._parts[key] = {answer: tuple(cell) for answer, cell in cells.items()}
        return self._parts[key]

    def unsolved(self, guess, candidates):
        """Return the parts without that of the guess itself."""
        cells = self.parts(guess, candidates)
        return {answer: cell for answer, cell in cells.items() if cell != (guess,)}

    def splits(self, guess, candidates):
        """Return whether a guess divides a set, or wins."""
        return len(self.parts(guess, candidates)) > 1 or candidates == (guess,)

    def allowed_after(self, moves):
        """Return the guesses that hard mode allows after moves."""
        return tuple(allowed_in_hard_mode(self, moves))

    def pool(self, name, candidates, allowed=None):
        """Return the guesses of a pool at a set; `allowed` are those of hard mode."""
        if name == "consistent":
            return candidates
        return self.guesses if name != "hard" else allowed

    def narrowed(self, name, allowed, guess, answer):
        """Return the guesses of hard mode after another move; None in other pools."""
        if name != "hard":
            return None
        return tuple(later for later in allowed if self._obeys(later, guess, answer))

    def _obeys(self, guess, earlier, answer):
        key = guess, earlier, answer
        if key not in self._options:
            alone = Puzzle((guess,), (), self.answer)
            self._options[key] = bool(allowed_in_hard_mode(alone, [(earlier, answer)]))
        return self._options[key]

    def start(self, pool):
        """Return the guesses that hard mode allows at the first turn; None in other pools."""
        return self.guesses if pool == "hard" else None

    # Optimal play.

    def minimum(self, candidates, turns=inf, pool="all", allowed=None):
        """Return the minimum total of a set within some turns, or infinity."""
        total = self.mass(candidates)
        if turns < 1:
            return inf
        if len(candidates) == 1:
            return total
        if turns < 2:
            return inf
        if pool == "hard":
            # A guess that splits nothing now splits nothing of a part: drop it for the key.
            allowed = tuple(guess for guess in allowed if self.splits(guess, candidates))
        key = candidates, min(turns, len(candidates)), pool, allowed
        if key not in self._known:
            best = inf
            seen = set()
            for guess in self.pool(pool, candidates, allowed):
                alike = frozenset(self.unsolved(guess, candidates).values())
                if not self.splits(guess, candidates) or (pool != "hard" and alike in seen):
                    continue
                seen.add(alike)
                if total + sum(map(self._least, alike)) < best:
                    after = self.after(guess, candidates, turns, pool, allowed)
                    best = min(best, after)
            self._known[key] = best
        return self._known[key]

    def _least(self, candidates):
        """Return a lower bound on the total: one secret is solved at once, the others in two."""
        weights = self.weights
        heaviest = max(weights[secret] for secret in candidates) if weights else 1
        return 2 * self.mass(candidates) - heaviest

    def after(self, guess, candidates, turns=inf, pool="all", allowed=None):
        """Return the minimum total of the trees of a set that begin with a guess."""
        if turns < 1:
            return inf
        total = self.mass(candidates)
        for answer, cell in self.unsolved(guess, candidates).items():
            left = self.narrowed(pool, allowed, guess, answer)
            total += self.minimum(cell, turns - 1, pool, left)
            if not isfinite(total):
                break
        return total

    def best_total(self, turns=inf, pool="all", opening=None):
        """Return the minimum total of the game, perhaps with a forced first guess."""
        return self.best_from(self.secrets, turns, pool, opening, self.start(pool))

    def best_from(self, candidates, turns, pool, opening, allowed):
        """Return the minimum total of a set, perhaps with a forced guess."""
        if opening is None:
            return self.minimum(candidates, turns, pool, allowed)
        return self.after(opening, candidates, turns, pool, allowed)

    def lowest_maximum(self, total, pool="all", opening=None, candidates=None, allowed=None):
        """Return the lowest number of turns within which a total can be attained."""
        candidates = candidates or self.secrets
        allowed = self.start(pool) if allowed is None else allowed
        turns = 1
        while self.best_from(candidates, turns, pool, opening, allowed) > total:
            turns += 1
        return turns

    # Policies.

    def choose(self, policy, candidates, pool, tie_break, allowed, turn, previous):
        """Return the guess of a policy at a set; raise `NearTieError` where rounding decides."""
        if len(candidates) == 1:
            return candidates[0]
        weights = self._row(policy, turn, previous)
        key = policy, candidates, pool, tie_break, allowed, weights
        if key not in self._chosen:
            try:
                self._chosen[key] = self._choose(
                    policy, candidates, pool, tie_break, allowed, weights
                )
            except NearTieError as error:
                self._chosen[key] = error
        chosen = self._chosen[key]
        if isinstance(chosen, NearTieError):
            raise chosen
        return chosen

    def _choose(self, policy, candidates, pool, tie_break, allowed, weights):
        guesses = self.pool(pool, candidates, allowed)
        guesses = [guess for guess in guesses if len(self.parts(guess, candidates)) > 1]
        if policy in JOINED:
            tied = JOINED[policy](guesses, candidates, self.answer)
            return break_ties(tied, candidates, tie_break)
        scores = {
            guess: self._score(policy, guess, candidates, pool, allowed, weights)
            for guess in guesses
        }
        tied = self._tied(policy, scores)
        consistent = tied & {*candidates}
        if self.weights and "consistent" in tie_break and consistent:
            highest = max(self.weights[guess] for guess in consistent)
            tied = {guess for guess in consistent if self.weights[guess] == highest}
        return break_ties(tied, candidates, tie_break)

    def _score(self, policy, guess, candidates, pool, allowed, weights):
        """Return a guess's score; `weights` has pairs of an answer and its weight, or is None."""
        cells = self.parts(guess, candidates)
        if policy in LOOKING_AHEAD:
            # In hard mode the second guess is one that is allowed before the first.
            after = [self._most_parts(cell, pool, allowed) for cell in cells.values()]
            return LOOKING_AHEAD[policy](sum(after), len(cells))
        by_answer = dict(weights or ())

        def weight_of(answer):
            return by_answer.get(answer, 1)

        if policy in REGISTERED_CRITERIA:
            measured = {answer: self.mass(cell) for answer, cell in cells.items()}
            return REGISTERED_CRITERIA[policy](measured, weight_of)
        if policy in POWERS:
            return -sum(self.mass(cell) ** POWERS[policy] for cell in cells.values())
        criterion = "entropy" if policy in WEIGHTED else policy
        return score_with_prior(criterion, cells, weight_of, self.weights)

    def _most_parts(self, cell, pool, allowed):
        return max(len(self.parts(guess, cell)) for guess in self.pool(pool, cell, allowed))

    def _tied(self, policy, scores):
        """Return the guesses that tie for the highest score; raise where rounding decides."""
        best = max(scores.values())
        are_exact = all(isinstance(score, int | Fraction) for score in scores.values())
        if policy in LOOKING_AHEAD or are_exact:
            return {guess for guess, score in scores.items() if score == best}
        surely, hardly = WITHIN_BITS if in_bits(policy) else WITHIN_FLOATS
        scale = 1 if in_bits(policy) else max(abs(best), 1)
        tied = set()
        for guess, score in scores.items():
            if best - score <= surely * scale:
                tied.add(guess)
            elif best - score <= hardly * scale:
                raise NearTieError(policy)
        return tied

    def _row(self, policy, turn, previous):
        if policy not in WEIGHTED:
            return None
        return weights_at(policy, turn, previous)

    def played(
        self, policy, *, opening=None, guess_pool=None, tie_break=None, endgames=0,
        exact_from=None, candidates=None, turn=1, previous=None, allowed=None,
    ):  # fmt: skip
        """Return the games of a policy's tree, of the whole game or from a position on."""
        is_first_consistent = policy == "first-consistent"
        pool = guess_pool or ("consistent" if is_first_consistent else "all")
        ties = tie_break or ("lexicographic" if is_first_consistent else DEFAULT_TIES)
        rule = _Play(self, policy, opening, pool, ties, endgames, exact_from)
        candidates = candidates or self.secrets
        allowed = self.start(pool) if allowed is None else allowed
        return rule.games(candidates, turn, previous, allowed)


@dataclass(frozen=True)
class _Play:
    """A policy with its settings, which plays a puzzle.

    Sets of at most `endgames` candidates after the first turn, and all sets from turn `exact_from`
    on, are played optimally: their trees aren't unique, so that guesses are then None.
    """

    puzzle: Puzzle
    policy: str
    opening: str | None
    pool: str
    ties: str
    endgames: int
    exact_from: int | None

    def games(self, candidates, turn, previous, allowed):
        puzzle = self.puzzle
        is_forced = turn == 1 and self.opening is not None
        if not is_forced and self._is_exact(candidates, turn):
            if len(candidates) == 1:
                return Games(puzzle.mass(candidates), {candidates[0]: candidates})
            return Games(puzzle.minimum(candidates, inf, self.pool, allowed), None)
        if is_forced:
            guess = self.opening
        else:
            guess = puzzle.choose(
                self.policy, candidates, self.pool, self.ties, allowed, turn, previous
            )
        total = puzzle.mass(candidates)
        guesses = {}
        if guess in candidates:
            guesses[guess] = (guess,)
        for answer, cell in puzzle.unsolved(guess, candidates).items():
            left = puzzle.narrowed(self.pool, allowed, guess, answer)
            below = self.games(cell, turn + 1, answer, left)
            total += below.total
            if below.guesses is None:
                guesses = None
            elif guesses is not None:
                guesses |= {secret: (guess, *rest) for secret, rest in below.guesses.items()}
        return Games(total, guesses)

    def _is_exact(self, candidates, turn):
        by_turn = self.exact_from is not None and turn >= self.exact_from
        return by_turn or (turn > 1 and len(candidates) <= self.endgames)


_FILES = {}


def weights_file(policy):
    """Return the packaged file with a policy's weights."""
    name = WEIGHTED[policy]
    if name not in _FILES:
        _FILES[name] = json.loads((WEIGHT_FILES / f"{name}.json").read_text(encoding="utf-8"))
    return _FILES[name]


def peg_labels(pairs):
    """Return pairs of black and white pegs as the packaged files write them."""
    return [f"{black}B-{white}C" for black, white in pairs]


def weights_at(policy, turn, previous):
    """Return pairs of an answer and its weight at a turn, after the `previous` answer if any.

    Two policies change the packaged weights: one has no weights from turn 4 on, and in the source's
    repository two weights of the first turn are exchanged.
    """
    file = weights_file(policy)
    labels = file["feedback"]
    rows = [list(row) for row in file["weights"]]
    typed = [label.replace("B-", ",").removesuffix("C") for label in labels]
    if policy == "stage-weighted-turns-4-6-uniform":
        rows[3:] = [[1.0] * len(labels)] * len(rows[3:])
    if policy == "stage-weighted-repository":
        i = typed.index("0,1")
        j = typed.index("0,2")
        rows[0][i], rows[0][j] = rows[0][j], rows[0][i]
    row = rows[min(turn, len(rows)) - 1]
    if isinstance(row[0], list):
        row = row[0 if previous is None else typed.index(previous)]
    return tuple(zip(typed, row, strict=True))


def weights_fit(policy, puzzle):
    """Return whether a policy's weights are for the answers of a game."""
    return puzzle.peg_pairs is not None and weights_file(policy)["feedback"] == peg_labels(
        puzzle.peg_pairs
    )


def profile_of(guesses):
    """Return the number of secrets solved at guess 1, at guess 2, and so on."""
    turns = Counter(map(len, guesses.values()))
    return tuple(turns[turn] for turn in range(1, max(turns) + 1))


def in_bits(policy):
    """Return whether a policy's scores are entropies in bits."""
    return policy in ("entropy", "entropy-base-parts", "renyi-1", "tsallis-1", *WEIGHTED)
